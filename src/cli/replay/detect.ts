// Detects the format of a recording from its first bytes.

import { basename } from "node:path";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { NAMES } from "../../domain/record/netflow/fields.ts";
import { readUnboundLine } from "../../domain/record/unbound/line.ts";
import { type JsonValue, parseJson } from "../../kit/json/json.ts";
import { NoRecordsError, ReplayInputError } from "./errors.ts";
import { documents, type Item, lines } from "./items.ts";
import { zeekLogOfFile } from "./zeek-names.ts";

export type Format =
  /** Lines that already are ingest records. */
  | { type: "envelopes" }
  /** `log`: from the file name, for records without `_path` or `@stream`. */
  | { type: "zeek-json"; log: string | null }
  | { type: "zeek-tsv"; log: string | null }
  | { type: "eve" }
  /** JSON objects of one kind: NetFlow, or the kind given by the caller. */
  | { type: "payloads"; kind: RecordKind }
  /** Unbound's log as text, possibly among other lines. */
  | { type: "unbound-log" }
  | { type: "empty" };

export interface Layout {
  format: Format;
  /** One record per line, or JSON objects in an array or over several lines. */
  container: "lines" | "document";
}

const EXPECTED =
  "expected ingest envelopes, Zeek logs (JSON or TSV), Suricata EVE, NetFlow JSON or Unbound's " +
  "query log, plain or compressed with gzip";

const MAGIC: [string, string][] = [
  ["\xfd7zXZ", "compressed with xz: decompress it first"],
  ["BZh", "compressed with bzip2: decompress it first"],
  ["\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first"],
  ["PK\x03\x04", "a zip archive: unpack it first"],
  ["\xd4\xc3\xb2\xa1", "a packet capture: process it with Zeek or Suricata and replay their logs"],
  ["\xa1\xb2\xc3\xd4", "a packet capture: process it with Zeek or Suricata and replay their logs"],
  ["\x4d\x3c\xb2\xa1", "a packet capture: process it with Zeek or Suricata and replay their logs"],
  ["\x0a\x0d\x0d\x0a", "a packet capture: process it with Zeek or Suricata and replay their logs"],
  ["\xff\xfe", "UTF-16 text: convert it to UTF-8 first"],
  ["\xfe\xff", "UTF-16 text: convert it to UTF-8 first"],
];

/**
 * Detects the format from `head`, the first bytes of the decompressed file; its last line may be cut. `kind`:
 * the caller's kind for every record. Throws ReplayInputError for anything but a recording,
 * NoRecordsError if it has no record at all.
 */
export async function detectLayout(path: string, head: Uint8Array, kind: RecordKind | null): Promise<Layout> {
  const start = new TextDecoder("latin1").decode(head.subarray(0, 8));
  const magic = MAGIC.find(([bytes]) => start.startsWith(bytes));
  if (magic !== undefined) throw new ReplayInputError(`${path}: this is ${magic[1]}`);

  const text = new TextDecoder().decode(head).trimStart();
  if (text === "") return { format: { type: "empty" }, container: "lines" };
  if (/^#(separator|set_separator|fields|path)\b/.test(text)) {
    return { format: { type: "zeek-tsv", log: zeekLogOfFile(basename(path)) }, container: "lines" };
  }

  let container: Layout["container"] = "lines";
  let samples = text.startsWith("[") ? [] : await objectsOf(lines(once(head), head.length));
  const mayBeUnbound = samples.length === 0 && (kind === null || kind === "unbound.query");
  if (mayBeUnbound && isUnboundLog(text, path)) return UNBOUND_LOG;
  if (samples.length === 0 && (text.startsWith("[") || text.startsWith("{"))) {
    container = "document";
    samples = await objectsOf(documents(once(head), head.length));
  }
  // With an explicit kind the log may start with other messages.
  if (samples.length === 0 && kind === "unbound.query") return UNBOUND_LOG;
  if (samples.length === 0) {
    throw new NoRecordsError(`${path}: not a recording: ${EXPECTED}, found no record at its start`);
  }
  for (const sample of samples) {
    const format = formatOf(sample, path, kind);
    if (format !== null) return { format, container };
  }
  if (samples.some((sample) => Object.hasOwn(sample, "ts"))) {
    throw new ReplayInputError(
      `${path}: looks like a Zeek JSON log, but neither its records (_path) nor its name (conn.log, ` +
        `dns_2020.ndjson, …) name the log: specify it with --kind, for example --kind zeek.conn`,
    );
  }
  const keys = Object.keys(samples[0]!).slice(0, 6).join(", ").slice(0, 120);
  throw new ReplayInputError(
    `${path}: not a recording of a known format: ${EXPECTED}; its first record has the keys: ${keys}`,
  );
}

const UNBOUND_LOG: Layout = { format: { type: "unbound-log" }, container: "lines" };

/** Throws ReplayInputError for a query log whose year is unknown. */
function isUnboundLog(text: string, path: string): boolean {
  const lookups = text.split("\n").map(readUnboundLine).filter((lookup) => lookup !== null);
  if (lookups.length > 0 && lookups.every(({ time }) => time === null)) {
    throw new ReplayInputError(
      `${path}: an Unbound log whose lines have no year (log-time-ascii: yes, or syslog's short dates): ` +
        "replay one with full dates, as Unbound writes them with log-time-ascii: no or log-time-iso: yes, " +
        "or the journal with journalctl -u unbound -o short-iso-precise",
    );
  }
  return lookups.length > 0;
}

type JsonObject = Record<string, JsonValue>;

function formatOf(record: JsonObject, path: string, kind: RecordKind | null): Format | null {
  if (
    isObject(record.payload) && (typeof record.kind === "string" || typeof record.observed_at === "string")
  ) {
    if (kind !== null) {
      throw new ReplayInputError(`${path}: contains ingest envelopes, which name their kinds: omit --kind`);
    }
    return { type: "envelopes" };
  }
  if (kind !== null) return { type: "payloads", kind };
  if (NETFLOW_KEYS.some((key) => Object.hasOwn(record, key))) {
    return { type: "payloads", kind: "netflow.flow" };
  }
  if (typeof record.event_type === "string") return { type: "eve" };
  if (typeof record._path === "string" || typeof record["@stream"] === "string") {
    return { type: "zeek-json", log: zeekLogOfFile(basename(path)) };
  }
  const log = Object.hasOwn(record, "ts") ? zeekLogOfFile(basename(path)) : null;
  return log === null ? null : { type: "zeek-json", log };
}

/** No other format has members with these names. */
const NETFLOW_KEYS = [...NAMES.exporter, ...NAMES.srcIp, ...NAMES.dstIp];

async function objectsOf(items: AsyncIterable<Item[]>): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const group of items) {
    for (const { bytes } of group) {
      if (bytes === null) continue;
      const value = jsonOf(bytes);
      if (isObject(value)) objects.push(value);
      if (objects.length >= 50) return objects;
    }
  }
  return objects;
}

function jsonOf(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function* once(data: Uint8Array): AsyncGenerator<{ data: Uint8Array; offset: number }> {
  yield { data, offset: data.length };
}
