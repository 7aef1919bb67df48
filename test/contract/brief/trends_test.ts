import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { expireTraffic } from "../../../src/store/graph/traffic.ts";
import type { Incident } from "../../../src/contract/incident/incident.ts";
import { testDatabases } from "../../support/database.ts";
import { Api, DAY, MINUTE, NOW, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";

const HOUR = 60 * MINUTE;
/** Its clocks are an hour ahead of UTC in January. */
const ZONE = "Europe/Berlin";
const MAIN = defaultSite("main");
const SITE = { ...MAIN, site: { ...MAIN.site, time_zone: ZONE } };
/** 2026-01-31 00:00 in Berlin; now it is 08:15 there. */
const TODAY = Date.UTC(2026, 0, 30, 23) * 1000;

testDatabases("trends: today against yesterday and the week before, and a week of work", async (db) => {
  const api = new Api(db, [SITE]);
  const trends = async (tenantId = "main") =>
    (await api.read("getTrends", {}, { tenantId, roles: ["reader"] })).data;
  const nothing = { today: null, yesterday: null, week_before: null };
  const empty = await trends();
  assert.deepEqual([empty.time_zone, empty.start], [ZONE, "2026-01-30T23:00:00.000Z"]);
  assert.deepEqual(empty.counts, {
    opened_incidents: nothing,
    closed_incidents: nothing,
    new_devices: nothing,
  });
  assert.deepEqual(empty.traffic, { flows: nothing, traffic_bytes: nothing });

  /** Takes an alert and a transfer of a device at a time of a day, received a minute later. */
  const day = async (device: number, at: number, bytes: number) => {
    const src = `10.0.0.${device}`;
    api.clock.advance((at + MINUTE - api.clock.now()) / 1e6);
    await api.take(SURICATA, [alert({ at, src, sid: 2_000_000 + device })]);
    const more = { orig_bytes: bytes, resp_bytes: 0 };
    await api.take(ZEEK, [conn({ at, src, dst: "198.51.100.7", srcPort: 50_000 + device, more })]);
  };
  // The week before, before and after the present time of day.
  await day(1, TODAY - 7 * DAY + 2 * HOUR, 1_000);
  await day(2, TODAY - 7 * DAY + 10 * HOUR, 10_000);
  await day(3, TODAY - DAY + 8 * HOUR, 200);
  await day(4, TODAY - DAY + 9 * HOUR, 2_000);
  await day(5, TODAY + HOUR, 30);
  await day(6, TODAY + 2 * HOUR, 300);
  api.clock.advance((NOW - api.clock.now()) / 1e6);

  const before = await trends();
  assert.deepEqual(before.counts, {
    opened_incidents: { today: 2, yesterday: 1, week_before: 1 },
    closed_incidents: { today: 0, yesterday: 0, week_before: 0 },
    new_devices: { today: 2, yesterday: 1, week_before: 1 },
  });
  // Traffic is kept per day. An alert is a flow of its own.
  assert.deepEqual(before.traffic.traffic_bytes, { today: 330, yesterday: 2_200, week_before: 11_000 });
  assert.deepEqual(before.traffic.flows, { today: 4, yesterday: 4, week_before: 4 });
  // The second one of the week before lies within seven days of now.
  assert.deepEqual(before.work.opened, { value: 5, previous: 1 });
  assert.deepEqual(before.work.closed, { value: 0, previous: 0 });
  assert.deepEqual(before.work.median_close_seconds, { value: null, previous: null });
  assert.deepEqual(before.work.false_positives, []);

  const incidents =
    (await api.read("listIncidents", { from: "2026-01-01T00:00:00Z", sort: "first_seen" })).data;
  const set = async ({ id, revision }: Incident, status: string): Promise<Incident> => {
    const body = { status, comment: "Looked at it." };
    const answer = await api.change("patchIncident", { incident_id: id }, {
      revision,
      roles: ["analyst"],
      body,
    });
    assert.equal(answer.status, 200);
    return (await answer.json()).data;
  };
  await set(incidents[3]!, "resolved");
  await set(incidents[4]!, "false_positive");
  await set(incidents[5]!, "false_positive");
  // What was opened again is not closed.
  await set(await set(incidents[2]!, "resolved"), "investigating");
  api.clock.advance(60);

  const after = await trends();
  assert.deepEqual(after.counts.closed_incidents, { today: 3, yesterday: 0, week_before: 0 });
  assert.deepEqual(after.work.closed, { value: 3, previous: 0 });
  // Opened 09:00 yesterday, and 01:00 and 02:00 today; closed 08:15 today: the middle one.
  const [, middle] = incidents.slice(3).map(({ first_seen }) =>
    Math.round(NOW / 1e6 - Date.parse(first_seen) / 1e3)
  )
    .sort((a, b) => a - b);
  assert.deepEqual(after.work.median_close_seconds, { value: middle, previous: null });
  assert.deepEqual(after.work.false_positives, [
    { model_id: "signature-alert", title: "Signature alerts", closed: 3, false_positives: 2 },
  ]);

  // Rollups that are deleted leave the same sums.
  await db.tenant("main", (tx) => expireTraffic(tx, "main", NOW + 2 * DAY, ZONE));
  assert.deepEqual(await trends(), after);
  // In another zone they make no day.
  const elsewhere = { ...SITE, site: { ...SITE.site, time_zone: "America/New_York" } };
  const { data: other } = await new Api(db, [elsewhere]).read("getTrends");
  assert.deepEqual(other.traffic.traffic_bytes, nothing);

  const branch = await trends("branch");
  assert.deepEqual(branch.work.opened, { value: null, previous: null });
});
