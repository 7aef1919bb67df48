import assert from "node:assert/strict";
import { unreachableDatabase } from "../contract/support.ts";
import { testStack } from "./session/web-stack.ts";

testStack("outage: while the database is down, a recently seen session still reads health", async (stack) => {
  const lost = unreachableDatabase();
  const browser = await stack.browser().signIn("reader");
  const multi = await stack.browser().signIn("multi");
  for (const one of [browser, multi]) assert.equal((await one.json("/api/v1/session")).status, 200);
  stack.useDatabase(lost);
  try {
    const health = await browser.json("/api/v1/health");
    assert.equal(health.status, 200);
    assert.deepEqual(health.body.data.caller, { tenantId: "main", subject: "reader", roles: ["reader"] });

    for (const target of ["/api/v1/session", "/api/v1/site", "/api/v1/devices"]) {
      const response = await browser.request(target);
      assert.equal(response.status, 503, target);
      assert.ok(Number(response.headers.get("retry-after")) > 0);
      assert.equal((await response.json()).error.code, "source_unavailable");
    }
    // No health without a selected tenant, or for a cookie never seen before.
    assert.equal((await multi.json("/api/v1/health")).status, 403);
    const stranger = await stack.browser().request("/api/v1/health", {
      headers: { cookie: `ndr-session=${"A".repeat(43)}` },
    });
    assert.equal(stranger.status, 503);
    await stranger.body?.cancel();
    const signIn = await stack.browser().visit("/auth/login?login_hint=reader");
    assert.equal(signIn.response.status, 503);
    assert.match(await signIn.response.text(), /core of this appliance does not answer/);

    stack.clock.advance(301);
    assert.equal((await browser.json("/api/v1/health")).status, 503);

    // Sign-out cannot be guaranteed now, so the cookie stays for another attempt.
    stack.useDatabase(stack.db);
    await browser.csrf();
    stack.useDatabase(lost);
    assert.equal((await browser.write("POST", "/auth/logout", undefined)).status, 503);
    assert.ok(browser.cookie("ndr-session"));

    stack.useDatabase(stack.db);
    assert.equal((await browser.json("/api/v1/site")).status, 200);
    assert.equal((await browser.write("POST", "/auth/logout", undefined)).status, 204);
    stack.useDatabase(lost);
    const gone = await browser.json("/api/v1/health");
    assert.equal(gone.status, 401);
  } finally {
    stack.useDatabase(stack.db);
    await lost.close();
  }
});

testStack("outage: an unresponsive core is a 503 that leaks nothing", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  assert.equal((await browser.json("/api/v1/site")).status, 200);
  await stack.stopCore();
  for (const target of ["/api/v1/health", "/api/v1/session", "/api/v1/site"]) {
    const { status, body } = await browser.json(target);
    assert.equal(status, 503, target);
    assert.equal(body.error.code, "source_unavailable");
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|refused/);
  }
  // The dashboard itself is still served and can show the outage.
  assert.match(await (await browser.request("/")).text(), /the dashboard/);
});
