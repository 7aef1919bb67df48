import assert from "node:assert/strict";
import type { OperationId } from "../../../src/contract/routes.ts";
import { PROPOSAL_DECISIONS, type ProposalDetail } from "../../../src/contract/review/proposal.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

const BRANCH = { tenantId: "branch" } as const;
const UNKNOWN = "0190b2c3-0000-7000-8000-000000000001";

async function oneIncident(api: Api): Promise<{ incident_id: string; device_id: string }> {
  await api.take(SURICATA, [alert()]);
  const { id, device_ids } = (await api.read("listIncidents")).data[0]!;
  return { incident_id: id, device_id: device_ids[0]! };
}

type Proposing = "suggestClassification" | "proposeModelChange" | "proposeTriage";

async function propose(
  api: Api,
  id: Proposing,
  body: Record<string, string>,
  path = {},
): Promise<ProposalDetail> {
  return (await checked(id, await api.change(id, path, { body: { reason: "because", ...body } }))).data;
}

/** One of each kind, newest last. */
async function proposeAll(api: Api): Promise<ProposalDetail[]> {
  const path = await oneIncident(api);
  const all: ProposalDetail[] = [];
  const add = async (id: Proposing, body: Record<string, string>, at = {}) => {
    api.clock.advance(1);
    all.push(await propose(api, id, body, at));
  };
  await add("suggestClassification", { device_type: "printer" }, path);
  await add("proposeModelChange", { model_id: "beacon", action: "deactivate", details: "off at night" });
  await add("proposeTriage", { incident_id: path.incident_id, incident_status: "false_positive" });
  return all;
}

async function decide(
  api: Api,
  one: ProposalDetail,
  decision: string,
  comment?: string,
): Promise<ProposalDetail> {
  const change = {
    revision: one.revision,
    body: { decision, ...(comment ? { comment } : {}) },
    subject: "bob",
  };
  return (await checked("decideProposal", await api.change("decideProposal", one, change))).data;
}

testDatabase("proposals: each kind is recorded with its content", async (db) => {
  const api = new Api(db);
  const all = await proposeAll(api);
  const { device_id } = (await api.read("listDevices")).data[0]!;
  const incident_id = (await api.read("listIncidents")).data[0]!.id;
  assert.deepEqual(all.map(({ kind, target_id, content }) => [kind, target_id, content]), [
    ["classification", device_id, { device_type: "printer" }],
    ["model", "beacon", { action: "deactivate", details: "off at night" }],
    ["triage", incident_id, { incident_status: "false_positive" }],
  ]);
  for (const one of all) {
    assert.deepEqual([one.status, one.reason, one.created_by, one.revision], [
      "proposed",
      "because",
      "ada",
      1,
    ]);
    assert.deepEqual([one.decided_by, one.decided_at, one.comment], [null, null, null]);
    assert.deepEqual(one.workflow_history.map(({ actor, action }) => [actor, action]), [["ada", "proposed"]]);
    assert.deepEqual((await api.read("getProposal", {}, { roles: ["reader"] }, one)).data, one);
  }
  const listed = async (query: Record<string, string>) =>
    (await api.read("listProposals", query)).data.map(({ proposal_id }) => proposal_id);
  const ids = all.map(({ proposal_id }) => proposal_id);
  assert.deepEqual(await listed({}), ids.toReversed());
  assert.deepEqual(await listed({ kind: "model" }), [ids[1]]);
  assert.deepEqual(await listed({ target_id: device_id }), [ids[0]]);
  assert.deepEqual(await listed({ status: "accepted" }), []);
  assert.deepEqual(await listed({ kind: "triage", target_id: device_id }), []);
  const pages = await api.walk("listProposals", { limit: 2 });
  assert.deepEqual(pages.map((page) => page.length), [2, 1]);
});

testDatabase("proposals: an accepted classification is a person's confirmation", async (db) => {
  const api = new Api(db);
  const [one] = await proposeAll(api);
  const device = async () => (await api.read("getDevice", {}, {}, { device_id: one!.target_id })).data;
  const before = await device();
  assert.equal(before.classification_source, "observed");
  const decided = await decide(api, one!, "accepted", "seen it");
  assert.deepEqual(
    [decided.status, decided.decided_by, decided.comment, decided.revision],
    ["accepted", "bob", "seen it", 2],
  );
  const { at: _, ...entry } = decided.workflow_history.at(-1)!;
  assert.deepEqual(entry, {
    actor: "bob",
    action: "decided",
    from: "proposed",
    to: "accepted",
    comment: "seen it",
    revision: 2,
  });
  const after = await device();
  assert.deepEqual(
    [after.device_type, after.classification_source, after.confidence, after.revision],
    ["printer", "human_confirmed", 1, before.revision + 1],
  );
  assert.deepEqual(after.display_name, before.display_name);
  const line = after.workflow_history.at(-1)!;
  assert.deepEqual([line.actor, line.action, line.from, line.to, line.comment], [
    "bob",
    "classification_confirmed",
    '{"device_type":"unknown"}',
    '{"device_type":"printer"}',
    "Proposed: because",
  ]);
});

testDatabase("proposals: any other decision changes only its record", async (db) => {
  const api = new Api(db);
  const [classification, model, triage] = await proposeAll(api);
  const world = async () => {
    const path = { device_id: classification!.target_id, incident_id: triage!.target_id };
    return {
      device: (await api.read("getDevice", {}, {}, path)).data,
      incident: (await api.read("getIncident", {}, {}, path)).data,
    };
  };
  const before = await world();
  assert.equal((await decide(api, classification!, "rejected")).status, "rejected");
  assert.equal((await decide(api, model!, "accepted")).status, "accepted");
  assert.equal((await decide(api, triage!, "accepted")).status, "accepted");
  assert.deepEqual(await world(), before);
});

testDatabase("proposals: a decision is made once", async (db) => {
  const api = new Api(db);
  const [one] = await proposeAll(api);
  const body = { decision: "accepted" };
  await refusal(await api.change("decideProposal", one!, { body }), 428, "invalid_request");
  const stale = await api.change("decideProposal", one!, { revision: 2, body });
  assert.equal((await refusal(stale, 412, "revision_conflict")).details.revision, 1);
  for (const wrong of [{}, { decision: "proposed" }, { decision: "accepted", force: true }]) {
    const answer = await api.change("decideProposal", one!, { revision: 1, body: wrong });
    await refusal(answer, 400, "invalid_request");
  }
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.change("decideProposal", one!, { revision: 1, body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  const again = await api.change("decideProposal", one!, { revision: 2, body: { decision: "rejected" } });
  assert.match((await refusal(again, 409, "invalid_request")).message, /has already been accepted/);
  const { data } = await api.read("getDevice", {}, {}, { device_id: one!.target_id });
  assert.equal(data.revision, 2, "confirmed once");
});

testDatabase("proposals: missing and foreign ones are not found", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const one = await propose(api, "suggestClassification", { device_type: "printer" }, path);
  await refusal(await api.send("getProposal", {}, BRANCH, one), 404, "not_found");
  assert.deepEqual((await api.read("listProposals", {}, BRANCH)).data, []);
  const accept = { revision: 1, body: { decision: "accepted" } };
  await refusal(await api.change("decideProposal", one, { ...accept, ...BRANCH }), 404, "not_found");
  const suggestion = { body: { device_type: "printer", reason: "because" } };
  for (const device_id of ["x", UNKNOWN]) {
    await refusal(await api.change("suggestClassification", { device_id }, suggestion), 404, "not_found");
  }
  await refusal(
    await api.change("suggestClassification", path, { ...suggestion, ...BRANCH }),
    404,
    "not_found",
  );
  for (const incident_id of ["x", UNKNOWN]) {
    const body = { incident_id, incident_status: "resolved", reason: "because" };
    await refusal(await api.change("proposeTriage", {}, { body }), 404, "not_found");
  }
  const body = { incident_id: path.incident_id, incident_status: "resolved", reason: "because" };
  await refusal(await api.change("proposeTriage", {}, { body, ...BRANCH }), 404, "not_found");
});

testDatabase("proposals: bodies contain all required fields and no others", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const bodies: [OperationId, unknown][] = [
    ["suggestClassification", { reason: "because" }],
    ["suggestClassification", { device_type: "printer" }],
    ["suggestClassification", { device_type: "", reason: "because" }],
    ["suggestClassification", { device_type: "printer", reason: "because", device_id: UNKNOWN }],
    ["proposeModelChange", { model_id: "beacon", action: "explode", details: "x", reason: "because" }],
    ["proposeModelChange", { model_id: "no-model", action: "other", details: "x", reason: "because" }],
    ["proposeModelChange", { model_id: "beacon", action: "other", reason: "because" }],
    ["proposeTriage", { incident_id: path.incident_id, incident_status: "closed", reason: "because" }],
    ["proposeTriage", { incident_id: path.incident_id, reason: "because" }],
  ];
  for (const [id, body] of bodies) {
    await refusal(await api.change(id, path, { body }), 400, "invalid_request");
  }
  assert.deepEqual((await api.read("listProposals")).data, []);
});

testDatabase("proposals: decisions are final, for every kind and pair of decisions", async (db) => {
  const api = new Api(db);
  for (const first of PROPOSAL_DECISIONS) {
    for (const one of await proposeAll(api)) {
      const decided = await decide(api, one, first);
      for (const second of PROPOSAL_DECISIONS) {
        const sent = { revision: decided.revision, body: { decision: second } };
        const { message, details } = await refusal(
          await api.change("decideProposal", one, sent),
          409,
          "invalid_request",
        );
        assert.equal(details.reason, "illegal_transition");
        assert.match(message, new RegExp(`has already been ${first}$`), `${one.kind} ${first} ${second}`);
      }
      assert.deepEqual((await api.read("getProposal", {}, {}, one)).data, decided);
    }
  }
});

testDatabase("proposals: an accepted classification equals a PATCH of the type", async (db) => {
  const api = new Api(db);
  const at = NOW - MINUTE;
  await api.take(SURICATA, [alert({ at }), alert({ src: "10.0.0.6", at: at + 1 })]);
  const [one, other] = (await api.read("listDevices")).data;
  const proposal = await propose(api, "suggestClassification", { device_type: "printer" }, one);
  await decide(api, proposal, "accepted");
  const patch = { revision: other!.revision, body: { device_type: "printer" }, subject: "bob" };
  await checked("patchDevice", await api.change("patchDevice", other!, patch));
  const read = async (path: { device_id: string }) => {
    const { data } = await api.read("getDevice", {}, {}, path);
    const { device_type, classification_source, confidence, revision, owner, tags, workflow_history } = data;
    const lines = workflow_history.map(({ comment: _, ...line }) => line);
    return { device_type, classification_source, confidence, revision, owner, tags, lines };
  };
  assert.deepEqual(await read(one!), await read(other!));
});
