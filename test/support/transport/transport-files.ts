// Sensor output, and what the store must contain once a transport has delivered it.

import { gunzipSync } from "node:zlib";
import { Buffer } from "node:buffer";
import type { RecordKind } from "../../../src/contract/record/kinds.ts";
import { eveKindOf, observedAtOf, zeekKindOf } from "../../../src/domain/record/derive-envelope.ts";
import { readRecordLine } from "../../../src/domain/record/record-line.ts";
import type { Fields } from "../../../src/domain/record/fields.ts";
import { parseJson } from "../../../src/kit/json/json.ts";
import { walkFiles } from "../files.ts";
import { delay } from "./transport-programs.ts";

const TEST = new URL("../..", import.meta.url).pathname;

/** Lines of each sensor file, by its path in the transport's folder. */
export type SensorFiles = Map<string, string[]>;

interface Expected {
  /** `kind observed_at payload`, sorted and unique. */
  records: string[];
  /** Lines that the core rejects, sorted. */
  rejected: string[];
}

/** A record in the format of `expectedOf`. */
export function recordText(record: { kind: string; observed_at: string; payload: string }): string {
  return `${record.kind} ${record.observed_at} ${record.payload}`;
}

/**
 * Recordings of real sensors, the golden records of every kind, and lines that are easily damaged in transit.
 */
export async function sensorFiles(): Promise<SensorFiles> {
  const files: SensorFiles = new Map();
  const add = (path: string, lines: readonly string[]) =>
    files.set(path, [...files.get(path) ?? [], ...lines]);
  add("eve.json", await linesOf("data/captures/surevego/eve.ndjson.gz"));
  add("eve.json", (await linesOf("data/captures/suricatalog/eve-2.ndjson.gz")).slice(0, 400));
  add("zeek/conn.log", await linesOf("data/captures/ctu13-rbot/conn.ndjson.gz"));
  add("zeek/conn.log", (await linesOf("data/captures/zat/conn.ndjson.gz")).slice(0, 300));
  add("zeek/dns.log", await linesOf("data/captures/apt29-scranton/dns.ndjson"));
  add("zeek/dns.log", (await linesOf("data/captures/zat/dns.ndjson.gz")).slice(0, 300));
  for (const [kind, payload] of await goldenPayloads()) {
    const [sensor, type] = kind.split(".");
    if (sensor === "suricata") add("eve.json", [payload]);
    if (sensor === "zeek") add(`zeek/${type}.log`, [payload]);
  }
  add("eve.json", EVE_LINES);
  add("zeek/conn.log", ZEEK_LINES);
  return files;
}

/** Numbers beyond double precision, unusual spellings, and member names inside text. */
const EVE_LINES = [
  String
    .raw`{"timestamp":"2026-01-02T03:04:05.123456789+0530","flow_id":18446744073709551615,"event_type":"flow","x":[1.10,1e2,-0.0,0.30000000000000004]}`,
  String
    .raw`{"timestamp": "2026-01-02T03:04:05.5", "event_type": "dns",   "dns": {"rrname":"\u00e9é\ud83d\ude00\/\" \"event_type\":\"alert\""}, "tab":"a\tb"}`,
  String
    .raw`{"flow_id":9223372036854775809,"event_type":"alert","timestamp":"2026-01-02T03:04:06.000001Z","note":"$MESSAGE %msg% $ @NDR@"}`,
  `{"timestamp":"2026-01-02T03:04:07Z","event_type":"http","long":"${"0123456789".repeat(20_000)}"}`,
  `{"timestamp":"2026-01-02T03:04:05Z","event_type":"stats","stats":{"uptime":1}}`,
  `{"timestamp":"2026-01-02T03:04:05Z","event_type":"fileinfo","fileinfo":{"size":1}}`,
  `{"timestamp":"2026-01-02T03:04:05Z","event_type":"alert","cut":"off`,
  `{"event_type":"alert","why":"no time"}`,
  `COMMIT TRANSACTION`,
];
const ZEEK_LINES = [
  `{"ts":1767323045.12345678901,"uid":"CmoreDigits","orig_bytes":18446744073709551615,"duration":1.10}`,
  `{"ts":1767323045,"uid":"CwholeSecond","_write_ts":"2020-01-01T00:00:00Z"}`,
  `{"ts":1767323045123,"uid":"Cmilliseconds"}`,
  `{"ts":"2026-01-02T03:04:05.123456Z","uid":"Ciso"}`,
  `{"uid":"CtimeLast","note":"\\"ts\\":1.5","ts":1767323046.5}`,
  `#fields\tts\tuid`,
  `{"uid":"CnoTime"}`,
];

/**
 * The records that the ingest contract derives from these lines, independent of the transports' own rules.
 */
export function expectedOf(files: SensorFiles): Expected {
  const records = new Set<string>();
  const rejected = new Set<string>();
  for (const [path, lines] of files) {
    for (const line of lines) {
      const fields = fieldsOf(line);
      if (path === "eve.json" && isEve(line) && kindOf(path, line) === null) continue;
      const kind = kindOf(path, line);
      const observedAt = kind && fields ? observedAtOf(kind, fields) : null;
      if (kind === null || fields === null || observedAt === null) {
        rejected.add(line);
        continue;
      }
      records.add(recordText({ kind, observed_at: exactTime(line) ?? observedAt, payload: line.trim() }));
    }
  }
  return { records: [...records].sort(), rejected: [...rejected].sort() };
}

function isEve(line: string): boolean {
  const fields = fieldsOf(line);
  return typeof fields?.event_type === "string" && typeof fields.timestamp === "string";
}

function kindOf(path: string, line: string): RecordKind | null {
  if (path !== "eve.json") return zeekKindOf(path);
  const type = fieldsOf(line)?.event_type;
  // Suricata's capture statistics are recorded under the kind that accepts them.
  if (type === "stats") return "suricata.anomaly";
  return typeof type === "string" ? eveKindOf(type) : null;
}

function fieldsOf(line: string): Fields | null {
  try {
    const value = parseJson(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** A fraction with more digits than a double holds must arrive unchanged. */
function exactTime(line: string): string | null {
  return line.includes("CmoreDigits") ? "2026-01-02T03:04:05.12345678901Z" : null;
}

async function linesOf(file: string): Promise<string[]> {
  const bytes = await Deno.readFile(`${TEST}${file}`);
  const text = Buffer.from(file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").filter((line) => line !== "");
}

async function goldenPayloads(): Promise<[kind: string, payload: string][]> {
  const payloads: [string, string][] = [];
  for await (const path of walkFiles(`${TEST}golden`)) {
    if (!path.endsWith("/input.ndjson")) continue;
    for (const text of (await Deno.readTextFile(path)).split("\n")) {
      if (text === "") continue;
      const { kind, payload } = readRecordLine(text);
      payloads.push([kind, payload]);
    }
  }
  return payloads.sort();
}

/**
 * Appends to a file as a sensor does: full buffers are flushed to disk, even in the middle of a line. Chunk
 * sizes derive from `seed`.
 */
export async function append(path: string, lines: readonly string[], seed = 1): Promise<void> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  const file = await Deno.open(path, { append: true, create: true });
  try {
    let state = seed;
    for (let at = 0; at < bytes.length;) {
      state = (state * 48_271) % 2_147_483_647;
      const end = Math.min(bytes.length, at + 1 + (state % 65_536));
      for (let done = at; done < end;) done += await file.write(bytes.subarray(done, end));
      at = end;
      await delay(1);
    }
  } finally {
    file.close();
  }
}
