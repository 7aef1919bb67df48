import assert from "node:assert/strict";
import { GraphResync } from "../../../src/contract/graph/graph.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { EventReader } from "../../support/transport/event-stream.ts";
import { Api, BRANCH_ZEEK, checked, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { deltaIn, liveWith, MapClient, openStream, sendStream, snapshotOf } from "./stream-client.ts";

const NO_CHANGES = { upserted: [], removed: [] };

testDatabase("stream: without a cursor it starts with the whole network of 15 minutes", async (db) => {
  const { live, streams } = liveWith();
  const api = new Api(db, [], {}, live);
  await api.take(ZEEK, [conn()]);
  await api.take(BRANCH_ZEEK, [conn({ src: "10.99.0.1" })]);
  const snapshot = await snapshotOf(api);
  const response = await sendStream(api, {});
  const { headers } = response;
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-accel-buffering"), "no");
  const reader = new EventReader(response);
  const delta = deltaIn((await reader.next())!);
  assert.equal(delta.complete, true);
  assert.deepEqual(delta.nodes, { upserted: snapshot.nodes, removed: [] });
  assert.deepEqual(delta.links, { upserted: snapshot.links, removed: [] });
  assert.deepEqual([delta.window, delta.watermark], [snapshot.window, snapshot.watermark]);
  assert.equal(streams().open, 1);
  await reader.close();
  assert.equal(streams().open, 0);
});

testDatabase("stream: changes after a snapshot, with removals, and heartbeats with cursors", async (db) => {
  const { live } = liveWith();
  const api = new Api(db, [], {}, live);
  await api.take(ZEEK, [conn({ at: NOW - 14 * MINUTE, dst: "192.0.2.1" })]);
  const client = new MapClient("main", await snapshotOf(api));
  const read = (window: { from: string; to: string }) => snapshotOf(api, window);
  await client.connect(api);
  assert.equal(await client.take(), "heartbeat", "nothing has changed yet");
  await api.take(ZEEK, [conn({ dst: "192.0.2.2", srcPort: 50_001 })]);
  await client.reaches(api, read);
  const [first] = client.deltas;
  assert.equal(first!.complete, false);
  assert.deepEqual(first!.nodes.removed, []);
  assert.deepEqual(first!.nodes.upserted.map(({ label }) => label).sort(), ["10.0.0.5", "192.0.2.2"]);
  assert.deepEqual(first!.arcs, NO_CHANGES);
  api.clock.advance(90);
  await client.reaches(api, read);
  assert.deepEqual(client.deltas.at(-1)!.nodes.removed, ["ip:192.0.2.1"]);
  // An incident and a name change without a batch.
  await api.take(SURICATA, [alert({ dst: "192.0.2.66" })]);
  await client.reaches(api, read);
  const [incident] = (await api.read("listIncidents")).data;
  const body = { status: "resolved", comment: "done" };
  const path = { incident_id: incident!.id };
  await checked(
    "patchIncident",
    await api.change("patchIncident", path, { revision: incident!.revision, body }),
  );
  await client.reaches(api, read);
  const severities = [...client.state.nodes.values()].map(({ severity }) => severity);
  assert.ok(severities.every((severity) => severity === null));
  await client.disconnect();
});

testDatabase(
  "stream: after a restart the state at the cursor is reconstructed, with removals",
  async (db) => {
    const { live } = liveWith();
    const api = new Api(db, [], {}, live);
    await api.take(ZEEK, [
      conn({ at: NOW - 14 * MINUTE, dst: "192.0.2.1" }),
      conn({ at: NOW - 30 * SECOND, dst: "192.0.2.2", srcPort: 50_001 }),
    ]);
    const client = new MapClient("main", await snapshotOf(api));
    // Without a heartbeat for 14 minutes.
    const restarted = new Api(db, [], {}, liveWith().live);
    restarted.clock.advance(14 * 60);
    await restarted.take(ZEEK, [conn({ at: NOW + 10 * MINUTE, dst: "192.0.2.3", srcPort: 50_002 })]);
    await client.connect(restarted);
    assert.equal(await client.take(), "delta");
    const [delta] = client.deltas;
    assert.equal(delta!.complete, false, "the cursor's state was reconstructed exactly");
    assert.deepEqual(delta!.nodes.removed, ["ip:192.0.2.1"]);
    assert.deepEqual(delta!.nodes.upserted.map(({ label }) => label).sort(), ["10.0.0.5", "192.0.2.3"]);
    await client.reaches(restarted, (window) => snapshotOf(restarted, window));
    await client.disconnect();
  },
);

testDatabase(
  "stream: a client whose names and incidents changed meanwhile gets the whole graph",
  async (db) => {
    const api = new Api(db, [], {}, liveWith().live);
    await api.take(SURICATA, [alert({ dst: "192.0.2.66" })]);
    const client = new MapClient("main", await snapshotOf(api));
    const [incident] = (await api.read("listIncidents")).data;
    const body = { status: "resolved", comment: "done" };
    const path = { incident_id: incident!.id };
    await checked(
      "patchIncident",
      await api.change("patchIncident", path, { revision: incident!.revision, body }),
    );
    const other = new Api(db, [], {}, liveWith().live);
    await client.connect(other);
    assert.equal(await client.take(), "delta");
    assert.equal(client.deltas[0]!.complete, true);
    await client.reaches(other, (window) => snapshotOf(other, window));
    await client.disconnect();
  },
);

testDatabase(
  "stream: Last-Event-ID takes precedence, and heartbeats keep a quiet client fresh",
  async (db) => {
    const api = new Api(db, [], {}, liveWith().live);
    await api.take(ZEEK, [conn()]);
    const { cursor } = await snapshotOf(api);
    const first = await openStream(api, { since: cursor! });
    await first.next();
    api.clock.advance(14 * 60);
    // The window moves, and a heartbeat follows.
    let event = await first.next();
    while (event!.event !== "heartbeat") event = await first.next();
    await first.close();
    api.clock.advance(2 * 60);
    const old = await openStream(api, { since: cursor! });
    assert.equal((await old.next())!.event, "resync_required");
    const fresh = await openStream(api, { since: cursor!, lastEventId: first.lastId });
    assert.equal((await fresh.next())!.event, "delta");
    await fresh.close();
    // An EventSource without a last event sends the header empty.
    const resync = await openStream(api, { since: cursor!, lastEventId: "" });
    assert.equal((await resync.next())!.event, "resync_required");
  },
);

testDatabase(
  "stream: a cursor older than 15 minutes requires a new snapshot, and the stream ends",
  async (db) => {
    const { live, streams } = liveWith();
    const api = new Api(db, [], {}, live);
    const { cursor } = await snapshotOf(api);
    for (const seconds of [15 * 60 + 1, 2 * 86_400]) {
      api.clock.advance(seconds);
      const reader = await openStream(api, { since: cursor! });
      const event = (await reader.next())!;
      assert.deepEqual([event.event, event.id], ["resync_required", ""]);
      assert.deepEqual(GraphResync.parse(JSON.parse(event.data)), { reason: "cursor_too_old" });
      assert.equal(await reader.next(), null);
    }
    assert.equal(streams().open, 0);
  },
);

testDatabase("stream: forged and foreign cursors are refused before the stream", async (db) => {
  const api = new Api(db, [], {}, liveWith().live);
  await api.take(ZEEK, [conn(), conn({ srcPort: 50_001 })]);
  const { cursor } = await snapshotOf(api);
  const flows = (await api.read("listFlows", { limit: 1 })).next_cursor!;
  const [time, sealed] = cursor!.split(".");
  const later = `${time!.slice(0, -1)}${time!.endsWith("z") ? "y" : "z"}`;
  const forged = ["x", "", flows, sealed!, `${time}.${flows}`, `${later}.${sealed}`, `${cursor}x`];
  for (const since of forged) {
    const { details } = await refusal(await sendStream(api, { since }), 400, "invalid_request");
    assert.equal(details.reason, "invalid_cursor", since);
    if (since === "") continue;
    const answer = await sendStream(api, { since: cursor!, lastEventId: since });
    const { message } = await refusal(answer, 400, "invalid_request");
    assert.match(message, /^Last-Event-ID: /);
  }
  await refusal(await sendStream(api, { since: cursor!, tenantId: "branch" }), 400, "invalid_request");
});

testDatabase("stream: at most so many at a time; a further one gets 429 with Retry-After", async (db) => {
  const { live, streams } = liveWith({}, 2);
  const api = new Api(db, [], {}, live);
  const open = [await openStream(api), await openStream(api, { tenantId: "branch" })];
  const refused = await sendStream(api, {});
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const { details } = await refusal(refused, 429, "source_unavailable");
  assert.deepEqual([details.reason, details.limit], ["streams", 2]);
  // A HEAD request takes no place.
  await open.pop()!.close();
  const head = await sendStream(api, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text(), streams().open], [200, "", 1]);
  open.push(await openStream(api));
  for (const reader of open) await reader.close();
  assert.equal(streams().open, 0);
});

testDatabase(
  "stream: it ends when its lease does, and a client that does not read is dropped",
  async (db) => {
    const { live, streams } = liveWith({ lease: 200, heartbeat: 10 });
    const api = new Api(db, [], {}, live);
    const reader = await openStream(api);
    const names: string[] = [];
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      names.push(
        event.event,
      );
    }
    assert.equal(names[0], "delta");
    assert.ok(names.includes("heartbeat"));
    assert.equal(streams().open, 0);
    await (await sendStream(api, {})).body!.cancel();
  },
);

testDatabase("stream: many viewers of one graph share its computation", async (db) => {
  let computed = 0;
  const geoip = {
    lookup() {
      computed++;
      return {
        country: null,
        city: null,
        latitude: null,
        longitude: null,
        asn: null,
        asOrganisation: null,
      };
    },
  };
  const { live } = liveWith();
  const api = new Api(db, [], { geoip }, live);
  await api.take(ZEEK, [conn()]);
  const one = new MapClient("main", await snapshotOf(api));
  const others = Array.from({ length: 20 }, () => new MapClient("main", { ...snapshotLike(one) }));
  const clients = [one, ...others];
  for (const client of clients) await client.connect(api);
  for (const client of clients) assert.equal(await client.take(), "heartbeat");
  const before = computed;
  await api.take(ZEEK, [conn({ srcPort: 50_001, dst: "198.51.100.9" })]);
  for (const client of clients) {
    while (client.deltas.length === 0) await client.take();
  }
  // Each computation looks up each external address once.
  const addresses = 2;
  assert.equal(computed - before, addresses);
  for (const client of clients) await client.disconnect();
});

function snapshotLike({ state }: MapClient) {
  return {
    scene: state.scene,
    layout_seed: state.seed,
    focus_node_id: state.focus,
    window: state.window,
    watermark: state.watermark,
    cursor: state.cursor,
    truncated: state.truncated,
    omitted: state.omitted,
    nodes: [...state.nodes.values()],
    links: [...state.links.values()],
    arcs: [...state.arcs.values()],
  };
}

testDatabase("stream: a focus that was merged into another device requires a new snapshot", async (db) => {
  const { live, streams } = liveWith();
  const api = new Api(db, [], {}, live);
  await api.take(ZEEK, [conn({ dst: "10.0.0.6" })]);
  const [one, other] = (await api.read("listDevices")).data;
  const { cursor } = await snapshotOf(api, { focus_device_id: one!.device_id });
  const reader = await openStream(api, { since: cursor! });
  assert.equal((await reader.next())!.event, "heartbeat");
  await db.tenant("main", (tx) =>
    tx.run(sql`
      update device set merged_into = ${other!.device_id}::uuid
      where tenant_id = 'main' and device_id = ${one!.device_id}::uuid`));
  await api.take(ZEEK, [conn({ dst: "10.0.0.6", srcPort: 50_001 })]);
  const open = [reader, await openStream(api, { since: cursor! })];
  for (const stream of open) {
    let event = await stream.next();
    while (event!.event === "heartbeat") event = await stream.next();
    assert.equal(event!.event, "resync_required");
    assert.deepEqual(GraphResync.parse(JSON.parse(event!.data)), { reason: "configuration_changed" });
    assert.equal(await stream.next(), null);
  }
  assert.equal(streams().open, 0);
});
