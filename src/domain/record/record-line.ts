import { JsonError, parseMembers } from "../../kit/json/json.ts";
import type { JsonMember, JsonValue } from "../../kit/json/json.ts";
import { parseTimestamp } from "../../kit/time.ts";
import type { Timestamp } from "../../kit/time.ts";

/** One line of an ingest body, validated as far as possible without its kind. */
export interface RecordLine {
  /** Any string; the caller checks whether it is a kind the sensor may send. */
  kind: string;
  observedAt: Timestamp;
  /** The payload verbatim. */
  payload: string;
  /** Input of the event identity, UTF-8. Valid until the next line is read. */
  canonicalPayload: Uint8Array;
  value: { [key: string]: JsonValue };
  /** A key that an object of the payload repeats with another value: the payload has no single meaning. */
  repeatedKey: string | null;
}

/** Why a line is rejected. */
export class LineError extends Error {
  override readonly name = "LineError";
  /** For the operator, at most 200 characters: `payload: expected an object`. */
  readonly reason: string;
  /**
   * The line's kind if it is valid JSON with a string there, so that a forbidden kind is reported despite
   * another fault.
   */
  readonly kind: string | null;

  constructor(reason: string, kind: string | null) {
    super(reason);
    this.reason = reason;
    this.kind = kind;
  }
}

/**
 * Parses one ingest line: an object with `kind`, `observed_at` and `payload`. Other members are ignored but
 * must be valid JSON.
 *
 * @param bytes The text in UTF-8, if available
 * @throws LineError for anything else, including one of the three repeated with another value
 */
export function readRecordLine(text: string, bytes?: Uint8Array): RecordLine {
  const members = parseLine(text, bytes);
  for (const name of ["kind", "observed_at", "payload"]) {
    if (members.get(name)?.conflicting) throw new LineError(`${name}: repeated with another value`, null);
  }
  const kind = members.get("kind")?.value;
  if (typeof kind !== "string") throw new LineError("kind: expected a string", null);

  const time = members.get("observed_at")?.value;
  const observedAt = typeof time === "string" ? parseTimestamp(time) : null;
  if (observedAt === null) throw new LineError("observed_at: expected an RFC 3339 timestamp", kind);

  const payload = members.get("payload");
  if (payload === undefined || payload.canonical === null || !isObject(payload.value)) {
    throw new LineError("payload: expected an object", kind);
  }
  return {
    kind,
    observedAt,
    payload: text.slice(payload.start, payload.end),
    canonicalPayload: payload.canonical,
    value: payload.value,
    repeatedKey: payload.repeatedKey,
  };
}

function parseLine(text: string, bytes: Uint8Array | undefined): Map<string, JsonMember> {
  try {
    return parseMembers(text, "payload", bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new LineError(`not JSON: ${error.message}`, null);
  }
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
