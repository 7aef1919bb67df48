import { sha256Hex } from "../../kit/hash.ts";
/** The fields that identify a record. */
interface EventIdentity {
  /** From the sensor's token; never from the line. */
  tenantId: string;
  sensorId: string;
  kind: string;
  /** `canonical` of the parsed `observed_at`; ASCII. */
  observedAtCanonical: string;
  /**
   * Canonical JSON of the payload, UTF-8. For a record above the bounds of ingest: `sha256:` and the lower-case
   * hex SHA-256 of the payload's exact UTF-8 text.
   */
  canonicalPayload: Uint8Array;
}

/** Must change whenever a rule of the identity does. */
const VERSION = "ndr-event-v1";
export const EVENT_ID_BYTES = 32;
const LF = 0x0a;

const utf8 = new TextEncoder();

/** Shared input buffer for all but the longest records: hashing bytes takes half the time of hashing text. */
const hashed = new Uint8Array(64 * 1024);

/**
 * The event identifier: 32 bytes, the SHA-256 of the UTF-8 of six lines joined by LF: the version marker;
 * tenant, sensor and kind each as a JSON string; the canonical time; the canonical payload. A JSON string
 * contains no raw LF, so different identities give different texts.
 *
 * @param id Output buffer: allocating one per record takes longer than filling it.
 */
export function eventId(
  identity: EventIdentity,
  id: Uint8Array = new Uint8Array(EVENT_ID_BYTES),
): Uint8Array {
  const { observedAtCanonical: time, canonicalPayload: payload } = identity;
  const origin = originOf(identity);
  const length = origin.length + time.length + 1 + payload.length;
  const to = length <= hashed.length ? hashed : new Uint8Array(length);
  to.set(origin);
  let at = origin.length;
  for (let from = 0; from < time.length; from++) to[at++] = time.charCodeAt(from);
  to[at++] = LF;
  to.set(payload, at);
  id.setFromHex(sha256Hex(to.subarray(0, length)));
  return id;
}

/**
 * Cached first four lines by kind, for the sensor of the last record: consecutive records usually share it.
 */
let origins = { tenantId: "", sensorId: "", byKind: new Map<string, Uint8Array>() };

function originOf({ tenantId, sensorId, kind }: EventIdentity): Uint8Array {
  if (origins.sensorId !== sensorId || origins.tenantId !== tenantId) {
    origins = { tenantId, sensorId, byKind: new Map() };
  }
  const known = origins.byKind.get(kind);
  if (known !== undefined) return known;
  const lines = [VERSION, ...[tenantId, sensorId, kind].map((part) => JSON.stringify(part))];
  const text = utf8.encode(lines.join("\n") + "\n");
  origins.byKind.set(kind, text);
  return text;
}
