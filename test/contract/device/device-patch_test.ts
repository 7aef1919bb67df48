import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, NOW, refusal, SECOND, ZEEK } from "../api.ts";
import { conn } from "../records.ts";

async function oneDevice(api: Api): Promise<{ device_id: string }> {
  await api.take(ZEEK, [conn()]);
  const { device_id } = (await api.read("listDevices")).data[0]!;
  return { device_id };
}

testDatabase("device patch: a person confirms", async (db) => {
  const api = new Api(db);
  const path = await oneDevice(api);
  const shown = await api.send("getDevice", {}, {}, path);
  assert.equal(shown.headers.get("etag"), '"1"');

  const body = {
    display_name: " Front desk ",
    device_type: "printer",
    owner: "Facilities",
    tags: ["b", "a", "b"],
  };
  const response = await api.change("patchDevice", path, { revision: 1, body, subject: "ada" });
  assert.equal(response.headers.get("etag"), '"2"');
  const { data } = await checked("patchDevice", response);
  assert.equal(data.display_name, "Front desk");
  assert.equal(data.device_type, "printer");
  assert.equal(data.owner, "Facilities");
  assert.deepEqual(data.tags, ["a", "b"]);
  assert.equal(data.classification_source, "human_confirmed");
  assert.equal(data.confidence, 1);
  assert.equal(data.revision, 2);
  assert.deepEqual(data.workflow_history, [{
    at: "2026-01-31T07:15:00.000Z",
    actor: "ada",
    action: "classification_confirmed",
    from: '{"display_name":"10.0.0.5","device_type":"unknown","owner":null,"tags":[]}',
    to: '{"display_name":"Front desk","device_type":"printer","owner":"Facilities","tags":["b","a","b"]}',
    comment: null,
    revision: 2,
  }]);
  assert.deepEqual((await api.read("getDevice", {}, {}, path)).data, data);

  // Fields missing in a patch stay; null clears the owner, an empty list the tags.
  api.clock.advance(60);
  const second = {
    revision: 2,
    body: { owner: null, tags: [] },
    subject: "bob",
    roles: ["analyst", "reader"] as const,
  };
  const cleared = (await checked(
    "patchDevice",
    await api.change("patchDevice", path, { ...second, roles: [...second.roles] }),
  )).data;
  assert.deepEqual([cleared.display_name, cleared.owner, cleared.tags, cleared.revision], [
    "Front desk",
    null,
    [],
    3,
  ]);
  assert.deepEqual(cleared.workflow_history.map(({ actor, at, revision }) => [actor, at, revision]), [
    ["ada", "2026-01-31T07:15:00.000Z", 2],
    ["bob", "2026-01-31T07:16:00.000Z", 3],
  ]);
});

testDatabase("device patch: a person's values outlast new records", async (db) => {
  const api = new Api(db);
  const path = await oneDevice(api);
  const body = { display_name: "Front desk" };
  await checked("patchDevice", await api.change("patchDevice", path, { revision: 1, body }));
  await api.take(ZEEK, [conn({ at: NOW - SECOND, srcPort: 50001 })]);
  const { data } = await api.read("getDevice", {}, {}, path);
  assert.deepEqual([data.display_name, data.confidence, data.revision], ["Front desk", 1, 2]);
  assert.equal(data.last_seen, "2026-01-31T07:15:00.000Z");
});

testDatabase("device patch: revisions", async (db) => {
  const api = new Api(db);
  const path = await oneDevice(api);
  const body = { owner: "x" };
  await checked("patchDevice", await api.change("patchDevice", path, { revision: 1, body }));
  for (const revision of [1, 3, 999_999_999]) {
    const error = await refusal(
      await api.change("patchDevice", path, { revision, body }),
      412,
      "revision_conflict",
    );
    assert.equal(error.details.revision, 2);
  }
  await refusal(await api.change("patchDevice", path, { body }), 428, "invalid_request");
  for (
    const tag of ['W/"2"', "2", "*", '"2", "1"', '"02"', '"0"', '"-2"', '"2147483648"', '"2.0"', "'2'", ""]
  ) {
    const response = await api.change("patchDevice", path, { body, headers: { "if-match": tag } });
    await refusal(response, 400, "invalid_request");
  }
  const { data } = await api.read("getDevice", {}, {}, path);
  assert.deepEqual([data.revision, data.workflow_history.length], [2, 1]);
});

testDatabase("device patch: of two concurrent patches one wins", async (db) => {
  const api = new Api(db);
  const path = await oneDevice(api);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => api.change("patchDevice", path, { revision: 1, body: { owner: `owner ${n}` } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412]);
  const { data } = await api.read("getDevice", {}, {}, path);
  assert.deepEqual([data.revision, data.workflow_history.length], [2, 1]);
});

testDatabase("device patch: refused bodies change nothing", async (db) => {
  const api = new Api(db);
  const path = await oneDevice(api);
  const bodies: unknown[] = [
    {},
    [],
    null,
    "text",
    { colour: "blue" },
    { owner: "x", revision: 7 },
    { owner: "x", tenant_id: "branch" },
    { classification_source: "observed" },
    { confidence: 0.5 },
    { display_name: "" },
    { display_name: "   " },
    { display_name: null },
    { display_name: 7 },
    { display_name: "x".repeat(129) },
    { display_name: "two\nlines" },
    { owner: "" },
    { owner: "nul\u0000" },
    { device_type: null },
    { device_type: "\u001b[31m" },
    { tags: null },
    { tags: "lab" },
    { tags: [""] },
    { tags: ["nul\u0000"] },
    { tags: ["x".repeat(65)] },
    { tags: Array.from({ length: 33 }, (_, n) => `t${n}`) },
    '{"owner":"a","owner":"b"}',
    '{"owner":"\\ud800"}',
  ];
  for (const body of bodies) {
    const response = await api.change("patchDevice", path, { revision: 1, body });
    await refusal(response, 400, "invalid_request");
  }
  const { data } = await api.read("getDevice", {}, {}, path);
  assert.deepEqual([data.revision, data.workflow_history], [1, []]);
});
