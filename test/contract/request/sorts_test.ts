// Orders of the incident and device lists, and their parameters that may be repeated.

import assert from "node:assert/strict";
import { DEVICE_SORTS } from "../../../src/contract/device/query.ts";
import { INCIDENT_SORTS } from "../../../src/contract/incident/incident.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

/** Incidents and devices whose orders differ, with ties in each. */
async function filled(db: ConstructorParameters<typeof Api>[0]): Promise<Api> {
  const api = new Api(db);
  // The same first time for several, and a second alert that makes some of them recent.
  const lines = [5, 3, 3, 1, 4, 4, 2].map((minutes, n) =>
    alert({ at: NOW - minutes * MINUTE, src: `10.0.0.${n + 1}`, sid: n })
  );
  await api.take(SURICATA, lines);
  await api.take(SURICATA, [1, 5].map((n) => alert({ at: NOW - MINUTE, src: `10.0.0.${n}`, sid: n - 1 })));
  await db.tenant("main", async (tx) => {
    // Fractions and equal values.
    await tx.run(sql`update incident set score = 40 + incident_no % 3 / 3.0`);
    await tx.run(sql`update device set score = case when strpos(display_name, '.3') > 0 then 0.1 else 20 end,
      display_name = case when display_name < '10.0.0.4' then 'Host ' else 'host ' end || right(display_name, 1)`);
  });
  return api;
}

/** A row's value for an order, comparable; descending orders are negated by the caller. */
function keyOf(row: object, sort: string): number | string {
  // Severity is derived from the score.
  const value = (row as Record<string, unknown>)[sort.replace("-", "").replace("severity", "score")];
  if (typeof value === "number") return value;
  return sort.endsWith("display_name") ? String(value).toLowerCase() : Date.parse(String(value));
}

function assertSorted(rows: readonly object[], sort: string): void {
  const keys = rows.map((row) => keyOf(row, sort));
  const sorted = keys.toSorted((a, b) => a < b ? -1 : a > b ? 1 : 0);
  assert.deepEqual(keys, sort.startsWith("-") ? sorted.reverse() : sorted, sort);
  assert.ok(new Set(keys).size < keys.length || sort.endsWith("display_name"), `${sort} has ties`);
}

testDatabase("sorts: pages of any size have the order of the whole list, ties included", async (db) => {
  const api = await filled(db);
  for (const [id, sorts] of [["listIncidents", INCIDENT_SORTS], ["listDevices", DEVICE_SORTS]] as const) {
    const orders = new Set<string>();
    for (const sort of sorts) {
      const { data: whole } = await api.read(id, { sort });
      assert.equal(whole.length, 7, sort);
      assertSorted(whole, sort);
      for (const limit of [1, 2, 3, 7]) {
        const pages = await api.walk(id, { sort, limit });
        assert.deepEqual(pages.flat(), whole, `${id} ${sort} by ${limit}`);
        assert.equal(pages.length, Math.ceil(7 / limit));
      }
      orders.add(JSON.stringify(whole));
    }
    assert.equal(orders.size, sorts.length, "the orders differ");
    assert.deepEqual((await api.read(id)).data, (await api.read(id, { sort: "-last_seen" })).data);
  }
});

testDatabase("sorts: a merged device counts in the times of its survivor", async (db) => {
  const api = await filled(db);
  const { data } = await api.read("listDevices", { sort: "-last_seen" });
  const [newest, oldest] = [data[0]!, data.at(-1)!];
  await db.tenant("main", (tx) =>
    tx.run(sql`
      update device set merged_into = ${oldest.device_id}::uuid where device_id = ${newest.device_id}::uuid`));
  for (const sort of ["-last_seen", "-first_seen"]) {
    const pages = (await api.walk("listDevices", { sort, limit: 2 })).flat();
    assert.equal(pages.length, 6);
    assertSorted(pages, sort);
  }
});

testDatabase("sorts: a cursor of another order is refused, and so is an unknown order", async (db) => {
  const api = await filled(db);
  for (const [id, sorts] of [["listIncidents", INCIDENT_SORTS], ["listDevices", DEVICE_SORTS]] as const) {
    for (const sort of sorts) {
      const cursor = (await api.read(id, { sort, limit: 2 })).next_cursor!;
      for (const other of sorts) {
        const response = await api.send(id, { sort: other, cursor, limit: 2 });
        if (other === sort) assert.equal((await response.json()).data.length, 2);
        else {
          assert.equal((await refusal(response, 400, "invalid_request")).details.reason, "invalid_cursor");
        }
      }
      // The default order and its name are the same.
      const bare = await api.send(id, { cursor });
      assert.equal(bare.status, sort === "-last_seen" ? 200 : 400, sort);
      await bare.body?.cancel();
    }
    for (const sort of ["", "last_seen", "-title", "-last_seen,-score", "-LAST_SEEN"]) {
      const { details } = await refusal(await api.send(id, { sort }), 400, "invalid_request");
      assert.equal(details.reason, "invalid_field", sort);
    }
  }
});

testDatabase("incidents: repeated statuses and severities match any of them", async (db) => {
  const api = await filled(db);
  const { data } = await api.read("listIncidents", { sort: "-first_seen" });
  const [one, two, three] = data;
  await db.tenant("main", async (tx) => {
    await tx.run(
      sql`update incident set status = 'resolved', severity = 'low' where incident_id = ${one!.id}::uuid`,
    );
    await tx.run(sql`update incident set severity = 'critical' where incident_id = ${two!.id}::uuid`);
    await tx.run(sql`update incident set status = 'investigating' where incident_id = ${three!.id}::uuid`);
  });
  const ask = async (query: string) => {
    const response = await api.core.send({ target: `/api/v1/incidents?sort=-first_seen&${query}` });
    assert.equal(response.status, 200, query);
    return await response.json() as { data: { id: string }[]; next_cursor: string | null };
  };
  const found = async (query: string) => (await ask(query)).data.map(({ id }) => id);
  assert.deepEqual(await found("status=resolved&status=investigating"), [one!.id, three!.id]);
  assert.deepEqual(await found("status=resolved&status=resolved"), [one!.id]);
  assert.deepEqual(await found("severity=low&severity=critical"), [one!.id, two!.id]);
  assert.deepEqual(await found("severity=low&severity=critical&status=open"), [two!.id]);
  assert.equal(
    (await found("status=open&status=investigating&status=resolved&status=false_positive")).length,
    7,
  );
  // A cursor is valid for the same set in any order.
  const { next_cursor } = await ask("limit=1&status=resolved&status=investigating");
  const rest = `limit=1&cursor=${next_cursor}`;
  assert.deepEqual(await found(`${rest}&status=investigating&status=resolved`), [three!.id]);
  const other = await api.core.send({ target: `/api/v1/incidents?sort=-first_seen&${rest}&status=resolved` });
  assert.equal((await refusal(other, 400, "invalid_request")).details.reason, "invalid_cursor");

  const faults: [string, string][] = [
    ["status=open&status=closed", "status"],
    ["severity=", "severity"],
    ["status=open,resolved", "status"],
  ];
  for (const [query, field] of faults) {
    const response = await api.core.send({ target: `/api/v1/incidents?${query}` });
    const { message, details } = await refusal(response, 400, "invalid_request");
    assert.equal((details.issues as { path: string }[])[0]!.path, field, query);
    assert.ok(message.startsWith(`${field}: `), message);
  }
});
