import assert from "node:assert/strict";
import { ROLES } from "../../../src/contract/record/kinds.ts";
import { SIGNED_HEADERS, signRequest } from "../../../src/contract/request/signed-request.ts";
import { testDatabase } from "../../support/database.ts";
import { coreOn, echoHandlers, type Sent, TEST_KEY, TEST_NOW } from "../core.ts";
import { unreachableDatabase } from "../support.ts";

/** Runs a test on a core without a reachable database: nothing here may need one. */
function withoutDatabase(name: string, body: (core: ReturnType<typeof coreOn>) => Promise<void>): void {
  Deno.test(name, async () => {
    const db = unreachableDatabase();
    try {
      await body(coreOn(db));
    } finally {
      await db.close();
    }
  });
}

async function refused(response: Response, status: number, code: string) {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get("content-type")!, /^application\/json/);
  const { error } = JSON.parse(text);
  assert.equal(error.code, code);
  assert.match(error.request_id, /^[0-9a-f-]{36}$/);
  assert.equal(typeof error.message, "string");
  assert.equal(typeof error.details, "object");
  return error;
}

withoutDatabase("core: an answer has data and meta, a collection next_cursor beside them", async (core) => {
  const single = await core.send({ target: "/api/v1/site" });
  assert.equal(single.status, 200);
  assert.equal(single.headers.get("cache-control"), "no-store");
  const body = await single.json();
  assert.deepEqual(Object.keys(body), ["data", "meta"]);
  assert.match(body.meta.request_id, /^[0-9a-f-]{36}$/);
  assert.equal(body.meta.generated_at, "2026-01-31T07:15:00.000Z");

  const handlers = echoHandlers({
    listDevices: () => Promise.resolve({ data: [{ bytes: 2n ** 63n }], nextCursor: null }),
    getHealth: () => Promise.resolve({ data: { status: "unavailable" }, status: 503 }),
    getIncident: () => Promise.resolve({ data: {}, etag: 7 }),
  });
  const other = coreOn(unreachableDatabase(), { handlers });
  const list = await (await other.send({ target: "/api/v1/devices" })).text();
  assert.match(list, /^\{"data":\[\{"bytes":9223372036854775808\}\],"meta":\{.*\},"next_cursor":null\}$/);
  assert.equal((await other.send({ target: "/api/v1/health" })).status, 503);
  assert.equal((await other.send({ target: "/api/v1/incidents/i" })).headers.get("etag"), '"7"');
});

withoutDatabase(
  "core: tenant, subject and roles come from the claims, whatever else names one",
  async (core) => {
    const response = await core.send({
      target: "/api/v1/devices?limit=5",
      headers: { cookie: "tenant_id=branch", "x-tenant-id": "branch" },
      roles: ["reader", "analyst"],
    });
    const { data } = await response.json();
    assert.deepEqual(data.caller, { tenantId: "main", subject: "ada", roles: ["analyst", "reader"] });
    assert.deepEqual(data.query, { limit: 5, sort: "-last_seen" });
  },
);

withoutDatabase("core: signed claims that are still insufficient", async (core) => {
  await refused(await core.send({ target: "/api/v1/site", tenantId: "unknown" }), 403, "forbidden");
  // A service request opens no data route, and a person's request no session route.
  await refused(
    await core.send({ target: "/api/v1/site", tenantId: null, roles: [] }),
    401,
    "unauthenticated",
  );
  await refused(await core.send({ target: "/api/v1/site", roles: [] }), 401, "unauthenticated");
  await refused(
    await core.send({ target: `/internal/v1/sessions/${"0".repeat(64)}`, roles: ["admin"] }),
    401,
    "unauthenticated",
  );
  const headers = await signRequest(TEST_KEY, {
    method: "GET",
    pathname: "/api/v1/site",
    search: "",
    body: new Uint8Array(0),
  }, {
    service: "another-service",
    tenantId: "main",
    subject: "ada",
    roles: [...ROLES],
    issuedAt: TEST_NOW,
    expiresAt: TEST_NOW + 1_000_000,
    nonce: "0123456789abcdef",
  });
  await refused(await core.app.request("/api/v1/site", { headers }), 401, "unauthenticated");
  // A duplicated claims header arrives as one text, which was not signed.
  const twice = new Headers({ ...headers, [SIGNED_HEADERS.service]: "ndr-web" });
  assert.equal((await core.app.request("/api/v1/site", { headers: twice })).status, 200);
  twice.append(SIGNED_HEADERS.tenant, "branch");
  await refused(await core.app.request("/api/v1/site", { headers: twice }), 401, "unauthenticated");
});

withoutDatabase("core: unknown routes and methods", async (core) => {
  await refused(await core.app.request("/"), 404, "not_found");
  await refused(await core.app.request("/api/v1/nothing"), 404, "not_found");
  await refused(await core.app.request("/internal/v1/nothing"), 404, "not_found");
  for (
    const [path, allow] of [["/api/v1/site", "GET, HEAD"], [
      "/api/v1/devices/d1",
      "GET, HEAD, PATCH",
    ]] as const
  ) {
    const response = await core.app.request(path, { method: "DELETE" });
    assert.equal(response.headers.get("allow"), allow);
    await refused(response, 405, "invalid_request");
  }
});

withoutDatabase("core: bad queries and identifiers", async (core) => {
  for (const limit of ["0", "501", "-1", "abc", "1.5", "1e2", "", "%2B5", "00000001"]) {
    await refused(await core.send({ target: `/api/v1/devices?limit=${limit}` }), 400, "invalid_request");
  }
  for (const limit of ["1", "100", "500"]) {
    assert.equal((await core.send({ target: `/api/v1/devices?limit=${limit}` })).status, 200);
  }
  const twice = await refused(
    await core.send({ target: "/api/v1/devices?limit=1&limit=2" }),
    400,
    "invalid_request",
  );
  assert.deepEqual(twice.details.issues, [{ path: "limit", message: "expected a single value" }]);
  const status = await refused(
    await core.send({ target: "/api/v1/incidents?status=gone" }),
    400,
    "invalid_request",
  );
  assert.equal(status.details.issues[0].path, "status");
  await refused(await core.send({ target: `/api/v1/devices/${"d".repeat(129)}` }), 404, "not_found");
  const { data } = await (await core.send({ target: "/api/v1/devices/a%2Fb%20c" })).json();
  assert.deepEqual(data.params, { device_id: "a/b c" });
});

withoutDatabase("core: unreachable and failing parts reveal nothing", async (core) => {
  const write = { method: "PATCH", target: "/api/v1/devices/d1", body: { owner: "x" } } as const;
  const headers = { "idempotency-key": "k", "if-match": '"1"' };
  const unavailable = await core.send({ ...write, headers });
  assert.ok(Number(unavailable.headers.get("retry-after")) > 0);
  await refused(unavailable, 503, "source_unavailable");

  const lines: string[] = [];
  const note = (message: string, fields?: unknown) => void lines.push(message + JSON.stringify(fields));
  const logger = { debug: note, info: note, warn: note, error: note };
  const handlers = echoHandlers({ getSite: () => Promise.reject(new Error("secret of the machine room")) });
  const failing = coreOn(unreachableDatabase(), { handlers, logger });
  const error = await refused(await failing.send({ target: "/api/v1/site" }), 500, "internal_error");
  assert.doesNotMatch(JSON.stringify(error), /machine room/);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /machine room/);
  assert.ok(lines[0]!.includes(error.request_id), "the request id finds the log line");
});

withoutDatabase("core: the OpenAPI document needs no credential", async (core) => {
  const response = await core.app.request("/api/v1/openapi.json");
  assert.equal(response.status, 200);
  assert.equal((await response.json()).openapi, "3.1.0");
});

testDatabase("core: required headers of a write", async (db) => {
  const core = coreOn(db);
  const good = { "idempotency-key": "k", "if-match": '"3"' };
  let n = 0;
  const patch = (change: Partial<Sent> & { drop?: string }) => {
    const headers: Record<string, string> = { ...good, "idempotency-key": `k${n++}`, ...change.headers };
    if (change.drop) delete headers[change.drop];
    return core.send({
      method: "PATCH",
      target: "/api/v1/devices/d1",
      body: { owner: "x" },
      ...change,
      headers,
    });
  };

  const done = await patch({});
  assert.equal(done.status, 200);
  assert.equal((await done.json()).data.ifMatch, 3);

  await refused(await patch({ drop: "idempotency-key" }), 400, "invalid_request");
  for (const key of ["", "with space", "ü", "x".repeat(129)]) {
    await refused(await patch({ headers: { "idempotency-key": key } }), 400, "invalid_request");
  }
  assert.equal((await patch({ headers: { "idempotency-key": "x".repeat(128) } })).status, 200);

  await refused(await patch({ drop: "if-match" }), 428, "invalid_request");
  for (const tag of ["3", "*", 'W/"3"', '"3", "4"', '"0"', '"03"', '"-1"', '"a"', '""', "'3'", '"3"x']) {
    await refused(await patch({ headers: { "if-match": tag } }), 400, "invalid_request");
  }

  const unknown = await refused(
    await patch({ body: { owner: "x", tenant_id: "branch" } }),
    400,
    "invalid_request",
  );
  assert.match(JSON.stringify(unknown.details.issues), /tenant_id/);
  for (
    const body of [
      "",
      "{",
      "[]",
      "null",
      '{"owner":"x"}{}',
      '{"owner":"x","owner":"y"}',
      '{"tags":[1]}',
      "{}",
    ]
  ) {
    await refused(await patch({ body }), 400, "invalid_request");
  }
  await refused(await patch({ headers: { "content-type": "text/plain" } }), 415, "invalid_request");
  const wrong = await refused(await patch({ body: '{"owner": tru}' }), 400, "invalid_request");
  assert.equal(typeof wrong.details.position, "number");
  assert.equal((await patch({ headers: { "content-type": "application/json; charset=utf-8" } })).status, 200);
  assert.equal((await patch({ body: { owner: "x".repeat(128) } })).status, 200);

  const large = await patch({ body: { owner: "x".repeat(1024 * 1024) } });
  const error = await refused(large, 413, "payload_too_large");
  assert.equal(error.details.limit_bytes, 1024 * 1024);
});

withoutDatabase("core: an unknown query parameter is refused, not ignored", async (core) => {
  const error = await refused(
    await core.send({ target: "/api/v1/devices?limits=5&tenant_id=branch" }),
    400,
    "invalid_request",
  );
  assert.equal(error.details.reason, "unknown_parameter");
  assert.ok(error.details.allowed.includes("limit"));
  assert.deepEqual(error.details.issues.map(({ path }: { path: string }) => path), ["limits", "tenant_id"]);
  assert.match(error.message, /^limits: unknown query parameter; did you mean limit\? Allowed: .*limit/);

  const bare = await refused(await core.send({ target: "/api/v1/site?x=1" }), 400, "invalid_request");
  assert.equal(bare.message, "x: unknown query parameter; this operation has no query parameters");
});
