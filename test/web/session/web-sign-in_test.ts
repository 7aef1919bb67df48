import assert from "node:assert/strict";
import type { Browser } from "./web-browser.ts";
import { AccessPolicy } from "../../../src/config/access.ts";
import { testStack } from "./web-stack.ts";

testStack("sign-in: with a hint, following redirects, ends signed in", async (stack) => {
  const browser = stack.browser();
  const start = await browser.request("/auth/login?login_hint=admin");
  assert.equal(start.status, 302);
  const provider = new URL(start.headers.get("location")!);
  assert.equal(provider.origin, stack.issuer);
  const query = Object.fromEntries(provider.searchParams);
  assert.equal(query.response_type, "code");
  assert.equal(query.code_challenge_method, "S256");
  assert.equal(query.login_hint, "admin");
  assert.equal(query.redirect_uri, `${stack.baseUrl}/auth/callback`);
  for (const secret of ["state", "nonce", "code_challenge"]) assert.ok(query[secret]!.length >= 32, secret);
  const pending = pendingOf(browser)[0]!;
  assert.equal(pending.attributes.get("samesite"), "Lax");
  assert.ok(pending.attributes.has("httponly"));
  assert.ok(!pending.value.includes(query.state!), "encrypted");

  const { response, visited } = await browser.visit(provider.href);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /the dashboard/);
  assert.equal(visited.at(-1), `${stack.baseUrl}/`);
  assert.deepEqual(pendingOf(browser), []);

  const session = browser.cookie("ndr-session")!;
  assert.equal(session.attributes.get("samesite"), "Strict");
  assert.equal(session.attributes.get("path"), "/");
  assert.equal(session.attributes.get("max-age"), String(12 * 3600));
  assert.ok(session.attributes.has("httponly"));
  assert.ok(!session.attributes.has("secure"), "plain http could not send it back");
  assert.ok(!session.attributes.has("domain"));
  assert.match(session.value, /^[A-Za-z0-9_-]{43}$/);

  const { status, body } = await browser.json("/api/v1/session");
  assert.equal(status, 200);
  assert.deepEqual({ ...body.data, csrf_token: null }, {
    subject: "admin",
    display_name: "Alex Admin",
    tenants: [{ tenant_id: "main", display_name: "Main site", roles: ["admin"] }],
    selected_tenant: "main",
    csrf_token: null,
  });
  assert.ok(body.data.csrf_token.length >= 32);
  assert.equal((await browser.json("/api/v1/site")).body.data.display_name, "Site main");

  // Another account in the same browser; the session it replaces ends.
  await browser.signIn("reader");
  assert.equal((await browser.json("/api/v1/session")).body.data.subject, "reader");
  const old = await browser.request("/api/v1/session", {
    headers: { cookie: `ndr-session=${session.value}` },
  });
  assert.equal(old.status, 401);
  await old.body?.cancel();
});

testStack("sign-in: without a hint the provider asks every time", async (stack) => {
  const browser = stack.browser();
  for (const account of ["analyst", "multi"]) {
    const { response, visited } = await browser.visit(
      "/auth/login?return_to=/incidents%3Fstatus%3Dopen%23top",
    );
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-security-policy")!, /^default-src 'none'; style-src 'sha256-/);
    const page = await response.text();
    assert.match(page, /Development sign-in/);
    assert.doesNotMatch(page, /<script/);
    const links = [...page.matchAll(/href="(\/interaction\/[^"]+)"/g)].map((match) => match[1]!);
    assert.deepEqual(links.map((link) => link.split("/").at(-1)), [
      "reader",
      "analyst",
      "responder",
      "responder-2",
      "admin",
      "multi",
    ]);

    const link = links.find((one) => one.endsWith(`/${account}`))!;
    const end = await browser.visit(new URL(link, visited.at(-1)).href);
    assert.equal(end.visited.at(-1), `${stack.baseUrl}/incidents?status=open#top`);
    await end.response.body?.cancel();
    assert.equal((await browser.json("/api/v1/session")).body.data.subject, account);
  }
});

testStack("sign-in: an invalid callback signs no one in", async (stack) => {
  const browser = stack.browser();
  const page = async (target: string, init: { headers?: Record<string, string> } = {}) => {
    const response = await browser.request(target, init);
    assert.match(response.headers.get("content-type")!, /^text\/html/);
    assert.match(response.headers.get("content-security-policy")!, /^default-src 'none'; style-src 'sha256-/);
    assert.equal(browser.cookie("ndr-session"), undefined);
    return { status: response.status, text: await response.text() };
  };
  // A callback without a pending sign-in, and one whose cookie came from elsewhere.
  assert.equal((await page("/auth/callback?code=x&state=y")).status, 400);
  assert.equal(
    (await page("/auth/callback?code=x&state=y", { headers: { cookie: "ndr-sign-in=forged" } })).status,
    400,
  );

  const begin = async () => {
    const response = await browser.request("/auth/login?login_hint=reader");
    await response.body?.cancel();
    return new URL(response.headers.get("location")!);
  };
  await begin();
  assert.equal((await page("/auth/callback?code=x&state=wrong")).status, 400);
  const refusal = await begin();
  const state = refusal.searchParams.get("state")!;
  const denied = await page(
    `/auth/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(stack.issuer)}`,
  );
  assert.equal(denied.status, 403);
  assert.match(denied.text, /You were not signed in/);
  assert.equal((await page(`/auth/callback?code=x&state=${state}`)).status, 400, "an attempt is used once");
  const other = (await begin()).searchParams.get("state")!;
  const invented = await page(
    `/auth/callback?code=invented&state=${other}&iss=${encodeURIComponent(stack.issuer)}`,
  );
  assert.equal(invented.status, 403);

  // Ten minutes later the sign-in has expired.
  const late = (await begin()).searchParams.get("state")!;
  stack.clock.advance(601);
  assert.equal((await page(`/auth/callback?code=x&state=${late}`)).status, 400);
});

testStack("sign-in: two tabs finish in either order", async (stack) => {
  for (const order of [[0, 1], [1, 0]]) {
    const browser = stack.browser();
    const starts: string[] = [];
    for (const page of ["/incidents", "/devices"]) {
      const start = await browser.request(`/auth/login?login_hint=admin&return_to=${page}`);
      await start.body?.cancel();
      starts.push(start.headers.get("location")!);
    }
    for (const tab of order) {
      const { response, visited } = await browser.visit(starts[tab]!);
      await response.body?.cancel();
      assert.equal(visited.at(-1), `${stack.baseUrl}${["/incidents", "/devices"][tab]}`);
      assert.equal((await browser.json("/api/v1/session")).status, 200);
    }
    assert.deepEqual(pendingOf(browser), []);
  }
});

testStack("sign-in: a browser keeps a bounded number of attempts, the newest ones", async (stack) => {
  const browser = stack.browser();
  const starts: string[] = [];
  for (let i = 0; i < 6; i++) {
    const start = await browser.request("/auth/login?login_hint=admin");
    await start.body?.cancel();
    starts.push(start.headers.get("location")!);
  }
  assert.equal(pendingOf(browser).length, 4);
  const dropped = await browser.visit(starts[0]!);
  assert.equal(dropped.response.status, 400);
  await dropped.response.body?.cancel();
  const kept = await browser.visit(starts[2]!);
  assert.equal(kept.visited.at(-1), `${stack.baseUrl}/`);
  await kept.response.body?.cancel();
});

testStack("sign-in: a stale callback leads a person with a session to the dashboard", async (stack) => {
  const browser = stack.browser();
  const { response, visited } = await browser.visit("/auth/login?login_hint=admin");
  await response.body?.cancel();
  const callback = visited.find((address) => new URL(address).pathname === "/auth/callback")!;
  const session = browser.cookie("ndr-session")!.value;
  for (const target of [callback, "/auth/callback", "/auth/callback?code=x&state=attacker", "/auth/ended"]) {
    const again = await browser.request(target);
    await again.body?.cancel();
    assert.equal(again.status, 303, target);
    assert.equal(again.headers.get("location"), "/");
    assert.equal(browser.cookie("ndr-session")!.value, session, "the session is not replaced");
  }

  // As the browser sends it if the identity provider's site starts the request: without the Strict cookie.
  const foreign = await browser.request(callback, { headers: { cookie: "" } });
  assert.equal(foreign.status, 400);
  assert.match(await foreign.text(), /http-equiv="refresh" content="0; url=\/auth\/ended"/);

  const stranger = await stack.browser().request("/auth/ended");
  assert.equal(stranger.status, 400);
  const page = await stranger.text();
  assert.match(page, /already completed, took longer than ten minutes, or was started in another browser/);
  assert.match(page, /<a href="\/auth\/login">Sign in again<\/a>/);
  assert.doesNotMatch(page, /http-equiv="refresh"/);
});

testStack("sign-in: an attacker's callback does not replace a session", async (stack) => {
  const attacker = stack.browser();
  const start = await attacker.request("/auth/login?login_hint=reader");
  await start.body?.cancel();
  // The attacker keeps the callback with a valid code and has a victim open it.
  let url = new URL(start.headers.get("location")!);
  while (url.pathname !== "/auth/callback") {
    const step = await attacker.request(url.href);
    await step.body?.cancel();
    url = new URL(step.headers.get("location")!, url);
  }
  const victim = await stack.browser().signIn("admin");
  const pending = await victim.request("/auth/login?login_hint=admin");
  await pending.body?.cancel();
  await (await victim.request(url.href)).body?.cancel();
  assert.equal((await victim.json("/api/v1/session")).body.data.subject, "admin");
});

testStack("sign-in: a user without a rule sees the reason, and gets no session", async (stack) => {
  stack.policy = new AccessPolicy([]);
  const browser = stack.browser();
  const { response } = await browser.visit("/auth/login?login_hint=reader");
  assert.equal(response.status, 403);
  const text = await response.text();
  assert.match(text, /No access/);
  assert.match(text, /Robin Reader/);
  assert.equal(browser.cookie("ndr-session"), undefined);
  assert.equal((await browser.json("/api/v1/session")).status, 401);
});

testStack("sign-in: the cookies of an https service", async (stack) => {
  const app = stack.webApp("https://ndr.example");
  const response = await app.request("http://127.0.0.1:8080/auth/login");
  const [cookie] = response.headers.getSetCookie();
  assert.match(cookie!, /^__Host-ndr-sign-in-[0-9a-f]{16}=/);
  for (const attribute of [/; Path=\//, /; HttpOnly/, /; Secure/, /; SameSite=Lax/]) {
    assert.match(cookie!, attribute);
  }
  assert.doesNotMatch(cookie!, /Domain/);
  const redirect = new URL(response.headers.get("location")!).searchParams.get("redirect_uri");
  assert.equal(redirect, "https://ndr.example/auth/callback");
  assert.equal(response.headers.get("strict-transport-security"), "max-age=31536000");
  // The unprefixed name is not the session cookie here.
  const plain = await app.request("/api/v1/session", {
    headers: { cookie: `ndr-session=${"A".repeat(43)}` },
  });
  assert.equal(plain.status, 401);
});

testStack(
  "sign-in: another name of this machine redirects to the one with the cookies",
  async (stack) => {
    const response = await stack.browser().request(
      stack.baseUrl.replace("127.0.0.1", "localhost") + "/auth/login?login_hint=admin",
    );
    assert.equal(response.headers.get("location"), `${stack.baseUrl}/auth/login?login_hint=admin`);
    await response.body?.cancel();
  },
);

testStack("sign-in: return_to leads nowhere else", async (stack) => {
  for (
    const bad of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "/%09//evil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
      "/auth/login",
      "/api/v1/site",
      "/\t/evil.example",
      "/.//evil.example",
    ]
  ) {
    const browser = stack.browser();
    const { response, visited } = await browser.visit(
      `/auth/login?login_hint=reader&return_to=${encodeURIComponent(bad)}`,
    );
    await response.body?.cancel();
    const end = new URL(visited.at(-1)!);
    assert.equal(end.origin, stack.baseUrl, bad);
    assert.ok(end.pathname === "/" || end.pathname.startsWith("/%09"), `${bad} -> ${end.pathname}`);
  }
});

function pendingOf(browser: Browser) {
  return browser.cookies.filter((cookie) => cookie.name.startsWith("ndr-sign-in-"));
}
