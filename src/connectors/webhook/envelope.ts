import { z } from "zod";
import { INCIDENT_EVENT_TYPES, RESPONSE_EVENT_TYPES } from "../../contract/connector/event.ts";
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_SCHEMA,
  type WebhookEnvelope,
  type WebhookEventType,
  WebhookIncident,
} from "../../contract/connector/webhook.ts";
import { maskAddresses } from "../../kit/net/mask-addresses.ts";
import { randomUuid } from "../../kit/id.ts";
import { mapStrings, plainValues } from "../../kit/plain-text.ts";
import { formatMillis } from "../../kit/time.ts";
import type { NumberedEvent } from "../../store/connector/event-log.ts";

/** An envelope as sent; `WebhookEnvelope` is its contract. */
export type Outgoing =
  & Omit<WebhookEnvelope, "severity" | "incident" | "health" | "response">
  & Record<string, unknown>;

/** What all envelopes of an instance share. */
export interface Sender {
  tenantId: string;
  /** The connector instance: how an appliance identifies itself to a receiver, never by host name. */
  instance: string;
  /** Version of the product. */
  version: string;
  /** Origin of the dashboard; null if none is configured. */
  publicUrl: string | null;
}

const WITH_INCIDENT: readonly WebhookEventType[] = [...INCIDENT_EVENT_TYPES, ...RESPONSE_EVENT_TYPES];

/**
 * The part of a logged body that is read; the rest is sent as written, so that older rows stay deliverable.
 */
const Body = z.looseObject({
  incident: z.looseObject({
    id: z.string(),
    severity: WebhookIncident.shape.severity,
    device_ids: z.array(z.string()),
  }).optional(),
  response: z.looseObject({ address: z.string().nullish() }).optional(),
});

/** Devices named by an event; none if it cannot be read. */
export function devicesOf(event: Pick<NumberedEvent, "body">): string[] {
  return Body.safeParse(event.body).data?.incident?.device_ids ?? [];
}

/**
 * The envelope of a logged event with the current names of its devices; devices without a name are left out.
 * Null if the row is not a webhook event.
 */
export function envelopeOf(
  event: NumberedEvent,
  names: ReadonlyMap<string, string>,
  sender: Sender,
): Outgoing | null {
  const type = WEBHOOK_EVENT_TYPES.find((known) => known === event.type);
  const body = Body.safeParse(event.body).data;
  if (type === undefined || body === undefined) return null;
  // Rows and names from before the neutralisation, too.
  const { incident, ...rest } = plainValues(withMaskedAddresses(withNames(body, names)));
  if ((incident === undefined) === WITH_INCIDENT.includes(type)) return null;
  const common = frame(type, event.eventId, event.occurredAt, sender);
  if (incident === undefined) return { ...rest, ...common };
  return {
    ...rest,
    ...common,
    severity: incident.severity,
    incident,
    ...links(sender, incident.id),
  };
}

function withNames(body: z.infer<typeof Body>, names: ReadonlyMap<string, string>): z.infer<typeof Body> {
  const { incident } = body;
  const known = (incident?.device_ids ?? []).filter((id) => names.has(id));
  if (incident === undefined || known.length === 0) return body;
  return {
    ...body,
    incident: { ...incident, device_names: Object.fromEntries(known.map((id) => [id, names.get(id)])) },
  };
}

/** A response event shows its target's address and no other one. */
function withMaskedAddresses(body: z.infer<typeof Body>): z.infer<typeof Body> {
  const { incident, response } = body;
  if (response === undefined) return body;
  const masked = <T>(value: T) => mapStrings(value, (text) => maskAddresses(text, response.address ?? null));
  return { ...body, incident: masked(incident), response: masked(response) };
}

/** The event of `ndr connectors test --live`; it is not logged. `now` in microseconds. */
export function testEnvelope(sender: Sender, now: number): Outgoing {
  return frame("test", `evt_${randomUuid().replaceAll("-", "")}`, now, sender);
}

function frame(type: WebhookEventType, id: string, occurredAt: number, sender: Sender): Outgoing {
  return {
    schema: WEBHOOK_SCHEMA,
    id,
    type,
    occurred_at: formatMillis(occurredAt),
    tenant: sender.tenantId,
    appliance: { version: sender.version, instance: sender.instance },
    ...links(sender, null),
  };
}

/** The incident's address names its tenant: the reader may have another one selected. */
function links(
  { publicUrl: origin, tenantId }: Sender,
  incidentId: string | null,
): Pick<WebhookEnvelope, "links"> {
  if (origin === null) return {};
  const page = `${origin}/t/${encodeURIComponent(tenantId)}/incidents/${incidentId}`;
  const incident = incidentId === null ? {} : { incident: page };
  return { links: { dashboard: `${origin}/`, ...incident } };
}
