import assert from "node:assert/strict";
import { EVENT_BODIES } from "../../contract/connector/event.ts";
import { WEBHOOK_EVENT_TYPES, WebhookEnvelope } from "../../contract/connector/webhook.ts";
import type { NumberedEvent } from "../../store/connector/event-log.ts";
import { devicesOf, envelopeOf, type Sender, testEnvelope } from "./envelope.ts";

const SENDER: Sender = {
  tenantId: "main",
  instance: "soc",
  version: "1.2.3",
  publicUrl: "https://ndr.example",
};
const NOW = 1_769_843_700_125_999;
const INCIDENT = {
  id: "0199d6c8-2d75-7c31-8f25-4d2f0c1b9a00",
  title: "Beaconing",
  severity: "high" as const,
  score: 71,
  status: "open" as const,
  device_ids: ["d1", "d2"],
  model_ids: ["beacon"],
  summary: "A device calls the same server again and again.",
  first_seen: "2026-01-31T07:00:00.000Z",
  last_seen: "2026-01-31T07:15:00.125Z",
  revision: 1,
  suppressed: null,
};
const RESPONSE = {
  action_id: "a1",
  incident_id: INCIDENT.id,
  kind: "quarantine_device" as const,
  mode: "automatic" as const,
  device_id: "d1",
  address: "10.0.0.5",
  identity: null,
  detail: "why",
};
const AT = "2026-01-31T08:00:00.000Z";

/** A logged body of each type but `test`, which is not logged. */
const BODIES: Record<keyof typeof EVENT_BODIES, unknown> = {
  "incident.created": { incident: INCIDENT },
  "incident.escalated": { incident: { ...INCIDENT, previous_score: 55 } },
  "incident.closed": { incident: { ...INCIDENT, status: "resolved", revision: 2 } },
  "health.transition": {
    health: {
      component_id: "connector:soc",
      kind: "connector",
      from: "ok",
      to: "unavailable",
      message: "503",
    },
  },
  "response.proposed": { incident: INCIDENT, response: { ...RESPONSE, status: "proposed" } },
  "response.executed": {
    incident: INCIDENT,
    response: { ...RESPONSE, status: "executed", lease_expires_at: AT },
  },
  "response.failed": { incident: INCIDENT, response: { ...RESPONSE, status: "reconciling" } },
  "response.released": { incident: INCIDENT, response: { ...RESPONSE, status: "expired" } },
};

function event(type: string, body: unknown): NumberedEvent {
  return { eventNo: 1, eventId: `evt_${"0a".repeat(16)}`, type, occurredAt: NOW, body };
}

function envelope(type: keyof typeof EVENT_BODIES, names: Record<string, string> = {}, sender = SENDER) {
  const made = envelopeOf(
    event(type, EVENT_BODIES[type].parse(BODIES[type])),
    new Map(Object.entries(names)),
    sender,
  );
  assert.ok(made !== null);
  // As the receiver parses it.
  return WebhookEnvelope.parse(JSON.parse(JSON.stringify(made)));
}

Deno.test("the envelope of each of the nine types matches the contract", () => {
  const types = [...Object.keys(BODIES), "test"];
  assert.deepEqual(types.toSorted(), [...WEBHOOK_EVENT_TYPES].toSorted());
  for (const type of Object.keys(EVENT_BODIES) as (keyof typeof EVENT_BODIES)[]) {
    const { schema, id, type: eventType, occurred_at, tenant, appliance, incident, health, response } =
      envelope(
        type,
      );
    assert.deepEqual({ schema, id, eventType, occurred_at, tenant, appliance }, {
      schema: "service.webhook.v1",
      id: `evt_${"0a".repeat(16)}`,
      eventType: type,
      occurred_at: "2026-01-31T07:15:00.125Z",
      tenant: "main",
      appliance: { version: "1.2.3", instance: "soc" },
    });
    assert.equal(incident !== undefined, type !== "health.transition", type);
    assert.equal(health !== undefined, type === "health.transition", type);
    assert.equal(response !== undefined, type.startsWith("response."), type);
  }
});

Deno.test("severity: for incident and response events, of the incident", () => {
  assert.equal(envelope("incident.created").severity, "high");
  assert.equal(envelope("response.failed").severity, "high");
  assert.equal("severity" in envelope("health.transition"), false);
});

Deno.test("incident: the list fields, previous_score on incident.escalated only", () => {
  assert.equal(envelope("incident.escalated").incident!.previous_score, 55);
  assert.equal("previous_score" in envelope("incident.created").incident!, false);
  assert.deepEqual(envelope("incident.created").incident, INCIDENT);
  assert.equal(envelope("incident.closed").incident!.status, "resolved");
});

Deno.test("device_names: unknown devices are absent, and so is the member if none is known", () => {
  const named = envelope("incident.created", { d2: "front-desk", d9: "of another incident" });
  assert.deepEqual(named.incident!.device_names, { d2: "front-desk" });
  assert.equal("device_names" in envelope("incident.created").incident!, false);
  assert.deepEqual(devicesOf({ body: BODIES["response.failed"] }), ["d1", "d2"]);
  assert.deepEqual(devicesOf({ body: BODIES["health.transition"] }), []);
});

Deno.test("links: dashboard, and incident for incident and response events; absent when no origin is configured", () => {
  const incident = `https://ndr.example/t/main/incidents/${INCIDENT.id}`;
  assert.deepEqual(envelope("incident.created").links, { dashboard: "https://ndr.example/", incident });
  assert.deepEqual(envelope("response.executed").links, { dashboard: "https://ndr.example/", incident });
  assert.deepEqual(envelope("health.transition").links, { dashboard: "https://ndr.example/" });
  const nowhere = { ...SENDER, publicUrl: null };
  assert.equal("links" in envelope("incident.created", {}, nowhere), false);
  assert.equal("links" in testEnvelope(nowhere, NOW), false);
});

Deno.test("test: neither incident nor health; links.dashboard when known", () => {
  const one = WebhookEnvelope.parse(testEnvelope(SENDER, NOW));
  assert.deepEqual(one.links, { dashboard: "https://ndr.example/" });
  assert.deepEqual([one.type, one.incident, one.health, one.response, one.severity], [
    "test",
    ...Array(4).fill(undefined),
  ]);
  assert.notEqual(one.id, testEnvelope(SENDER, NOW).id);
});

Deno.test("fields that a later version logs are sent as they are", () => {
  const body = { incident: { ...INCIDENT, later: { field: [1] } }, addition: true };
  const made = envelopeOf(event("incident.created", body), new Map(), SENDER);
  assert.deepEqual((made?.incident as { later?: unknown }).later, { field: [1] });
  assert.equal(made?.addition, true);
});

Deno.test("a row that is not a webhook event gives no envelope", () => {
  const rows: [string, unknown][] = [
    ...["incident.opened", "", "constructor"].map((
      type,
    ): [string, unknown] => [type, BODIES["incident.created"]]),
    ...[null, [], "text", {}, { incident: null }, { incident: { id: "1" } }]
      .map((body): [string, unknown] => ["incident.created", body]),
    ["health.transition", BODIES["incident.created"]],
  ];
  for (const [type, body] of rows) {
    assert.equal(envelopeOf(event(type, body), new Map(), SENDER), null, `${type} ${JSON.stringify(body)}`);
  }
});

Deno.test("a response event shows no address but its target's, in title, summary, detail and device names", () => {
  const target = "10.0.0.5";
  const body = {
    incident: {
      ...INCIDENT,
      title: `Beaconing from ${target} to 203.0.113.9`,
      summary: "seen by [2001:db8::7]:53",
    },
    response: { ...RESPONSE, address: target, status: "failed", detail: `node 192.0.2.1 refused ${target}` },
  };
  const names = new Map(INCIDENT.device_ids.map((id) => [id, "host 198.51.100.4"]));
  const sent = envelopeOf(event("response.failed", body), names, SENDER)! as unknown as typeof body & {
    incident: { device_names: Record<string, string> };
  };
  assert.equal(sent.incident.title, `Beaconing from ${target} to [address]`);
  assert.equal(sent.incident.summary, "seen by [[address]]:53");
  assert.equal(sent.response.detail, `node [address] refused ${target}`);
  assert.equal(sent.response.address, target);
  assert.deepEqual(
    Object.values(sent.incident.device_names),
    INCIDENT.device_ids.map(() => "host [address]"),
  );
  const created = envelopeOf(event("incident.created", { incident: body.incident }), new Map(), SENDER)!;
  assert.equal(
    (created.incident as { title: string }).title,
    body.incident.title,
    "incident events name them",
  );
});

Deno.test("texts of every event are plain, also those of rows and devices from before the neutralisation", () => {
  const hostile = "\u202ea\u200bb\u2066\u0007";
  const hostileIn = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value),
      (key, one) => ["title", "summary", "detail", "message"].includes(key) ? `x${hostile}` : one,
    );
  for (const [type, body] of Object.entries(BODIES)) {
    const event = {
      eventNo: 1,
      eventId: `evt_${"0".repeat(32)}`,
      type,
      occurredAt: NOW,
      severity: null,
      body: hostileIn(body),
    } as unknown as NumberedEvent;
    const sent = JSON.stringify(envelopeOf(event, new Map([["d1", `name${hostile}`]]), SENDER));
    assert.ok(sent.includes("x\\\\u{202e}a\\\\u{200b}b\\\\u{2066}\\\\u{7}"), `${type}: ${sent}`);
    assert.doesNotMatch(sent, /[\p{Cf}\p{Cc}]|\\u00/u, type);
  }
});
