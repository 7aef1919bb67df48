// What a receiver gets from the event log, over real sockets from a real database.

import assert from "node:assert/strict";
import { WebhookEnvelope } from "../../../src/contract/connector/webhook.ts";
import { hmacHex } from "../../../src/kit/web-crypto.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { appendEvents, type LoggedEvent } from "../../../src/store/connector/event-log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { WEBHOOK_KEY } from "../../support/connector/connectors-file.ts";
import { testDatabase } from "../../support/database.ts";
import { answer } from "../../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../../support/connector/hostile-receiver.ts";
import { createdEvent, eventId } from "../../support/connector/logged-events.ts";
import { bodyOf, WebhookCore, webhookTo } from "../../support/connector/webhook-core.ts";

const NOW = Date.now() * 1000;
const DEVICE = "0199d6c8-2d75-7c31-8f25-4d2f0c1b9a01";

async function withReceiver(work: (receiver: HostileReceiver) => Promise<void>): Promise<void> {
  const receiver = await HostileReceiver.start(answer(204));
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
}

function log(db: Database, events: LoggedEvent[]): Promise<void> {
  return db.tenant("main", (tx) => appendEvents(tx, "main", events));
}

/** `incident.created` with changed members of its incident. */
function created(number: number, change: Record<string, unknown>): LoggedEvent {
  const event = createdEvent(number, NOW);
  const { incident } = event.body as { incident: Record<string, unknown> };
  return { ...event, body: { incident: { ...incident, ...change } } };
}

function transition(number: number): LoggedEvent {
  const health = { component_id: "zeek-1", kind: "sensor", from: "ok", to: "stale" };
  return { eventId: eventId(number), type: "health.transition", occurredAt: NOW, body: { health } };
}

function failed(number: number, severity: string): LoggedEvent {
  const { incident } = created(number, { severity }).body as { incident: { id: string } };
  const response = {
    action_id: "act-1",
    incident_id: incident.id,
    kind: "notify_only",
    mode: "automatic",
    status: "failed",
    device_id: null,
    address: null,
    identity: null,
    detail: "refused",
  };
  return {
    eventId: eventId(number),
    type: "response.failed",
    occurredAt: NOW,
    body: { incident, response },
  };
}

testDatabase("POST, one request per event, in order, signed over the raw body", async (db) => {
  await withReceiver(async (receiver) => {
    const core = new WebhookCore(db, [webhookTo(receiver)]);
    await core.run(async () => {
      await log(db, [createdEvent(1, NOW), transition(2), failed(3, "low")]);
      const { bookmark, delivered, pending, state } = await core.until((now) => now.delivered === 3);
      assert.deepEqual([bookmark, delivered, pending, state], [3, 3, 0, "ok"]);
    });
    assert.equal(receiver.connections, 3, "one connection per request");
    assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [1, 2, 3].map(eventId));
    for (const request of receiver.requests) {
      const { headers, requestLine, body } = request;
      const envelope = WebhookEnvelope.parse(bodyOf(request));
      assert.equal(requestLine, "POST /hook HTTP/1.1");
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["user-agent"], "service-webhook/1");
      assert.equal(headers["x-service-event"], envelope.type, "identical to `type` in the body");
      assert.match(
        headers["x-service-delivery"]!,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.match(headers["x-service-timestamp"]!, /^\d{10}$/);
      const signed = new Uint8Array([
        ...new TextEncoder().encode(`${headers["x-service-timestamp"]}.`),
        ...body,
      ]);
      assert.equal(headers["x-service-signature"], `sha256=${await hmacHex(WEBHOOK_KEY, signed)}`);
      assert.doesNotMatch(new TextDecoder().decode(body), new RegExp(Deno.hostname()), "no host name");
    }
    const [incident, health, response] = receiver.requests.map(bodyOf);
    assert.deepEqual([incident.severity, health.severity, response.severity], ["high", undefined, "low"]);
    assert.equal(incident.links.incident, "https://ndr.example/t/main/incidents/inc-1");
  });
});

testDatabase("device_names are resolved at delivery time, and unknown devices are absent", async (db) => {
  await withReceiver(async (receiver) => {
    const core = new WebhookCore(db, [webhookTo(receiver)]);
    await core.run(async () => {
      receiver.behave([], answer(403));
      await log(db, [created(1, { device_ids: [DEVICE, "0199d6c8-2d75-7c31-8f25-4d2f0c1b9a02"] })]);
      await core.until((now) => now.failed > 0);
      await db.tenant("main", (tx) =>
        tx.run(sql`
          insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
          values ('main', ${DEVICE}::uuid, 'front-desk', now(), now())`));
      receiver.behave([], answer(204));
      await core.until((now) => now.delivered === 1);
    });
    assert.equal("device_names" in bodyOf(receiver.requests[0]!).incident, false);
    assert.deepEqual(bodyOf(receiver.requests.at(-1)!).incident.device_names, { [DEVICE]: "front-desk" });
    assert.equal(new Set(receiver.requests.map((one) => bodyOf(one).id)).size, 1);
    const deliveries = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
    assert.equal(new Set(deliveries).size, receiver.requests.length, "a retry carries a new delivery id");
  });
});

testDatabase("a lookup failure loses the names, never the event", async (db) => {
  await withReceiver(async (receiver) => {
    const core = new WebhookCore(db, [webhookTo(receiver)]);
    await core.run(async () => {
      await db.owner((tx) => tx.script("alter table device rename to device_elsewhere"));
      await log(db, [created(1, { device_ids: [DEVICE] })]);
      await core.until((now) => now.delivered === 1);
    });
    const envelope = WebhookEnvelope.parse(bodyOf(receiver.requests[0]!));
    assert.equal("device_names" in envelope.incident!, false);
    assert.deepEqual(envelope.incident!.device_ids, [DEVICE]);
    assert.match(core.lines.join("\n"), /events are sent without device names/);
  });
});

testDatabase(
  "min_severity holds back incident and response events below it, never health.transition",
  async (db) => {
    await withReceiver(async (receiver) => {
      const core = new WebhookCore(db, [webhookTo(receiver, { webhook: { minSeverity: "high" } })]);
      await core.run(async () => {
        const events = [
          ...[created(1, { severity: "medium" }), created(2, { severity: "high" }), failed(3, "medium")],
          ...[failed(4, "critical"), transition(5), created(6, { severity: "info" })],
        ];
        await log(db, events);
        const { bookmark, delivered, dropped, rejected } = await core.until((now) => now.bookmark === 6);
        assert.deepEqual([bookmark, delivered, dropped, rejected], [6, 3, 0, 0], "held back: not counted");
      });
      assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [2, 4, 5].map(eventId));
    });
  },
);

testDatabase("an explicit events list restricts the types; an empty one means every type", async (db) => {
  await withReceiver(async (receiver) => {
    const events = new Set(["incident.created" as const, "response.failed" as const]);
    const core = new WebhookCore(db, [webhookTo(receiver, { webhook: { events } })]);
    await core.run(async () => {
      await log(db, [transition(1), created(2, {}), failed(3, "low"), transition(4)]);
      const { delivered, bookmark, state } = await core.until((now) => now.bookmark === 4);
      assert.deepEqual([delivered, bookmark, state], [2, 4, "ok"]);
    });
    assert.deepEqual(receiver.requests.map((one) => bodyOf(one).type), [
      "incident.created",
      "response.failed",
    ]);
  });
});
