import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { ROLES } from "../../src/contract/record/kinds.ts";
import { type Route, ROUTES } from "../../src/contract/routes.ts";
import { aRequestFor } from "../contract/requests.ts";
import { testStack } from "./session/web-stack.ts";

const DEVICE = "/api/v1/devices/0190b2c3-0000-7000-8000-000000000001";

testStack("web: roles, on every route", async (stack) => {
  for (const account of ROLES) {
    const browser = await stack.browser().signIn(account);
    for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
      const allowed = route.role === "reader" || route.role === account;
      const { method, target, body, headers } = aRequestFor(route);
      stack.reached.length = 0;
      const response = method === "GET"
        ? await browser.request(target)
        : await browser.write(method, target, body, headers);
      const text = await response.text();
      assert.equal(response.status, allowed ? route.status : 403, `${id} as ${account}: ${text}`);
      if (!allowed) assert.equal(JSON.parse(text).error.code, "forbidden");
      // Each layer checks on its own: a forbidden request never leaves this one.
      assert.deepEqual(stack.reached, allowed && route.servedBy === "core" ? [`${method} ${target}`] : []);
    }
  }
  const anonymous = stack.browser();
  for (const route of Object.values(ROUTES) as Route[]) {
    const { method, target, body, headers } = aRequestFor(route);
    const response = await anonymous.request(target, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
    });
    assert.equal(response.status, 401);
    assert.equal((await response.json()).error.code, "unauthenticated");
  }
});

testStack("web: a write must come from our own pages", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const write = (headers: Record<string, string | undefined>) =>
    browser.write("PATCH", DEVICE, { owner: "ada" }, { "if-match": '"1"', ...headers });
  const other = await stack.browser().signIn("analyst");

  assert.equal((await write({})).status, 200);
  // Without browser-only headers, the token alone is sufficient.
  assert.equal((await write({ "origin": undefined, "sec-fetch-site": undefined })).status, 200);
  for (
    const headers of [
      { "x-csrf-token": undefined },
      { "x-csrf-token": "" },
      { "x-csrf-token": "wrong" },
      { "x-csrf-token": await other.csrf() },
      { "origin": "https://evil.example" },
      { "origin": "null" },
      { "origin": stack.baseUrl.replace("127.0.0.1", "localhost") },
      { "origin": stack.coreUrl },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
    ]
  ) {
    const response = await write(headers);
    assert.equal(response.status, 403, JSON.stringify(headers));
    const { error } = await response.json();
    assert.equal(error.code, "forbidden");
    assert.equal(error.details.reason, "csrf");
  }
});

testStack("web: nothing a browser sends can name a tenant, a subject or a role", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const cookie = browser.cookies.map((one) => `${one.name}=${one.value}`).join("; ");
  const claims: Record<string, string> = {};
  for (
    const spell of [
      (name: string) => name,
      (name: string) => name.toLowerCase(),
      (name: string) => name.toUpperCase(),
    ]
  ) {
    claims[spell("X-NDR-Tenant")] = "branch";
    claims[spell("X-NDR-Roles")] = "admin";
    claims[spell("X-NDR-Subject")] = "admin";
    claims[spell("X-NDR-Service")] = "ndr-web";
    claims[spell("X-NDR-Signature")] = "0".repeat(64);
  }
  Object.assign(claims, {
    "X_NDR_Tenant": "branch",
    "X-NDR_Roles": "admin",
    "X-Forwarded-For": "10.0.0.1",
    "Authorization": "Bearer x",
    "X-Tenant-Id": "branch",
  });
  // Over node:http, which preserves the spelling of header names.
  const text = await new Promise<string>((resolve, reject) => {
    const target = new URL("/api/v1/devices?limit=7", stack.baseUrl);
    httpRequest(target, { headers: { ...claims, cookie } }, (response) => {
      let body = "";
      response.on("data", (chunk) => body += chunk).on("end", () => resolve(body));
    }).on("error", reject).end();
  });
  const { data } = JSON.parse(text);
  assert.deepEqual(data.caller, { tenantId: "main", subject: "reader", roles: ["reader"] });
  assert.deepEqual(data.query, { limit: 7, sort: "-last_seen" });
});

testStack("web: the headers of a write are validated in this layer already", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const write = (headers: Record<string, string | undefined>) =>
    browser.write("PATCH", DEVICE, { owner: "ada" }, { "if-match": '"1"', ...headers });
  for (
    const [headers, status] of [
      [{ "idempotency-key": undefined }, 400],
      [{ "idempotency-key": "x".repeat(129) }, 400],
      [{ "idempotency-key": "a b" }, 400],
      [{ "if-match": undefined }, 428],
      [{ "if-match": "1" }, 400],
      [{ "if-match": "*" }, 400],
      [{ "if-match": 'W/"1"' }, 400],
    ] as const
  ) {
    const response = await write(headers);
    assert.equal(response.status, status, JSON.stringify(headers));
    assert.equal((await response.json()).error.code, "invalid_request");
  }
  const large = await browser.write("PATCH", DEVICE, { owner: "x".repeat(1024 * 1024) }, {
    "if-match": '"1"',
  });
  assert.equal(large.status, 413);
  assert.equal((await large.json()).error.code, "payload_too_large");
  assert.deepEqual(stack.reached, []);

  // The same key through the web layer: one response, byte for byte.
  const first = await (await write({ "idempotency-key": "again" })).text();
  assert.equal(await (await write({ "idempotency-key": "again" })).text(), first);
});

testStack("web: unknown paths and methods", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  for (
    const path of [
      "/api",
      "/api/v1",
      "/api/v1/nothing",
      "/api/v2/site",
      "/internal/v1/sessions",
      "/auth/other",
    ]
  ) {
    const { status, body } = await browser.json(path);
    assert.equal(status, 404, path);
    assert.equal(body.error.code, "not_found");
  }
  const wrong = await browser.request("/api/v1/site", { method: "DELETE" });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get("allow"), "GET, HEAD");
  await wrong.body?.cancel();
  const head = await browser.request("/api/v1/site", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");

  const openapi = await stack.browser().json("/api/v1/openapi.json");
  assert.equal(openapi.body.openapi, "3.1.0");

  // A parameter that a URL parser would treat as a parent path reaches no other route.
  const { hostname, port } = new URL(stack.baseUrl);
  const cookie = browser.cookies.map((one) => `${one.name}=${one.value}`).join("; ");
  for (const id of ["..", "%2e%2e", ".%2e", "%2E", "..%2f..%2fsite", "..%5c..%5csite"]) {
    const answer = await raw(
      hostname,
      Number(port),
      `GET /api/v1/devices/${id} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
        `Cookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    const body = answer.slice(answer.indexOf("\r\n\r\n"));
    assert.doesNotMatch(body, /"site_id"/, id);
  }
});

/** Sends raw bytes, which no HTTP client does. */
function raw(hostname: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, hostname, () => socket.write(text));
    socket.on("data", (chunk) => answer += chunk).on("close", () => resolve(answer)).on("error", reject);
  });
}
