// Bench records: a real day of a small office from its Zeek logs (m57: 2.2 records per connection), replayed for many
// offices at once. Each office starts at another time of the day and keeps the original pace, so related records stay
// together: those of a connection, a DNS query and its connection, periodic traffic. Every office has its own internal
// hosts; external hosts are shared. The rest of the payload is unchanged.

import { gunzipSync } from "node:zlib";
import { ZeekTsv } from "../../src/cli/replay/zeek-tsv.ts";

const DAY = new URL("../data/captures/m57", import.meta.url).pathname;
const LOGS = { conn: "conn.log.gz", dns: "dns.log.gz", http: "http.log.gz", ssl: "ssl.log" };
/** Together they send about 100,000 records per hour. */
const OFFICES = 128;
/** Seconds of simulated time that are sorted together. */
const STRETCH = 60;

/** Zeek logs a connection when it ends, or after this many seconds without traffic. */
const SILENCE = { tcp: 5, other: 60 };

/** Fields that all logs have. */
interface Payload {
  ts: number;
  uid: string;
  "id.orig_h": string;
  "id.resp_h": string;
  proto?: string;
  duration?: number;
}

interface DayRecord {
  kind: string;
  /** Seconds from the beginning of the day to when Zeek wrote it. */
  written: number;
  payload: Payload;
}

/** The day's records in the order of their log time. */
interface Day {
  records: readonly DayRecord[];
  begin: number;
  /** Seconds; the next day follows at once. */
  length: number;
}

/** One record of one office. */
interface Placed {
  record: DayRecord;
  office: number;
  /** Number of days that the office has completed. */
  lap: number;
  /** Seconds since the stream began. */
  at: number;
}

/** `count` ingest lines from record number `from` of the stream that begins at `begin` (seconds). */
export function benchLines(count: number, begin: number, from = 0): string[] {
  const day = readDay();
  const lines: string[] = [];
  let number = 0;
  for (let stretch = 0; lines.length < count; stretch++) {
    const placed = during(day, stretch * STRETCH, (stretch + 1) * STRETCH);
    for (const one of placed.slice(Math.max(0, from - number))) {
      if (lines.length < count) lines.push(lineOf(one, day, begin));
    }
    number += placed.length;
  }
  return lines;
}

/** Seconds of the stream that its first `count` records take, roughly: all offices together are as busy at any time. */
export function secondsOf(count: number): number {
  const { records, length } = readDay();
  return count / (records.length * OFFICES / length);
}

let known: Day | null = null;

function readDay(): Day {
  if (known !== null) return known;
  const records = Object.entries(LOGS).flatMap(([log, file]) =>
    rows(`${DAY}/${file}`).map((payload) => ({
      kind: `zeek.${log}`,
      written: writtenAt(log, payload),
      payload,
    }))
  );
  const begin = records.reduce((least, { payload }) => Math.min(least, payload.ts), Infinity);
  for (const record of records) record.written -= begin;
  records.sort((a, b) => a.written - b.written);
  return known = { records, begin, length: records.at(-1)!.written + 1 };
}

function rows(path: string): Payload[] {
  const bytes = Deno.readFileSync(path);
  const tsv = new ZeekTsv();
  const payloads: Payload[] = [];
  for (const line of new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes).split("\n")) {
    if (line.startsWith("#")) tsv.header(line);
    else if (line !== "") {
      const row = tsv.convert(line);
      if ("json" in row) payloads.push(JSON.parse(row.json));
    }
  }
  return payloads;
}

function writtenAt(log: string, { ts, duration = 0, proto }: Payload): number {
  return log === "conn" ? ts + duration + (proto === "tcp" ? SILENCE.tcp : SILENCE.other) : ts;
}

/** What all offices wrote in this part of the stream, in its order. */
function during(day: Day, from: number, to: number): Placed[] {
  const placed: Placed[] = [];
  for (let office = 0; office < OFFICES; office++) {
    const ahead = day.length * office / OFFICES;
    for (let lap = Math.floor((from + ahead) / day.length); lap * day.length - ahead < to; lap++) {
      const since = lap * day.length - ahead;
      for (let at = firstAt(day, from - since); at < day.records.length; at++) {
        const record = day.records[at]!;
        if (since + record.written >= to) break;
        placed.push({ record, office, lap, at: since + record.written });
      }
    }
  }
  return placed.sort((a, b) => a.at - b.at);
}

/** The place of the first record written at that second of the day, or later. */
function firstAt({ records }: Day, second: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.written < second) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineOf(
  { record: { kind, written, payload }, office, lap, at }: Placed,
  day: Day,
  begin: number,
): string {
  const ts = (begin + at - written + payload.ts - day.begin).toFixed(6);
  const own = {
    ...payload,
    ts: Number(ts),
    uid: `${payload.uid}${office.toString(36)}x${lap}`,
    "id.orig_h": hostOf(payload["id.orig_h"], office),
    "id.resp_h": hostOf(payload["id.resp_h"], office),
  };
  const observedAt = new Date(Number(ts) * 1000).toISOString();
  return `{"kind":"${kind}","observed_at":"${observedAt}","payload":${JSON.stringify(own)}}`;
}

function hostOf(address: string, office: number): string {
  if (address.startsWith("192.168.1.")) return `10.${office}.1.${address.slice("192.168.1.".length)}`;
  return address.startsWith("fe80::") ? `fe80::${(office + 1).toString(16)}:${address.slice(6)}` : address;
}
