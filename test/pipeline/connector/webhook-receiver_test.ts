// The receiver from the README, against forged, stale, repeated and unfamiliar deliveries.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import { attemptDelivery } from "../../../src/connectors/webhook/attempt.ts";
import { testEnvelope } from "../../../src/connectors/webhook/envelope.ts";
import { createReceiver, type WebhookEvent } from "../../support/connector/webhook-receiver-example.ts";

const KEY = Buffer.from("a key of at least sixteen bytes");
const NOW = 1_790_000_000;

interface Delivery {
  body: string;
  key?: Uint8Array;
  /** Seconds; null sends no header. */
  timestamp?: number | string | null;
  signature?: string | null;
  type?: string;
  method?: string;
}

interface Receiver {
  /** Events handed to the application, in order. */
  taken: WebhookEvent[];
  url: URL;
  /** Sends one delivery, signed like the appliance's unless overridden; returns the response status. */
  deliver(delivery: Delivery): Promise<number>;
}

async function withReceiver(
  body: (receiver: Receiver) => Promise<void>,
  take: (event: WebhookEvent) => void | Promise<void> = () => {},
): Promise<void> {
  const taken: WebhookEvent[] = [];
  const server = createReceiver(KEY, async (event) => {
    await take(event);
    taken.push(event);
  }, () => NOW);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const deliver = async (delivery: Delivery) => {
    const { key = KEY, timestamp = NOW, type = "test", method = "POST" } = delivery;
    const headers = new Headers({ "content-type": "application/json", "x-service-event": type });
    if (timestamp !== null) headers.set("x-service-timestamp", String(timestamp));
    const { signature = sign(key, `${timestamp}.${delivery.body}`) } = delivery;
    if (signature !== null) headers.set("x-service-signature", signature);
    const sent = method === "GET" ? undefined : delivery.body;
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, headers, body: sent });
    await response.body?.cancel();
    return response.status;
  };
  try {
    await body({ taken, url: new URL(`http://127.0.0.1:${port}/`), deliver });
  } finally {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
}

function sign(key: Uint8Array, text: string): string {
  return `sha256=${createHmac("sha256", key).update(text).digest("hex")}`;
}

function event(id: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ schema: "service.webhook.v1", id, type: "test", ...more });
}

Deno.test("receiver: refuses a timestamp more than five minutes from its own clock", () =>
  withReceiver(async ({ taken, deliver }) => {
    for (const [index, age] of [0, 300, -300, 299].entries()) {
      assert.equal(await deliver({ body: event(`evt_${index}`), timestamp: NOW - age }), 204, `age ${age}`);
    }
    assert.equal(taken.length, 4);
    for (const age of [301, -301, 86_400, NOW]) {
      assert.equal(await deliver({ body: event("evt_old"), timestamp: NOW - age }), 401, `age ${age}`);
    }
    for (const timestamp of [null, "", "soon", "1e9", ` ${NOW}.5`, `${NOW}.0`, `0x${NOW}`, "9".repeat(400)]) {
      assert.equal(await deliver({ body: event("evt_odd"), timestamp }), 401, `timestamp ${timestamp}`);
    }
    assert.equal(taken.length, 4);
  }));

Deno.test("receiver: HMAC over the raw bytes received, not a re-serialisation", () =>
  withReceiver(async ({ taken, deliver }) => {
    const spaced =
      '{ "type": "test",\n "id": "evt_\\u0061", "schema": "service.webhook.v1", "note": "\\u00e4ä" }';
    assert.equal(await deliver({ body: spaced }), 204);
    assert.deepEqual(taken.map(({ id, note }) => [id, note]), [["evt_a", "ää"]]);
    const written = JSON.stringify(JSON.parse(spaced));
    assert.equal(await deliver({ body: written, signature: sign(KEY, `${NOW}.${spaced}`) }), 401);
    assert.equal(taken.length, 1);
  }));

Deno.test("receiver: a forged delivery is refused", () =>
  withReceiver(async ({ taken, deliver }) => {
    const body = event("evt_1");
    const right = sign(KEY, `${NOW}.${body}`);
    const forgeries: Record<string, Delivery> = {
      "signed with another key": { body, key: Buffer.from("another key of sixteen bytes") },
      "signature over the body without its timestamp": { body, signature: sign(KEY, body) },
      "signature of another time": { body, timestamp: NOW - 1, signature: right },
      "signature of another body": { body: event("evt_2"), signature: right },
      "missing": { body, signature: null },
      "empty": { body, signature: "" },
      "without the signature's prefix": { body, signature: right.slice("sha256=".length) },
      "in capitals": { body, signature: right.toUpperCase() },
      "cut": { body, signature: right.slice(0, -1) },
      "longer": { body, signature: `${right}0` },
      "one digit wrong": { body, signature: right.slice(0, -1) + (right.endsWith("0") ? "1" : "0") },
    };
    for (const [name, delivery] of Object.entries(forgeries)) {
      assert.equal(await deliver(delivery), 401, name);
    }
    assert.deepEqual(taken, []);
    assert.equal(await deliver({ body }), 204);
    assert.equal(taken.length, 1);
  }));

Deno.test("receiver: deduplication on id: a replayed and a repeated delivery are processed once", () =>
  withReceiver(async ({ taken, deliver }) => {
    const body = event("evt_1");
    assert.equal(await deliver({ body }), 204);
    assert.equal(await deliver({ body }), 204, "replayed unchanged");
    assert.equal(await deliver({ body, timestamp: NOW + 7 }), 204, "repeated with a new signature");
    assert.equal(
      await deliver({ body: event("evt_1", { device_names: {} }) }),
      204,
      "repeated with new names",
    );
    assert.equal(await deliver({ body: event("evt_2") }), 204);
    assert.deepEqual(taken.map(({ id }) => id), ["evt_1", "evt_2"]);
  }));

Deno.test("receiver: two concurrent deliveries of one id are processed once, and both wait for the result", async () => {
  const waiting = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await withReceiver(async ({ taken, deliver }) => {
    const first = deliver({ body: event("evt_1") });
    await begun.promise;
    const second = deliver({ body: event("evt_1") });
    waiting.resolve();
    assert.deepEqual(await Promise.all([first, second]), [204, 204]);
    assert.equal(taken.length, 1);
  }, async () => {
    begun.resolve();
    await waiting.promise;
  });
});

Deno.test("receiver: an event it could not process is not acknowledged, and is processed when redelivered", async () => {
  let failures = 2;
  await withReceiver(async ({ taken, deliver }) => {
    const body = event("evt_1");
    assert.deepEqual([await deliver({ body }), await deliver({ body }), await deliver({ body })], [
      500,
      500,
      204,
    ]);
    assert.equal(taken.length, 1);
  }, () => {
    if (failures-- > 0) throw new Error("the ticket system is down");
  });
});

Deno.test("receiver: ignores unknown fields and unknown event types", () =>
  withReceiver(async ({ taken, deliver }) => {
    const body = event("evt_1", { type: "moon.rose", phase: { of: ["the", "moon"] } });
    assert.equal(await deliver({ body }), 204);
    assert.equal(taken[0]?.type, "moon.rose");
  }));

Deno.test("receiver: the type is read from the body, because the header is not signed", () =>
  withReceiver(async ({ taken, deliver }) => {
    assert.equal(await deliver({ body: event("evt_1"), type: "incident.created" }), 204);
    assert.equal(taken[0]?.type, "test");
  }));

Deno.test("receiver: another schema, another method and a huge body are not acknowledged", () =>
  withReceiver(async ({ taken, deliver }) => {
    assert.equal(await deliver({ body: event("evt_1", { schema: "service.webhook.v2" }) }), 501);
    assert.equal(await deliver({ body: "", method: "GET" }), 405);
    assert.equal(await deliver({ body: "not JSON" }), 400);
    // The receiver may also close the connection before the rest arrives.
    const huge = await deliver({ body: event("evt_1", { fill: "x".repeat(2 * 1024 * 1024) }) }).catch(() =>
      413
    );
    assert.equal(huge, 413);
    assert.deepEqual(taken, []);
    assert.equal(await deliver({ body: event("evt_1") }), 204, "and continues afterwards");
  }));

Deno.test("receiver: real deliveries of the appliance; 401 for a wrong key or clock, and repeats keep their id", () =>
  withReceiver(async ({ taken, url }) => {
    const send = async (envelope: ReturnType<typeof made>, key: Uint8Array = KEY, skew = 0) => {
      const clock = { now: () => (NOW + skew) * 1_000_000 };
      const attempt = await attemptDelivery({ url, fingerprint: null, key, timeoutMs: 5000 }, envelope, {
        clock,
      });
      return attempt.kind === "acknowledged" ? attempt.status : attempt.failure;
    };
    const sender = { tenantId: "main", instance: "soc", version: "1.2.3", publicUrl: null };
    const made = () => testEnvelope(sender, NOW * 1_000_000);
    const [first, second] = [made(), made()];
    assert.equal(await send(first), 204);
    assert.equal(await send(first), 204, "a repeat, with its own delivery id and signature");
    assert.equal(await send(second, Buffer.from("another key of sixteen bytes")), "auth");
    assert.equal(await send(second, KEY, 86_400), "auth", "a clock a day ahead");
    assert.equal(await send(second, KEY, -301), "auth");
    assert.equal(await send(second, KEY, -300), 204);
    assert.deepEqual(taken, [first, second]);
  }));
