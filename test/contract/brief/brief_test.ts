import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { saveConfiguredSensors } from "../../../src/store/health/configured-sensors.ts";
import { expireDays } from "../../../src/store/graph/traffic-days.ts";
import { expireTraffic } from "../../../src/store/graph/traffic.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { reserve, settle } from "../../../src/store/analyst/ledger.ts";
import { TEST_PLAN } from "../analyst/desk.ts";
import { testDatabase, testDatabases } from "../../support/database.ts";
import { Api, DAY, MINUTE, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";

const HOUR = 60 * MINUTE;
/** Its clocks are an hour ahead of UTC in January. */
const ZONE = "Europe/Berlin";
const MAIN = defaultSite("main");
const SITE = { ...MAIN, site: { ...MAIN.site, display_name: "Head office", time_zone: ZONE } };
/** 2026-01-30 00:00 in Berlin; now it is 2026-01-31 08:15 there. */
const YESTERDAY = Date.UTC(2026, 0, 29, 23) * 1000;

function transfer(at: number, src: string, bytes: number) {
  return conn({ at, src, dst: "198.51.100.7", srcPort: 50_000, more: { orig_bytes: bytes, resp_bytes: 0 } });
}

testDatabases(
  "brief: a day of the site's zone against the day before, also when rollups are folded",
  async (db) => {
    const api = new Api(db, [SITE]);
    await db.tenant(
      "main",
      (tx) => saveConfiguredSensors(tx, "main", ["zeek-1", "suricata-1"], NOW - 3 * DAY),
    );
    api.clock.advance(-2 * 86_400);
    await api.take(ZEEK, [
      // One microsecond before the day begins in Berlin, and in its first one.
      transfer(YESTERDAY - 1, "10.0.0.5", 1_000),
      transfer(YESTERDAY - HOUR, "10.0.0.6", 500_000),
    ]);
    api.clock.advance(86_400);
    await api.take(ZEEK, [
      transfer(YESTERDAY, "10.0.0.5", 70_000),
      transfer(YESTERDAY + 5 * HOUR, "10.0.0.7", 200),
    ]);
    await api.take(SURICATA, [alert({ at: YESTERDAY + 6 * HOUR, src: "10.0.0.7" })]);
    api.clock.advance(86_400);
    const incident = (await api.read("listIncidents", { from: "2026-01-01T00:00:00Z" })).data[0]!;
    await api.change("patchIncident", { incident_id: incident.id }, {
      revision: incident.revision,
      roles: ["analyst"],
      body: { status: "investigating", comment: "Looking at it." },
    });

    const { data: brief } = await api.read("getDailyBrief", {}, { roles: ["reader"] });
    assert.deepEqual([brief.date, brief.site_name, brief.time_zone], ["2026-01-30", "Head office", ZONE]);
    assert.deepEqual([brief.start, brief.end, brief.complete], [
      "2026-01-29T23:00:00.000Z",
      "2026-01-30T23:00:00.000Z",
      true,
    ]);
    assert.deepEqual(brief.figures.opened_incidents, { value: 1, previous: 0 });
    assert.deepEqual(brief.incident_changes.opened.items.map(({ id, status }) => [id, status]), [
      [incident.id, "investigating"],
    ]);
    assert.equal(brief.incident_changes.opened.items[0]!.device?.name, "10.0.0.7");
    // The alert is a flow of its own.
    assert.deepEqual(brief.figures.flows, { value: 3, previous: 2 });
    assert.deepEqual(brief.figures.new_devices, { value: 1, previous: 2 });
    assert.deepEqual(
      brief.devices.appeared.items.map(({ address }) => address),
      ["10.0.0.7"],
    );
    const moved = brief.traffic.movers.items.map((
      { name, bytes, previous_bytes },
    ) => [name, bytes, previous_bytes]);
    assert.deepEqual(moved.slice(0, 2), [["10.0.0.6", 0, 500_000], ["10.0.0.5", 70_000, 1_000]]);
    // zeek-1 delivered in one hour of the day, suricata-1 in the same; the first hours are those before any record.
    assert.deepEqual(brief.figures.silent_hours.value, 46);
    assert.deepEqual(
      brief.sensors.coverage.items.map((one) => one.received.filter((is) => is === true).length),
      [1, 1, 0],
    );
    assert.deepEqual(brief.sensors.coverage.items.map((one) => one.received.length), [24, 24, 24]);

    // Rollups of the day are deleted in the middle of it, then altogether.
    for (const age of [-14 * HOUR, 0, DAY]) {
      await db.tenant("main", (tx) => expireTraffic(tx, "main", NOW + age, ZONE));
      const later = (await api.read("getDailyBrief")).data;
      assert.deepEqual(later, brief, `rollups that expire ${age / HOUR} h after now`);
    }
    const left = await db.tenant(
      "main",
      (tx) => tx.rows(sql`select from graph_traffic where tenant_id = 'main'`),
    );
    assert.equal(left.length, 0);

    // In another zone the same sums do not make a day.
    const elsewhere = { ...SITE, site: { ...SITE.site, time_zone: "America/New_York" } };
    const other = (await new Api(db, [elsewhere]).read("getDailyBrief", { date: "2026-01-29" })).data;
    assert.equal(other.figures.flows.value, null);
    assert.match(other.unknown.join(" "), /another time zone/);

    await db.tenant("main", (tx) => expireDays(tx, "main", NOW + DAY));
    assert.equal((await api.read("getDailyBrief")).data.figures.flows.value, 0);
    // The document says the same, in a sandbox of its own.
    const response = await api.send("getBriefDocument", {}, { roles: ["reader"] });
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(response.headers.get("content-disposition"), 'inline; filename="brief-2026-01-30.html"');
    assert.match(response.headers.get("content-security-policy")!, /default-src 'none'.*; sandbox$/);
    assert.match(await response.text(), /<h1>Daily brief: Head office<\/h1>/);
    await refusal(await api.send("getBriefDocument", { date: "2026-02-01" }), 400, "invalid_request");

    // Another tenant has a brief of its own.
    const branch = (await api.read("getDailyBrief", {}, { tenantId: "branch" })).data;
    assert.deepEqual([branch.figures.flows.value, branch.time_zone], [null, "UTC"]);
  },
);

testDatabase(
  "brief: today is not complete, tomorrow is refused, a day without records is unknown",
  async (db) => {
    const api = new Api(db, [SITE]);
    await api.take(ZEEK, [conn()]);
    const today = (await api.read("getDailyBrief", { date: "2026-01-31" })).data;
    assert.equal(today.complete, false);
    assert.deepEqual(today.figures.flows, { value: 1, previous: null });
    assert.equal(today.sensors.coverage.items.find((one) => one.sensor_id === "zeek-1")!.received[8], true);
    assert.equal(today.sensors.coverage.items.find((one) => one.sensor_id === "zeek-1")!.received[9], null);

    const refused = await refusal(
      await api.send("getDailyBrief", { date: "2026-02-01" }),
      400,
      "invalid_request",
    );
    assert.match(refused.message, /today is 2026-01-31 in Europe\/Berlin/);
    await refusal(await api.send("getBriefCalendar", { month: "2026-02" }), 400, "invalid_request");

    const old = (await api.read("getDailyBrief", { date: "2025-11-02" })).data;
    for (const [name, { value }] of Object.entries(old.figures)) {
      assert.equal(value, name === "closed_incidents" ? 0 : null, name);
    }
    assert.match(
      old.unknown[0]!,
      /^The oldest records that are kept were received on Saturday, 31 January 2026/,
    );
  },
);

testDatabase("brief: closings count once, and the calendar marks days with serious incidents", async (db) => {
  const api = new Api(db, [SITE]);
  await api.take(SURICATA, [alert({ at: YESTERDAY + HOUR })]);
  const [incident] = (await api.read("listIncidents", { from: "2026-01-01T00:00:00Z" })).data;
  let revision = incident!.revision;
  for (const status of ["resolved", "open", "false_positive"]) {
    const response = await api.change("patchIncident", { incident_id: incident!.id }, {
      revision,
      roles: ["analyst"],
      body: { status, comment: "Known scanner." },
    });
    revision = (await response.json()).data.revision;
  }
  const { data } = await api.read("getDailyBrief", { date: "2026-01-31" });
  assert.deepEqual(data.figures.closed_incidents, { value: 1, previous: 0 });
  assert.deepEqual(data.incident_changes.closed.items.map(({ id, status }) => [id, status]), [
    [incident!.id, "false_positive"],
  ]);

  const calendar = (await api.read("getBriefCalendar")).data;
  assert.equal(calendar.calendar.length, 31);
  assert.deepEqual([calendar.month, calendar.today], ["2026-01", "2026-01-31"]);
  const serious = incident!.severity !== "low" && incident!.severity !== "info";
  assert.ok(serious, incident!.severity);
  assert.deepEqual(calendar.calendar.filter(({ opened }) => opened > 0), [
    { date: "2026-01-30", opened: 1, highest: incident!.severity },
  ]);
});

testDatabase("brief: the day's share of the analyst budget, of all providers", async (db) => {
  const call = { tenantId: "main", provider: "former", day: "2026-01-30", amount: 900 };
  await db.tenant("main", async (tx) => {
    assert.equal(await reserve(tx, { ...call, provider: "local" }, 10_000), true);
    assert.equal(await reserve(tx, call, 10_000), true);
    await settle(tx, call, 250);
  });
  const budget = async (date: string, more = {}) =>
    (await new Api(db, [SITE], more).read("getDailyBrief", { date })).data.analyst_budget;
  const used = { spent_microusd: 250, reserved_microusd: 900 };
  assert.deepEqual(await budget("2026-01-30"), { limit_microusd: TEST_PLAN.dailyBudgetMicrousd, ...used });
  assert.deepEqual(await budget("2026-01-30", { analyst: undefined }), { limit_microusd: null, ...used });
  assert.equal(await budget("2026-01-29", { analyst: undefined }), null);
});
