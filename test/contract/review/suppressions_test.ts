import assert from "node:assert/strict";
import { DeviceUpkeep } from "../../../src/core/jobs/device-upkeep.ts";
import { formatMillis } from "../../../src/kit/time.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { liftExpired } from "../../../src/store/review/suppression-match.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, DAY, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { create, creation, revoke, twoIncidents } from "./suppressions.ts";

testDatabase("suppressions: one is created, listed, read and revoked, each audited", async (db) => {
  const api = new Api(db);
  const { device_id } = await twoIncidents(api);
  const body = creation({ source: device_id, destination: "198.51.100.0/24", detector: "signature-alert" });
  const response = await api.change("createSuppression", {}, { body });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("etag"), '"1"');
  const { data } = await checked("createSuppression", response);
  const { suppression_id, workflow_history, ...rest } = data;
  assert.deepEqual(rest, {
    pattern: { source: device_id, destination: "198.51.100.0/24", port: null, detector: "signature-alert" },
    source_name: "10.0.0.5",
    reason: "the vendor's updater",
    status: "active",
    created_by: "ada",
    created_at: "2026-01-31T07:15:00.000Z",
    expires_at: "2026-02-07T07:15:00.000Z",
    revoked_by: null,
    revoked_at: null,
    revoked_reason: null,
    held_back: { results: 0, incidents: 1 },
    revision: 1,
  });
  assert.deepEqual(workflow_history.map(({ actor, action, comment }) => [actor, action, comment]), [
    ["ada", "created", "the vendor's updater"],
  ]);
  const read = await api.read("getSuppression", {}, { roles: ["reader"] }, data);
  assert.deepEqual(read.data, data);
  assert.deepEqual((await api.read("listSuppressions", { status: "active" })).data, [{
    ...rest,
    suppression_id,
  }]);

  api.clock.advance(60);
  const change = { revision: 1, body: { reason: "it was a mistake" }, subject: "bob" };
  const revoked = await checked("revokeSuppression", await api.change("revokeSuppression", data, change));
  assert.deepEqual(
    [revoked.data.status, revoked.data.revoked_by, revoked.data.revoked_at, revoked.data.revoked_reason],
    ["revoked", "bob", "2026-01-31T07:16:00.000Z", "it was a mistake"],
  );
  assert.equal(revoked.data.revision, 2);
  assert.deepEqual(
    revoked.data.workflow_history.map(({ actor, action, revision }) => [actor, action, revision]),
    [
      ["ada", "created", 1],
      ["bob", "revoked", 2],
    ],
  );
  assert.deepEqual((await api.read("listSuppressions", { status: "active" })).data, []);
  assert.equal((await api.read("listSuppressions", { status: "revoked" })).data.length, 1);
});

testDatabase("suppressions: covered open incidents are marked, others are not", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id, other_id } = await twoIncidents(api);
  const path = { incident_id };
  assert.equal((await api.read("getIncident", {}, {}, path)).data.suppressed, null);
  const made = await create(api, { source: "10.0.0.5", destination: "198.51.100.7" });
  assert.deepEqual(made.held_back, { results: 0, incidents: 1 });

  const { data } = await api.read("getIncident", {}, {}, path);
  assert.deepEqual(data.suppressed, {
    suppression_id: made.suppression_id,
    reason: "the vendor's updater",
    until: "2026-02-07T07:15:00.000Z",
  });
  assert.deepEqual([data.status, data.revision], ["open", 2]);
  const { at: _, ...entry } = data.workflow_history.at(-1)!;
  assert.deepEqual(entry, {
    actor: "ada",
    action: "suppressed",
    from: null,
    to: made.suppression_id,
    comment: "the vendor's updater",
    revision: 2,
  });
  const ids = async (query: Record<string, string>) =>
    (await api.read("listIncidents", query)).data.map(({ id }) => id).sort();
  assert.deepEqual(await ids({}), [incident_id, other_id].sort());
  assert.deepEqual(await ids({ suppressed: "true" }), [incident_id]);
  assert.deepEqual(await ids({ suppressed: "false" }), [other_id]);
  await refusal(await api.send("listIncidents", { suppressed: "maybe" }), 400, "invalid_request");

  // A suppressed incident adds nothing to its device.
  const device = (await api.read("getDevice", {}, {}, { device_id })).data;
  assert.deepEqual([device.score, device.score_history.at(-1)!.reason], [0, "the vendor's updater"]);

  await revoke(api, made);
  const after = (await api.read("getIncident", {}, {}, path)).data;
  assert.deepEqual([after.suppressed, after.revision], [null, 3]);
  assert.equal(after.workflow_history.at(-1)!.action, "suppression_revoked");
  assert.deepEqual(await ids({ suppressed: "true" }), []);
  assert.equal((await api.read("getDevice", {}, {}, { device_id })).data.score, 50);
});

testDatabase("suppressions: one result outside the pattern keeps an incident visible", async (db) => {
  const api = new Api(db);
  const { incident_id } = await twoIncidents(api);
  await api.take(SURICATA, [alert({ dst: "203.0.113.9", at: NOW - SECOND })]);
  const { data } = await api.read("getIncident", {}, {}, { incident_id });
  assert.ok(data.model_results[0]!.destinations.some(({ ip }) => ip === "203.0.113.9"));
  const made = await create(api, { source: "10.0.0.5", destination: "198.51.100.7" });
  assert.deepEqual(made.held_back, { results: 0, incidents: 0 });
  const wider = await create(api, { source: "10.0.0.5", detector: "signature-alert" });
  assert.deepEqual(wider.held_back, { results: 0, incidents: 1 });
});

testDatabase("suppressions: a closed incident needs no mark", async (db) => {
  const api = new Api(db);
  const path = await twoIncidents(api);
  const close = { revision: 1, body: { status: "resolved", comment: "so" } };
  await checked("patchIncident", await api.change("patchIncident", path, close));
  const made = await create(api, { source: "10.0.0.5", detector: "signature-alert" });
  assert.equal(made.held_back.incidents, 0);
});

testDatabase("suppressions: an incident that outgrows the pattern is shown again", async (db) => {
  const api = new Api(db);
  const path = await twoIncidents(api);
  await create(api, { source: "10.0.0.5", destination: "198.51.100.7" });
  assert.ok((await api.read("getIncident", {}, {}, path)).data.suppressed);
  await api.take(SURICATA, [alert({ dst: "203.0.113.9", at: NOW - SECOND, sid: 7 })]);
  assert.equal((await api.read("getIncident", {}, {}, path)).data.suppressed, null);
  assert.ok((await api.read("getDevice", {}, {}, path)).data.score >= 50);
});

testDatabase("suppressions: results during its lifetime are kept and open nothing", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  const { device_id } = (await api.read("listDevices")).data[0]!;
  const made = await create(api, { source: device_id, destination: "198.51.100.7" });
  await api.take(SURICATA, [alert()]);
  assert.deepEqual((await api.read("listIncidents")).data, []);
  const held = async () => (await api.read("getSuppression", {}, {}, made)).data.held_back;
  assert.deepEqual(await held(), { results: 1, incidents: 0 });
  assert.equal((await api.read("listDevices")).data[0]!.score, 0);
  await api.take(SURICATA, [alert({ src: "10.0.0.6", at: NOW - SECOND })]);
  assert.equal((await api.read("listIncidents")).data.length, 1, "of another device");

  const { data: { revision } } = await api.read("getSuppression", {}, {}, made);
  await revoke(api, { ...made, revision });
  await api.take(SURICATA, [alert({ at: NOW - 2 * SECOND, sid: 9 })]);
  const now = (await api.read("listIncidents", { device_id })).data;
  assert.equal(now.length, 1, "seen again after the revocation");
  assert.equal((await held()).results, 1);
});

testDatabase("suppressions: expiry ends it automatically", async (db) => {
  const api = new Api(db);
  const path = await twoIncidents(api);
  const made = await create(api, { source: "10.0.0.5", detector: "signature-alert" }, {
    expires_at: formatMillis(NOW + 10 * MINUTE),
  });
  const suppressed = async () => (await api.read("getIncident", {}, {}, path)).data.suppressed;
  api.clock.advance(599);
  assert.ok(await suppressed());
  assert.equal(await db.tenant("main", (tx) => liftExpired(tx, "main", api.clock.now())), 0);
  api.clock.advance(1);
  assert.equal(await suppressed(), null);
  assert.equal((await api.read("listIncidents", { suppressed: "true" })).data.length, 0);
  const { data } = await api.read("getSuppression", {}, {}, made);
  assert.deepEqual([data.status, data.held_back.incidents, data.revision], ["expired", 1, 1]);
  assert.equal((await api.read("listSuppressions", { status: "expired" })).data.length, 1);
  const late = { revision: 1, body: { reason: "too late" } };
  const error = await refusal(await api.change("revokeSuppression", made, late), 409, "invalid_request");
  assert.deepEqual([error.details.reason, error.details.status], ["illegal_transition", "expired"]);

  // The device's score follows with the next upkeep, once.
  assert.equal((await api.read("getDevice", {}, {}, path)).data.score, 0);
  const tenants = new Map([["main", { site: { vlans: [] } }]]);
  const upkeep = new DeviceUpkeep({ tenants, inventory: [] }, { db, clock: api.clock, logger: silentLogger });
  await upkeep.run();
  await upkeep.stop();
  assert.equal((await api.read("getDevice", {}, {}, path)).data.score, 50);
  assert.equal(await db.tenant("main", (tx) => liftExpired(tx, "main", api.clock.now())), 0);
});

testDatabase(
  "suppressions: of two that cover an incident the longer one counts, then the other",
  async (db) => {
    const api = new Api(db);
    const path = await twoIncidents(api);
    const holder = async () => (await api.read("getIncident", {}, {}, path)).data.suppressed?.suppression_id;
    const long = await create(api, { source: "10.0.0.5", detector: "signature-alert" });
    const short = await create(api, { source: "10.0.0.5", destination: "198.51.100.7" }, {
      expires_at: formatMillis(NOW + DAY),
    });
    assert.equal(await holder(), long.suppression_id);
    assert.equal(short.held_back.incidents, 0);
    await revoke(api, long);
    assert.equal(await holder(), short.suppression_id);
    assert.equal((await api.read("getDevice", {}, {}, path)).data.score, 0);
    const longer = await create(api, { source: "10.0.0.5", destination: "198.51.100.7" });
    assert.equal(await holder(), longer.suppression_id);
  },
);
