// Reports of executors, through the core's own listener routes.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { refusal } from "../api.ts";
import { TEST_KEY } from "../core.ts";
import { approved, BRANCH_TOKEN, recorded, Reporting, TOKEN } from "../health/reporting.ts";
import { decide, propose, scene } from "../responses.ts";

testDatabase(
  "outcomes: a report becomes an event and part of the record; the status stays",
  async (db) => {
    const reporting = new Reporting(db);
    const { action_id, target, scene: { incident_id } } = await approved(reporting);
    reporting.api.clock.advance(60);
    const report = { status: "executed", detail: "VLAN 99", lease_expires_at: "2026-01-31T09:00:00+01:00" };
    const answer = await recorded(await reporting.report(action_id, report));
    assert.deepEqual(answer, {
      action_id,
      event_id: answer.event_id,
      reported_at: "2026-01-31T07:16:00.000Z",
      repeated: false,
    });
    const [event, ...others] = await reporting.events();
    assert.equal(others.length, 0);
    assert.deepEqual([event!.event_id, event!.type], [answer.event_id, "response.executed"]);
    assert.match(event!.event_id, /^evt_[0-9a-f]{32}$/);
    assert.deepEqual(event!.body.response, {
      action_id,
      incident_id,
      kind: "quarantine_device",
      mode: "automatic",
      status: "executed",
      device_id: target.device_id,
      address: "10.0.0.5",
      identity: "address_only",
      detail: "VLAN 99",
      lease_expires_at: "2026-01-31T08:00:00.000Z",
    });
    assert.equal(event!.body.incident!.id, incident_id);
    const action = await reporting.action(action_id);
    assert.deepEqual([action.status, action.revision], ["approved", 3]);
    assert.deepEqual(action.outcome, {
      status: "executed",
      detail: "VLAN 99",
      identity: "address_only",
      lease_expires_at: "2026-01-31T08:00:00.000Z",
      reported_by: "nac",
      reported_at: "2026-01-31T07:16:00.000Z",
    });
    const { at: _, ...line } = action.workflow_history.at(-1)!;
    assert.deepEqual(line, {
      actor: "executor:nac",
      action: "outcome_reported",
      from: null,
      to: "executed",
      comment: "VLAN 99",
      revision: 3,
    });
  },
);

testDatabase("outcomes: each status becomes the event that the interface names", async (db) => {
  const reporting = new Reporting(db);
  const { action_id } = await approved(reporting);
  const statuses = ["reconciling", "failed", "executed", "expired", "executed", "rolled_back"];
  for (const status of statuses) {
    await recorded(await reporting.report(action_id, { status, identity: "strong" }));
  }
  assert.deepEqual(
    (await reporting.events()).map((
      { type, body },
    ) => [type, body.response!.status, body.response!.identity]),
    [
      ["response.failed", "reconciling", "strong"],
      ["response.failed", "failed", "strong"],
      ["response.executed", "executed", "strong"],
      ["response.released", "expired", "strong"],
      ["response.executed", "executed", "strong"],
      ["response.released", "rolled_back", "strong"],
    ],
  );
  const action = await reporting.action(action_id);
  assert.deepEqual([action.status, action.outcome!.status], ["approved", "rolled_back"]);
});

testDatabase(
  "outcomes: the same report is one event, however often and concurrently it arrives",
  async (db) => {
    const reporting = new Reporting(db);
    const { action_id } = await approved(reporting);
    const send = () => reporting.report(action_id, { status: "failed", detail: "no switch" }, { key: "r1" });
    const answers = await Promise.all([1, 2, 3].map(async () => await recorded(await send())));
    assert.deepEqual(answers.map(({ repeated }) => repeated).sort(), [false, true, true]);
    // Long after stored answers have expired.
    reporting.api.clock.advance(30 * 86_400);
    const late = await recorded(await send());
    assert.deepEqual({ ...late, repeated: false }, answers.find(({ repeated }) => !repeated));
    assert.equal((await reporting.events()).length, 1);
    assert.equal((await reporting.action(action_id)).revision, 3);
    const other = await reporting.report(action_id, { status: "executed" }, { key: "r1" });
    assert.equal((await refusal(other, 422, "invalid_request")).details.reason, "idempotency_mismatch");
    await recorded(
      await reporting.report(action_id, { status: "failed", detail: "no switch" }, { key: "r2" }),
    );
    assert.equal((await reporting.events()).length, 2);
  },
);

testDatabase("outcomes: only for approved actions, also after cancellation", async (db) => {
  const reporting = new Reporting(db);
  const { api } = reporting;
  const { incident_id, device_id } = await scene(api);
  const action = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
  const refused = async (what: string) => {
    const answer = await reporting.report(action.action_id, { status: "executed" });
    assert.match(
      (await refusal(answer, 409, "invalid_request")).message,
      new RegExp(`the action is ${what} and was never approved`),
    );
  };
  await refused("proposed");
  const cancelled = await decide(api, await decide(api, action, "approved"), "cancelled");
  await recorded(await reporting.report(action.action_id, { status: "rolled_back" }));
  assert.equal((await reporting.action(action.action_id)).status, "cancelled");
  // A decision needs the revision that includes the report.
  assert.equal((await reporting.action(action.action_id)).revision, cancelled.revision + 1);

  const never = await propose(api, incident_id, { kind: "notify_only" });
  await decide(api, never, "rejected");
  const answer = await reporting.report(never.action_id, { status: "executed" });
  assert.match(
    (await refusal(answer, 409, "invalid_request")).message,
    /the action is rejected and was never approved/,
  );
});

testDatabase("outcomes: an action that a person proposed has a record and no event", async (db) => {
  const reporting = new Reporting(db);
  const action = await approved(reporting, "proposal");
  const { event_id } = await recorded(await reporting.report(action.action_id, { status: "executed" }));
  assert.equal(event_id, null);
  assert.deepEqual(await reporting.events(), []);
  assert.equal((await reporting.action(action.action_id)).outcome!.status, "executed");
});

testDatabase("outcomes: a blocked destination is recorded and not sent outside", async (db) => {
  const reporting = new Reporting(db);
  const { api } = reporting;
  const { incident_id } = await scene(api);
  const target = { address: "198.51.100.7" };
  const action = await decide(
    api,
    await propose(api, incident_id, { kind: "block_destination", target }),
    "approved",
  );
  const { event_id } = await recorded(await reporting.report(action.action_id, { status: "executed" }));
  assert.equal(event_id, null);
  assert.deepEqual(await reporting.events(), []);
  assert.equal((await reporting.action(action.action_id)).outcome!.status, "executed");
});

testDatabase(
  "outcomes: the token decides the tenant, and nothing is revealed without a valid one",
  async (db) => {
    const reporting = new Reporting(db);
    const { action_id } = await approved(reporting);
    const body = { status: "executed" };
    await refusal(await reporting.report(action_id, body, { token: BRANCH_TOKEN }), 404, "not_found");
    const forged = { "x-ndr-tenant": "main", cookie: "tenant_id=main" };
    await refusal(
      await reporting.report(action_id, body, { token: BRANCH_TOKEN, headers: forged }),
      404,
      "not_found",
    );
    await refusal(
      await reporting.report(action_id, { ...body, tenant_id: "main" }, { token: BRANCH_TOKEN }),
      400,
      "invalid_request",
    );
    for (const token of [null, "", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase(), TEST_KEY]) {
      const answer = await reporting.report(action_id, body, { token });
      assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="ndr executor"');
      await refusal(answer, 401, "unauthenticated");
    }
    // Not even a reason: an invalid body, a missing action.
    await refusal(await reporting.report("nothing", "{", { token: "wrong" }), 401, "unauthenticated");
    assert.deepEqual(await reporting.events(), []);
  },
);

testDatabase("outcomes: faults of a report are named", async (db) => {
  const reporting = new Reporting(db);
  const { action_id } = await approved(reporting);
  for (
    const body of [
      "{",
      "[]",
      {},
      { status: "approved" },
      { status: "executed", detail: "" },
      { status: "executed", detail: "x".repeat(1001) },
      { status: "executed", detail: "nul \0" },
      { status: "executed", lease_expires_at: "tomorrow" },
      { status: "rolled_back", lease_expires_at: "2026-02-01T00:00:00Z" },
      { status: "executed", identity: "certain" },
    ]
  ) await refusal(await reporting.report(action_id, body), 400, "invalid_request");
  await refusal(await reporting.report(action_id, { status: "failed" }, { key: "" }), 400, "invalid_request");
  const large = JSON.stringify({ status: "failed", detail: "x".repeat(20_000) });
  await refusal(await reporting.report(action_id, large), 413, "payload_too_large");
  for (const id of ["x", "0190b2c3-0000-7000-8000-000000000001"]) {
    await refusal(await reporting.report(id, { status: "failed" }), 404, "not_found");
  }
  const get = await reporting.report(action_id, null, { method: "GET" });
  assert.equal(get.headers.get("allow"), "POST");
  await refusal(get, 405, "invalid_request");
  assert.deepEqual(await reporting.events(), []);
});

testDatabase("outcomes: without any executor there is no such route", async (db) => {
  const reporting = new Reporting(db, []);
  for (const method of ["POST", "GET"]) {
    await refusal(await reporting.report("x", { status: "failed" }, { method }), 404, "not_found");
  }
});

testDatabase(
  "outcomes: a report is audited like a person's decision, with its origin",
  async (db) => {
    const reporting = new Reporting(db);
    const { action_id } = await approved(reporting);
    const sent = { headers: { "user-agent": "nac/2" } };
    const answer = await reporting.report(action_id, { status: "executed" }, sent);
    const { meta } = await answer.json();
    reporting.api.clock.advance(60);
    const { data } = await reporting.api.read("listAudit", { target_id: action_id }, { roles: ["admin"] });
    const of = (operation: string) => data.find((entry) => entry.operation === operation)!;
    const report = of("reportOutcome");
    assert.equal(report.target_type, of("decideResponseAction").target_type);
    assert.deepEqual(report.changes, [{ field: "outcome.status", from: null, to: "executed" }]);
    const { subject, roles, client_address, user_agent, request_id } = report;
    assert.deepEqual([subject, roles, client_address, user_agent], [
      "executor:nac",
      [],
      "127.0.0.1",
      "nac/2",
    ]);
    assert.equal(request_id, meta.request_id);
  },
);
