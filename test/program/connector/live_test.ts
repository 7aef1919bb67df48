// `ndr connectors test <instance> --live` as an administrator runs it, against receivers on real sockets.

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import {
  FAILURE_ADVICE,
  FAILURE_CLASSES,
  type FailureClass,
} from "../../../src/contract/connector/connector.ts";
import { WebhookEnvelope } from "../../../src/contract/connector/webhook.ts";
import { type Credentials, makeAuthority, selfSigned } from "../../support/certificates.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import {
  WEBHOOK_KEY,
  writeConnectors,
  type WrittenInstance,
} from "../../support/connector/connectors-file.ts";
import { answer, bytes, hang } from "../../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../../support/connector/hostile-receiver.ts";
import { createReceiver, type WebhookEvent } from "../../support/connector/webhook-receiver-example.ts";

/** A slow machine must not look like a slow receiver. */
const PATIENT = { timeout: "30s" };

interface Case {
  name: string;
  receiver: HostileReceiver | null;
  written: WrittenInstance;
  expected: FailureClass;
  /** Text reported next to the class. */
  advice: RegExp;
}

Deno.test("failure classes reported by a live test: each receiver gives its class and advice", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-live-" });
  const cases = await makeCases();
  try {
    await writeConnectors(folder, cases.map(({ written }) => written));
    for (const { name, receiver, written: { instance, url }, expected, advice } of cases) {
      const { code, stdout, stderr } = await live(folder, instance);
      const lines = stderr.trimEnd().split("\n").map((line) => line.replace(/^ndr connectors test: /, ""));
      assert.equal(lines[0], `${instance}: ${expected}`, `${name}: ${stderr}`);
      assert.match(lines[1]!, advice, name);
      assert.match(lines[1]!, new RegExp(`^  ${new URL(url).host.replaceAll(".", "\\.")}`), name);
      assert.equal(lines[2], `  Next step: ${FAILURE_ADVICE[expected]}`, name);
      assert.deepEqual([lines.length, stdout, code], [3, "", 1], name);
      assert.ok(!stderr.includes(WEBHOOK_KEY) && !stderr.includes("/hook"), `${name}: ${stderr}`);
      assert.ok((receiver?.connections ?? 0) <= 1, `${name}: exactly one attempt`);
    }
    const seen = new Set(cases.map(({ expected }) => expected));
    assert.deepEqual([...seen].sort(), [...FAILURE_CLASSES].sort());
  } finally {
    for (const { receiver } of cases) await receiver?.close();
    await Deno.remove(folder, { recursive: true });
  }
});

async function makeCases(): Promise<Case[]> {
  const stranger = await selfSigned("localhost");
  const cases: Case[] = [];
  const add = async (
    name: string,
    behaviour: Behaviour,
    expected: FailureClass,
    advice: RegExp,
    more: { credentials?: Credentials; scheme?: string; config?: WrittenInstance["config"] } = {},
  ) => {
    const receiver = await HostileReceiver.start(behaviour, more.credentials);
    const url = receiver.url(more.credentials ? "localhost" : "127.0.0.1").replace(
      /^\w+/,
      more.scheme ?? "$&",
    );
    cases.push({
      name,
      receiver,
      written: { instance: name.replaceAll(" ", "-"), url, config: { ...PATIENT, ...more.config } },
      expected,
      advice,
    });
  };
  await add("status 401", answer(401), "auth", /answered 401$/);
  await add("status 403", answer(403), "forbidden", /answered 403$/);
  await add(
    "status 302",
    answer(302, ["Location: http://127.0.0.1:1/"]),
    "unexpected_shape",
    /answered 302, a redirect/,
  );
  await add("status 404", answer(404), "rejected", /answered 404$/);
  await add("status 413", answer(413), "rejected", /answered 413$/);
  await add(
    "status 429",
    answer(429, ["Retry-After: 77"]),
    "rate_limited",
    /answered 429; it asks for a wait of 77 s$/,
  );
  await add("status 500", answer(500), "unreachable", /answered 500$/);
  await add("silent", hang(), "timeout", /did not answer within 1 s$/, { config: { timeout: "1s" } });
  await add("garbage", bytes("SSH-2.0-OpenSSH_9.2\r\n"), "unexpected_shape", /not HTTP/);
  await add("untrusted", answer(204), "tls", /TLS/, { credentials: stranger });
  await add("wrong pin", answer(204), "tls", /tls_fingerprint_sha256$/, {
    credentials: stranger,
    config: { tls_fingerprint_sha256: "00".repeat(32) },
  });
  await add("no TLS there", plainHttp(), "tls", /TLS/, { scheme: "https" });
  const closed = await HostileReceiver.start(hang());
  await closed.stopListening();
  for (
    const [instance, url, advice] of [
      ["closed-port", closed.url(), /refused/],
      ["unknown-name", "https://receiver.invalid/hook", /^ {2}receiver\.invalid: ./],
    ] as const
  ) {
    cases.push({
      name: instance,
      receiver: null,
      written: { instance, url, config: PATIENT },
      expected: "unreachable",
      advice,
    });
  }
  return cases;
}

/** A plain web server that answers a TLS client with a bad-request response. */
function plainHttp(): Behaviour {
  return {
    when: "connected",
    act: (socket) => void socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
  };
}

Deno.test("test: neither incident nor health; links.dashboard when known; the receiver of the README accepts it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-live-" });
  const taken: WebhookEvent[] = [];
  const server = createReceiver(new TextEncoder().encode(WEBHOOK_KEY), (event) => void taken.push(event));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  try {
    await writeConnectors(folder, [
      { instance: "plain", url },
      // Neither the type filter nor the severity filter holds back a test event.
      {
        instance: "linked",
        url,
        config: { events: "incident.closed", min_severity: "critical", public_url: "https://own.example" },
      },
    ]);
    const plain = await live(folder, "plain");
    assert.deepEqual(plain, {
      code: 0,
      stderr: "",
      stdout: "plain: the receiver acknowledged the test event (204)\n",
    });
    const linked = await live(folder, "linked", ["--json"], { NDR_PUBLIC_URL: "https://ndr.example" });
    assert.equal(linked.code, 0, linked.stderr);
    assert.deepEqual(JSON.parse(linked.stdout).live, {
      acknowledged: true,
      status: 204,
      failure_class: null,
      message: null,
      advice: null,
      retry_after: null,
    });
    const general = await live(folder, "plain", [], { NDR_PUBLIC_URL: "https://ndr.example" });
    assert.equal(general.code, 0, general.stderr);

    const events = taken.map((event) => WebhookEnvelope.parse(event));
    assert.equal(new Set(events.map(({ id }) => id)).size, 3);
    for (const { type, tenant, incident, health, response, severity } of events) {
      assert.deepEqual([type, tenant], ["test", "main"]);
      assert.deepEqual([incident, health, response, severity], [undefined, undefined, undefined, undefined]);
    }
    assert.deepEqual(events.map(({ links }) => links), [
      undefined,
      { dashboard: "https://own.example/" },
      { dashboard: "https://ndr.example/" },
    ]);
    assert.deepEqual(events.map(({ appliance }) => appliance.instance), ["plain", "linked", "plain"]);
  } finally {
    await new Promise((closed) => server.close(closed));
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("live test over TLS: an authority of the machine is trusted, and so is a pinned certificate", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-live-" });
  const [authority, own] = [await makeAuthority(), await selfSigned("elsewhere.example")];
  const issued = await HostileReceiver.start(answer(204), await authority.issue("localhost"));
  const pinned = await HostileReceiver.start(answer(204), own);
  try {
    await Deno.writeTextFile(`${folder}/authority.pem`, authority.cert);
    await writeConnectors(folder, [
      { instance: "issued", url: issued.url("localhost") },
      {
        instance: "pinned",
        url: pinned.url("localhost"),
        config: { tls_fingerprint_sha256: own.fingerprint },
      },
    ]);
    // Like an installation's own authority among the system's.
    const system = { SSL_CERT_FILE: `${folder}/authority.pem` };
    // Independent of the environment of the test run.
    const alone = (instance: string, env: Record<string, string> = {}) =>
      runNdr(["connectors", "test", instance, "--live"], { NDR_CONFIG_DIR: folder, ...env });
    const trusting = await alone("issued", { ...system, DENO_TLS_CA_STORE: "" });
    assert.deepEqual([trusting.code, trusting.stderr], [0, ""]);
    const strange = await alone("issued");
    assert.deepEqual([strange.code, strange.stderr.includes("issued: tls")], [1, true], strange.stderr);
    const { code, stderr } = await alone("pinned");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual([issued.requests.length, pinned.requests.length], [1, 1]);
  } finally {
    await issued.close();
    await pinned.close();
    await Deno.remove(folder, { recursive: true });
  }
});

function live(
  folder: string,
  instance: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ran> {
  return callNdr(["connectors", "test", instance, "--live", ...flags], { NDR_CONFIG_DIR: folder, ...env });
}
