// Peers of the appliance are unplugged and plugged in again. Its clock runs fast, so that a silent sensor and the retry of
// a receiver take seconds instead of a quarter of an hour.

import assert from "node:assert/strict";
import { selfSigned } from "../support/certificates.ts";
import { answer } from "../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { valueOf } from "../support/health/metrics-text.ts";
import { FAKETIME, fasterClock } from "../support/other-clock.ts";
import { outageTest, Watched } from "../support/watched.ts";

/** Speed of the clock; all timeouts are shorter by the same factor. */
const SPEED = 10;

outageTest("a sensor stops and is plugged in again", FAKETIME !== null, async () => {
  // The embedded database has the appliance's clock: one that runs behind would put both in doubt.
  await using watched = await Watched.start({ env: fasterClock(SPEED) });
  await watched.until("sensor:branch", "ok");
  const { message } = await watched.until("sensor:branch", "stale", () => watched.send("edge"));
  assert.match(message!, /silent since .*; expected within 15 min/);
  await watched.until("appliance", "stale", () => watched.send("edge"));
  await watched.untilText("Partly blind: 1 of 2 sensors is silent.");
  await watched.until("sensor:edge", "ok", () => watched.send("edge"));
  await watched.picture("sensor");

  const both = async () => {
    await watched.send("branch");
    await watched.send("edge");
  };
  await watched.until("sensor:branch", "ok", both);
  await watched.until("appliance", "ok", both);
  await watched.untilText("All components work and records arrive.");
});

outageTest("the certificate of a receiver is replaced and restored", FAKETIME !== null, async () => {
  const [right, wrong] = await Promise.all([selfSigned("localhost"), selfSigned("localhost")]);
  const receiver = await HostileReceiver.start(answer(204), right);
  try {
    const config = { tls_fingerprint_sha256: right.fingerprint, timeout: 30, events: "incident.created" };
    const connectors = [{ instance: "siem", url: receiver.url("localhost"), config }];
    // The embedded database has the same clock. Another one would fall behind and put the clock in doubt.
    await using watched = await Watched.start({ env: fasterClock(SPEED), connectors });
    const both = () => Promise.all([watched.send("edge"), watched.send("branch")]);
    await watched.until("connector:siem", "ok", both);
    await watched.alert();
    await receiver.received(1);

    await receiver.useCredentials(wrong);
    await watched.alert();
    const { message, connector } = await watched.until("connector:siem", "unavailable", both);
    assert.match(message!, /^tls: /);
    assert.equal(connector!.failure_class, "tls");
    await watched.until("appliance", "degraded", both);
    await watched.untilText("Records arrive, but 1 component does not work as it should.");
    await watched.untilText("The receiver's certificate is not trusted");
    await watched.untilText("ndr connectors test siem --live");
    await watched.picture("certificate");
    const metrics = await watched.metrics();
    const instance = { tenant: "main", instance: "siem", connector: "webhook" };
    assert.equal(valueOf(metrics, "service_connector_state", { ...instance, state: "error" }), 1);
    assert.equal(valueOf(metrics, "service_connector_count", { ...instance, counter: "pending" }), 1);
    assert.equal(receiver.requests.length, 1, "nothing was sent to the other certificate");

    await receiver.useCredentials(right);
    await receiver.received(2);
    await watched.until("connector:siem", "ok", both);
    await watched.until("appliance", "ok", both);
    const ids = receiver.requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)).id);
    assert.equal(new Set(ids).size, 2);
  } finally {
    await receiver.close();
  }
});
