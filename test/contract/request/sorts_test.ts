// Orders of the incident and device lists, and their parameters that may be repeated.

import assert from "node:assert/strict";
import { DEVICE_SORTS } from "../../../src/contract/device/query.ts";
import { INCIDENT_SORTS, type IncidentSort } from "../../../src/contract/incident/incident.ts";
import { parseIp } from "../../../src/kit/net/ip.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { SearchTooBroad, searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { testDatabase, testDatabases } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { Api, MINUTE, NOW, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

/** Incidents and devices whose orders differ, with ties in each. */
async function filled(db: Database): Promise<Api> {
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

/** As `filled`, with texts that differ, and unknown ones. */
async function described(db: Database): Promise<Api> {
  const api = await filled(db);
  await db.tenant("main", async (tx) => {
    await tx.run(sql`update device set
      owner = case right(display_name, 1) when '1' then 'Zoe' when '2' then 'ada' when '5' then '[none]' when '6' then 'ada' end,
      device_type = case when right(display_name, 1) in ('2', '4', '7') then 'Camera' else 'workstation' end`);
    await tx.run(sql`
      insert into device_tag (tenant_id, device_id, tag)
      select tenant_id, device_id, tag from device, (values ('b'), ('A')) as t (tag)
      where right(display_name, 1) in ('3', '4') or (right(display_name, 1) = '5' and tag = 'b')`);
    await tx.run(sql`
      insert into device_vlan (tenant_id, device_id, vlan_id)
      select tenant_id, device_id, vlan_id from device, (values (9), (10)) as v (vlan_id)
      where right(display_name, 1) in ('1', '7') or (right(display_name, 1) = '6' and vlan_id = 10)
      on conflict do nothing`);
    // An address that is lower as a number, not as a text.
    await tx.run(sql`update device_address set ip = '9.255.0.1' where ip = '10.0.0.7'`);
    await tx.run(sql`
      insert into person (tenant_id, subject, display_name, roles, last_seen)
      values ('main', 'z-person', 'ada', 'analyst', now()), ('main', 'a-person', 'Zoe', 'analyst', now())`);
    await tx.run(sql`update incident set
      title = case incident_no % 3 when 0 then 'beacon' when 1 then 'Scan' else '_other' end,
      status = case incident_no % 3 when 0 then 'resolved' else 'open' end,
      assignee = case incident_no % 4 when 0 then 'z-person' when 1 then 'a-person' when 2 then 'left' end,
      model_scores = case incident_no % 2 when 0 then '{"scan": 1, "beacon": 2}'::jsonb else '{"dga": 1}'::jsonb end`);
    await tx.run(sql`delete from incident_device where incident_id in (
      select incident_id from incident where incident_no in (5, 6))`);
    // A device with a second incident.
    await tx.run(sql`
      insert into incident_device (tenant_id, incident_id, device_id, ordinal)
      select i.tenant_id, i.incident_id, d.device_id, 9 from incident i, device d
      where right(d.display_name, 1) in ('2', '6') and i.incident_no % 3 = 1 on conflict do nothing`);
  });
  return api;
}

type Key = string | number | null;
interface Named {
  devices: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** What a row is sorted by. */
function keyOf(row: object, order: string, { devices, people }: Named): Key {
  const shown = row as Record<string, unknown>;
  const list = (name: string) => shown[name] as (string | number)[];
  switch (order) {
    case "severity":
      return shown.score as number;
    case "address":
      return list("addresses")[0] ? parseIp(String(list("addresses")[0]))!.toHex() : null;
    case "vlan":
      return list("vlan_ids")[0] ?? null;
    case "tags":
      return folded(list("tags").join(", ") || null);
    case "device":
      return folded(devices.get(String(list("device_ids")[0])) ?? null);
    case "detector":
      return folded(list("model_ids").join(", "));
    case "assignee":
      return folded(people.get(String(shown.assignee)) ?? shown.assignee as string | null);
    case "first_seen":
    case "last_seen":
      return Date.parse(String(shown[order]));
    default: {
      const value = shown[order] as Key;
      return typeof value === "string" ? folded(value) : value;
    }
  }
}

function folded(text: string | null): string | null {
  return text?.toLowerCase() ?? null;
}

function assertSorted(rows: readonly object[], sort: string, named: Named): void {
  const keys = rows.map((row) => keyOf(row, sort.replace("-", ""), named));
  const known = keys.filter((key) => key !== null);
  const sorted = known.toSorted((a, b) => a < b ? -1 : a > b ? 1 : 0);
  if (sort.startsWith("-")) sorted.reverse();
  assert.deepEqual(keys, [...sorted, ...keys.filter((key) => key === null)], `${sort}: unknown ones last`);
  assert.ok(new Set(keys).size < keys.length || /display_name|address/.test(sort), `${sort} has ties`);
  assert.ok(new Set(keys).size > 1, `${sort} has several values`);
}

async function namedBy(api: Api): Promise<Named> {
  const { data } = await api.read("listDevices");
  return {
    devices: new Map(data.map(({ device_id, display_name }) => [device_id, display_name])),
    people: new Map([["z-person", "ada"], ["a-person", "Zoe"]]),
  };
}

testDatabases("sorts: pages of any size have the order of the whole list, ties included", async (db) => {
  const api = await described(db);
  const named = await namedBy(api);
  for (const [id, sorts] of [["listIncidents", INCIDENT_SORTS], ["listDevices", DEVICE_SORTS]] as const) {
    const orders = new Set<string>();
    for (const sort of sorts) {
      const { data: whole } = await api.read(id, { sort });
      assert.equal(whole.length, 7, sort);
      assertSorted(whole, sort, named);
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

testDatabases(
  "sorts: incidents in an order without an index are refused if there are too many",
  async (db) => {
    const api = await filled(db);
    const { data } = await api.read("listIncidents");
    const plan = { ...searchPlan("incidents", "", null), lastSeen: { from: 0, to: null } };
    const page = (sort: IncidentSort, most: number) =>
      searchTransaction(db, "main", (tx) => searchIncidents(tx, "main", plan, null, 3, sort, most));
    assert.equal((await page("title", 7)).rows.length, 3);
    assert.equal((await page("-first_seen", 2)).rows.length, 3);
    await assert.rejects(page("title", 2), (error) => {
      assert.ok(error instanceof SearchTooBroad);
      const from = Date.parse(String(error.details.from));
      const newer = data.filter(({ last_seen }) => Date.parse(last_seen) >= from);
      assert.ok(newer.length <= 2, "the window that it names is short enough");
      return true;
    });
  },
);

testDatabase("sorts: the oldest first ends with what was seen before its first page", async (db) => {
  const api = await filled(db);
  for (const id of ["listIncidents", "listDevices"] as const) {
    const all = (await api.read(id, { sort: "last_seen" })).data;
    let step = 0;
    // What was shown is seen again, behind the page that was reached.
    const between = async () => {
      api.clock.advance(20);
      step++;
      await api.take(
        SURICATA,
        [1, 2, 3].map((n) => alert({ at: NOW + step * 20_000_000, src: `10.0.0.${n}`, sid: n - 1 })),
      );
      assert.ok(step < 20, "the scan ends");
    };
    const seen = (await api.walk(id, { sort: "last_seen", limit: 2 }, { between })).flat();
    const shown = new Set(seen.map((row) => JSON.stringify(keyOfRow(row))));
    assert.ok(seen.length <= all.length);
    assert.equal(shown.size, seen.length, "none twice");
  }
});

function keyOfRow(row: object): unknown {
  return (row as { id?: string }).id ?? (row as { device_id?: string }).device_id;
}

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
    assertSorted(pages, sort, await namedBy(api));
  }
});

testDatabase("sorts: a cursor of another order is refused, and so is an unknown order", async (db) => {
  const api = await filled(db);
  const some = {
    listIncidents: ["-last_seen", "last_seen", "-severity", "-score", "title", "device"],
    listDevices: ["-last_seen", "last_seen", "-score", "score", "owner", "-owner"],
  } as const;
  for (const [id, sorts] of Object.entries(some) as ["listIncidents", typeof some.listIncidents][]) {
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
    for (const sort of ["", "summary", "-revision", "-last_seen,-score", "-LAST_SEEN"]) {
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
