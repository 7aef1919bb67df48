// Records that state times in the future, from broken clocks and wrapped counters.

import assert from "node:assert/strict";
import { parseTimestamp } from "../../../src/kit/time.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";

const DAY = 86_400_000_000;
const RECEIVED = parseTimestamp("2026-11-20T12:00:00Z")!.micros;
const ENDS = { "id.orig_h": "10.0.0.5", "id.orig_p": 40_000, "id.resp_h": "192.0.2.7", "id.resp_p": 443 };
const EVE_ENDS = { src_ip: "10.0.0.5", src_port: 40_000, dest_ip: "192.0.2.7", dest_port: 443, proto: "TCP" };

/** A line of every kind of time, each more than a day ahead. */
const LINES: Record<string, string> = {
  "zeek.conn, ts": line("zeek.conn", "2026-11-20T11:59:00Z", { ts: 1_800_000_000, proto: "tcp", ...ENDS }),
  "zeek.conn, duration": line("zeek.conn", "2026-11-20T11:59:00Z", {
    ts: RECEIVED / 1e6 - 60,
    duration: 200_000,
    proto: "tcp",
    ...ENDS,
  }),
  "zeek.conn, the envelope too": line("zeek.conn", "9999-12-31T23:59:59Z", {
    ts: 9_000_000_000,
    proto: "tcp",
    ...ENDS,
  }),
  "zeek.conn without a time": line("zeek.conn", "9999-12-31T23:59:59Z", { proto: "tcp", ...ENDS }),
  "suricata.flow": line("suricata.flow", "2026-11-20T11:59:00Z", {
    ...EVE_ENDS,
    timestamp: "2026-11-20T11:59:00Z",
    flow: {
      start: "2031-01-01T00:00:00Z",
      end: "2031-01-01T00:00:01Z",
      pkts_toserver: 1,
      bytes_toserver: 60,
    },
  }),
  "suricata.tls": line("suricata.tls", "2026-11-20T11:59:00Z", {
    ...EVE_ENDS,
    timestamp: "2031-01-01T00:00:00Z",
    tls: {},
  }),
  "netflow.flow, end": line("netflow.flow", "2026-11-20T11:59:00Z", {
    src_addr: "10.0.0.5",
    dst_addr: "192.0.2.7",
    src_port: 40_000,
    dst_port: 443,
    proto: 6,
    bytes: 1,
    packets: 1,
    time_flow_start_ns: (RECEIVED - 60_000_000) * 1000,
    time_flow_end_ns: (RECEIVED + 40 * DAY) * 1000,
  }),
  "unbound.query": line("unbound.query", "2026-11-20T11:59:00Z", {
    message: "[1800000000] unbound[1:0] info: 10.0.0.5 example.com. A IN",
  }),
};

testDatabase("no flow or device is later than its record's receipt, and a warning says why", async (db) => {
  let sensors = 0;
  for (const [title, text] of Object.entries(LINES)) {
    const tenantId = `t-${++sensors}`;
    const { accepted } = await pushBatch(db, sensor("s", { tenantId }), [text], RECEIVED);
    assert.equal(accepted, 1, title);
    await settle(db, { tenantId });
    await db.tenant(tenantId, async (tx) => {
      const flows = await tx.rows<{ start_at: number; end_at: number }>(
        sql`select start_at, end_at from flow`,
      );
      assert.equal(flows.length, 1, title);
      const { start_at, end_at } = flows[0]!;
      assert.ok(start_at > RECEIVED - DAY && start_at <= end_at && end_at <= RECEIVED, title);
      const devices = await tx.rows<{ last_seen: number }>(sql`select last_seen from device`);
      assert.ok(devices.length > 0 && devices.every(({ last_seen }) => last_seen <= RECEIVED), title);
      const [{ warnings }] = await tx.rows<{ warnings: string[] }>(sql`select warnings from evidence`) as [
        { warnings: string[] },
      ];
      assert.ok(warnings.some((warning) => /more than a day after/.test(warning)), `${title}: ${warnings}`);
    });
  }
});

testDatabase(
  "a device's last sighting is not later than the receipt, by a clock that is minutes ahead",
  async (db) => {
    const ahead = RECEIVED / 1e6 + 600;
    const text = line("zeek.conn", "2026-11-20T12:10:00Z", { ts: ahead, duration: 1, proto: "tcp", ...ENDS });
    await pushBatch(db, sensor("s"), [text], RECEIVED);
    await settle(db);
    const devices = await db.tenant("main", (tx) => tx.rows(sql`select first_seen, last_seen from device`));
    assert.deepEqual(devices, [{ first_seen: RECEIVED, last_seen: RECEIVED }]);
  },
);

testDatabase("a sensor's capture statistics are not later than their receipt", async (db) => {
  const text = line("zeek.stats", "9999-12-31T23:59:59Z", { peer: "zeek", pkts_proc: 10, pkts_dropped: 0 });
  await pushBatch(db, sensor("s"), [text], RECEIVED);
  await settle(db);
  const samples = await db.tenant("main", (tx) => tx.rows(sql`select at from capture_sample`));
  assert.deepEqual(samples, [{ at: RECEIVED }]);
});
