// The whole raw record behind an evidence item, as a file.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { timeUuid } from "../../../src/kit/id.ts";
import { keepOpenEvidence } from "../../../src/core/jobs/retention.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, DAY, MINUTE, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, rawLine } from "../records.ts";
import { SOME_ID } from "../requests.ts";

/** Exact text that no re-serialisation would give: spaces, escapes, key order, an integer above 2^53. */
const PAYLOAD = '{ "uid":"C\\u0041", "ts" : 1769843400.10,"id.orig_h":"10.0.0.5","id.orig_p":50000,' +
  '"id.resp_h":"198.51.100.7","id.resp_p":443,"proto":"tcp","duration":1.50,"orig_bytes":9007199254740993,' +
  '"note":"<script>alert(1)</script> ä\\ud83d\\ude00" }';

/** Ids of the stored raw records as evidence has them, with their parse status. */
async function recordIds(db: Database): Promise<{ id: string; status: string; reason: string | null }[]> {
  const rows = await db.tenant(
    "main",
    (tx) =>
      tx.rows<
        { observed_at: number; event_id: Uint8Array; parse_status: string; parse_reason: string | null }
      >(sql`
      select observed_at, event_id, parse_status, parse_reason from raw_record order by observed_at, event_id`),
  );
  return rows.map((row) => ({
    id: timeUuid(row.observed_at, row.event_id),
    status: row.parse_status,
    reason: row.parse_reason,
  }));
}

testDatabase("raw record: its exact bytes, as a file in which nothing runs", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn(),
    rawLine("zeek.conn", "2026-01-31T07:10:00.1Z", PAYLOAD),
    conn({ srcPort: 50001 }),
  ]);
  const flows = (await api.read("listFlows", { from: "2026-01-31T07:00:00Z" })).data;
  const { evidence_id } = flows.find(({ counters }) => counters.src_to_dst.bytes === 9007199254740993n)!
    .primary_evidence;

  const response = await api.send("getRawRecord", {}, { roles: ["reader"] }, { evidence_id });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), PAYLOAD);
  const { headers } = response;
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("content-length"), String(Buffer.byteLength(PAYLOAD)));
  assert.equal(headers.get("content-disposition"), `attachment; filename="zeek.conn-${evidence_id}.json"`);
  assert.equal(headers.get("content-security-policy"), "default-src 'none'; sandbox");
  assert.equal(headers.get("x-content-type-options"), "nosniff");

  for (const id of [SOME_ID, "nonsense", `${evidence_id.slice(0, -1)}${evidence_id.endsWith("0") ? 1 : 0}`]) {
    await refusal(await api.send("getRawRecord", {}, {}, { evidence_id: id }), 404, "not_found");
  }
  const foreign = { tenantId: "branch", roles: ["admin" as const] };
  await refusal(await api.send("getRawRecord", {}, foreign, { evidence_id }), 404, "not_found");
  await refusal(await api.send("getRawRecord", { from: "x" }, {}, { evidence_id }), 400, "invalid_request");
});

testDatabase("raw record: of thousands of records in one millisecond, the right one", async (db) => {
  const api = new Api(db);
  const count = 3000;
  const lines = Array.from({ length: count }, (_, at) => conn({ more: { uid: `C${at}` } }));
  await api.take(ZEEK, lines);
  const ids = (await recordIds(db)).map(({ id }) => id);
  assert.equal(new Set(ids).size, count);
  for (const evidence_id of ids.filter((_, at) => at % 500 === 0)) {
    const response = await api.send("getRawRecord", {}, {}, { evidence_id });
    const text = await response.text();
    assert.ok(lines.some((line) => line.endsWith(`"payload":${text}}`)), text);
  }
});

testDatabase(
  "raw record: one of several MB is not normalised, and only administrators read it",
  async (db) => {
    const api = new Api(db);
    const payload = JSON.stringify({ uid: "C1", padding: "ä".repeat(2_000_000) });
    await api.take(ZEEK, [conn(), rawLine("zeek.conn", "2026-01-31T07:10:00.000001Z", payload)]);
    const [large] = (await recordIds(db)).filter(({ status }) => status === "unparsed");
    assert.match(large!.reason!, /^record too large/);
    const path = { evidence_id: large!.id };

    const response = await api.send("getRawRecord", {}, { roles: ["admin"] }, path);
    assert.equal(response.status, 200);
    const sizes: number[] = [];
    const parts: Uint8Array[] = [];
    for await (const part of response.body!) {
      sizes.push(part.length);
      parts.push(part);
    }
    assert.equal(Buffer.concat(parts).toString(), payload);
    assert.ok(Math.max(...sizes) <= 256 * 1024, `parts of ${sizes} bytes`);

    const error = await refusal(
      await api.send("getRawRecord", {}, { roles: ["analyst"] }, path),
      403,
      "forbidden",
    );
    assert.equal(error.details.required_role, "admin");
    // It belongs to no flow.
    await refusal(await api.send("getEvidence", {}, { roles: ["admin"] }, path), 404, "not_found");
  },
);

testDatabase(
  "raw record: a download ends with an error if retention removes the record meanwhile",
  async (db) => {
    const api = new Api(db);
    const payload = JSON.stringify({ uid: "C1", padding: "x".repeat(2_000_000) });
    await api.take(ZEEK, [rawLine("zeek.conn", "2026-01-31T07:10:00Z", payload)]);
    const [{ id } = { id: "" }] = await recordIds(db);
    const response = await api.send("getRawRecord", {}, { roles: ["admin"] }, { evidence_id: id });
    const reader = response.body!.getReader();
    assert.equal((await reader.read()).value!.length, 256 * 1024);
    await db.owner((tx) => tx.run(sql`delete from raw_block`));
    await assert.rejects(reader.read(), /retention/);
  },
);

testDatabase("raw record and evidence item: kept for an open incident beyond the retention", async (db) => {
  const api = new Api(db);
  await registerTenants(db, ["main"]);
  const more = { padding: "ä".repeat(40_000) };
  await api.take(SURICATA, [alert({ at: NOW - MINUTE, more })]);
  const [incident] = (await api.read("listIncidents")).data;
  const { evidence } = (await api.read("getIncident", {}, {}, { incident_id: incident!.id })).data;
  const path = { evidence_id: evidence[0]!.evidence_id };
  const before = (await api.read("getEvidence", {}, {}, path)).data;
  const whole = await (await api.send("getRawRecord", {}, {}, path)).text();
  assert.ok(before.raw!.truncated && whole.startsWith(before.raw!.payload), "the list shows its beginning");
  assert.equal(Buffer.byteLength(whole), before.raw!.payload_bytes);

  await keepOpenEvidence(db, NOW + DAY);
  for (const table of ["raw_block", "raw_record", "evidence", "flow"]) {
    await db.owner((tx) => tx.script(`delete from ${table}`));
  }
  assert.deepEqual((await api.read("getEvidence", {}, {}, path)).data, before);
  assert.equal(await (await api.send("getRawRecord", {}, {}, path)).text(), whole);
  await refusal(await api.send("getRawRecord", {}, { tenantId: "branch" }, path), 404, "not_found");
});
