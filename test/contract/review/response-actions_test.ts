import assert from "node:assert/strict";
import { RESPONSE_DECISIONS, type ResponseAction } from "../../../src/contract/review/response.ts";
import { SecondPerson } from "../../../src/core/second-person.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, refusal } from "../api.ts";
import { decide, propose, RESPONDER, scene } from "../responses.ts";

const BRANCH = { tenantId: "branch" } as const;
const UNKNOWN = "0190b2c3-0000-7000-8000-000000000001";

testDatabase("response actions: proposed with a target of the incident", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const response = await api.change("proposeResponseAction", { incident_id }, {
    ...RESPONDER,
    body: { kind: "quarantine_device", target: { device_id }, reason: "it beacons" },
  });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("etag"), '"1"');
  const { action_id, ...rest } = (await response.json()).data as ResponseAction;
  const incident = (await api.read("getIncident", {}, {}, { incident_id })).data;
  assert.deepEqual(rest, {
    incident_id,
    incident_title: incident.title,
    kind: "quarantine_device",
    mode: "proposal",
    status: "proposed",
    target: { device_id, device_name: "10.0.0.5", address: "10.0.0.5" },
    identity: "address_only",
    reason: "it beacons",
    proposed_by: "rosa",
    proposed_at: "2026-01-31T07:15:00.000Z",
    decided_by: null,
    decided_at: null,
    self_approved: false,
    comment: null,
    outcome: null,
    workflow_history: [{
      at: "2026-01-31T07:15:00.000Z",
      actor: "rosa",
      action: "proposed",
      from: null,
      to: null,
      comment: "it beacons",
      revision: 1,
    }],
    revision: 1,
  });
  const blocked = await propose(api, incident_id, {
    kind: "block_destination",
    target: { address: "198.51.100.7" },
  });
  assert.deepEqual(blocked.target, { device_id: null, device_name: null, address: "198.51.100.7" });
  const told = await propose(api, incident_id, { kind: "notify_only" });
  assert.deepEqual([told.target.device_id, told.target.address, told.identity], [null, null, null]);
  const named = await propose(api, incident_id, { kind: "notify_only", target: { device_id } });
  assert.equal(named.target.address, "10.0.0.5");
  const listed = (await api.read("listResponseActions", {}, { roles: ["reader"] })).data;
  assert.equal(listed.length, 4);
  assert.deepEqual(listed.find((one) => one.action_id === action_id), { action_id, ...rest });
});

testDatabase(
  "response actions, incidents and devices: the audit names what an entry is about",
  async (db) => {
    const api = new Api(db);
    const { incident_id, device_id } = await scene(api);
    const { title } = (await api.read("getIncident", {}, {}, { incident_id })).data;
    const acted = await propose(api, incident_id, {
      kind: "block_destination",
      target: { address: "198.51.100.7" },
    });
    await decide(api, acted, "rejected");
    await api.change("patchDevice", { device_id }, { revision: 1, body: { display_name: "front-desk" } });
    api.clock.advance(1);
    const entries = (await api.read("listAudit", {}, { roles: ["admin"] })).data;
    const names = Object.fromEntries(entries.map(({ operation, target_name }) => [operation, target_name]));
    assert.equal(names.proposeResponseAction, title);
    assert.equal(names.decideResponseAction, "198.51.100.7");
    assert.equal(names.patchDevice, "front-desk");
  },
);

testDatabase(
  "response actions: an unrelated target is refused with what is expected",
  async (db) => {
    const api = new Api(db);
    const { incident_id, device_id, other_device } = await scene(api);
    const wrong: [string, Record<string, unknown>, string][] = [
      ["quarantine_device", {}, "target.device_id"],
      ["quarantine_device", { address: "10.0.0.5" }, "target.device_id"],
      ["quarantine_device", { device_id: other_device }, "target.device_id"],
      ["quarantine_device", { device_id: UNKNOWN }, "target.device_id"],
      ["quarantine_device", { device_id: "printer" }, "target.device_id"],
      ["quarantine_device", { device_id, address: "10.0.0.6" }, "target.address"],
      ["quarantine_device", { device_id, address: "010.0.0.5" }, "target.address"],
      ["block_destination", {}, "target.address"],
      ["block_destination", { address: "192.0.2.66" }, "target.address"],
      ["block_destination", { address: "10.0.0.5" }, "target.address"],
      ["block_destination", { address: "evil.example" }, "target.address"],
      ["block_destination", { device_id, address: "198.51.100.7" }, "target.device_id"],
      ["notify_only", { address: "198.51.100.7" }, "target.address"],
    ];
    for (const [kind, target, field] of wrong) {
      const body = { kind, target, reason: "x" };
      const answer = await api.change("proposeResponseAction", { incident_id }, { ...RESPONDER, body });
      const { details } = await refusal(answer, 400, "invalid_request");
      const [issue] = details.issues as { path: string }[];
      assert.equal(issue!.path, field, JSON.stringify(body));
    }
    for (
      const body of [
        { kind: "reboot", reason: "x" },
        { kind: "notify_only" },
        { kind: "notify_only", reason: " " },
        { kind: "notify_only", reason: "x", status: "approved" },
        { kind: "notify_only", reason: "x", target: { tenant_id: "branch" } },
      ]
    ) {
      const answer = await api.change("proposeResponseAction", { incident_id }, { ...RESPONDER, body });
      await refusal(answer, 400, "invalid_request");
    }
    assert.deepEqual((await api.read("listResponseActions")).data, []);
  },
);

testDatabase("response actions: one of a kind is open per target", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const body = { kind: "quarantine_device", target: { device_id }, reason: "x" } as const;
  const send = () => api.change("proposeResponseAction", { incident_id }, { ...RESPONDER, body });
  const answers = await Promise.all([1, 2, 3, 4].map(send));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400]);
  const [first] = (await api.read("listResponseActions")).data;
  const { message, details } = await refusal(await send(), 400, "invalid_request");
  assert.match(message, /already has an open action of this kind on the incident \(proposed\)/);
  assert.deepEqual(details, { reason: "duplicate", action_id: first!.action_id, status: "proposed" });
  // Another spelling of the target is the same device.
  const again = { ...body, target: { device_id, address: "10.0.0.5" } };
  const spelled = await api.change("proposeResponseAction", { incident_id }, { ...RESPONDER, body: again });
  await refusal(spelled, 400, "invalid_request");
  const approved = await decide(api, first!, "approved");
  assert.match((await refusal(await send(), 400, "invalid_request")).message, /\(approved\)/);
  await decide(api, approved, "cancelled");
  assert.equal((await send()).status, 201);
});

testDatabase("response actions: every decision in every status", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const ways: Record<string, string[]> = {
    proposed: [],
    approved: ["approved"],
    rejected: ["rejected"],
    cancelled: ["cancelled"],
    "cancelled again": ["approved", "cancelled"],
  };
  const moved: string[] = [];
  for (const [name, way] of Object.entries(ways)) {
    for (const decision of RESPONSE_DECISIONS) {
      await db.tenant("main", (tx) => tx.run(sql`delete from response_action`));
      let action = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
      for (const step of way) action = await decide(api, action, step);
      const sent = { ...RESPONDER, revision: action.revision, body: { decision } };
      const answer = await api.change("decideResponseAction", action, sent);
      if (answer.status === 200) moved.push(`${name} > ${decision}`);
      else {
        const { message, details } = await refusal(answer, 409, "invalid_request");
        assert.equal(details.reason, "illegal_transition");
        assert.match(
          message,
          new RegExp(`^decision: an action must be .*; this one is ${action.status}$`),
        );
      }
    }
  }
  assert.deepEqual(moved, [
    "proposed > approved",
    "proposed > rejected",
    "proposed > cancelled",
    "approved > cancelled",
  ]);
});

testDatabase("response actions: a decision is recorded and changes nothing else", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const world = async () => ({
    incident: (await api.read("getIncident", {}, {}, { incident_id })).data,
    device: (await api.read("getDevice", {}, {}, { device_id })).data,
    events: await db.tenant("main", (tx) => tx.rows(sql`select * from event_log order by event_no`)),
  });
  const before = await world();
  const proposed = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
  api.clock.advance(60);
  const approved = await decide(api, proposed, "approved", "agreed with operations");
  assert.deepEqual(
    [approved.status, approved.decided_by, approved.decided_at, approved.comment, approved.revision],
    ["approved", "bob", "2026-01-31T07:16:00.000Z", "agreed with operations", 2],
  );
  const cancelled = await decide(api, approved, "cancelled");
  assert.deepEqual(
    cancelled.workflow_history.map((
      { actor, action, from, to, comment, revision },
    ) => [actor, action, from, to, comment, revision]),
    [
      ["rosa", "proposed", null, null, "it talks to a known bad host", 1],
      ["bob", "decided", "proposed", "approved", "agreed with operations", 2],
      ["bob", "decided", "approved", "cancelled", null, 3],
    ],
  );
  assert.deepEqual(await world(), before);
});

testDatabase("response actions: of concurrent decisions one counts", async (db) => {
  const api = new Api(db);
  const { incident_id } = await scene(api);
  const action = await propose(api, incident_id, { kind: "notify_only" });
  const body = { decision: "approved" };
  await refusal(
    await api.change("decideResponseAction", action, { ...RESPONDER, body }),
    428,
    "invalid_request",
  );
  const stale = await api.change("decideResponseAction", action, { ...RESPONDER, revision: 2, body });
  assert.equal((await refusal(stale, 412, "revision_conflict")).details.revision, 1);
  const answers = await Promise.all(
    RESPONSE_DECISIONS.map((decision) =>
      api.change("decideResponseAction", action, { ...RESPONDER, revision: 1, body: { decision } })
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  assert.equal((await api.read("listResponseActions")).data[0]!.revision, 2);
});

testDatabase(
  "response actions: one by its id is what the list shows, to every reader of the tenant",
  async (db) => {
    const api = new Api(db);
    const { incident_id } = await scene(api);
    const action = await propose(api, incident_id, { kind: "notify_only" });
    const { action_id } = await decide(api, action, "approved", "the owner agrees");
    const reader = { roles: ["reader" as const] };
    const response = await api.send("getResponseAction", {}, reader, { action_id });
    assert.equal(response.headers.get("etag"), '"2"');
    const { data } = await checked("getResponseAction", response);
    assert.deepEqual([data], (await api.read("listResponseActions")).data);
    assert.deepEqual(data.workflow_history.map(({ to }) => to), [null, "approved"]);
    for (const id of [UNKNOWN, "nonsense"]) {
      await refusal(await api.send("getResponseAction", {}, reader, { action_id: id }), 404, "not_found");
    }
    await refusal(await api.send("getResponseAction", {}, BRANCH, { action_id }), 404, "not_found");
  },
);

testDatabase("response actions: an approval by the proposer is marked", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const own = await propose(api, incident_id, { kind: "notify_only" });
  const approve = { ...RESPONDER, revision: 1, body: { decision: "approved" } };
  const approved =
    (await checked("decideResponseAction", await api.change("decideResponseAction", own, approve))).data;
  assert.deepEqual([approved.decided_by, approved.self_approved], ["rosa", true]);
  // Who cancels it later changes nothing of that.
  const cancelled = await api.change("decideResponseAction", approved, {
    ...RESPONDER,
    subject: "omar",
    revision: 2,
    body: { decision: "cancelled" },
  });
  const { data } = await checked("decideResponseAction", cancelled);
  assert.deepEqual([data.decided_by, data.self_approved], ["omar", true]);

  const other = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
  const decision = { ...RESPONDER, subject: "omar", revision: 1, body: { decision: "approved" } };
  const byOther = await checked(
    "decideResponseAction",
    await api.change("decideResponseAction", other, decision),
  );
  assert.deepEqual([byOther.data.decided_by, byOther.data.self_approved], ["omar", false]);
});

testDatabase(
  "response actions: with require_second_person nobody approves their own proposal",
  async (db) => {
    const secondPerson = new SecondPerson(["main"]);
    const api = new Api(db, [], { secondPerson });
    assert.equal((await api.read("getSite")).data.require_second_person, true);
    assert.equal((await api.read("getSite", {}, BRANCH)).data.require_second_person, false);
    const { incident_id, device_id } = await scene(api);
    const action = await propose(api, incident_id, { kind: "notify_only" });
    const approve = { ...RESPONDER, revision: 1, body: { decision: "approved" } };
    const error = await refusal(await api.change("decideResponseAction", action, approve), 403, "forbidden");
    assert.equal(error.details.reason, "second_person_required");
    assert.equal((await api.read("listResponseActions")).data[0]!.status, "proposed");
    const byOther = await api.change("decideResponseAction", action, { ...approve, subject: "omar" });
    assert.equal((await checked("decideResponseAction", byOther)).data.self_approved, false);
    // Withdrawing one's own proposal needs nobody else.
    const second = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
    assert.equal((await decide(api, second, "cancelled", "a mistake")).status, "cancelled");

    secondPerson.replace([]);
    const third = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
    const alone = await api.change("decideResponseAction", third, approve);
    assert.equal((await checked("decideResponseAction", alone)).data.self_approved, true);
  },
);

testDatabase("response actions: only a responder proposes and decides", async (db) => {
  const api = new Api(db);
  const { incident_id } = await scene(api);
  const action = await propose(api, incident_id, { kind: "notify_only" });
  for (const roles of [["reader"], ["analyst"], ["admin"], ["admin", "analyst", "reader"]] as const) {
    const sent = { roles: [...roles], body: { kind: "notify_only", reason: "x" } };
    await refusal(await api.change("proposeResponseAction", { incident_id }, sent), 403, "forbidden");
    const decision = { roles: [...roles], revision: 1, body: { decision: "approved" } };
    await refusal(await api.change("decideResponseAction", action, decision), 403, "forbidden");
  }
});

testDatabase("response actions: missing and foreign ones are not found", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id } = await scene(api);
  const action = await propose(api, incident_id, { kind: "notify_only" });
  const creation = { ...RESPONDER, body: { kind: "quarantine_device", target: { device_id }, reason: "x" } };
  const decision = { ...RESPONDER, revision: 1, body: { decision: "approved" } };
  await refusal(
    await api.change("proposeResponseAction", { incident_id }, { ...creation, ...BRANCH }),
    404,
    "not_found",
  );
  await refusal(
    await api.change("decideResponseAction", action, { ...decision, ...BRANCH }),
    404,
    "not_found",
  );
  for (const id of ["x", UNKNOWN]) {
    await refusal(await api.change("proposeResponseAction", { incident_id: id }, creation), 404, "not_found");
    await refusal(await api.change("decideResponseAction", { action_id: id }, decision), 404, "not_found");
  }
  assert.deepEqual((await api.read("listResponseActions", {}, BRANCH)).data, []);
  assert.deepEqual((await api.read("listResponseActions", { incident_id }, BRANCH)).data, []);
});

testDatabase("response actions: filters, and pages, newest first", async (db) => {
  const api = new Api(db);
  const { incident_id, device_id, other_id, other_device } = await scene(api);
  const all: ResponseAction[] = [];
  const add = async (incident: string, target?: { device_id: string }) => {
    api.clock.advance(1);
    all.push(await propose(api, incident, { kind: "notify_only", target }));
  };
  await add(incident_id);
  await add(incident_id, { device_id });
  await add(other_id);
  await add(other_id, { device_id: other_device });
  await decide(api, all[2]!, "rejected");
  const ids = all.map(({ action_id }) => action_id);
  const listed = async (query: Record<string, string>) =>
    (await api.read("listResponseActions", query)).data.map(({ action_id }) => action_id);
  assert.deepEqual(await listed({}), ids.toReversed());
  assert.deepEqual(await listed({ incident_id }), [ids[1], ids[0]]);
  assert.deepEqual(await listed({ status: "rejected" }), [ids[2]]);
  assert.deepEqual(await listed({ status: "proposed", incident_id: other_id }), [ids[3]]);
  for (const status of ["executed", "failed", "rolled_back"]) assert.deepEqual(await listed({ status }), []);
  assert.deepEqual(await listed({ incident_id: UNKNOWN }), []);
  await refusal(await api.send("listResponseActions", { incident_id: "x" }), 400, "invalid_request");
  await refusal(await api.send("listResponseActions", { status: "open" }), 400, "invalid_request");

  // Additions while paging come before its start, and decided actions keep their place.
  let between = 0;
  const pages = await api.walk("listResponseActions", { limit: 1 }, {
    between: async () => {
      if (between++ > 0) return;
      api.clock.advance(1);
      await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
      await decide(api, all[1]!, "approved");
    },
  });
  assert.deepEqual(pages.flat().map(({ action_id }) => action_id), ids.toReversed());
});
