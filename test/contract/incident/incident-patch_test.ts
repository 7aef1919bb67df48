import assert from "node:assert/strict";
import { INCIDENT_STATUSES, type IncidentStatus } from "../../../src/contract/record/kinds.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, refusal, SECOND, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

interface Logged {
  event_no: number;
  event_id: string;
  type: string;
  occurred_at: number;
  body: { incident: { id: string; status: string; revision: number; previous_score?: number } };
}

async function events(api: Api): Promise<Logged[]> {
  return await api.db.tenant("main", (tx) => tx.rows<Logged>(sql`select * from event_log order by event_no`));
}

async function oneIncident(api: Api): Promise<{ incident_id: string; device_id: string }> {
  await api.take(SURICATA, [alert()]);
  const { id, device_ids } = (await api.read("listIncidents")).data[0]!;
  return { incident_id: id, device_id: device_ids[0]! };
}

const closes = (status: IncidentStatus) => status === "resolved" || status === "false_positive";

testDatabase("incident patch: any status to any other, and each closure once", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  let revision = 1;
  const move = async (status: IncidentStatus, comment: string | null) => {
    const body = comment === null ? { status } : { status, comment };
    const response = await api.change("patchIncident", path, { revision, body });
    assert.equal(response.headers.get("etag"), `"${revision + 1}"`);
    const { data } = await checked("patchIncident", response);
    revision = data.revision;
    return data;
  };
  for (const from of INCIDENT_STATUSES) {
    for (const to of INCIDENT_STATUSES) {
      const current = (await api.read("getIncident", {}, {}, path)).data;
      if (current.status !== from) await move(from, "to begin with");
      const before = await events(api);
      if (from === to) {
        const change = { revision, body: { status: to, comment: "again" } };
        const error = await refusal(await api.change("patchIncident", path, change), 409, "invalid_request");
        assert.equal(error.details.reason, "illegal_transition");
        assert.match(error.message, /^status: expected a status other than/);
        const issues = [{ path: "status", message: error.message.slice("status: ".length) }];
        assert.deepEqual(error.details.issues, issues);
        assert.deepEqual(await events(api), before);
        continue;
      }
      const data = await move(to, closes(to) ? "because" : null);
      assert.equal(data.status, to);
      assert.deepEqual(data.workflow_history.at(-1), {
        at: "2026-01-31T07:15:00.000Z",
        actor: "ada",
        action: "status_changed",
        from,
        to,
        comment: closes(to) ? "because" : null,
        revision,
      });
      const added = (await events(api)).slice(before.length);
      const expected = closes(to) && !closes(from) ? ["incident.closed"] : [];
      assert.deepEqual(added.map(({ type }) => type), expected, `${from} to ${to}`);
    }
  }
});

testDatabase("incident patch: closing again after a reopening is another closure", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const steps: [IncidentStatus, string][] = [
    ["resolved", "done"],
    ["false_positive", "no, a false one"],
    ["open", "it is back"],
    ["false_positive", "still a false one"],
    ["resolved", "or was it"],
  ];
  for (const [index, [status, comment]] of steps.entries()) {
    api.clock.advance(1);
    const change = { revision: index + 1, body: { status, comment } };
    await checked("patchIncident", await api.change("patchIncident", path, change));
  }
  const closed = (await events(api)).filter(({ type }) => type === "incident.closed");
  assert.deepEqual(closed.map(({ body }) => [body.incident.status, body.incident.revision]), [
    ["resolved", 2],
    ["false_positive", 5],
  ]);
  const { data } = await api.read("getIncident", {}, {}, path);
  assert.deepEqual(data.workflow_history.map(({ from, to }) => `${from} ${to}`), [
    "open resolved",
    "resolved false_positive",
    "false_positive open",
    "open false_positive",
    "false_positive resolved",
  ]);
});

testDatabase("incident patch: the event is the incident at that moment", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  api.clock.advance(5);
  const change = { revision: 1, body: { status: "resolved", comment: "patched\nand rebooted" } };
  const { data } = await checked("patchIncident", await api.change("patchIncident", path, change));
  const [created, closed, ...more] = await events(api);
  assert.deepEqual(more, []);
  assert.deepEqual([created!.event_no, closed!.event_no], [1, 2]);
  assert.equal(created!.type, "incident.created");
  assert.deepEqual([created!.body.incident.status, created!.body.incident.revision], ["open", 1]);
  assert.match(closed!.event_id, /^evt_[0-9a-f]{32}$/);
  assert.equal(closed!.occurred_at, NOW + 5 * SECOND);
  const { assignee: _, ...listed } = (await api.read("listIncidents")).data[0]!;
  assert.deepEqual(closed!.body, { incident: listed });
  assert.equal(data.workflow_history[0]!.comment, "patched\nand rebooted");
});

testDatabase("incident patch: the device's score follows", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const score = async () => (await api.read("getDevice", {}, {}, path)).data;
  assert.equal((await score()).score, 50);
  const move = async (revision: number, status: IncidentStatus) => {
    const change = { revision, body: { status, comment: "so" } };
    await checked("patchIncident", await api.change("patchIncident", path, change));
    return await score();
  };
  assert.equal((await move(1, "investigating")).score, 50);
  assert.equal((await move(2, "resolved")).score, 0);
  assert.equal((await move(3, "false_positive")).score, 0);
  const reopened = await move(4, "open");
  assert.equal(reopened.score, 50);
  assert.equal(reopened.incident_count, 1);
  assert.deepEqual(reopened.score_history.map((entry) => entry.score), [50, 0, 50]);
});

testDatabase(
  "incident patch: a rise escalates a closed incident too and keeps its status",
  async (db) => {
    const api = new Api(db);
    const path = await oneIncident(api);
    const close = { revision: 1, body: { status: "resolved", comment: "so" } };
    await checked("patchIncident", await api.change("patchIncident", path, close));
    await api.take(
      SURICATA,
      Array.from(
        { length: 8 },
        (_, n) => alert({ at: NOW - MINUTE + (n + 1) * SECOND, sid: 6000 + n, more: { flow_id: n } }),
      ),
    );
    const { data } = await api.read("getIncident", {}, {}, path);
    assert.equal(data.status, "resolved");
    assert.ok(data.score > 50 && data.revision > 2);
    const risen = (await events(api)).filter(({ type }) => type === "incident.escalated");
    assert.ok(risen.length > 0);
    assert.equal(risen[0]!.body.incident.previous_score, 50);
    assert.equal(risen.at(-1)!.body.incident.revision, data.revision);
    assert.ok(risen.every(({ body }) => body.incident.status === "resolved"));
    assert.equal(data.score_history.at(-1)!.score, data.score);
    // A closed incident adds nothing to its device, however high it rises.
    assert.equal((await api.read("getDevice", {}, {}, path)).data.score, 0);

    // New evidence at an unchanged score emits none.
    const before = (await events(api)).length;
    await api.take(SURICATA, [alert({ at: NOW - SECOND, sid: 6000, more: { flow_id: 99 } })]);
    assert.equal((await events(api)).length, before);
  },
);

testDatabase(
  "incident patch: a false positive holds the same pattern back until its status changes",
  async (db) => {
    const api = new Api(db);
    const path = await oneIncident(api);
    const change = async (revision: number, status: IncidentStatus) => {
      const body = { status, comment: "our own monitoring" };
      return (await checked("patchIncident", await api.change("patchIncident", path, { revision, body })))
        .data;
    };
    const again = (n: number) =>
      alert({ at: NOW - MINUTE + n * SECOND, sid: 6000 + n, more: { flow_id: n } });
    assert.deepEqual((await api.read("getIncident", {}, {}, path)).data.held_back, null);
    assert.deepEqual((await change(1, "false_positive")).held_back, { results: 0, last_at: null });
    await api.take(SURICATA, [again(1), again(2), again(3)]);
    const { data } = await api.read("getIncident", {}, {}, path);
    assert.ok(data.held_back!.results > 0 && data.held_back!.last_at !== null);
    assert.deepEqual([data.score, data.revision, data.model_results.length], [50, 2, 1]);
    assert.equal((await events(api)).filter(({ type }) => type !== "incident.closed").length, 1);

    // Another destination has no verdict: it opens another incident.
    await api.take(SURICATA, [alert({ at: NOW - 20 * SECOND, dst: "203.0.113.77", sid: 7000 })]);
    const [other, ...rest] = (await api.read("listIncidents")).data;
    assert.deepEqual([rest.length, other!.status], [1, "open"]);

    assert.equal((await change(2, "resolved")).held_back, null);
    await api.take(SURICATA, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(again));
    const after = (await api.read("listIncidents")).data;
    assert.equal(after.length, 2);
    assert.ok(after.some(({ score }) => score > 50));
  },
);

testDatabase("incident patch: a refused change changes nothing", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  for (const status of ["resolved", "false_positive"]) {
    for (const body of [{ status }, { status, comment: null }]) {
      const error = await refusal(
        await api.change("patchIncident", path, { revision: 1, body }),
        400,
        "invalid_request",
      );
      assert.match(error.message, /^comment: expected a comment/);
      const issues = [{ path: "comment", message: error.message.slice("comment: ".length) }];
      assert.deepEqual(error.details.issues, issues);
    }
  }
  const bodies: unknown[] = [
    {},
    { comment: "only words" },
    { status: "closed" },
    { status: "investigating", severity: "low" },
    { status: ["investigating"] },
    { status: "resolved", comment: "" },
    { status: "resolved", comment: " \n " },
    { status: "resolved", comment: "nul\u0000" },
    { status: "resolved", comment: "x".repeat(4001) },
    [{ status: "investigating" }, { status: "resolved", comment: "two at once" }],
  ];
  for (const body of bodies) {
    await refusal(await api.change("patchIncident", path, { revision: 1, body }), 400, "invalid_request");
  }
  const body = { status: "investigating" };
  await refusal(await api.change("patchIncident", path, { body }), 428, "invalid_request");
  for (const tag of ["1", 'W/"1"', "*", '"1","2"']) {
    const headers = { "if-match": tag };
    await refusal(await api.change("patchIncident", path, { body, headers }), 400, "invalid_request");
  }
  const error = await refusal(
    await api.change("patchIncident", path, { revision: 2, body }),
    412,
    "revision_conflict",
  );
  assert.equal(error.details.revision, 1);
  // A stale revision takes precedence over other refusals.
  const same = { revision: 2, body: { status: "open" } };
  await refusal(await api.change("patchIncident", path, same), 412, "revision_conflict");

  const { data } = await api.read("getIncident", {}, {}, path);
  assert.deepEqual([data.status, data.revision, data.workflow_history], ["open", 1, []]);
  assert.equal((await events(api)).length, 1);
});

testDatabase("incident patch: of four concurrent patches one wins and closes once", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const body = { status: "resolved", comment: "mine" };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => api.change("patchIncident", path, { revision: 1, body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412]);
  for (const answer of answers.filter(({ status }) => status === 412)) {
    assert.equal((await answer.json()).error.details.revision, 2, "the current revision");
  }
  assert.deepEqual((await events(api)).map(({ type }) => type), ["incident.created", "incident.closed"]);
});

testDatabase(
  "incident patch: effect, history and event commit together or not at all",
  async (db) => {
    const api = new Api(db);
    const path = await oneIncident(api);
    // The event log refuses the next event, so that the change fails at its last step.
    await db.owner((tx) =>
      tx.script("alter table event_log add constraint no_more check (type <> 'incident.closed')")
    );
    const body = { status: "resolved", comment: "so" };
    await refusal(await api.change("patchIncident", path, { revision: 1, body }), 500, "internal_error");
    const { data } = await api.read("getIncident", {}, {}, path);
    assert.deepEqual([data.status, data.revision, data.workflow_history], ["open", 1, []]);
    assert.equal((await api.read("getDevice", {}, {}, path)).data.score, 50);
    await db.owner((tx) => tx.script("alter table event_log drop constraint no_more"));
    await checked("patchIncident", await api.change("patchIncident", path, { revision: 1, body }));
    assert.deepEqual((await events(api)).map(({ event_no }) => event_no), [1, 2]);
  },
);
