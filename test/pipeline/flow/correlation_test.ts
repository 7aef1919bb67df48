// Observations of the same connections by several sensors become one flow each, through the real ingest and
// pipeline.

import assert from "node:assert/strict";
import type { Count } from "../../../src/domain/record/observation.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { semanticsOf, sourcesOf } from "../../../src/store/record/vocabulary.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;
const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");
const EXPORTER = sensor("exporter-1", { trust: "exporter" });
const AT = "2026-01-31T12:00:00Z";
const SECOND = Date.parse(AT) / 1000;

interface Flow {
  src: string;
  dst: string;
  observations: number;
  sources: string[];
  /** Bytes and packets from the source (`out`), and back. */
  out: (Count | null)[];
  back: (Count | null)[];
  semantics: string;
  /** The sensor of the preferred observation. */
  preferred: string;
}

async function rows<R extends object>(db: Database, statement: Sql): Promise<R[]> {
  return await db.tenant("main", (tx) => tx.rows<R>(statement));
}

async function flowsOf(db: Database): Promise<Flow[]> {
  const found = await rows<Record<string, never>>(
    db,
    sql`
    select host(src_ip) || ':' || coalesce(src_port::text, '-') as src,
      host(dst_ip) || ':' || coalesce(dst_port::text, '-') as dst, observation_count, source_set, src_bytes, src_packets,
      dst_bytes, dst_packets, semantics_no, primary_sensor_id
    from flow order by anchor_at, flow_id`,
  );
  return found.map((row) => ({
    src: row.src!,
    dst: row.dst!,
    observations: row.observation_count!,
    sources: sourcesOf(row.source_set!),
    out: [row.src_bytes!, row.src_packets!],
    back: [row.dst_bytes!, row.dst_packets!],
    semantics: semanticsOf(row.semantics_no!),
    preferred: row.primary_sensor_id!,
  }));
}

async function devicesOf(db: Database): Promise<string[]> {
  const found = await rows<{ ip: string }>(db, sql`select host(ip) as ip from device_address`);
  return found.map(({ ip }) => ip).sort();
}

const ENDS = {
  "id.orig_h": "10.0.0.5",
  "id.orig_p": 50_000,
  "id.resp_h": "192.0.2.7",
  "id.resp_p": 443,
  proto: "tcp",
};

/** A TCP connection from 10.0.0.5 to 192.0.2.7:443, `start` seconds after AT. */
function conn(uid: string, start: number, duration: number, change: Record<string, unknown> = {}): string {
  return line("zeek.conn", AT, {
    ts: SECOND + start,
    uid,
    ...ENDS,
    duration,
    orig_bytes: 100,
    resp_bytes: 2000,
    orig_pkts: 5,
    resp_pkts: 4,
    ...change,
  });
}

/** One direction of the same connection, as an exporter saw it. */
function exported(from: "client" | "server", start: number, end: number, bytes: number): string {
  const [src, dst] = [["10.0.0.5", 50_000], ["192.0.2.7", 443]] as const;
  const [a, b] = from === "client" ? [src, dst] : [dst, src];
  return line("netflow.flow", AT, {
    sampler_address: "192.0.2.1",
    src_addr: a[0],
    src_port: a[1],
    dst_addr: b[0],
    dst_port: b[1],
    proto: "TCP",
    bytes,
    packets: 7,
    time_flow_start_ns: (SECOND + start) * 1e9,
    time_flow_end_ns: (SECOND + end) * 1e9,
  });
}

testDatabase("Zeek and Suricata on the same packets: one flow each, with Zeek's counters", async (db) => {
  const zeek = await linesOfFiles(`${DATA}captures/two-sensors/conn.log`);
  const suricata = await linesOfFiles(`${DATA}captures/two-sensors/eve.ndjson.gz`);
  await push(db, ZEEK, zeek);
  await settle(db);
  await push(db, SURICATA, suricata);
  await settle(db);
  const flows = await flowsOf(db);
  // Suricata merges two refused connections, a second apart on the same ports, into one flow; Zeek does not.
  assert.equal(flows.length, 23);
  assert.equal(flows.filter(({ sources }) => sources.length === 2).length, 21);
  assert.equal(flows.reduce((sum, { observations }) => sum + observations, 0), zeek.length + suricata.length);
  for (const flow of flows) assert.equal(flow.preferred, "zeek-1");

  const payloads = zeek.map((text) => JSON.parse(text).payload);
  for (const payload of payloads) {
    const src = `${payload["id.orig_h"]}:${payload["id.orig_p"]}`;
    const { orig_bytes: bytes, orig_pkts: packets, resp_bytes: back, resp_pkts: packetsBack } = payload;
    const same = flows.filter((flow) =>
      flow.src === src && String(flow.out) === String([bytes, packets]) &&
      String(flow.back) === String([back, packetsBack])
    );
    assert.ok(same.length >= 1, `${src}: the counters of ${payload.uid}, not a sum`);
  }
});

testDatabase(
  "two sensors of one network, their clocks 14 ms apart, see 44 of the same connections",
  async (db) => {
    const nashua = await linesOfFiles(`${DATA}sample/apt29-nashua/conn.ndjson.gz`);
    const scranton = await linesOfFiles(`${DATA}captures/apt29-scranton/conn.ndjson.gz`);
    await push(db, sensor("nashua"), nashua);
    await push(db, sensor("scranton"), scranton);
    await settle(db);
    const flows = await flowsOf(db);
    assert.equal(flows.length, nashua.length + scranton.length - 44);
    const shared = flows.filter(({ observations }) => observations === 2);
    assert.equal(shared.length, 44);
    for (const { src, dst, preferred } of shared) {
      // Lateral movement: everything both sensors saw is between these two.
      assert.match(src, /^10\.0\.1\.4:/);
      assert.match(dst, /^10\.0\.1\.6:/);
      assert.equal(preferred, "scranton", "of equally good observations the one that ends later");
    }
    // The largest one, over SMB: with each sensor's own counters, not their sum.
    assert.ok(
      shared.some(({ dst, out, back }) => dst === "10.0.1.6:445" && out[0] === 4_261_160 && back[0] === 3871),
    );
  },
);

testDatabase("consecutive connections on the same ports stay separate", async (db) => {
  await push(db, ZEEK, [
    conn("C1", 0, 2),
    conn("C2", 2.1, 2),
    conn("C3", 2.05, 0, { conn_state: "REJ" }),
    conn("C4", 60, 0.001),
    conn("C5", 61, 0.001),
  ]);
  await settle(db);
  // C3 is instantaneous; C2's sensor clock may be 50 ms late, but the tolerance is half of that.
  assert.deepEqual((await flowsOf(db)).map(({ observations }) => observations), [1, 1, 1, 1, 1]);
  // Records that belong to one of them find it by uid or time.
  await push(db, ZEEK, [
    line("zeek.dns", AT, { ts: SECOND + 60.5, uid: "C4", ...ENDS }),
  ]);
  await push(db, sensor("zeek-2"), [conn("X1", 0.5, 1), conn("X2", 2.2, 1.5)]);
  await settle(db);
  assert.deepEqual((await flowsOf(db)).map(({ observations }) => observations), [2, 1, 2, 2, 1]);
});

testDatabase(
  "a flow seen only by an exporter keeps its direction, and the other direction is not invented",
  async (db) => {
    await push(db, EXPORTER, [exported("server", 0, 10, 9000)]);
    await settle(db);
    const alone = {
      src: "192.0.2.7:443",
      dst: "10.0.0.5:50000",
      observations: 1,
      sources: ["netflow"],
      out: [9000, 7],
      back: [null, null],
      semantics: "unidirectional_export",
      preferred: "exporter-1",
    };
    assert.deepEqual(await flowsOf(db), [alone]);

    // The other direction is a second record of the same flow; the counters are not combined.
    await push(db, EXPORTER, [exported("client", 0, 10, 800)]);
    await settle(db);
    assert.deepEqual(await flowsOf(db), [{ ...alone, observations: 2 }]);

    // Its next slice begins where this one ended and is a separate flow.
    await push(db, EXPORTER, [exported("server", 10, 20, 100)]);
    await settle(db);
    assert.deepEqual((await flowsOf(db)).map(({ out, observations }) => [out[0], observations]), [[9000, 2], [
      100,
      1,
    ]]);

    // A sensor that saw the packets is preferred: its counters, its direction.
    await push(db, ZEEK, [conn("C1", 0.2, 9)]);
    await settle(db);
    const [seen] = await flowsOf(db);
    assert.deepEqual(seen, {
      src: "10.0.0.5:50000",
      dst: "192.0.2.7:443",
      observations: 3,
      sources: ["zeek", "netflow"],
      out: [100, 5],
      back: [2000, 4],
      semantics: "session",
      preferred: "zeek-1",
    });
    const ours = await rows(
      db,
      sql`select src_device_id is not null as src, dst_device_id is not null as dst from flow
    where observation_count = 3`,
    );
    assert.deepEqual(ours, [{ src: true, dst: false }]);
  },
);

testDatabase("devices are the internal addresses that exist", async (db) => {
  const probe = (last: number, change: Record<string, unknown>) =>
    conn(`P${last}`, last, 0, { "id.resp_h": `10.0.0.${last}`, resp_bytes: null, resp_pkts: 0, ...change });
  await push(db, ZEEK, [
    // A sweep over a network in which two hosts respond, one with a refusal.
    ...Array.from({ length: 60 }, (_, index) => probe(100 + index, { conn_state: "S0" })),
    probe(30, { conn_state: "SF", resp_bytes: 80, resp_pkts: 2 }),
    probe(31, { conn_state: "REJ", resp_pkts: 1 }),
    // Broadcast, multicast, link-local, unspecified: these identify no device, or a different one on each
    // link.
    probe(255, { proto: "udp", "id.resp_p": 137 }),
    conn("M1", 1, 1, { "id.resp_h": "224.0.0.251", proto: "udp" }),
    conn("M2", 2, 1, { "id.resp_h": "255.255.255.255", proto: "udp" }),
    conn("M3", 3, 1, {
      "id.orig_h": "0.0.0.0",
      "id.resp_h": "10.0.0.1",
      resp_pkts: 0,
      resp_bytes: 0,
      proto: "udp",
    }),
    conn("M4", 4, 1, { "id.orig_h": "fe80::1", "id.resp_h": "fd00::9" }),
    // From outside: a target that does not respond may not exist.
    conn("O1", 5, 0, {
      "id.orig_h": "198.51.100.9",
      "id.resp_h": "10.0.0.77",
      resp_bytes: null,
      resp_pkts: 0,
    }),
    conn("O2", 6, 1, { "id.orig_h": "198.51.100.9", "id.resp_h": "10.0.0.78" }),
  ]);
  await settle(db);
  assert.deepEqual(await devicesOf(db), ["10.0.0.30", "10.0.0.31", "10.0.0.5", "10.0.0.78", "fd00::9"]);
});

testDatabase(
  "without a Community ID nothing joins; a wrong one in a record changes nothing",
  async (db) => {
    const nameless = { proto: "icmp", "id.orig_p": undefined, "id.resp_p": undefined };
    await push(db, ZEEK, [
      // An ICMP message of unknown type, twice, with one uid and at one time.
      conn("I1", 0, 5, nameless),
      conn("I1", 0, 5, { ...nameless, orig_bytes: 7 }),
      conn("C1", 0, 5, { community_id: "1:LQU9qZlK+B5F3KDmev6m5PMibrg=" }),
      conn("C2", 1, 2, { community_id: "" }),
    ]);
    await settle(db);
    assert.deepEqual((await flowsOf(db)).map(({ observations }) => observations).sort(), [1, 1, 1, 1]);
    const warnings = await rows<{ warnings: string[] | null }>(db, sql`select warnings from evidence`);
    assert.deepEqual(warnings.flatMap(({ warnings }) => warnings ?? []).sort(), [
      "community_id does not match the tuple",
      "community_id not computed: no ICMP type",
      "community_id not computed: no ICMP type",
    ]);
  },
);
