// Events as the engine writes them to the log, in any number.

import { createHash } from "node:crypto";
import { EVENT_BODIES } from "../../../src/contract/connector/event.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { appendEvents, type LoggedEvent } from "../../../src/store/connector/event-log.ts";

/** `incident.created` for the incident with this number; `occurredAt` in microseconds. */
export function createdEvent(number: number, occurredAt: number): LoggedEvent {
  const at = new Date(Math.floor(occurredAt / 1000)).toISOString();
  const body = EVENT_BODIES["incident.created"].parse({
    incident: {
      id: `inc-${number}`,
      title: `Incident ${number}`,
      severity: "high",
      score: 70,
      status: "open",
      device_ids: ["0193f2a0-0000-7000-8000-000000000001"],
      model_ids: ["beacon"],
      summary: "A device calls the same server again and again.",
      first_seen: at,
      last_seen: at,
      revision: 1,
      suppressed: null,
    },
  });
  return { eventId: eventId(number), type: "incident.created", occurredAt, body };
}

/** Id of the event that `createdEvent` builds. */
export function eventId(number: number): string {
  return `evt_${createHash("sha256").update(`event ${number}`).digest("hex").slice(0, 32)}`;
}

/** Logs the events `from` to `to`, inclusive, in one transaction. Returns their ids. */
export async function logCreated(
  db: Database,
  tenantId: string,
  from: number,
  to: number,
  occurredAt: number,
): Promise<string[]> {
  const events = Array.from({ length: to - from + 1 }, (_, index) => createdEvent(from + index, occurredAt));
  await db.tenant(tenantId, (tx) => appendEvents(tx, tenantId, events));
  return events.map(({ eventId }) => eventId);
}
