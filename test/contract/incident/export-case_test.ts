// An incident as a file: who may have it, what is in it, and that it stays the same.

import assert from "node:assert/strict";
import { type CaseFormat, IncidentCase } from "../../../src/contract/incident/case.ts";
import { keepOpenEvidence } from "../../../src/core/jobs/retention.ts";
import { parseJson } from "../../../src/kit/json/json.ts";
import { type Database, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { recordPerson } from "../../../src/store/session/people.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, DAY, MINUTE, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, http } from "../records.ts";
import { SOME_ID } from "../requests.ts";

const AT = NOW - 10 * MINUTE;
/** Exact text that no re-serialisation would give. */
const ODD = "\\u0041 <script>|`x`";

async function withIncident(db: Database): Promise<{ api: Api; incident_id: string }> {
  const api = new Api(db, [], { publicUrl: "https://ndr.example" });
  await api.take(ZEEK, [
    conn({ at: AT, seconds: 60 }),
    http({ at: AT, more: { user_agent: ODD, uri: "/gate.php" } }),
  ]);
  await api.take(SURICATA, [alert({ at: AT + MINUTE }), alert({ at: AT + 2 * MINUTE, srcPort: 50_001 })]);
  const [incident] = (await api.read("listIncidents")).data;
  return { api, incident_id: incident!.id };
}

testDatabase(
  "export of an incident: roles, tenants, formats, names of people, and the same bytes again",
  async (db) => {
    const { api, incident_id } = await withIncident(db);
    const send = (query: Record<string, string>, more = {}, path = { incident_id }) =>
      api.send("exportIncident", query, more, path);
    await db.shared((tx) =>
      recordPerson(
        tx,
        { subject: "ada", displayName: "Ada Lovelace" },
        [{ tenant_id: "main", roles: ["analyst"] }],
        NOW,
      )
    );
    await api.change("commentIncident", { incident_id }, {
      subject: "ada",
      body: { comment: "<b>Looks real</b>" },
    });

    const expected: Record<CaseFormat, [type: string, name: string]> = {
      json: ["application/json; charset=utf-8", ".json"],
      html: ["text/html; charset=utf-8", ".html"],
      navigator: ["application/json; charset=utf-8", "-navigator.json"],
      markdown: ["text/markdown; charset=utf-8", ".md"],
      stix: ["application/stix+json;version=2.1", "-stix.json"],
      records: ["application/x-ndjson; charset=utf-8", "-records.ndjson"],
    };
    const { revision } = (await api.read("getIncident", {}, {}, { incident_id })).data;
    for (const [format, [type, ending]] of Object.entries(expected)) {
      const response = await send({ format, tlp: "amber" }, { roles: ["reader"] });
      const text = await response.text();
      const { headers } = response;
      assert.equal(response.status, 200, text);
      assert.equal(headers.get("content-type"), type);
      assert.equal(
        headers.get("content-disposition"),
        `attachment; filename="incident-${incident_id}-revision-${revision}${ending}"`,
      );
      assert.equal(headers.get("x-result-truncated"), "false");
      assert.equal(headers.get("x-result-limit"), "500");
      const length = format === "records" ? null : String(new TextEncoder().encode(text).length);
      assert.equal(headers.get("content-length"), length);
      api.clock.advance(5);
      assert.equal(await (await send({ format, tlp: "amber" })).text(), text, `${format} is the same again`);
      await refusal(await send({ format }, { tenantId: "branch", roles: ["admin"] }), 404, "not_found");
      await refusal(await send({ format }, {}, { incident_id: SOME_ID }), 404, "not_found");
    }
    await refusal(await send({ format: "pdf" }), 400, "invalid_request");
    await refusal(await send({ tlp: "purple" }), 400, "invalid_request");

    const value = IncidentCase.parse(parseJson(await (await send({})).text()));
    assert.equal(value.incident.url, `https://ndr.example/t/main/incidents/${incident_id}`);
    assert.deepEqual(value.history.map(({ actor, comment }) => [actor, comment]), [[
      "Ada Lovelace",
      "<b>Looks real</b>",
    ]]);
    assert.deepEqual(value.evidence.map(({ record_kind }) => record_kind), [
      "suricata.alert",
      "suricata.alert",
    ]);
    assert.deepEqual(value.talks.map(({ src, dst, flows }) => [src.ip, dst.ip, flows]), [[
      "10.0.0.5",
      "198.51.100.7",
      2,
    ]]);
    assert.equal(value.talks[0]!.bytes_out, 500);
    assert.ok(value.talks[0]!.severity === "medium" && value.devices[0]!.addresses[0] === "10.0.0.5");
  },
);

testDatabase(
  "export of an incident: raw records are exact, also those that were kept beyond the retention",
  async (db) => {
    const { api, incident_id } = await withIncident(db);
    const lines = async (from: Api) => {
      const response = await from.send("exportIncident", { format: "records" }, {}, { incident_id });
      return (await response.text()).trim().split("\n");
    };
    const before = await lines(api);
    assert.equal(before.length, 2);
    const { evidence } = (await api.read("getIncident", {}, {}, { incident_id })).data;
    for (const [index, line] of before.entries()) {
      const { evidence_id } = evidence[index]!;
      const raw = await (await api.send("getRawRecord", {}, {}, { evidence_id })).text();
      assert.ok(line.endsWith(`,"payload":${raw}}`), line);
      const { payload: _, ...rest } = JSON.parse(line);
      assert.deepEqual(Object.keys(rest), [
        "evidence_id",
        "flow_id",
        "sensor_id",
        "kind",
        "event_id",
        "observed_at",
      ]);
    }
    await registerTenants(db, ["main"]);
    await keepOpenEvidence(db, NOW + DAY);
    for (const table of ["raw_block", "raw_record", "evidence", "flow"]) {
      await db.owner((tx) => tx.script(`delete from ${table}`));
    }
    assert.deepEqual(await lines(api), before, "the incident kept its records");
    const value = IncidentCase.parse(
      parseJson(await (await api.send("exportIncident", {}, {}, { incident_id })).text()),
    );
    assert.deepEqual(value.flows.map(({ proto, src }) => [proto, src.ip]), [[null, "10.0.0.5"], [
      null,
      "10.0.0.5",
    ]]);

    let reads = 0;
    const failing: Database = {
      engine: db.engine,
      tenant: (...args) =>
        ++reads > 1 ? Promise.reject(new StoreUnavailable(new Error("gone"))) : db.tenant(...args),
      shared: (...args) => db.shared(...args),
      owner: (...args) => db.owner(...args),
      close: () => db.close(),
    };
    assert.deepEqual((await lines(new Api(failing))).map((line) => JSON.parse(line)), [
      { truncated: true, records: 0, reason: "the database did not answer in time" },
    ]);
  },
);
