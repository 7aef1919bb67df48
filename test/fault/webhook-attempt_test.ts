// One attempt at a receiver that has faulty TLS, redirects, or answers at the last moment.

import assert from "node:assert/strict";
import { type Attempt, attemptDelivery, type WebhookTarget } from "../../src/connectors/webhook/attempt.ts";
import { EVENT_BODIES } from "../../src/contract/connector/event.ts";
import { WebhookEnvelope } from "../../src/contract/connector/webhook.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { type Credentials, HAS_OPENSSL, makeAuthority, selfSigned } from "../support/certificates.ts";
import { answer, bytes, hang, hangAfterHead, later } from "../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { createdEvent } from "../support/connector/logged-events.ts";
import { redirect, REDIRECTS } from "../support/connector/sink-faults.ts";

const TLS = { ignore: !HAS_OPENSSL };
const KEY = new TextEncoder().encode("0123456789abcdef");

function envelope(): WebhookEnvelope {
  const { eventId, type, occurredAt, body } = createdEvent(1, systemClock.now());
  const { incident } = EVENT_BODIES["incident.created"].parse(body);
  return WebhookEnvelope.parse({
    schema: "service.webhook.v1",
    id: eventId,
    type,
    occurred_at: new Date(occurredAt / 1000).toISOString(),
    tenant: "main",
    severity: incident.severity,
    appliance: { version: "0.0.0", instance: "test" },
    incident,
  });
}

interface Options extends Partial<WebhookTarget> {
  /** Trusted authorities, PEM. */
  roots?: string[];
}

function attempt(url: string, { roots, ...target }: Options = {}): Promise<Attempt> {
  return attemptDelivery(
    { url: new URL(url), fingerprint: null, key: KEY, timeoutMs: 5000, ...target },
    envelope(),
    { clock: systemClock, roots },
  );
}

async function withReceiver(
  credentials: Credentials | null,
  does: Behaviour,
  work: (receiver: HostileReceiver) => Promise<void>,
): Promise<void> {
  const receiver = await HostileReceiver.start(does, credentials);
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
}

function failureOf(attempt: Attempt): string | null {
  return attempt.kind === "acknowledged" ? null : attempt.failure;
}

Deno.test("TLS: verified against the system roots or the pinned leaf, never skipped", TLS, async () => {
  const [known, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
  const [good, wrongName, expired, unknown, own] = await Promise.all([
    known.issue("localhost"),
    known.issue("receiver.example"),
    known.issue("localhost", -1),
    stranger.issue("localhost"),
    selfSigned("localhost"),
  ]);
  const roots = [known.cert];
  const rows: { name: string; shows: Credentials; options: Options; failure: "tls" | null }[] = [
    { name: "a trusted authority", shows: good, options: { roots }, failure: null },
    { name: "an untrusted authority", shows: good, options: {}, failure: "tls" },
    { name: "another authority", shows: unknown, options: { roots }, failure: "tls" },
    { name: "another name", shows: wrongName, options: { roots }, failure: "tls" },
    { name: "expired", shows: expired, options: { roots }, failure: "tls" },
    { name: "self-signed", shows: own, options: { roots }, failure: "tls" },
    { name: "self-signed, pinned", shows: own, options: { fingerprint: own.fingerprint }, failure: null },
    {
      name: "another name, pinned",
      shows: wrongName,
      options: { fingerprint: wrongName.fingerprint },
      failure: null,
    },
    {
      name: "trusted, but another certificate is pinned",
      shows: good,
      options: { roots, fingerprint: own.fingerprint },
      failure: "tls",
    },
    {
      name: "the authority's fingerprint instead of a leaf's",
      shows: good,
      options: { roots, fingerprint: unknown.fingerprint },
      failure: "tls",
    },
  ];
  for (const { name, shows, options, failure } of rows) {
    await withReceiver(shows, answer(204), async (receiver) => {
      const made = await attempt(receiver.url("localhost"), options);
      assert.equal(failureOf(made), failure, `${name}: ${JSON.stringify(made)}`);
      assert.equal(receiver.requests.length, failure === null ? 1 : 0, name);
      if (failure !== null) {
        assert.equal(receiver.bytes, 0, `${name}: part of the request was sent`);
        assert.deepEqual(made.kind === "held" && made.again, true, `${name}: up to three attempts`);
      }
    });
  }
});

Deno.test(
  "a certificate that changes between attempts is refused, and accepted once it is restored",
  TLS,
  async () => {
    const [first, second] = await Promise.all([selfSigned("localhost"), selfSigned("localhost")]);
    await withReceiver(first, answer(200), async (receiver) => {
      const pinned = { fingerprint: first.fingerprint };
      const failures: (string | null)[] = [];
      for (const shown of [first, second, first]) {
        await receiver.useCredentials(shown);
        failures.push(failureOf(await attempt(receiver.url("localhost"), pinned)));
      }
      assert.deepEqual(failures, [null, "tls", null]);
      assert.equal(receiver.requests.length, 2);
    });
  },
);

Deno.test("a peer without TLS or with broken TLS is reported as such", TLS, async () => {
  const alert = "\x15\x03\x01\x00\x02\x02\x46";
  const rows: [name: string, does: Behaviour, failure: string][] = [
    ["plain HTTP", bytes("HTTP/1.1 400 Bad Request\r\n\r\n", "connected"), "tls"],
    ["an alert: protocol version", bytes(alert, "connected"), "tls"],
    ["the end", bytes("", "connected"), "unreachable"],
    ["nothing", hang("connected"), "timeout"],
  ];
  const fingerprint = "a".repeat(64);
  for (const [name, does, failure] of rows) {
    await withReceiver(null, does, async (receiver) => {
      const url = receiver.url("localhost").replace("http:", "https:");
      for (const pin of [null, fingerprint]) {
        const made = await attempt(url, { fingerprint: pin, timeoutMs: 500 });
        assert.equal(failureOf(made), failure, `${name}, pin ${pin}: ${JSON.stringify(made)}`);
      }
    });
  }
  await withReceiver(await selfSigned("localhost"), answer(204), async (receiver) => {
    const made = await attempt(receiver.url("localhost").replace("https:", "http:"));
    assert.match(String(failureOf(made)), /^(unexpected_shape|unreachable)$/, JSON.stringify(made));
    assert.equal(receiver.requests.length, 0);
  });
});

Deno.test("3xx: rejected; redirects are never followed", async () => {
  await withReceiver(null, answer(204), async (elsewhere) => {
    for (const status of REDIRECTS) {
      const { does, failure } = redirect(status, elsewhere.url());
      await withReceiver(null, does, async (receiver) => {
        const made = await attempt(receiver.url());
        assert.deepEqual([made.kind, failureOf(made)], ["held", failure], String(status));
        assert.equal(receiver.connections, 1);
      });
    }
    assert.equal(elsewhere.connections, 0);
  });
});

Deno.test("2xx: acknowledged, even if the timeout ends before the body", async () => {
  // Three at once, each closer to the timeout: on a busy machine the last one may be late.
  const made = await Promise.all([1770, 1820, 1870].map(async (ms) => {
    let result: Attempt | null = null;
    await withReceiver(null, later(ms, hangAfterHead(200)), async (receiver) => {
      result = await attempt(receiver.url(), { timeoutMs: 2000 });
    });
    return result;
  }));
  assert.ok(made.some((one) => one !== null && failureOf(one) === null), JSON.stringify(made));
});
