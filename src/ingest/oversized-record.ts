import { sha256Hex } from "../kit/hash.ts";
import { LineError, type RecordLine } from "../domain/record/record-line.ts";
import { type JsonOutline, outlineOf } from "../kit/json/json-outline.ts";
import { parseTimestamp, type Timestamp } from "../kit/time.ts";

/** Longest line in bytes that is understood. Records of sensors rarely exceed 16 KiB. */
export const MAX_RECORD_BYTES = 256 * 1024;
/**
 * Most array elements and object members of a line that is understood. Measured: 20,000 take up to 10 ms to
 * canonicalise, and the largest records of sensors hold some hundred.
 */
export const MAX_RECORD_VALUES = 20_000;
/** As in every other record. */
const MAX_DEPTH = 128;
/** A value takes at least two bytes, so shorter lines need not be counted. */
const MIN_OVERSIZED_BYTES = 2 * MAX_RECORD_VALUES;

const utf8 = new TextEncoder();

/**
 * A record that is too large to be understood. It is kept as evidence, unparsed, and identified by its exact
 * text: the canonical text would cost what the bound saves.
 */
export class OversizedRecord implements RecordLine {
  readonly value = {};
  /** Not looked for. */
  readonly repeatedKey = null;

  private constructor(
    /** Why the record is unparsed. */
    readonly reason: string,
    readonly kind: string,
    readonly observedAt: Timestamp,
    readonly payload: string,
    /** `sha256:` and the digest of the payload's text. Canonical payloads begin with a brace, so none is equal. */
    readonly canonicalPayload: Uint8Array,
  ) {}

  /**
   * Null if the line is within the bounds. Of a larger one only grammar, depth and envelope are checked.
   *
   * @throws LineError if the line is not a record
   */
  static read(text: string, bytes: number): OversizedRecord | null {
    if (bytes < MIN_OVERSIZED_BYTES) return null;
    const outline = outlineOf(text);
    const reason = reasonOf(bytes, outline);
    if (reason === null) return null;

    if (outline.depth > MAX_DEPTH) {
      throw new LineError(`not JSON: nested deeper than ${MAX_DEPTH} levels`, null);
    }
    const { kind, observed_at: time, payload: value } = parseEnvelope(text);
    if (typeof kind !== "string") throw new LineError("kind: expected a string", null);
    const observedAt = typeof time === "string" ? parseTimestamp(time) : null;
    if (observedAt === null) throw new LineError("observed_at: expected an RFC 3339 timestamp", kind);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new LineError("payload: expected an object", kind);
    }
    const payload = payloadOf(text, outline, kind);
    const digest = sha256Hex(payload);
    return new OversizedRecord(reason, kind, observedAt, payload, utf8.encode(`sha256:${digest}`));
  }
}

function reasonOf(bytes: number, { values }: JsonOutline): string | null {
  if (bytes > MAX_RECORD_BYTES) {
    return `record too large: ${bytes} bytes, expected at most ${MAX_RECORD_BYTES}`;
  }
  if (values > MAX_RECORD_VALUES) {
    return `record too large: ${values} values, expected at most ${MAX_RECORD_VALUES}`;
  }
  return null;
}

/** Builds the values with the engine's parser, which is several times faster than the program's own. */
function parseEnvelope(text: string): Record<string, unknown> {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new LineError("not JSON", null);
  }
  if (typeof line !== "object" || line === null || Array.isArray(line)) {
    throw new LineError("not JSON: expected an object", null);
  }
  return line as Record<string, unknown>;
}

/** The payload's exact text. */
function payloadOf(text: string, { members }: JsonOutline, kind: string): string {
  const seen = new Set<string>();
  let payload = "";
  for (const { key, start, end } of members) {
    const name: string = JSON.parse(key);
    // Which of two envelopes is meant would be a guess.
    if (seen.has(name)) throw new LineError("not JSON: duplicate key in the envelope", kind);
    seen.add(name);
    if (name === "payload") payload = text.slice(start, end);
  }
  return payload;
}
