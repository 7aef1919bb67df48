// People and the pipeline change the same devices and incidents concurrently. A deadlock is retried, so that
// no request fails and nothing is lost.

import assert from "node:assert/strict";
import pg from "pg";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { sensor } from "../../support/record/pipeline.ts";
import { Api, MINUTE, NOW, SECOND, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

const BRANCH = sensor("branch-suricata", { tenantId: "branch" });
const DEVICES = 6;
const ROUNDS = 25;

function threats(round: number): string[] {
  return Array.from(
    { length: DEVICES },
    (_, n) => alert({ src: `10.0.8.${n}`, at: NOW - MINUTE + round * SECOND, sid: 1000 + round }),
  );
}

/** A pool for people, and the test's own connection to the same database. */
async function withServer(body: (db: PostgresDatabase, client: pg.Client) => Promise<void>): Promise<void> {
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await body(db, client);
  } finally {
    await client.end();
    await db.close();
    await drop();
  }
}

const withPostgres = { ignore: POSTGRES_URL === "" };

Deno.test(
  "locks: people change what the pipeline is writing, and everything takes effect",
  withPostgres,
  async () => {
    await withServer(async (db) => {
      const api = new Api(db);
      await api.take(SURICATA, threats(0));
      const incidents = (await api.read("listIncidents")).data.map(({ id }) => id);
      const devices = (await api.read("listDevices")).data.map(({ device_id }) => device_id);
      const made = new Map<string, number>();
      let working = true;
      /** One person who keeps changing one object with its current revision. */
      const person = async (
        change: (revision: number, count: number) => Promise<Response>,
        id: string,
      ): Promise<void> => {
        let revision = 1;
        for (let count = 0; working; count++) {
          const response = await change(revision, count);
          const { data, error } = await response.json();
          assert.ok(response.status === 200 || response.status === 412, JSON.stringify(error));
          if (response.status === 200) made.set(id, (made.get(id) ?? 0) + 1);
          revision = data?.revision ?? error.details.revision;
        }
      };
      const people = [
        ...incidents.map((incident_id) =>
          person((revision, count) => {
            const body = { status: count % 2 === 0 ? "investigating" : "open", comment: `no. ${count}` };
            return api.change("patchIncident", { incident_id }, { revision, body }).then(async (response) => {
              // After a refusal the next attempt may differ.
              if (response.status !== 409) return response;
              await response.body?.cancel();
              const other = { ...body, status: body.status === "open" ? "investigating" : "open" };
              return await api.change("patchIncident", { incident_id }, { revision, body: other });
            });
          }, incident_id)
        ),
        ...devices.map((device_id) =>
          person((revision, count) => {
            const body = { owner: `owner ${count}` };
            return api.change("patchDevice", { device_id }, { revision, body });
          }, device_id)
        ),
      ];
      for (let round = 1; round <= ROUNDS; round++) await api.take(SURICATA, threats(round));
      working = false;
      await Promise.all(people);

      const entries = await db.tenant("main", (tx) =>
        tx.rows<{ object_id: string; n: number }>(sql`
        select object_id, count(*)::int as n from workflow_history
        where tenant_id = 'main' and action in ('status_changed', 'classification_confirmed') group by 1`));
      assert.deepEqual(new Map(entries.map(({ object_id, n }) => [object_id, n])), made);
      assert.ok(made.size > devices.length, "people succeeded");
      // The pipeline's result equals that for the same records without interference.
      for (let round = 0; round <= ROUNDS; round++) await api.take(BRANCH, threats(round));
      assert.deepEqual(await told(api, "main"), await told(api, "branch"));
    });
  },
);

/** What an analyst reads in a tenant's incidents. */
async function told(api: Api, tenantId: string): Promise<unknown[]> {
  const { data } = await api.read("listIncidents", {}, { tenantId });
  const details = await Promise.all(
    data.map(({ id }) => api.read("getIncident", {}, { tenantId }, { incident_id: id })),
  );
  // Without scores: a device's owner makes it more important.
  const facts = details.map(({ data: { first_seen, last_seen, evidence } }) => ({
    first_seen,
    last_seen,
    evidence: evidence.map(({ observed_at, summary }) => `${observed_at} ${summary}`),
  }));
  return facts.sort((one, other) => one.evidence[0]! < other.evidence[0]! ? -1 : 1);
}

Deno.test(
  "locks: a change of an incident locks its devices first, like the pipeline",
  withPostgres,
  async () => {
    await withServer(async (db, client) => {
      const api = new Api(db);
      await api.take(SURICATA, threats(0));
      const incident = (await api.read("listIncidents")).data[0]!;
      await client.query("begin");
      await client.query("select from device where device_id = $1 for update", [incident.device_ids[0]]);
      const change = api.change("patchIncident", { incident_id: incident.id }, {
        revision: incident.revision,
        body: { status: "investigating" },
      });
      const waits = "select count(*)::int as n from pg_locks where not granted";
      while ((await client.query(waits)).rows[0].n === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // Holding the incident's row it would block this, and both would wait for each other.
      const free = await client.query("select from incident where incident_id = $1 for update nowait", [
        incident.id,
      ]);
      assert.equal(free.rowCount, 1);
      await client.query("commit");
      assert.equal((await change).status, 200);
    });
  },
);
