// Unparsed records and rejected lines through the API.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { formatMicros, formatMillis } from "../../../src/kit/time.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, DAY, MINUTE, NETFLOW, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { conn, dns, eveFlow, exported, rawLine } from "../records.ts";

const ADMIN = { roles: ["admin" as const] };
type Query = Record<string, string | number>;

async function pages(api: Api, query: Query) {
  const found = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.read<"listRecords">>> = await api.read(
      "listRecords",
      cursor === null ? query : { ...query, cursor },
      ADMIN,
    );
    found.push(page.data);
    cursor = page.next_cursor;
    assert.ok(found.length < 100, "paging ends");
  } while (cursor !== null);
  return found;
}

const reasonsOf = async (api: Api, query: Query) =>
  (await pages(api, query)).flat().map(({ sensor_id, kind, reason }) => `${sensor_id} ${kind} ${reason}`);

testDatabase("records: what became no observation is shown with reason and raw text", async (db) => {
  const api = new Api(db);
  const unparsed = '{"ts": 1769843640.5, "uid":"C1", "id.orig_h":"nowhere", "n":12345678901234567890}';
  const late = rawLine("zeek.conn", "yesterday", "{}");
  await api.take(ZEEK, [
    conn(),
    rawLine("zeek.conn", "2026-01-31T07:14:00.123456Z", unparsed),
    late,
    '{"kind":',
  ]);

  api.clock.advance(1);
  const [record, ...others] = (await api.read("listRecords", { status: "unparsed" }, ADMIN)).data;
  assert.deepEqual(others, []);
  assert.match(record!.record_id, /^[0-9a-f]{64}$/);
  assert.deepEqual({ ...record, record_id: "" }, {
    record_id: "",
    status: "unparsed",
    sensor_id: "zeek-1",
    source: "zeek",
    kind: "zeek.conn",
    received_at: formatMillis(NOW),
    observed_at: "2026-01-31T07:14:00.123Z",
    reason: "id.orig_h: expected an address",
    raw: unparsed,
    raw_bytes: unparsed.length,
    truncated: false,
  });

  const lines = (await api.read("listRecords", { status: "rejected" }, ADMIN)).data;
  assert.deepEqual(
    lines.map(({ kind, source, observed_at, reason, raw }) => ({ kind, source, observed_at, reason, raw }))
      .sort(
        (a, b) => a.reason < b.reason ? 1 : -1,
      ),
    [
      {
        kind: "zeek.conn",
        source: "zeek",
        observed_at: null,
        reason: "observed_at: expected an RFC 3339 timestamp",
        raw: late,
      },
      {
        kind: null,
        source: null,
        observed_at: null,
        reason: lines.find(({ kind }) => kind === null)!.reason,
        raw: '{"kind":',
      },
    ],
  );
  assert.match(lines.find(({ kind }) => kind === null)!.reason, /^not JSON: /);

  const health = (await api.read("getHealth", {}, ADMIN)).data.ingest;
  assert.deepEqual([health.unparsed_last_5m, health.rejected_last_5m], [1, 2], "the counters of health");
});

testDatabase("records: newest first, once each, filtered and windowed", async (db) => {
  const api = new Api(db);
  const bad = (kind: string, n: number) => rawLine(kind, formatMicros(NOW), `{"n":${n}}`);
  await api.take(ZEEK, [bad("zeek.conn", 1), bad("zeek.dns", 2), dns(), "{1"]);
  api.clock.advance(60);
  await api.take(SURICATA, [bad("suricata.flow", 3), eveFlow(), "{2"]);
  await api.take(ZEEK, ["{1"]);
  api.clock.advance(60);
  const stranger = exported({ more: { sampler_address: "192.0.2.99" } });
  await api.take({ ...NETFLOW, expectedExporters: new Set(["192.0.2.1"]) }, [stranger]);
  api.clock.advance(1);

  const unparsed = { status: "unparsed" };
  const all = (await api.read("listRecords", unparsed, ADMIN)).data;
  assert.deepEqual(all.map(({ kind }) => kind).slice(0, 2), ["netflow.flow", "suricata.flow"]);
  assert.equal(all.length, 4);
  for (const limit of [1, 3]) assert.deepEqual((await pages(api, { ...unparsed, limit })).flat(), all);
  const kinds = async (query: Query) =>
    (await pages(api, { ...unparsed, limit: 1, ...query })).flat().map(({ kind }) => kind).sort();
  assert.deepEqual(await kinds({ source: "zeek" }), ["zeek.conn", "zeek.dns"]);
  assert.deepEqual(await kinds({ source: "zeek", kind: "zeek.dns" }), ["zeek.dns"]);
  assert.deepEqual(await kinds({ source: "zeek", kind: "suricata.flow" }), []);
  assert.deepEqual(await kinds({ sensor_id: "netflow-1" }), ["netflow.flow"]);
  assert.deepEqual(await kinds({ sensor_id: "no such sensor" }), []);
  assert.deepEqual(await kinds({ from: formatMicros(NOW + MINUTE), to: formatMicros(NOW + 2 * MINUTE) }), [
    "suricata.flow",
  ]);
  assert.deepEqual(await kinds({ to: formatMicros(NOW) }), [], "the default window is 15 minutes, half-open");
  assert.equal((await kinds({ from: "0001-01-01T00:00:00Z" })).length, 4);

  const both = (await pages(api, { limit: 500 })).flat();
  assert.equal(both.length, 6);
  for (const limit of [1, 2, 4]) assert.deepEqual((await pages(api, { limit })).flat(), both);
  assert.deepEqual(both.filter(({ status }) => status === "unparsed"), all);
  assert.deepEqual(
    both.map(({ received_at }) => received_at),
    both.map((one) => one.received_at).sort().reverse(),
  );

  const rejected = (await pages(api, { status: "rejected", limit: 1 })).flat();
  assert.deepEqual(rejected.map(({ sensor_id, raw }) => `${sensor_id} ${raw}`), [
    "suricata-1 {2",
    "zeek-1 {1",
  ]);
  assert.deepEqual(await reasonsOf(api, { status: "rejected", kind: "zeek.conn" }), []);
});

testDatabase("records: a page ends after 4 MiB, a text is cut after 64 KiB", async (db) => {
  const api = new Api(db);
  const text = (n: number) => `${n} ${"\u0001".repeat(100_000)}`;
  const payload = (n: number) => JSON.stringify({ n, text: "x".repeat(100_000) });
  for (let part = 0; part < 4; part++) {
    const numbers = Array.from({ length: 24 }, (_, i) => part * 24 + i);
    await api.take(ZEEK, numbers.map(text));
    await api.take(ZEEK, numbers.map((n) => rawLine("zeek.conn", formatMicros(NOW), payload(n))));
    api.clock.advance(1);
  }
  for (const [status, bytes] of [["rejected", text(0).length], ["unparsed", payload(0).length]] as const) {
    const found = await pages(api, { status, limit: 500 });
    assert.ok(found.length > 1, `${status}: several pages`);
    for (const page of found) assert.ok(Buffer.byteLength(JSON.stringify(page)) < 4 * 1024 * 1024 + 500_000);
    const records = found.flat();
    assert.equal(new Set(records.map(({ record_id }) => record_id)).size, 96, status);
    assert.equal(records.length, 96, status);
    for (const { raw, raw_bytes, truncated } of records) {
      assert.deepEqual([raw!.length, truncated], [64 * 1024, true]);
      assert.ok(Math.abs(raw_bytes! - bytes) <= 1, `${raw_bytes}`);
    }
  }
});

testDatabase("records: for admins, each of their own tenant", async (db) => {
  const api = new Api(db);
  const lines = [rawLine("zeek.conn", formatMicros(NOW), '{"n":1}'), "{1"];
  await api.take(BRANCH_ZEEK, lines);
  api.clock.advance(1);
  for (const status of ["unparsed", "rejected"]) {
    for (const roles of [["reader"], ["analyst"], ["responder"], ["analyst", "responder"]] as const) {
      await refusal(await api.send("listRecords", { status }, { roles: [...roles] }), 403, "forbidden");
    }
    assert.deepEqual((await api.read("listRecords", { status }, ADMIN)).data, []);
    assert.deepEqual((await api.read("listRecords", { status, sensor_id: "branch-zeek" }, ADMIN)).data, []);
    const branch = await api.read("listRecords", { status, limit: 1 }, { ...ADMIN, tenantId: "branch" });
    assert.deepEqual(branch.data.map(({ sensor_id }) => sensor_id), ["branch-zeek"]);
  }
  await api.take(BRANCH_ZEEK, ["{2", "{3"]);
  api.clock.advance(1);
  const first = await api.read("listRecords", { status: "rejected", limit: 1 }, {
    ...ADMIN,
    tenantId: "branch",
  });
  const foreign = { status: "rejected", limit: 1, cursor: first.next_cursor! };
  await refusal(await api.send("listRecords", foreign, ADMIN), 400, "invalid_request");
});

testDatabase("records: refused parameters", async (db) => {
  const api = new Api(db);
  const refused: [Query, RegExp][] = [
    [{ status: "parsed" }, /^status: .*unparsed/],
    [{ status: "" }, /^status: /],
    [{ status: "unparsed", kind: "zeek" }, /^kind: /],
    [{ status: "unparsed", source: "snort" }, /^source: /],
    [{ status: "unparsed", sensor_id: "" }, /^sensor_id: /],
    [{ status: "unparsed", sensor: "zeek-1" }, /^sensor: unknown query parameter/],
    [{ status: "unparsed", limit: 501 }, /^limit: /],
    [{ status: "unparsed", cursor: "x" }, /^cursor: /],
    [{ status: "unparsed", from: "yesterday" }, /^from: /],
  ];
  for (const [query, message] of refused) {
    const error = await refusal(await api.send("listRecords", query, ADMIN), 400, "invalid_request");
    assert.match(error.message, message);
  }
  const empty = { status: "unparsed", from: formatMicros(NOW), to: formatMicros(NOW - DAY) };
  await refusal(await api.send("listRecords", empty, ADMIN), 400, "invalid_time_range");
});
