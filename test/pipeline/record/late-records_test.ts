// Records that arrive late, or with impossible times: the results are defined here, and are the same whether
// they are processed together or one by one.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { identifier, type Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { assertSameSnapshot, snapshot } from "../../support/record/snapshot.ts";

const SENSOR = sensor("sensor-1");
const START = Date.UTC(2026, 0, 1) / 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Times are seconds after START. */
function conn(seconds: number, change: Record<string, unknown> = {}): string {
  return line("zeek.conn", new Date((START + seconds) * 1000).toISOString(), {
    ts: START + seconds,
    uid: `C${seconds}`,
    "id.orig_h": "10.0.0.5",
    "id.orig_p": 50_000,
    "id.resp_h": "192.0.2.7",
    "id.resp_p": 443,
    proto: "tcp",
    duration: 1,
    orig_bytes: 100,
    ...change,
  });
}

function alert(seconds: number, change: Record<string, unknown> = {}): string {
  const timestamp = new Date((START + seconds) * 1000).toISOString();
  return line("suricata.alert", timestamp, {
    timestamp,
    src_ip: "10.0.0.5",
    src_port: 50_000 + seconds % 1000,
    dest_ip: "192.0.2.7",
    dest_port: 443,
    proto: "TCP",
    alert: {
      gid: 1,
      signature_id: 2_000_001,
      signature: "ET MALWARE Test",
      category: "A Network Trojan was detected",
      severity: 1,
    },
    ...change,
  });
}

interface Case {
  name: string;
  lines: string[];
  /** Checks the results. */
  check(db: Database): Promise<void>;
}

const CASES: Case[] = [
  {
    name: "a record joins the nearest flow of its uid, whichever came first",
    lines: [
      conn(2 * HOUR, { uid: "CX" }),
      conn(0, { uid: "CX" }),
      conn(HOUR + 0.2, { uid: "CX", duration: 0 }),
    ],
    async check(db) {
      const flows = await rows(db, sql`select start_at, observation_count from flow order by 1`);
      assert.deepEqual(flows, [[time(0), 2], [time(2 * HOUR), 1]]);
    },
  },
  {
    name: "a peer is known since its earliest connection, including one that arrives late",
    lines: [
      conn(20 * DAY, { "id.orig_h": "10.0.0.6" }),
      conn(0, { "id.orig_h": "10.0.0.6" }),
      ...Array.from({ length: 40 }, (_, beat) => conn(20 * DAY + 60 * beat, { "id.orig_p": 40_000 + beat })),
    ],
    async check(db) {
      const results = await rows(db, sql`select body ->> 'modifiers' from model_result`);
      assert.ok(results.length >= 2);
      for (const [modifiers] of results) assert.match(String(modifiers), /known_peer/);
    },
  },
  {
    name: "an alert joins the nearest incident, whichever was opened first",
    lines: [alert(1.5 * DAY), alert(0), alert(0.8 * DAY)],
    async check(db) {
      const incidents = await rows(db, sql`select first_seen, last_seen from incident order by 1`);
      assert.deepEqual(incidents, [[time(0), time(0.8 * DAY)], [time(1.5 * DAY), time(1.5 * DAY)]]);
    },
  },
  {
    name:
      "the history contains every score of a device, and a device that joins an incident brings its score",
    lines: [
      ...Array.from({ length: 30 }, (_, minute) => alert(60 * minute, { dest_ip: `192.0.2.${minute}` })),
      alert(HOUR, { dest_ip: "10.0.0.9" }),
    ],
    async check(db) {
      const scores = await rows(db, sql`select score from incident_score order by entry_no`);
      assert.ok(scores.length >= 3);
      const historyOf = (name: string) =>
        rows(
          db,
          sql`
          select s.score from device d join device_score s on s.device_id = d.device_id
          where d.display_name = ${name} order by s.entry_no`,
        );
      assert.deepEqual(await historyOf("10.0.0.5"), scores);
      assert.deepEqual(await historyOf("10.0.0.9"), scores.slice(-1));
    },
  },
  {
    name: "records from before 1970 are correlated like any others",
    lines: [
      line("zeek.dns", "1960-05-05T12:00:00Z", timeless({ uid: "D1", query: "example.org" })),
      line("zeek.conn", "1960-05-05T12:00:00.004Z", timeless({ uid: "D1", duration: 2 })),
      line("zeek.ssl", "1960-05-05T12:00:01Z", timeless({ uid: "D1" })),
      line("zeek.conn", "1960-05-05T12:00:01Z", timeless({ uid: "D2" })),
    ],
    async check(db) {
      assert.deepEqual(await rows(db, sql`select observation_count from flow order by 1`), [[1], [3]]);
    },
  },
];

/** Without its own time. */
function timeless(change: Record<string, unknown>): Record<string, unknown> {
  return {
    "id.orig_h": "10.0.0.5",
    "id.orig_p": 50_053,
    "id.resp_h": "192.0.2.53",
    "id.resp_p": 53,
    proto: "udp",
    ...change,
  };
}

/** In the format of the database. */
function time(seconds: number): number {
  return (START + seconds) * 1e6;
}

async function rows(db: Database, statement: Sql): Promise<unknown[][]> {
  return (await db.tenant("main", (tx) => tx.rows(statement))).map((row) => Object.values(row));
}

for (const { name, lines, check } of CASES) {
  testDatabase(name, async (db) => {
    await pushBatch(db, SENSOR, lines);
    await settle(db);
    await check(db);
    const together = await snapshot(db);
    await emptied(db);
    for (const one of lines) {
      await pushBatch(db, SENSOR, [one]);
      await settle(db);
    }
    assertSameSnapshot(await snapshot(db), together, "one by one");
  });
}

/** Deletes all data of the tenant. */
async function emptied(db: Database): Promise<void> {
  await db.owner(async (tx) => {
    const tables = await tx.rows<{ name: string }>(sql`
      select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition
        and pg_table_is_visible(c.oid)`);
    for (const { name } of tables) await tx.run(sql`delete from ${identifier(name)}`);
  });
}
