import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

const BRANCH = { tenantId: "branch" } as const;
const UNKNOWN = "0190b2c3-0000-7000-8000-000000000001";
const MODEL = "signature-alert";

async function oneIncident(api: Api): Promise<{ incident_id: string; analysis_id: string }> {
  await api.take(SURICATA, [alert()]);
  const incident_id = (await api.read("listIncidents")).data[0]!.id;
  const { data } = await api.read("getIncident", {}, {}, { incident_id });
  return { incident_id, analysis_id: data.model_results[0]!.analysis_id };
}

async function give(api: Api, body: Record<string, string>) {
  api.clock.advance(1);
  return (await checked("createModelFeedback", await api.change("createModelFeedback", {}, { body }))).data;
}

testDatabase(
  "feedback: about an incident or a result, listed, and in the incident's history",
  async (db) => {
    const api = new Api(db);
    const { incident_id, analysis_id } = await oneIncident(api);
    const before = (await api.read("getIncident", {}, {}, { incident_id })).data;
    const first = await give(api, { model_id: MODEL, incident_id, verdict: "useful" });
    const second = await give(api, {
      model_id: MODEL,
      analysis_id,
      verdict: "false_positive",
      comment: "our scanner",
    });
    const { feedback_id: _, ...rest } = second;
    assert.deepEqual(rest, {
      model_id: MODEL,
      incident_id,
      analysis_id,
      verdict: "false_positive",
      comment: "our scanner",
      created_by: "ada",
      created_at: "2026-01-31T07:15:02.000Z",
    });
    assert.deepEqual((await api.read("listModelFeedback", {}, { roles: ["reader"] })).data, [second, first]);
    assert.deepEqual((await api.read("listModelFeedback", { model_id: "beacon" })).data, []);
    assert.equal((await api.read("listModelFeedback", { incident_id, model_id: MODEL })).data.length, 2);
    assert.deepEqual((await api.read("listModelFeedback", { incident_id: UNKNOWN })).data, []);
    await refusal(await api.send("listModelFeedback", { incident_id: "x" }), 400, "invalid_request");
    const pages = await api.walk("listModelFeedback", { limit: 1 });
    assert.deepEqual(pages, [[second], [first]]);

    const { workflow_history, ...after } = (await api.read("getIncident", {}, {}, { incident_id })).data;
    assert.deepEqual(workflow_history.map(({ action, to, comment }) => [action, to, comment]), [
      ["model_feedback", `${MODEL}: useful`, null],
      ["model_feedback", `${MODEL}: false_positive`, "our scanner"],
    ]);
    const { workflow_history: none, ...unchanged } = before;
    assert.deepEqual(none, []);
    assert.deepEqual(after, unchanged, "nothing else changes");
  },
);

testDatabase("feedback: a refused one is not recorded", async (db) => {
  const api = new Api(db);
  const { incident_id, analysis_id } = await oneIncident(api);
  const good = { model_id: MODEL, incident_id, verdict: "unclear" };
  const bodies: unknown[] = [
    { model_id: MODEL, verdict: "unclear" },
    { ...good, analysis_id },
    { ...good, verdict: "wrong" },
    { ...good, model_id: "beacon" },
    { model_id: "beacon", analysis_id, verdict: "useful" },
    { ...good, comment: "" },
    { ...good, score: 3 },
  ];
  for (const body of bodies) {
    await refusal(await api.change("createModelFeedback", {}, { body }), 400, "invalid_request");
  }
  for (
    const body of [
      { ...good, incident_id: UNKNOWN },
      { ...good, incident_id: "x" },
      { model_id: MODEL, analysis_id: UNKNOWN, verdict: "useful" },
    ]
  ) {
    await refusal(await api.change("createModelFeedback", {}, { body }), 404, "not_found");
  }
  await refusal(await api.change("createModelFeedback", {}, { body: good, ...BRANCH }), 404, "not_found");
  const byResult = { model_id: MODEL, analysis_id, verdict: "useful" };
  await refusal(await api.change("createModelFeedback", {}, { body: byResult, ...BRANCH }), 404, "not_found");
  assert.deepEqual((await api.read("listModelFeedback")).data, []);
});

testDatabase("feedback: a retry is recorded once", async (db) => {
  const api = new Api(db);
  const { incident_id } = await oneIncident(api);
  const change = {
    headers: { "idempotency-key": "once" },
    body: { model_id: MODEL, incident_id, verdict: "useful" },
  };
  const first = await checked("createModelFeedback", await api.change("createModelFeedback", {}, change));
  const again = await checked("createModelFeedback", await api.change("createModelFeedback", {}, change));
  assert.deepEqual(again, first);
  assert.equal((await api.read("listModelFeedback")).data.length, 1);
});
