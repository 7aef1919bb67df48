import assert from "node:assert/strict";
import { SAVED_SEARCH_LIMITS } from "../../../src/contract/search/saved-search.ts";
import { testDatabase } from "../../support/database.ts";
import { Api } from "../api.ts";

const ADA = { subject: "ada", roles: ["analyst"] as const };
const BO = { subject: "bo", roles: ["analyst"] as const };
type Person = typeof ADA | typeof BO;

const WEB = { name: "Web", scope: "personal", kind: "flows", text: "dst.port:(443, 80)  and service:ssl" };

function as({ subject, roles }: Person) {
  return { subject, roles: [...roles] };
}

async function create(api: Api, person: Person, more: Record<string, unknown> = {}) {
  const response = await api.change("createSavedSearch", {}, { ...as(person), body: { ...WEB, ...more } });
  const answer = await response.json();
  return { status: response.status, error: answer.error, saved: answer.data };
}

function change(api: Api, id: string, person: Person, revision: number, body: Record<string, unknown>) {
  const target = `/api/v1/saved-searches/${id}`;
  const headers = { "idempotency-key": crypto.randomUUID(), "if-match": `"${revision}"` };
  return api.core.send({ method: "PATCH", target, headers, body, ...as(person) });
}

async function names(api: Api, person: Person): Promise<string[]> {
  const { data } = await api.read("listSavedSearches", {}, as(person));
  return data.map(({ name }) => name);
}

testDatabase(
  "saved searches: stored in canonical form, personal ones seen by their owner only",
  async (db) => {
    const api = new Api(db);
    const { saved } = await create(api, ADA);
    assert.equal(saved.text, "dst.port:(443, 80) service:tls");
    await create(api, BO, { name: "Alerts", scope: "shared", text: "alert:*" });
    assert.deepEqual(await names(api, ADA), ["Alerts", "Web"]);
    assert.deepEqual(await names(api, BO), ["Alerts"]);
    const target = `/api/v1/saved-searches/${saved.saved_search_id}`;
    assert.equal((await api.core.send({ target, ...as(BO) })).status, 404);
    assert.equal((await api.core.send({ target, ...as(ADA), tenantId: "branch" })).status, 404);
    assert.equal((await change(api, saved.saved_search_id, BO, 1, { name: "Mine" })).status, 404);
  },
);

testDatabase("saved searches: a change has a revision, a deletion too", async (db) => {
  const api = new Api(db);
  const { saved: { saved_search_id: id } } = await create(api, ADA, { scope: "shared" });
  const changed = await change(api, id, BO, 1, { text: "dst.port:22", name: "SSH" });
  assert.deepEqual([changed.status, changed.headers.get("etag")], [200, '"2"']);
  assert.equal((await changed.json()).data.updated_by, "bo");
  const late = await change(api, id, ADA, 1, { name: "Web again" });
  assert.deepEqual([late.status, (await late.json()).error.details.revision], [412, 2]);
  assert.equal((await change(api, id, ADA, 2, { deleted: true })).status, 200);
  assert.deepEqual(await names(api, BO), []);
  assert.equal((await change(api, id, ADA, 3, { name: "Web" })).status, 404);
  api.clock.advance(1);
  const { data } = await api.read("listAudit", {}, { roles: ["admin"] });
  const done = data.filter(({ outcome }) => outcome === "done").map(({ operation }) => operation);
  assert.deepEqual(done.toSorted(), ["createSavedSearch", "patchSavedSearch", "patchSavedSearch"]);
});

testDatabase(
  "saved searches: a wrong text is refused with its place, and their number is bounded",
  async (db) => {
    const api = new Api(db);
    const { status, error } = await create(api, ADA, { text: "dst.port:abc" });
    assert.deepEqual([status, error.details.reason, error.details.issues[0].path], [
      400,
      "invalid_filter",
      "text",
    ]);
    for (let n = 0; n < SAVED_SEARCH_LIMITS.perPerson; n++) {
      assert.equal((await create(api, ADA, { name: `Search ${n}` })).status, 201);
    }
    const beyond = await create(api, ADA);
    assert.deepEqual([beyond.status, beyond.error.details.reason], [400, "limit_reached"]);
    assert.equal((await create(api, BO)).status, 201);
  },
);
