// Incidents that have a device or a destination in common.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { Api, DAY, MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

testDatabase("related incidents: by device, by destination, near in time", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [
    alert({ at: NOW - 2 * MINUTE, src: "10.0.0.1", dst: "198.51.100.1", sid: 1 }),
    alert({ at: NOW - 2 * MINUTE, src: "10.0.0.2", dst: "198.51.100.2", sid: 2 }),
    alert({ at: NOW - 2 * MINUTE, src: "10.0.0.3", dst: "198.51.100.3", sid: 3 }),
    alert({ at: NOW - 2 * MINUTE, src: "10.0.0.4", dst: "198.51.100.4", sid: 4 }),
  ]);
  const { data } = await api.read("listIncidents", { sort: "-first_seen" });
  assert.equal(data.length, 4);
  const [one, ...others] = data;
  const path = { incident_id: one!.id };
  const related = async () => (await api.read("getIncident", {}, {}, path)).data.related;
  assert.deepEqual(await related(), []);

  const [device] = one!.device_ids;
  const share = (incidentId: string, mark: string) =>
    db.tenant("main", (tx) =>
      tx.run(sql`
        insert into incident_mark (tenant_id, incident_id, mark) values ('main', ${incidentId}::uuid, ${mark})`));
  const own = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ mark: string }>(
        sql`select mark from incident_mark where incident_id = ${one!.id}::uuid order by mark`,
      ),
  );
  const address = own.map(({ mark }) => mark).find((mark) => mark.startsWith("address "))!;
  assert.ok(own.some(({ mark }) => mark === `device ${device}`));
  await share(others[0]!.id, `device ${device}`);
  await share(others[1]!.id, address);
  await share(others[2]!.id, `device ${device}`);
  await share(others[2]!.id, address);
  await db.tenant(
    "main",
    (tx) =>
      tx.run(
        sql`update incident set score = 90, severity = 'critical' where incident_id = ${others[2]!.id}::uuid`,
      ),
  );

  const found = await related();
  assert.deepEqual(found[0], {
    id: others[2]!.id,
    title: others[2]!.title,
    severity: "critical",
    status: "open",
    last_seen: others[2]!.last_seen,
    reason: "same_device_and_destination",
  });
  assert.deepEqual(
    new Map(found.map(({ id, reason }) => [id, reason])),
    new Map([
      [others[2]!.id, "same_device_and_destination"],
      [others[0]!.id, "same_device"],
      [others[1]!.id, "same_destination"],
    ]),
  );

  const past = new Date((NOW - 3 * DAY) / 1000).toISOString();
  await db.tenant("main", (tx) =>
    tx.run(sql`
      update incident set first_seen = ${past}::timestamptz, last_seen = ${past}::timestamptz
      where incident_id = ${others[0]!.id}::uuid`));
  assert.ok(!(await related()).some(({ id }) => id === others[0]!.id), "another time");
});
