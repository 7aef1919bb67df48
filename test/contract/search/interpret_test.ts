import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, ZEEK } from "../api.ts";
import { conn } from "../records.ts";

const UNKNOWN = "which frobnicated zorps are there";

function interpret(api: Api, body: Record<string, unknown>) {
  return api.send("interpretSearch", {}, { method: "POST", body });
}

async function understood(api: Api, body: Record<string, unknown>) {
  return (await api.read("interpretSearch", {}, { method: "POST", body })).data;
}

testDatabase("interpret: the search language and plain English become one filter", async (db) => {
  const api = new Api(db);
  const fields = await understood(api, { query: "severity>=high status:open", mode: "auto" });
  assert.deepEqual([fields.interpretation, fields.result_kind], ["field", "incidents"]);
  assert.equal(fields.text, "severity>=high status:open");
  assert.equal(fields.chips.length, 2);

  const question = await understood(api, { query: "who talked to 198.51.100.7 yesterday", mode: "auto" });
  assert.deepEqual([question.interpretation, question.result_kind], ["natural", "devices"]);
  assert.equal(question.text, "dst.ip:198.51.100.7");
  assert.deepEqual(question.filter.window, {
    from: "2026-01-30T00:00:00.000Z",
    to: "2026-01-31T00:00:00.000Z",
  });
  const ranked = await understood(api, { query: "who uploaded the most today", mode: "auto" });
  assert.deepEqual(ranked.ranking, { field: "src.ip", measure: "src.bytes", limit: 10, bucket: null });
  const hourly = await understood(api, { query: "connections per hour today", mode: "auto" });
  assert.deepEqual(hourly.ranking, { field: "", measure: "count", limit: 1, bucket: "1h" });
  const { data } = await api.read("aggregateSearch", {}, {
    method: "POST",
    body: { filter: hourly.filter, measure: "count", bucket: "1h" },
  });
  assert.ok(data.buckets.length > 0);
  const inTokyo = await understood(api, { query: "flows yesterday", mode: "natural", zone: "Asia/Tokyo" });
  assert.equal(inTokyo.filter.window?.from, "2026-01-29T15:00:00.000Z");

  // The answer is what search takes.
  await api.read("search", {}, { method: "POST", body: question.filter });
});

testDatabase(
  "interpret: a word in small letters is a name if the tenant has a device of that name",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [conn()]);
    const { data: [device] } = await api.read("listDevices");
    const name = "Front zorp";
    const path = { device_id: device!.device_id };
    const body = { display_name: name };
    const changed = await api.change("patchDevice", path, {
      revision: device!.revision,
      body,
      subject: "ada",
    });
    assert.equal(changed.status, 200);
    const { filter } = await understood(api, { query: "incidents of front zorp", mode: "natural" });
    assert.match(JSON.stringify(filter.where), /front zorp/);
    const response = await interpret(api, { query: "incidents of rear zorg", mode: "natural" });
    assert.equal(response.status, 400);
  },
);

testDatabase("interpret: what is not understood is refused with a question that works", async (db) => {
  const api = new Api(db);
  const response = await interpret(api, { query: UNKNOWN, mode: "natural" });
  const { error } = await response.json();
  assert.deepEqual([response.status, error.details.reason], [400, "not_understood"]);
  assert.equal(error.details.has_model, true);
  const parts = error.details.issues.map(({ position }: { position: { from: number; to: number } }) =>
    UNKNOWN.slice(position.from, position.to)
  );
  assert.deepEqual(parts, ["frobnicated", "zorps"]);
  await understood(api, { query: error.details.suggestion, mode: "natural" });

  const sql = await understood(api, { query: '"select * from flow"', mode: "auto" });
  assert.deepEqual(sql.filter.where, { field: "any", op: "matches", value: "select * from flow" });
});

testDatabase("interpret: a word that no database can store is no name", async (db) => {
  const api = new Api(db);
  for (const word of ["foo\u0000bar", "\ud800zorp", "zo%_\\rp"]) {
    for (const mode of ["natural", "auto"]) {
      const { status } = await interpret(api, { query: `which flows are from ${word}`, mode });
      assert.ok(status === 200 || status === 400, `${JSON.stringify(word)}, ${mode}: ${status}`);
    }
  }
});
