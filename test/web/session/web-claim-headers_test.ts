// Claims sent by a browser, in every spelling and framing: the core receives the session's claims, or
// nothing.

import assert from "node:assert/strict";
import { CONTEXT_HEADER } from "../../../src/contract/request/context.ts";
import { SIGNED_HEADERS } from "../../../src/contract/request/signed-request.ts";
import { exchangeRaw, rawAnswers, rawRequest, sendRaw } from "../../support/raw-http.ts";
import { type Stack, testStack } from "./web-stack.ts";

const TARGET = "/api/v1/devices?limit=7";
const CALLER = { tenantId: "main", subject: "reader", roles: ["reader"] };

async function cookieOf(stack: Stack): Promise<string> {
  const browser = await stack.browser().signIn("reader");
  return `Cookie: ${browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")}`;
}

function callerIn(body: string): unknown {
  return JSON.parse(body).data.caller;
}

testStack("claims from a browser: stripped in any spelling, alone or many", async (stack) => {
  const cookie = await cookieOf(stack);
  const spellings = [...Object.values(SIGNED_HEADERS), CONTEXT_HEADER].flatMap((name) => [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    name.replaceAll("-", "_"),
    name.replace("-", "_"),
    `${name}-`,
    `-${name}`,
    `${name}.`,
  ]);
  const forged = spellings.map((name) => `${name}: ${/tenant/i.test(name) ? "branch" : "admin"}`);
  for (
    const headers of [
      forged,
      [...forged].reverse(),
      // Listed as hop-by-hop, which an intermediary would take as an instruction to drop or keep them.
      [...forged, `Connection: ${spellings.slice(0, 8).join(", ")}`, "Connection: X-NDR-Tenant, Cookie"],
      [...forged, "Proxy-Connection: keep-alive", "TE: trailers", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"],
      ["X-NDR-Tenant:branch", "X-NDR-Tenant:\t  branch \t", "X-NDR-Tenant:", "X-NDR-Roles: admin,analyst"],
      ["Host: branch", "Forwarded: host=branch", "X-Forwarded-Host: branch"],
    ]
  ) {
    stack.reached.length = 0;
    const { status, body } = await exchangeRaw(
      stack.baseUrl,
      rawRequest(`GET ${TARGET} HTTP/1.1`, stack.baseUrl, [...headers, cookie]),
    );
    // Refusing an odd request is as good as parsing it correctly.
    if (status === 400) assert.deepEqual(stack.reached, []);
    else assert.deepEqual([status, callerIn(body)], [200, CALLER], headers.join("\n"));
  }
});

testStack("claims from a browser: invalid HTTP is not forwarded", async (stack) => {
  const cookie = await cookieOf(stack);
  for (
    const headers of [
      ["X-Any: a\r\n X-NDR-Tenant: branch"],
      ["X-Any: a\r\n\tX-NDR-Tenant: branch"],
      ["X-NDR-Tenant : branch"],
      ["X-NDR-Tenant\t: branch"],
      [" X-NDR-Tenant: branch"],
      ["X-Any: a\rX-NDR-Tenant: branch"],
      ["X-Any: a\0X-NDR-Tenant: branch"],
      ["X-NDR-Tenant"],
      [": branch"],
      ["Transfer-Encoding: chunked", "Content-Length: 5"],
      ["Content-Length: 5", "Content-Length: 6"],
      ["Content-Length: 5, 6"],
      ["Content-Length: +5"],
      ["Content-Length: 0x5"],
      ["Transfer-Encoding: chunked, identity"],
      ["Transfer-Encoding: xchunked"],
    ]
  ) {
    stack.reached.length = 0;
    const text = await sendRaw(
      stack.baseUrl,
      rawRequest(`GET ${TARGET} HTTP/1.1`, stack.baseUrl, [cookie, ...headers], "0\r\n\r\n"),
    );
    assert.match(text, /^HTTP\/1\.1 400 /, headers.join("\n"));
    assert.deepEqual(stack.reached, [], headers.join("\n"));
  }
});

// If two parsers disagree on where a request ends, one user's request could carry another one.
testStack("claims from a browser: no request is smuggled behind another", async (stack) => {
  const cookie = await cookieOf(stack);
  const hidden = `GET /api/v1/incidents HTTP/1.1\r\nHost: x\r\nX-NDR-Tenant: branch\r\n${cookie}\r\n\r\n`;
  const length = `Content-Length: ${hidden.length}`;
  for (
    const [method, headers, body] of [
      ["GET", [length], hidden],
      ["PATCH", [length, 'If-Match: "1"', "Idempotency-Key: k", "Content-Type: application/json"], hidden],
      ["GET", ["Transfer-Encoding: chunked"], `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
    ] as const
  ) {
    stack.reached.length = 0;
    const path = method === "GET" ? "/api/v1/site" : "/api/v1/devices/d1";
    const text = await sendRaw(
      stack.baseUrl,
      rawRequest(`${method} ${path} HTTP/1.1`, stack.baseUrl, [cookie, ...headers], body),
    );
    assert.ok(rawAnswers(text).length <= 1, text);
    assert.ok(!stack.reached.some((one) => one.includes("incidents")), String(stack.reached));
  }
});

testStack("claims from a browser: request targets in other forms read nothing else", async (stack) => {
  const cookie = await cookieOf(stack);
  for (
    const target of [
      "http://branch.example/api/v1/devices?limit=7",
      "/api/v1/x/../devices?limit=7",
      "/api/v1/%64evices?limit=7",
      "/api/v1/devices?limit=7#tenant=branch",
    ]
  ) {
    const answer = await exchangeRaw(
      stack.baseUrl,
      rawRequest(`GET ${target} HTTP/1.1`, stack.baseUrl, [cookie, "X-NDR-Tenant: branch"]),
    );
    if (answer.status === 200) assert.deepEqual(callerIn(answer.body), CALLER, target);
    else assert.ok([400, 404].includes(answer.status), `${target}: ${answer.status}`);
  }
});
