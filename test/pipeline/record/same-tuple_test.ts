// A sensor separates connections by its own ids: exchanges of one tuple a few milliseconds apart are not merged,
// whatever the order of arrival and the batches.

import assert from "node:assert/strict";
import type { Source } from "../../../src/config/sources.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, push, sensor, settle } from "../../support/record/pipeline.ts";

const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");
const START = Date.parse("2026-01-31T12:00:00Z") / 1000;
const ENDS = { "id.orig_h": "10.0.0.5", "id.orig_p": 40_000, "id.resp_h": "192.0.2.53", "id.resp_p": 53 };
/** Less than the tolerance for clocks of different sensors. */
const APART_SECONDS = 0.02;

const PAIRS = [0, 1, 2].flatMap((number) => {
  const ts = START + number * APART_SECONDS;
  const observed = new Date(ts * 1000).toISOString();
  const common = { ts, uid: `C${number}`, proto: "udp", ...ENDS };
  return [
    line("zeek.dns", observed, {
      ...common,
      rtt: 0.004,
      query: `q${number}.example`,
      qtype_name: "A",
      rcode: 0,
    }),
    line("zeek.conn", observed, {
      ...common,
      duration: 0.004,
      orig_bytes: 30 + number,
      resp_bytes: 60 + number,
      orig_pkts: 1,
      resp_pkts: 1,
    }),
  ];
});

/** Counters and query of each flow, by its bytes. */
async function flowsOf(db: Database, tenantId: string): Promise<unknown[]> {
  const rows = await db.tenant(
    tenantId,
    (tx) =>
      tx.rows<{ src_bytes: number; dst_bytes: number; observation_count: number; query: string }>(sql`
      select f.src_bytes, f.dst_bytes, f.observation_count, e.facts::json ->> 'query' as query
      from flow f join evidence e using (tenant_id, flow_id)
      where f.tenant_id = ${tenantId} and e.facts is not null order by f.src_bytes, query`),
  );
  return rows.map((row) => [row.src_bytes, row.dst_bytes, row.observation_count, row.query]);
}

const EXPECTED = [0, 1, 2].map((number) => [30 + number, 60 + number, 2, `q${number}.example`]);

testDatabase(
  "three exchanges of one tuple 20 ms apart are three flows in every order of arrival",
  async (db) => {
    for (const [at, order] of orders(PAIRS).entries()) {
      for (const [batchSize, batchesPerRound] of [[6, 1], [1, 1], [1, 10], [4, 1]] as const) {
        const tenantId = `order-${at}-${batchSize}-${batchesPerRound}`;
        await push(db, { ...ZEEK, tenantId }, order, batchSize);
        await settle(db, { tenantId, batchesPerRound });
        assert.deepEqual(await flowsOf(db, tenantId), EXPECTED, tenantId);
      }
    }
  },
);

testDatabase("another sensor's record of these exchanges joins the nearest one", async (db) => {
  const observed = new Date((START + APART_SECONDS) * 1000).toISOString();
  const timestamps = { start: observed, end: new Date((START + APART_SECONDS + 0.004) * 1000).toISOString() };
  const seen = line("suricata.flow", observed, {
    timestamp: observed,
    flow_id: 77,
    src_ip: "10.0.0.5",
    src_port: 40_000,
    dest_ip: "192.0.2.53",
    dest_port: 53,
    proto: "UDP",
    flow: { ...timestamps, pkts_toserver: 1, bytes_toserver: 900, pkts_toclient: 1, bytes_toclient: 900 },
  });
  const deliveries: [string, [Source, string[]][]][] = [
    ["after", [[ZEEK, PAIRS], [SURICATA, [seen]]]],
    ["between", [[ZEEK, PAIRS.filter((text) => text.includes("zeek.conn"))], [SURICATA, [seen]], [
      ZEEK,
      PAIRS.filter((text) => text.includes("zeek.dns")),
    ]]],
  ];
  for (const [tenantId, batches] of deliveries) {
    for (const [source, lines] of batches) await push(db, { ...source, tenantId }, lines);
    await settle(db, { tenantId });
    const expected = EXPECTED.map(([out, back, count, query]) => [out, back, out === 31 ? 3 : count, query]);
    assert.deepEqual(await flowsOf(db, tenantId), expected, tenantId);
  }
});

/** The order in time, its reverse, all queries or all connections first, and twelve mixed orders. */
function orders(lines: readonly string[]): string[][] {
  const isConnection = (text: string) => text.includes("zeek.conn");
  const byKind = lines.toSorted((a, b) => Number(isConnection(a)) - Number(isConnection(b)));
  const mixed = Array.from({ length: 12 }, (_, seed) => {
    const rest = [...lines];
    let state = seed + 1;
    return lines.map(() => {
      state = (state * 48_271) % 2_147_483_647;
      return rest.splice(state % rest.length, 1)[0]!;
    });
  });
  return [[...lines], lines.toReversed(), byKind, byKind.toReversed(), ...mixed];
}
