// Migrations that change tables with rows in them, as the plain owner of an appliance's database runs them.

import assert from "node:assert/strict";
import { describeIncident } from "../../../src/domain/incident/narrative.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { evidenceOfFlow, flowsByIds } from "../../../src/store/flow/read.ts";
import { incidentsWithMarks } from "../../../src/store/incident/join.ts";
import { migrate } from "../../../src/store/engine/schema/migrate.ts";
import { MIGRATIONS } from "../../../src/store/engine/schema/migrations.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { installedPrograms, startPostgres } from "../../support/postgres.ts";
import { onServer, withEmptyDatabase } from "./empty-databases.ts";
import { withPools } from "./one-database.ts";

/** Roles belong to a whole server, so these need one of their own. */
const ownServer = { ignore: (await installedPrograms()).length === 0 };

const AT = Date.parse("2026-01-31T00:00:00Z") * 1000;
const FLOW = timeUuid(AT, new Uint8Array(10).fill(1));
const EVIDENCE = timeUuid(AT, new Uint8Array(10).fill(2));

async function withOwner(body: (db: Database) => Promise<void>): Promise<void> {
  const server = (await startPostgres())!;
  try {
    await onServer(server.url, "create role appliance login createrole");
    await withEmptyDatabase(server.url, (url) => withPools([url], ([db]) => body(db!)), "appliance");
  } finally {
    await server.stop();
  }
}

Deno.test("the words of flows and evidence become numbers, row by row", ownServer, async () => {
  await withOwner(async (db) => {
    await migrate(db, MIGRATIONS.slice(0, 2));
    await db.tenant("main", async (tx) => {
      await tx.run(sql`
        insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, proto, src_ip, dst_ip, semantics,
          observation_count, sources, native_hashes, primary_rank, primary_evidence_id, primary_kind, primary_source,
          primary_sensor_id)
        values ('main', ${FLOW}::uuid, '2026-01-31', '2026-01-31', '2026-01-31', now(), 'tcp', '10.0.0.5', '192.0.2.7',
          'unidirectional_export', 2, '{netflow,suricata}', '{-5,9223372036854775807}', 3, ${EVIDENCE}::uuid,
          'dns', 'suricata', 'sensor-1')`);
      await tx.run(sql`
        insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, accepted, unparsed, rejected)
        values ('main', 1, now(), 'sensor-1', 'packet', 1, 0, 0)`);
      await tx.run(sql`
        insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no,
          position, src_low, record_kind, semantics, facts)
        values ('main', ${FLOW}::uuid, ${EVIDENCE}::uuid, '2026-01-31', '2026-01-31', '2026-01-31', now(), 1, 0, true,
          'suricata.krb5', 'unknown', '{"type": "kerberos", "realm": "a \\"b\\" \\u00fc", "count": 9007199254740993}')`);
    });
    await migrate(db);
    await db.tenant("main", async (tx) => {
      const flow = (await flowsByIds(tx, "main", [FLOW])).get(FLOW)!;
      assert.deepEqual(flow.sources, ["suricata", "netflow"]);
      assert.deepEqual(flow.nativeHashes, [-5n, 9223372036854775807n]);
      assert.equal(flow.counters.semantics, "unidirectional_export");
      assert.equal(flow.primary.recordKind, "suricata.dns");
      const [evidence] = await evidenceOfFlow(tx, "main", FLOW, null, 1);
      assert.equal(evidence!.record_kind, "suricata.krb5");
      assert.equal(evidence!.semantics, "unknown");
      assert.deepEqual(evidence!.facts, { type: "kerberos", realm: 'a "b" ü', count: 9007199254740993n });
    });
    await db.tenant("branch", async (tx) => {
      assert.equal((await flowsByIds(tx, "branch", [FLOW])).size, 0, "the policies hold for everybody again");
    });
  });
});

Deno.test("devices that were there keep their names, and it is known who gave them", ownServer, async () => {
  await withOwner(async (db) => {
    await migrate(db, MIGRATIONS.slice(0, 3));
    const ids = [1, 2, 3].map((n) => timeUuid(AT, new Uint8Array(10).fill(n)));
    await db.tenant("main", async (tx) => {
      const rows = [
        ["10.0.0.5", "observed", "10.0.0.5"],
        ["Ana's laptop", "human_confirmed", "10.0.0.6"],
        // Confirmed without a name of its own.
        ["2001:db8::7", "human_confirmed", "2001:db8::7"],
      ];
      for (const [at, [name, source, ip]] of rows.entries()) {
        await tx.run(sql`
          insert into device (tenant_id, device_id, display_name, classification_source, first_seen, last_seen)
          values ('main', ${ids[at]}::uuid, ${name}, ${source}, now(), now())`);
        await tx.run(sql`
          insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
          values ('main', ${ip}::inet, ${ids[at]}::uuid, now(), now())`);
      }
    });
    await migrate(db);
    const named = await db.tenant(
      "main",
      (tx) =>
        tx.rows(sql`select display_name, display_name_source, address_name from device order by device_id`),
    );
    assert.deepEqual(named.map((row) => Object.values(row)), [
      ["10.0.0.5", "address", "10.0.0.5"],
      ["Ana's laptop", "person", "10.0.0.6"],
      ["2001:db8::7", "address", "2001:db8::7"],
    ]);
    const seen = await db.tenant("branch", (tx) => tx.rows(sql`select from device`));
    assert.equal(seen.length, 0, "the policies hold for everybody again");
  });
});

Deno.test("incidents that were there can be joined, and tell what they told", ownServer, async () => {
  await withOwner(async (db) => {
    await migrate(db, MIGRATIONS.filter(({ version }) => version < 11));
    const [id, analysis, device] = [3, 4, 5].map((n) => timeUuid(AT, new Uint8Array(10).fill(n)));
    await db.tenant("main", async (tx) => {
      await tx.run(sql`
        insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary,
          severity, score, status, first_seen, last_seen, revision)
        values ('main', ${id}::uuid, 1, 'beacon', 'g', '{"beacon": 61.5}', 'Beaconing from ws-7', 'Every minute.', 'high',
          61.5, 'open', '2026-01-30', '2026-01-31', 3)`);
      await tx.run(sql`
        insert into model_result (tenant_id, analysis_id, incident_id, model_id, group_key, at, score, body)
        values ('main', ${analysis}::uuid, ${id}::uuid, 'beacon', 'g', '2026-01-31', 61.5,
          ${JSON.stringify({ confidence: 0.7, device_id: device })}::jsonb)`);
    });
    await migrate(db);
    await db.tenant("main", async (tx) => {
      const span = { from: AT, to: AT };
      for (const mark of ["group beacon g", `device ${device}`]) {
        const [row] = await incidentsWithMarks(tx, "main", [mark], span);
        assert.equal(row!.opened_at, AT);
        assert.deepEqual(row!.score_parts, [
          { name: "leading_result", value: 61.5, weight: 1, detail: "the best score of beacon" },
        ]);
        const words = describeIncident(row!.story, { firstSeen: AT, lastSeen: AT, devices: 1, kinds: 1 });
        assert.deepEqual(words, { title: "Beaconing from ws-7", summary: "Every minute. Confidence: 70 %." });
      }
    });
    await db.tenant("branch", async (tx) => {
      assert.equal(
        (await tx.rows(sql`select from incident`)).length,
        0,
        "the policies hold for everybody again",
      );
      assert.equal((await tx.rows(sql`select from model_result`)).length, 0);
    });
  });
});
