// Assignment of incidents and comments without a change of the status.

import assert from "node:assert/strict";
import type { Incident } from "../../../src/contract/incident/incident.ts";
import type { AuditChange } from "../../../src/contract/session/audit.ts";
import { recordPerson } from "../../../src/store/session/people.ts";
import { entriesOf } from "../session/audit.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

async function oneIncident(api: Api): Promise<{ incident_id: string }> {
  await api.take(SURICATA, [alert({ at: NOW - MINUTE })]);
  return { incident_id: (await api.read("listIncidents")).data[0]!.id };
}

async function signedIn(api: Api, subject: string, tenantId = "main"): Promise<void> {
  const grants = [{ tenant_id: tenantId, roles: ["analyst" as const] }];
  await api.db.shared((tx) => recordPerson(tx, { subject, displayName: subject }, grants, NOW));
}

testDatabase("assignment: to a person of the tenant, to another and to none", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  await signedIn(api, "bob");
  let revision = 1;
  const assign = async (assignee: string | null) => {
    const response = await api.change("assignIncident", path, { revision, body: { assignee } });
    assert.equal(response.headers.get("etag"), `"${++revision}"`);
    return (await checked("assignIncident", response)).data;
  };
  const steps: [string | null, string | null][] = [[null, "ada"], ["ada", "bob"], ["bob", null]];
  for (const [from, to] of steps) {
    const data = await assign(to);
    assert.equal(data.assignee, to);
    assert.equal(data.status, "open");
    assert.deepEqual(data.workflow_history.at(-1), {
      at: "2026-01-31T07:15:00.000Z",
      actor: "ada",
      action: "assigned",
      from,
      to,
      comment: null,
      revision,
    });
    assert.equal((await api.read("listIncidents")).data[0]!.assignee, to);
    const mine = await api.read("listIncidents", { filter: "assignee:bob" });
    assert.equal(mine.data.length, to === "bob" ? 1 : 0);
  }
  const entries = await entriesOf(db, "main", { operation: "assignIncident" });
  assert.equal(entries.length, 3);
  assert.deepEqual(entries.map(({ target_id }) => target_id), Array(3).fill(path.incident_id));
  assert.ok(
    entries.some(({ changes }) =>
      (JSON.parse(changes) as AuditChange[]).some(({ field, from, to }) =>
        field === "assignee" && from === "ada" && to === "bob"
      )
    ),
  );
});

testDatabase("assignment: the same assignee changes nothing", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  for (const assignee of [null, null]) {
    const response = await api.change("assignIncident", path, { revision: 1, body: { assignee } });
    const { data } = await checked("assignIncident", response);
    assert.deepEqual([data.revision, data.workflow_history], [1, []]);
  }
});

testDatabase("assignment: refusals", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  await signedIn(api, "eve", "branch");
  for (const assignee of ["nobody", "eve"]) {
    const change = { revision: 1, body: { assignee } };
    const error = await refusal(await api.change("assignIncident", path, change), 400, "invalid_request");
    assert.deepEqual([error.details.reason, error.message.split(":")[0]], ["invalid_field", "assignee"]);
  }
  const stale = { revision: 7, body: { assignee: "ada" } };
  const conflict = await refusal(await api.change("assignIncident", path, stale), 412, "revision_conflict");
  assert.equal(conflict.details.revision, 1);
  for (const roles of [["reader"], ["responder"], ["admin"]] as const) {
    const change = { revision: 1, body: { assignee: "ada" }, roles: [...roles] };
    await refusal(await api.change("assignIncident", path, change), 403, "forbidden");
  }
});

testDatabase("comment: recorded in the history, without a change of status or revision", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  const comment = "The owner was asked.\nNo answer yet.";
  for (const times of [1, 2]) {
    const response = await api.change("commentIncident", path, { body: { comment } });
    assert.deepEqual([response.status, response.headers.get("etag")], [201, '"1"']);
    const { data } = await checked("commentIncident", response);
    assert.deepEqual([data.status, data.revision, data.workflow_history.length], ["open", 1, times]);
    assert.deepEqual(data.workflow_history.at(-1), {
      at: "2026-01-31T07:15:00.000Z",
      actor: "ada",
      action: "commented",
      from: null,
      to: null,
      comment,
      revision: 1,
    });
  }
  // It does not need the present revision, and leaves that of others valid.
  await checked(
    "patchIncident",
    await api.change("patchIncident", path, { revision: 1, body: { status: "investigating" } }),
  );
  const entries = await entriesOf(db, "main", { operation: "commentIncident" });
  assert.deepEqual(entries.map(({ outcome }) => outcome), ["done", "done"]);
  await refusal(
    await api.change("commentIncident", path, { body: { comment: " " } }),
    400,
    "invalid_request",
  );
});

testDatabase("assignment: assignee:me finds the work of the person who asks, in every search", async (db) => {
  const api = new Api(db);
  const path = await oneIncident(api);
  await signedIn(api, "bob");
  const ids = async (filter: string) =>
    (await api.read("listIncidents", { filter })).data.map(({ id }) => id);
  /** In the list, in a search, in the export and in a sum. */
  const mine = async () => {
    const listed = await ids("assignee:me");
    const where = { field: "assignee", op: "matches", value: "me" };
    const filter = { version: 1, kind: "incidents", where };
    const { data } = await api.read("search", {}, { method: "POST", body: filter });
    assert.deepEqual((data as Incident[]).map(({ id }) => id), listed);
    const exported = await api.send("exportSearch", {
      kind: "incidents",
      format: "ndjson",
      filter: "assignee:me",
    });
    const lines = (await exported.text()).split("\n").filter((line) => line !== "");
    assert.deepEqual(lines.map((line) => (JSON.parse(line) as Incident).id), listed);
    const sum = await api.read("aggregateSearch", {}, { method: "POST", body: { filter } });
    assert.equal(sum.data.groups.reduce((total, group) => total + Number(group.total), 0), listed.length);
    return listed;
  };
  assert.deepEqual(await mine(), []);
  await api.change("assignIncident", path, { revision: 1, body: { assignee: "ada" } });
  assert.deepEqual(await mine(), [path.incident_id]);
  assert.deepEqual(await ids("assignee:(me, bob)"), [path.incident_id]);
  assert.deepEqual(await ids("assignee!=me"), []);
  await api.change("assignIncident", path, { revision: 2, body: { assignee: "bob" } });
  assert.deepEqual(await mine(), []);
});
