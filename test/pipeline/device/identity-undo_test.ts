// Undone merges restore the previous state without losing anything that happened meanwhile.

import { flushJournal } from "../../../src/store/detector/journal.ts";
import { readStates, stateKeyHash } from "../../../src/store/detector/state.ts";
import { CHANNELS } from "../../../src/domain/detect/kernel/callback/channel-state.ts";
import assert from "node:assert/strict";
import { applyIdentityChanges } from "../../../src/core/jobs/identity-changes.ts";
import { IdentityJob, separateAll } from "../../../src/core/jobs/identity-job.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import type { Logger } from "../../../src/observe/log.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { activeMerges } from "../../../src/store/device/merge.ts";
import { Api, checked, NOW, SECOND, SURICATA, ZEEK } from "../../contract/api.ts";
import { alert, conn } from "../../contract/records.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch } from "../../support/record/pipeline.ts";
import {
  ago,
  deviceAt,
  identify,
  identityApi,
  LAPTOP,
  laptopMoves,
  lease,
  listed,
  WINDOW,
  works,
} from "./identity-scenario.ts";

/** Everything the API returns about the devices, except change markers. */
async function everything(api: Api): Promise<unknown> {
  const { data: devices } = await api.read("listDevices");
  const details = [];
  for (const { device_id } of devices) {
    const { data } = await api.read("getDevice", WINDOW, {}, { device_id });
    const { data: flows } = await api.read("listFlows", { ...WINDOW, device_id, limit: 500 });
    const { data: incidents } = await api.read("listIncidents", { ...WINDOW, device_id });
    const {
      revision: _revision,
      workflow_history: _history,
      merge_events: _events,
      score_history: _scores,
      ...rest
    } = data;
    details.push({ ...rest, flows, incidents });
  }
  return details;
}

testDatabase("undoing a merge restores everything", async (db) => {
  const api = await identityApi(db);
  await laptopMoves(api);
  await api.take(SURICATA, [alert({ src: "10.0.0.7", at: ago(20) })]);
  const other = { mac: "9c:b6:d0:44:55:66" };
  await works(api, "10.0.0.9", 10, 9, other);
  // A run without merges, so that the anchors exist already.
  await identify(api);
  await separateAll(db, "main", NOW);
  const before = await everything(api);

  assert.equal((await identify(api)).merged.length, 2);
  assert.equal((await listed(api)).size, 3);
  assert.equal((await separateAll(db, "main", NOW)).separated.length, 2);
  assert.deepEqual(await everything(api), before);
  assert.equal((await identify(api)).merged.length, 2, "disabled merges may recur");
});

testDatabase("an address leased by another machine splits the device again", async (db) => {
  const api = await identityApi(db);
  const [first, second, third] = await laptopMoves(api);
  await identify(api);
  await api.take(SURICATA, [lease("10.0.0.5", ago(2), { mac: "9c:b6:d0:44:55:66", name: "bobs-laptop" })]);
  const { merged, separated } = await identify(api);
  assert.deepEqual(separated.map(({ from, into }) => [from, into]), [[second, first], [third, first]]);
  assert.deepEqual(merged.map(({ from, into }) => [from, into]), [[third, second]]);
  assert.equal(await deviceAt(api, "10.0.0.5"), first);
  assert.equal(await deviceAt(api, "10.0.0.6", "10.0.0.7"), second);

  const { data } = await api.read("getDevice", {}, {}, { device_id: first });
  assert.deepEqual(data.merge_events.map((event) => [event.undo_cause, event.undone_at]), [
    ["contradicted", "2026-01-31T07:15:00.000Z"],
    ["contradicted", "2026-01-31T07:15:00.000Z"],
  ]);
  assert.match(data.merge_events[0]!.undo_reason!, /^10\.0\.0\.5 was used by several hardware addresses: /);
  assert.deepEqual(await identify(api), { merged: [], separated: [] }, "the device stays split");
});

testDatabase("an incident found while merged names the device it is based on, too", async (db) => {
  const api = await identityApi(db);
  const [first, second, third] = await laptopMoves(api);
  await identify(api);
  await api.take(SURICATA, [alert({ src: "10.0.0.7", at: ago(1) })]);
  const alerts = async (device_id: string) =>
    (await api.read("listIncidents", { ...WINDOW, device_id })).data.filter(({ model_ids }) =>
      model_ids.includes("signature-alert")
    );
  assert.deepEqual((await alerts(first)).map(({ device_ids }) => device_ids), [[first]]);
  await separateAll(db, "main", NOW);
  const [incident] = await alerts(third);
  // They contacted the same server before the merge: that was one campaign.
  assert.deepEqual(incident!.device_ids, [first, second, third]);
  const scored = (await api.read("listDevices", { query: "10.0.0.7" })).data;
  assert.deepEqual(scored.map(({ device_id, score }) => [device_id, score]), [[third, incident!.score]]);
});

testDatabase(
  "a merge confirmed by a person survives, even if confirmed during the job's run",
  async (db) => {
    const api = await identityApi(db);
    const [first, second, third] = await laptopMoves(api);
    const body = { display_name: "Anna's laptop", owner: "anna", tags: ["vip"], device_type: "laptop" };
    await checked(
      "patchDevice",
      await api.change("patchDevice", { device_id: third }, { revision: 1, body }),
    );
    // Decided before the confirmation, carried out after it.
    const late = await db.tenant("main", (tx) =>
      applyIdentityChanges(tx, "main", {
        undo: [],
        merge: [{ from: third, into: first, weight: 1, support: [], reason: "too late" }],
      }, NOW));
    assert.deepEqual(late.merged, []);

    assert.deepEqual((await identify(api)).merged.map(({ from, into }) => [from, into]), [[first, third], [
      second,
      third,
    ]]);
    const { data } = await api.read("getDevice", {}, {}, { device_id: first });
    assert.deepEqual(
      [
        data.device_id,
        data.display_name,
        data.owner,
        data.tags,
        data.device_type,
        data.classification_source,
      ],
      [third, "Anna's laptop", "anna", ["vip"], "laptop", "human_confirmed"],
    );
    assert.deepEqual(data.addresses, ["10.0.0.5", "10.0.0.6", "10.0.0.7"]);
  },
);

testDatabase("a round prepared before a merge takes effect after it", async (db) => {
  const api = await identityApi(db);
  const [first, , third] = await laptopMoves(api);
  const site = defaultSite("main");
  await pushBatch(db, ZEEK, [
    conn({ src: "10.0.0.7", dst: "10.0.0.6", at: ago(1) }),
    conn({ src: "10.0.0.5", dst: "10.0.0.77", at: ago(1), srcPort: 50001 }),
  ], NOW);
  await pushBatch(db, SURICATA, [alert({ src: "10.0.0.7", at: ago(1), srcPort: 50002 })], NOW);
  const round = await prepareRound(db, { tenantId: "main", settings: site });
  await identify(api);
  await applyRound(db, round!, { now: NOW });

  assert.equal(await deviceAt(api, "10.0.0.5", "10.0.0.6", "10.0.0.7"), first);
  const { data: flows } = await api.read("listFlows", {
    device_id: third,
    from: WINDOW.from,
    to: WINDOW.to,
    limit: 5,
  });
  assert.deepEqual(flows.slice(0, 3).map(({ src }) => src.device_id), [first, first, first]);
  // The query also matches longer addresses.
  const device = (await api.read("listDevices", { query: "10.0.0.7" })).data.find(({ device_id }) =>
    device_id === first
  );
  assert.ok(device!.score > 0, "the score of findings under the old id");
  const { data: [incident] } = await api.read("listIncidents", { ...WINDOW, device_id: first });
  assert.deepEqual(incident!.device_ids, [first]);
  // The reverse: separated in the meantime.
  await pushBatch(db, ZEEK, [conn({ src: "10.0.0.7", at: ago(0.1), srcPort: 50003 })], NOW);
  const next = await prepareRound(db, { tenantId: "main", settings: site });
  await separateAll(db, "main", NOW);
  await applyRound(db, next!, { now: NOW });
  const { data: [newest] } = await api.read("listFlows", { ...WINDOW, device_id: third });
  assert.deepEqual([newest!.src.ip, newest!.src.device_id], ["10.0.0.7", third]);
});

testDatabase("the machine keeps its channels when it changes its address", async (db) => {
  const api = await identityApi(db);
  const [first] = await laptopMoves(api);
  await identify(api);
  await api.take(ZEEK, [conn({ src: "10.0.0.7", at: ago(1), dst: "198.51.100.7" })]);
  const keyHash = stateKeyHash(`${first} 198.51.100.7 tcp 443`);
  const [stored] = await db.tenant(
    "main",
    async (tx) => {
      await flushJournal(tx, "main");
      return await readStates(tx, "main", [{ typeId: CHANNELS.id, keyHash }]);
    },
  );
  assert.equal(CHANNELS.decode(stored!.state).lastSeen, ago(1));
});

class Remembering implements Logger {
  readonly lines: string[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(message: string): void {
    this.lines.push(message);
  }
}

testDatabase(
  "if the identity lookup fails, identities are empty and the detail is still returned",
  async (db) => {
    await identityApi(db);
    const logger = new Remembering();
    const api = new Api(db, [], { identities: { logger } });
    await laptopMoves(api);
    await identify(api);
    const device_id = await deviceAt(api, "10.0.0.5", "10.0.0.6", "10.0.0.7");
    for (const table of ["device_anchor", "device_merge"]) {
      await db.owner((tx) => tx.script(`alter table ${table} rename to away`));
      const { data } = await api.read("getDevice", WINDOW, {}, { device_id });
      assert.deepEqual([data.identities, data.merge_events], [[], []]);
      assert.equal(data.addresses.length, 3);
      assert.deepEqual(logger.lines.splice(0), ["cannot read a device's identities"]);
      await db.owner((tx) => tx.script(`alter table away rename to ${table}`));
    }
    assert.equal((await api.read("getDevice", WINDOW, {}, { device_id })).data.merge_events.length, 2);
  },
);

async function runJob(
  db: Database,
  enabled: boolean,
  now = NOW,
  logger: Logger = silentLogger,
): Promise<void> {
  const job = new IdentityJob({ enabled }, { db, clock: { now: () => now }, logger });
  await job.run();
  await job.stop();
}

testDatabase("the job merges while enabled, and undoes everything when disabled", async (db) => {
  const on = await identityApi(db);
  const off = new Api(db);
  const [first] = await laptopMoves(on);
  await runJob(db, true);
  assert.equal((await listed(on)).size, 2);
  const quiet = (await off.read("getDevice", {}, {}, { device_id: first })).data;
  assert.deepEqual(
    [quiet.identities, quiet.merge_events],
    [[], []],
    "no merges are visible while the job is off",
  );

  await runJob(db, false, NOW + SECOND);
  assert.equal((await listed(off)).size, 4);
  assert.deepEqual(await db.tenant("main", (tx) => activeMerges(tx, "main")), []);
  await runJob(db, true, NOW + 2 * SECOND);
  const { data } = await on.read("getDevice", {}, {}, { device_id: first });
  assert.deepEqual(data.merge_events.map((event) => event.undo_cause), [
    null,
    null,
    "switched_off",
    "switched_off",
  ]);
});

testDatabase("a failing tenant does not keep the job from the others", async (db) => {
  const api = await identityApi(db);
  await laptopMoves(api);
  await db.owner((tx) =>
    tx.script("insert into tenant (tenant_id) values ('a tenant id that cannot be one')")
  );
  const logger = new Remembering();
  await runJob(db, true, NOW, logger);
  assert.deepEqual(logger.lines, ["cannot identify devices, will retry"]);
  assert.equal((await listed(api)).size, 2);
});

testDatabase("the name a machine reports also applies to the surviving device", async (db) => {
  const api = await identityApi(db);
  await laptopMoves(api);
  await identify(api);
  const { data } = await api.read("listDevices", { query: LAPTOP.name });
  assert.deepEqual(data.map((device) => device.display_name), [LAPTOP.name]);
});
