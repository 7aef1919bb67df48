import { RECORD_KINDS, type RecordKind } from "../../contract/record/kinds.ts";
import type { Fields } from "./fields.ts";
import { flowEnd, flowReceived, flowStart } from "./netflow/times.ts";
import { readTime, type Time } from "./times.ts";
import { unboundTime } from "./unbound/line.ts";
import { zeekTime } from "./zeek/envelope.ts";

// Derives the fields of an ingest line other than the payload from a sensor's own log file.

const KINDS: ReadonlySet<string> = new Set(RECORD_KINDS);

/**
 * The record kind of a Zeek log by its name (`_path`, `@stream`) or file (`conn.log`,
 * `/logs/dns.10:00:00-11:00:00.log.gz`, `zeek-http.log`). Null for an unsupported log.
 */
export function zeekKindOf(path: string): RecordKind | null {
  const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const log = /^(?:zeek[-_])?([a-z0-9_]+)(?:\.|$)/.exec(file)?.[1];
  return kindOf(`zeek.${log}`);
}

/** The record kind of an EVE `event_type`; null if unsupported. */
export function eveKindOf(eventType: string): RecordKind | null {
  return kindOf(`suricata.${eventType}`);
}

/**
 * A record's own time as RFC 3339 text in UTC with full precision; null if it has none. A time without a zone
 * is taken as UTC.
 */
export function observedAtOf(kind: RecordKind, payload: Fields): string | null {
  return timeOfRecord(kind, payload)?.canonical ?? null;
}

function timeOfRecord(kind: RecordKind, payload: Fields): Time | null {
  if (kind.startsWith("zeek.")) return zeekTime(payload.ts);
  if (kind.startsWith("suricata.")) return readTime(payload.timestamp);
  if (kind === "netflow.flow") return flowStart(payload) ?? flowEnd(payload) ?? flowReceived(payload);
  return typeof payload.message === "string" ? unboundTime(payload.message) : null;
}

function kindOf(name: string): RecordKind | null {
  return KINDS.has(name) ? name as RecordKind : null;
}
