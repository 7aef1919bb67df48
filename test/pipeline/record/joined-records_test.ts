// Handshakes, requests and banners find the flow of their connection, however late its own record arrives.

import assert from "node:assert/strict";
import type { Source } from "../../../src/config/sources.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, linesOfFiles, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;
const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");

interface Counts {
  flows: number;
  observations: number;
  /** Flows without a connection record. */
  uncounted: number;
}

async function countsOf(db: Database, tenantId = "main"): Promise<Counts> {
  const [counts] = await db.tenant(tenantId, (tx) =>
    tx.rows<Counts>(sql`
      select count(*)::int as flows, sum(observation_count)::int as observations,
        count(*) filter (where primary_rank >= 100)::int as uncounted from flow`));
  return counts!;
}

interface Recording {
  name: string;
  files: string[];
  counts: Counts;
}

/**
 * Counts from the logs themselves: one connection per record of `conn.log` and per `flow` event, and no stray
 * records, unless stated otherwise.
 */
const RECORDINGS: Recording[] = [
  {
    // 233 connections, 8 queries, 133 requests, 74 handshakes; 68 lines of ssl.log occur twice.
    name: "brobeat",
    files: [
      "sample/brobeat/conn.log",
      "sample/brobeat/dns.log",
      "captures/brobeat/http.log",
      "captures/brobeat/ssl.log",
    ],
    counts: { flows: 233, observations: 448, uncounted: 0 },
  },
  {
    // 134 connections, 32 queries, 62 requests of a few long connections, 2 handshakes.
    name: "apt29, scranton",
    files: ["conn.ndjson.gz", "dns.ndjson", "http.ndjson", "ssl.ndjson"].map((log) =>
      `captures/apt29-scranton/${log}`
    ),
    counts: { flows: 134, observations: 230, uncounted: 0 },
  },
  {
    // 79 flow events, and 62 flow ids without one, because the recording ends before they do.
    name: "cdmcs",
    files: ["sample/cdmcs/eve.ndjson.gz"],
    counts: { flows: 79 + 62, observations: 309, uncounted: 62 },
  },
  {
    // 923 flow events. Six events that Suricata wrote at shutdown carry the time of the recording's first
    // packet, hours before their flows, and remain separate from four of them.
    name: "suricatalog",
    files: ["captures/suricatalog/eve-2.ndjson.gz"],
    counts: { flows: 923 + 4, observations: 2312, uncounted: 4 },
  },
];

/** The second at which a sensor writes a record: for a connection, when it ends. */
function writtenAt(text: string): number {
  const { kind, observed_at, payload } = JSON.parse(text);
  const time = Date.parse(kind === "suricata.flow" ? payload.timestamp : observed_at) / 1000;
  return kind === "zeek.conn" ? time + Number(payload.duration ?? 0) + 5 : time;
}

interface Arrival {
  source: Source;
  text: string;
}

async function take(db: Database, arrivals: readonly Arrival[], tenantId = "main"): Promise<void> {
  for (let from = 0; from < arrivals.length;) {
    const { source } = arrivals[from]!;
    let to = from;
    while (to < arrivals.length && to < from + 500 && arrivals[to]!.source === source) to++;
    await pushBatch(db, { ...source, tenantId }, arrivals.slice(from, to).map(({ text }) => text));
    from = to;
  }
  await settle(db, { tenantId });
}

testDatabase("every record of a recording joins the flow of its connection, in either order", async (db) => {
  for (const [at, { name, files, counts }] of RECORDINGS.entries()) {
    const lines = await linesOfFiles(...files.map((file) => DATA + file));
    const orders = {
      "in order of their start": lines,
      "in order of writing": lines.toSorted((a, b) => writtenAt(a) - writtenAt(b)),
    };
    for (const [order, texts] of Object.entries(orders)) {
      const tenantId = `recording-${at}-${order.length}`;
      await take(db, texts.map((text) => ({ source: ZEEK, text })), tenantId);
      assert.deepEqual(await countsOf(db, tenantId), counts, `${name}, ${order}`);
    }
  }
});

testDatabase("m57: a day of an office, 18,595 records of 8,462 connections", async (db) => {
  const logs = ["conn.log.gz", "dns.log.gz", "http.log.gz", "ssl.log"].map((log) =>
    `${DATA}captures/m57/${log}`
  );
  const lines = (await linesOfFiles(...logs)).sort((a, b) => writtenAt(a) - writtenAt(b));
  await take(db, lines.map((text) => ({ source: ZEEK, text })));
  assert.deepEqual(await countsOf(db), { flows: 8462, observations: 8462 + 5124 + 4896 + 113, uncounted: 0 });
  // Of 10,133 records other than connections, each is in the flow with its addresses and ports.
  const [stray] = await db.tenant("main", (tx) =>
    tx.rows<{ n: number }>(sql`
      select count(*)::int as n from evidence e join flow f on f.flow_id = e.flow_id
      where (e.facts::json ->> 'type' = 'tls' and f.service !~ 'ssl')
        or (e.facts::json ->> 'type' = 'http' and f.service !~ 'http')
        or (e.facts::json ->> 'type' = 'dns' and f.service !~ 'dns')`));
  assert.equal(stray!.n, 0);
});

testDatabase("Zeek and Suricata on the same packets, in writing order: still one flow each", async (db) => {
  const zeek = await linesOfFiles(
    ...["conn", "http", "ssh"].map((log) => `${DATA}captures/two-sensors/${log}.log`),
  );
  const suricata = await linesOfFiles(`${DATA}captures/two-sensors/eve.ndjson.gz`);
  const arrivals = [
    ...zeek.map((text) => ({ source: ZEEK, text })),
    ...suricata.map((text) => ({ source: SURICATA, text })),
  ].sort((a, b) => writtenAt(a.text) - writtenAt(b.text));
  await take(db, arrivals);
  // Zeek has 23 connections. Suricata merges two pairs of them (refused ones, a second apart), which does not
  // make Zeek's two connections one.
  assert.deepEqual(await countsOf(db), { flows: 23, observations: 23 + 20 + 3 + 1183, uncounted: 0 });
  const [both] = await db.tenant(
    "main",
    (tx) => tx.rows(sql`select count(*)::int as n from flow where source_set = 3`),
  );
  assert.deepEqual(both, { n: 21 });
});

const SECOND = Date.parse("2026-01-31T12:00:00Z") / 1000;

function zeekLine(kind: string, start: number, more: Record<string, unknown>): Arrival {
  const ends = { "id.orig_h": "10.0.0.5", "id.orig_p": 50_000, "id.resp_h": "192.0.2.7", "id.resp_p": 443 };
  const payload = { ts: SECOND + start, uid: "C1", ...ends, ...more };
  return { source: ZEEK, text: line(kind, "2026-01-31T12:00:00Z", payload) };
}

function eveLine(kind: string, at: number, more: Record<string, unknown>): Arrival {
  const ends = { src_ip: "10.0.0.5", src_port: 50_000, dest_ip: "192.0.2.7", dest_port: 443, proto: "TCP" };
  const timestamp = new Date((SECOND + at) * 1000).toISOString();
  return { source: SURICATA, text: line(kind, timestamp, { timestamp, flow_id: 77, ...ends, ...more }) };
}

/** A TLS connection of ten seconds with a round trip of 180 ms, as recorded by two sensors. */
const CONNECTION: Arrival[] = [
  zeekLine("zeek.ssl", 0.1, { server_name: "www.example.com" }),
  eveLine("suricata.tls", 0.28, { tls: { sni: "www.example.com", subject: "CN=www.example.com" } }),
  zeekLine("zeek.conn", 0, { proto: "tcp", duration: 10, orig_bytes: 100, resp_bytes: 200 }),
  eveLine("suricata.flow", 10.2, {
    flow: {
      start: new Date(SECOND * 1000).toISOString(),
      end: new Date((SECOND + 10) * 1000).toISOString(),
      pkts_toserver: 3,
      bytes_toserver: 300,
      pkts_toclient: 4,
      bytes_toclient: 400,
    },
  }),
];

testDatabase(
  "a connection that two sensors see is one flow, in whatever order its records arrive",
  async (db) => {
    for (const [at, arrivals] of permutations(CONNECTION).entries()) {
      const tenantId = `order-${at}`;
      await take(db, arrivals, tenantId);
      const order = arrivals.map(({ text }) => JSON.parse(text).kind).join(", ");
      assert.deepEqual(await countsOf(db, tenantId), { flows: 1, observations: 4, uncounted: 0 }, order);
      const [named] = await db.tenant(tenantId, (tx) => tx.rows(sql`select server_name from flow`));
      assert.deepEqual(named, { server_name: "www.example.com" }, order);
    }
  },
);

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
