// Peers of the appliance are unplugged and plugged in again. Its clock runs fast, so that a silent sensor and the retry of
// a receiver take seconds instead of a quarter of an hour.

import assert from "node:assert/strict";
import { remedy } from "../../src/dashboard/health/health-advice.ts";
import { selfSigned } from "../support/certificates.ts";
import { answer } from "../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { valueOf } from "../support/health/metrics-text.ts";
import { FAKETIME, fasterClock } from "../support/other-clock.ts";
import { outageTest, Watched } from "../support/watched.ts";

/** Speed of the clock; all timeouts are shorter by the same factor. */
const SPEED = 10;

outageTest("peers", [
  {
    name: "a sensor stops and is plugged in again",
    needs: FAKETIME !== null,
    async run() {
      // The embedded database has the appliance's clock: one that runs behind would put both in doubt.
      await using watched = await Watched.start({ env: fasterClock(SPEED) });
      await watched.until("sensor:branch", "ok");
      const meanwhile = () => watched.send("edge");
      const silent = { message: /silent since .*; expected within 15 min/, meanwhile };
      await watched.until("sensor:branch", "stale", silent);
      await watched.until("appliance", "stale", { meanwhile });
      await watched.untilHeadline("Partly blind: 1 of 2 sensors is silent.");
      await watched.until("sensor:edge", "ok", { meanwhile });

      const both = { meanwhile: () => Promise.all([watched.send("branch"), watched.send("edge")]) };
      await watched.until("sensor:branch", "ok", both);
      await watched.until("appliance", "ok", both);
      await watched.untilHeadline("All components work and records arrive.");
    },
  },
  {
    name: "the certificate of a receiver is replaced and restored",
    needs: FAKETIME !== null,
    async run() {
      const [right, wrong] = await Promise.all([selfSigned("localhost"), selfSigned("localhost")]);
      const receiver = await HostileReceiver.start(answer(204), right);
      try {
        await replaceCertificate(receiver, right, wrong);
      } finally {
        await receiver.close();
      }
    },
  },
  {
    name: "the clock of a source is a day ahead or behind",
    needs: true,
    async run() {
      await using watched = await Watched.start({ ownDatabase: true });
      await watched.until("appliance", "ok");
      const before = await watched.report();
      for (const days of [1, -1]) {
        assert.equal(await watched.send("edge", new Date(Date.now() + days * 86_400_000)), 200);
        await watched.processed();
        const { watermark, status } = await watched.report();
        assert.equal(status, "ok");
        assert.ok(Math.abs(Date.parse(watermark!) - Date.now()) < 120_000, `by server time: ${watermark}`);
        assert.ok(watermark! > before.watermark!);
      }
    },
  },
]);

type Credentials = Awaited<ReturnType<typeof selfSigned>>;

async function replaceCertificate(
  receiver: HostileReceiver,
  right: Credentials,
  wrong: Credentials,
): Promise<void> {
  const config = { tls_fingerprint_sha256: right.fingerprint, timeout: 30, events: "incident.created" };
  const connectors = [{ instance: "siem", url: receiver.url("localhost"), config }];
  // The embedded database has the same clock. Another one would fall behind and put the clock in doubt.
  await using watched = await Watched.start({ env: fasterClock(SPEED), connectors });
  const both = { meanwhile: () => Promise.all([watched.send("edge"), watched.send("branch")]) };
  await watched.until("connector:siem", "ok", both);
  await watched.alert();
  await receiver.received(1);

  await receiver.useCredentials(wrong);
  await watched.alert();
  const siem = await watched.until("connector:siem", "unavailable", { message: /^tls: /, ...both });
  assert.equal(siem.connector!.failure_class, "tls");
  assert.match(remedy(siem)!, /The receiver's certificate is not trusted.*ndr connectors test siem --live/);
  await watched.until("appliance", "degraded", both);
  await watched.untilHeadline("Records arrive, but 1 component does not work as it should.");
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
}
