import assert from "node:assert/strict";
import { formatMillis } from "../../../src/kit/time.ts";
import { testDatabase } from "../../support/database.ts";
import { sensor } from "../../support/record/pipeline.ts";
import { Api, checked, DAY, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { create, creation, twoIncidents } from "./suppressions.ts";

const BRANCH = { tenantId: "branch" } as const;
const BRANCH_SURICATA = sensor("branch-suricata", BRANCH);

testDatabase("suppressions: refused requests", async (db) => {
  const api = new Api(db);
  const { device_id } = await twoIncidents(api);
  const good = { source: device_id, detector: "beacon" };
  const unknown = "0190b2c3-0000-7000-8000-000000000001";
  const refused: [unknown, string | null][] = [
    [creation({}), "pattern.source"],
    [creation({ source: device_id }), "pattern.destination"],
    [creation({ port: 443, detector: "beacon" }), "pattern.source"],
    [creation({ ...good, source: "10.0.0.0/8" }), "pattern.source"],
    [creation({ ...good, source: unknown }), "pattern.source"],
    [creation({ ...good, destination: "2001:db8::/32" }), "pattern.destination"],
    [creation({ ...good, destination: "co.uk" }), "pattern.destination"],
    [creation({ ...good, detector: "no-such-model" }), "pattern.detector"],
    [creation({ ...good, port: 65536 }), "pattern.port"],
    [creation({ ...good, port: 1.5 }), "pattern.port"],
    [creation(good, { expires_at: formatMillis(NOW) }), "expires_at"],
    [creation(good, { expires_at: formatMillis(NOW + 367 * DAY) }), "expires_at"],
    [creation(good, { expires_at: "tomorrow" }), "expires_at"],
    [creation(good, { reason: " " }), "reason"],
    [creation(good, { reason: "x".repeat(1001) }), "reason"],
    [{ ...creation(good), created_by: "eve" }, null],
    [{ ...creation(good), pattern: { ...good, tenant_id: "branch" } }, null],
    [{ pattern: good, reason: "for ever" }, "expires_at"],
  ];
  for (const [body, field] of refused) {
    const answer = await api.change("createSuppression", {}, { body });
    const { details } = await refusal(answer, 400, "invalid_request");
    const [issue] = details.issues as { path: string }[];
    if (field !== null) assert.equal(issue!.path, field, JSON.stringify(body));
  }
  assert.deepEqual((await api.read("listSuppressions")).data, []);
  await create(api, good, { expires_at: formatMillis(NOW + 366 * DAY) });
});

testDatabase("suppressions: a revocation happens once, based on the newest state", async (db) => {
  const api = new Api(db);
  const { device_id } = await twoIncidents(api);
  const made = await create(api, { source: device_id, detector: "beacon" });
  const body = { reason: "no more" };
  await refusal(await api.change("revokeSuppression", made, { body }), 428, "invalid_request");
  const stale = await refusal(
    await api.change("revokeSuppression", made, { revision: 2, body }),
    412,
    "revision_conflict",
  );
  assert.equal(stale.details.revision, 1);
  await refusal(
    await api.change("revokeSuppression", made, { revision: 1, body: {} }),
    400,
    "invalid_request",
  );
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.change("revokeSuppression", made, { revision: 1, body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  const again = await refusal(
    await api.change("revokeSuppression", made, { revision: 2, body }),
    409,
    "invalid_request",
  );
  assert.equal(again.details.status, "revoked");
});

testDatabase("suppressions: a retry returns the first answer and creates no second one", async (db) => {
  const api = new Api(db);
  const { device_id } = await twoIncidents(api);
  const headers = { "idempotency-key": "once" };
  const body = creation({ source: device_id, detector: "beacon" });
  const first = await checked(
    "createSuppression",
    await api.change("createSuppression", {}, { headers, body }),
  );
  const again = await checked(
    "createSuppression",
    await api.change("createSuppression", {}, { headers, body }),
  );
  assert.deepEqual(again, first);
  assert.equal((await api.read("listSuppressions")).data.length, 1);
  const other = creation({ source: device_id, detector: "signature-alert" });
  await refusal(await api.change("createSuppression", {}, { headers, body: other }), 422, "invalid_request");
});

testDatabase("suppressions: another tenant's are missing and cover nothing here", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert()]);
  await api.take(BRANCH_SURICATA, [alert()]);
  const [foreign] = (await api.read("listDevices", {}, BRANCH)).data;
  const made = await create(api, { source: "10.0.0.5", detector: "signature-alert" });
  assert.equal(made.held_back.incidents, 1);
  assert.equal((await api.read("listIncidents", {}, BRANCH)).data[0]!.suppressed, null);
  assert.deepEqual((await api.read("listSuppressions", {}, BRANCH)).data, []);
  await refusal(await api.send("getSuppression", {}, BRANCH, made), 404, "not_found");
  const change = { revision: 1, body: { reason: "intruder" }, ...BRANCH };
  await refusal(await api.change("revokeSuppression", made, change), 404, "not_found");
  const body = creation({ source: foreign!.device_id, detector: "beacon" });
  await refusal(await api.change("createSuppression", {}, { body }), 400, "invalid_request");
  for (const suppression_id of ["x", "0190b2c3-0000-7000-8000-000000000001"]) {
    await refusal(await api.send("getSuppression", {}, {}, { suppression_id }), 404, "not_found");
  }
});

testDatabase("suppressions: pages, newest first", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  const made: string[] = [];
  for (const destination of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    api.clock.advance(1);
    made.unshift((await create(api, { destination, detector: "beacon" })).suppression_id);
  }
  const pages = await api.walk("listSuppressions", { limit: 2 });
  assert.deepEqual(pages.map((page) => page.map(({ suppression_id }) => suppression_id)), [
    made.slice(0, 2),
    made.slice(2),
  ]);
  const { next_cursor } = await api.read("listSuppressions", { limit: 2 });
  const foreign = { cursor: next_cursor!, status: "active" };
  await refusal(await api.send("listSuppressions", foreign), 400, "invalid_request");
});
