// Every state-changing route of the route table accepts requests from our own pages only.

import assert from "node:assert/strict";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { aRequestFor } from "../../contract/requests.ts";
import { testStack } from "./web-stack.ts";

const WRITES = (Object.entries(ROUTES) as [string, Route][]).filter(([, route]) => route.method !== "GET");

testStack("csrf: every route but reads requires the session's token and an allowed origin", async (stack) => {
  const browser = await stack.browser().signIn("multi");
  assert.equal((await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "main" })).status, 200);
  const other = await stack.browser().signIn("multi");
  const token = await browser.csrf();
  const forgeries: Record<string, string | undefined>[] = [
    { "x-csrf-token": undefined },
    { "x-csrf-token": "" },
    { "x-csrf-token": await other.csrf() },
    { "x-csrf-token": token.slice(0, -1) },
    { "x-csrf-token": `${token}, ${token}` },
    { "x-csrf-token": undefined, "x-xsrf-token": token, "csrf-token": token },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${stack.baseUrl}.evil.example` },
    { origin: stack.baseUrl.replace("http:", "https:") },
    { origin: "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin, cross-site" },
  ];
  assert.ok(WRITES.length > 5);
  for (const [id, route] of WRITES) {
    const { method, target, body, headers } = aRequestFor(route);
    stack.reached.length = 0;
    for (const forged of forgeries) {
      stack.clock.advance(1);
      const response = await browser.write(method, target, body, { ...headers, ...forged });
      const text = await response.text();
      assert.equal(response.status, 403, `${id} ${JSON.stringify(forged)}: ${text}`);
      assert.equal(JSON.parse(text).error.details.reason, "csrf", id);
    }
    // The token is read from its header only.
    const { "x-csrf-token": _, ...rest } = { "x-csrf-token": "", ...headers };
    const elsewhere = await browser.write(
      method,
      `${target}?csrf_token=${token}&x-csrf-token=${token}`,
      body,
      { ...rest, "x-csrf-token": undefined },
    );
    assert.equal(elsewhere.status, 403, id);
    await elsewhere.body?.cancel();
    assert.deepEqual(stack.reached, [], `${id}: nothing was forwarded by the web layer`);
  }
});

testStack("csrf: a form on another site is refused on every route", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const token = await browser.csrf();
  for (const [id, route] of WRITES) {
    const { method, target, headers } = aRequestFor(route);
    for (
      const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
    ) {
      stack.clock.advance(1);
      const sent = { ...headers, "content-type": type, "x-csrf-token": undefined };
      const response = await browser.write(method, target, `x-csrf-token=${token}`, sent);
      assert.equal(response.status, 403, `${id} ${type}`);
      await response.body?.cancel();
    }
  }
});

testStack("csrf: reads change nothing and reveal nothing to another site", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  for (const path of ["/api/v1/site", "/api/v1/session", "/api/v1/devices"]) {
    const response = await browser.request(path, {
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    await response.body?.cancel();
    // Another site may send the request; it cannot read the response.
    for (const [name] of response.headers) assert.doesNotMatch(name, /^access-control-/, path);
    assert.equal(response.headers.get("cross-origin-resource-policy"), "same-origin");
  }
  const preflight = await browser.request("/api/v1/devices/d1", {
    method: "OPTIONS",
    headers: {
      origin: "https://evil.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "x-csrf-token",
    },
  });
  assert.equal(preflight.status, 405);
  for (const [name] of preflight.headers) assert.doesNotMatch(name, /^access-control-/);
  await preflight.body?.cancel();
});
