// An exporter that reports a connection several times: delta counters add up, totals replace each other, in any
// order of arrival.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";

const EXPORTER = sensor("exporter-1", { trust: "exporter" });
const OBSERVED = "2018-05-18T07:28:00Z";

/**
 * Cisco ASA's events of one connection as nfdump writes them. An update counts since the previous one and starts
 * there, the deletion counts the whole connection.
 */
function firewallEvent(code: string, first: string, at: string, bytes: [number, number]): string {
  return line("netflow.flow", OBSERVED, {
    type: "EVENT",
    first: `2018-05-18T${first}`,
    last: "1970-01-01T00:00:00.000",
    in_packets: 0,
    in_bytes: bytes[0],
    out_packets: 0,
    out_bytes: bytes[1],
    proto: 6,
    src_port: 55_182,
    dst_port: 3128,
    src4_addr: "10.0.50.10",
    dst4_addr: "10.1.78.5",
    ip4_router: "10.0.50.1",
    connect_id: "123509628",
    event_id: code,
    event: code === "2" ? "DELETE" : "UPDATE",
    t_event: `2018-05-18T${at}`,
  });
}

const UPDATES = [
  firewallEvent("5", "07:25:25.994", "07:26:28.123", [2557, 1117]),
  firewallEvent("5", "07:26:28.123", "07:27:29.332", [31, 0]),
];
const DELETE = firewallEvent("2", "07:25:25.994", "07:27:29.332", [2588, 1117]);

const START = Date.parse("2026-01-31T12:00:00Z") / 1000;

function report(seconds: number, counters: Record<string, unknown>): string {
  const end = START + seconds;
  return line("netflow.flow", new Date(end * 1000).toISOString(), {
    type: "IPFIX",
    sampler_address: "192.0.2.250",
    time_flow_start_ns: START * 1e9,
    time_flow_end_ns: end * 1e9,
    src_addr: "10.0.0.5",
    dst_addr: "192.0.2.80",
    proto: "TCP",
    src_port: 50_000,
    dst_port: 443,
    in_if: 2,
    ...counters,
  });
}

const DELTAS = [1, 2, 3].map((n) => report(60 * n, { bytes: 1000 * n, packets: n }));
const TOTALS = [1, 2, 3].map((n) => report(60 * n, { octetTotalCount: 1000 * n, packetTotalCount: n }));

interface Counted {
  src_bytes: number;
  dst_bytes: number | null;
  src_packets: number | null;
  observation_count: number;
}

/** The flows after these lines, one batch each. */
async function flowsOf(
  db: Database,
  tenantId: string,
  lines: readonly string[],
  batchesPerRound: number,
): Promise<Counted[]> {
  for (const one of lines) await pushBatch(db, { ...EXPORTER, tenantId }, [one]);
  await settle(db, { tenantId, batchesPerRound });
  return await db.tenant(tenantId, (tx) =>
    tx.rows<Counted>(sql`
      select src_bytes, dst_bytes, src_packets, observation_count from flow`));
}

interface Case {
  name: string;
  lines: string[];
  counted: Omit<Counted, "observation_count">;
}

const CASES: Case[] = [
  {
    name: "a firewall's updates and the deletion that states the whole connection",
    lines: [...UPDATES, DELETE],
    counted: { src_bytes: 2588, dst_bytes: 1117, src_packets: null },
  },
  {
    name: "a firewall's updates alone",
    lines: UPDATES,
    counted: { src_bytes: 2588, dst_bytes: 1117, src_packets: null },
  },
  {
    name: "delta counters with the same start",
    lines: DELTAS,
    counted: { src_bytes: 6000, dst_bytes: null, src_packets: 6 },
  },
  {
    name: "total counters with the same start",
    lines: TOTALS,
    counted: { src_bytes: 3000, dst_bytes: null, src_packets: 3 },
  },
  {
    name: "the same reports of a second interface are not counted again",
    lines: [...DELTAS.slice(0, 2), report(120.004, { bytes: 2000, packets: 2, in_if: 3 })],
    counted: { src_bytes: 3000, dst_bytes: null, src_packets: 3 },
  },
];

testDatabase(
  "repeated reports of a connection give the same counters in any order of arrival",
  async (db) => {
    for (const [number, { name, lines, counted }] of CASES.entries()) {
      for (const [order, permuted] of permutations(lines).entries()) {
        for (const batchesPerRound of [1, 10]) {
          const tenantId = `case-${number}-${order}-${batchesPerRound}`;
          assert.deepEqual(
            await flowsOf(db, tenantId, permuted, batchesPerRound),
            [{ ...counted, observation_count: lines.length }],
            `${name}, order ${order}, ${batchesPerRound} a round`,
          );
        }
      }
    }
  },
);

testDatabase("the evidence of a summed flow keeps what each report stated", async (db) => {
  await flowsOf(db, "main", DELTAS, 1);
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ src_bytes: number }>(sql`
      select src_bytes from observation where tenant_id = 'main' order by end_at`));
  assert.deepEqual(rows.map((row) => row.src_bytes), [1000, 2000, 3000]);
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
