import assert from "node:assert/strict";
import { Cursors } from "../../../src/core/cursor.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns } from "../records.ts";

const COLLECTIONS = ["listFlows", "listDevices", "listIncidents", "getFlowEvidence"] as const;

/** Three of everything, so that each collection has a second page; the same in the other tenant. */
async function filled(api: Api): Promise<{ flow_id: string }> {
  for (const source of [ZEEK, BRANCH_ZEEK]) {
    await api.take(source, [1, 2, 3].map((n) => conn({ at: NOW - n * MINUTE, srcPort: 50000 + n })));
    await api.take(source, [1, 2, 3].map((n) => alert({ at: NOW - n * MINUTE, src: `10.0.0.${n}` })));
    const asked = { at: NOW - 5 * MINUTE, more: { rtt: 3 } };
    await api.take(source, [1, 2, 3].map((n) => dns({ ...asked, query: `w${n}.example.com` })));
  }
  const { data } = await api.read("listFlows", { service: "dns" });
  assert.equal(data[0]!.observation_count, 3);
  return { flow_id: data[0]!.flow_id };
}

testDatabase("cursors: limits are applied exactly or refused", async (db) => {
  const api = new Api(db);
  const path = await filled(api);
  for (const id of COLLECTIONS) {
    for (const limit of ["0", "501", "999", "1000", "-1", "+1", "1.0", "1e2", "abc", "", " 1", "٣"]) {
      const error = await refusal(await api.send(id, { limit }, {}, path), 400, "invalid_request");
      assert.equal((error.details.issues as { path: string }[])[0]!.path, "limit");
    }
    assert.equal((await api.read(id, { limit: 1 }, {}, path)).data.length, 1);
    assert.equal((await api.read(id, { limit: 500 }, {}, path)).next_cursor, null);
  }
  await api.take(ZEEK, Array.from({ length: 120 }, (_, n) => conn({ srcPort: 51000 + n })));
  const byDefault = await api.read("listFlows");
  assert.equal(byDefault.data.length, 100);
  assert.ok(byDefault.next_cursor);
});

testDatabase("cursors: forged, truncated or foreign ones", async (db) => {
  const api = new Api(db);
  const path = await filled(api);
  for (const id of COLLECTIONS) {
    const { next_cursor } = await api.read(id, { limit: 2 }, {}, path);
    const cursor = next_cursor!;
    const good = await api.read(id, { cursor }, {}, path);
    assert.ok(good.data.length > 0);
    assert.equal(
      (await api.read(id, { cursor, limit: 1 }, {}, path)).data.length,
      1,
      "another page size may continue",
    );

    const later = btoa(JSON.stringify({ i: api.clock.now(), p: { start: 1, before: 1, from: 0, to: 1 } }));
    const forged = [
      "x",
      ".",
      later,
      `${later}.${"0".repeat(32)}`,
      "A".repeat(cursor.length),
      cursor.slice(0, 16),
      cursor.slice(16),
      cursor.slice(0, -1),
      `${cursor}.`,
      `${cursor}=`,
      `${cursor}0`,
      ` ${cursor}`,
      `A${cursor}`,
      cursor + cursor,
      cursor.toUpperCase(),
      new Cursors("another key").seal({ tenantId: "main", operation: id, filter: {} }, {}, NOW),
    ];
    for (const text of forged) {
      const error = await refusal(await api.send(id, { cursor: text }, {}, path), 400, "invalid_request");
      assert.match(error.message, /^cursor: /, text);
    }
    await refusal(await api.send(id, { cursor: "" }, {}, path), 400, "invalid_request");
    await refusal(await api.send(id, { cursor: "x".repeat(1025) }, {}, path), 400, "invalid_request");
    const elsewhere = await api.send(id, { cursor }, { tenantId: "branch" }, path);
    await refusal(elsewhere, 400, "invalid_request");
  }
});

testDatabase("cursors: those of another route, filter or object", async (db) => {
  const api = new Api(db);
  const path = await filled(api);
  const cursors = new Map<string, string>();
  for (const id of COLLECTIONS) cursors.set(id, (await api.read(id, { limit: 1 }, {}, path)).next_cursor!);
  for (const id of COLLECTIONS) {
    for (const [other, cursor] of cursors) {
      if (other !== id) await refusal(await api.send(id, { cursor }, {}, path), 400, "invalid_request");
    }
  }
  const cursor = cursors.get("listFlows")!;
  const filters: Record<string, string>[] = [
    { proto: "tcp" },
    { service: "dns" },
    { source: "zeek" },
    { peer_ip: "10.0.0.5" },
    { from: "2026-01-31T07:00:00Z" },
    { to: "2026-01-31T07:15:00Z" },
    { device_id: "0190b2c3-0000-7000-8000-000000000001" },
    { incident_id: "0190b2c3-0000-7000-8000-000000000001" },
  ];
  for (const filter of filters) {
    await refusal(await api.send("listFlows", { ...filter, cursor }), 400, "invalid_request");
  }
  const filtered = await api.read("listFlows", { source: "zeek", limit: 1 });
  await refusal(await api.send("listFlows", { cursor: filtered.next_cursor! }), 400, "invalid_request");
  await refusal(await api.send("listFlows", { cursor, colour: "blue" }), 400, "invalid_request");

  const { flow_id } = (await api.read("listFlows", { service: "ssl" })).data[0]!;
  const ofEvidence = { cursor: cursors.get("getFlowEvidence")! };
  await refusal(await api.send("getFlowEvidence", ofEvidence, {}, { flow_id }), 400, "invalid_request");
});

testDatabase("cursors: one older than a day has expired", async (db) => {
  const api = new Api(db);
  const path = await filled(api);
  for (const id of COLLECTIONS) {
    const { next_cursor } = await api.read(id, { limit: 1 }, {}, path);
    const cursor = next_cursor!;
    api.clock.advance(86_400);
    const before = await api.read(id, { cursor, limit: 1 }, {}, path);
    assert.equal(before.data.length, 1);
    api.clock.advance(1);
    await refusal(await api.send(id, { cursor, limit: 1 }, {}, path), 410, "cursor_expired");
    // Each page's cursor starts a new lifetime, and a forged one stays forged at any age.
    await api.read(id, { cursor: before.next_cursor!, limit: 1 }, {}, path);
    await refusal(await api.send(id, { cursor: `${cursor}x` }, {}, path), 400, "invalid_request");
    api.clock.advance(-86_401);
  }
});

testDatabase("cursors: lists keep their order while their objects change", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [1, 2, 3, 4].map((n) => alert({ at: NOW - n * MINUTE, src: `10.0.0.${n}` })));
  const sort = "-first_seen";
  const devices = (await api.read("listDevices", { sort })).data.map(({ device_id }) => device_id);
  const incidents = (await api.read("listIncidents", { sort })).data.map(({ id }) => id);
  assert.deepEqual([devices.length, incidents.length], [4, 4]);
  let n = 0;
  const between = async () => {
    n++;
    await api.take(
      SURICATA,
      [1, 2, 3, 4].map((i) =>
        alert({ at: NOW - n * 7 * SECOND, src: `10.0.0.${i}`, signature: `ET MALWARE Other ${n}` })
      ),
    );
  };
  const seenDevices = (await api.walk("listDevices", { sort, limit: 1 }, { between })).flat();
  assert.deepEqual(seenDevices.map(({ device_id }) => device_id), devices);
  const seen = (await api.walk("listIncidents", { sort, limit: 1 }, { between })).flat().map(({ id }) => id);
  assert.deepEqual(seen.filter((id) => incidents.includes(id)), incidents);
});
