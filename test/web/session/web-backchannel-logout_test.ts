// OpenID Connect Back-Channel Logout 1.0, with a real provider and with forged tokens.

import assert from "node:assert/strict";
import { exportSPKI, generateKeyPair, UnsecuredJWT } from "jose";
import { AccessPolicy } from "../../../src/config/access.ts";
import { entriesOf } from "../../contract/session/audit.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import {
  IdentityProvider,
  LOGOUT_EVENT as EVENT,
  type LogoutHeader,
} from "../../support/session/identity-provider.ts";
import type { Browser } from "./web-browser.ts";
import { type Stack, testStack } from "./web-stack.ts";

const PATH = "/auth/backchannel-logout";

function testLogout(name: string, body: (stack: Stack, provider: IdentityProvider) => Promise<void>): void {
  let provider: IdentityProvider;
  testStack(name, async (stack) => {
    stack.policy = new AccessPolicy([{ claim: "groups", value: "soc", tenant: "main", roles: ["reader"] }]);
    for (const account of ["ada", "bob"]) provider.groups.set(account, ["soc"]);
    await body(stack, provider);
  }, { provider: async (publicUrl) => provider = await IdentityProvider.start({ publicUrl }) });
}

async function send(stack: Stack, token: string): Promise<number> {
  const response = await fetch(stack.baseUrl + PATH, {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  const text = await response.text();
  if (response.status === 400) assert.equal(JSON.parse(text).error, "invalid_request");
  else assert.equal(text, "");
  return response.status;
}

const statusOf = async (browser: Browser) => (await browser.json("/api/v1/session")).status;

testLogout(
  "back-channel logout: a logout at the provider ends that browser's session only",
  async (stack, provider) => {
    const [here, there, bob] = [stack.browser(), stack.browser(), stack.browser()];
    await here.signIn("ada");
    await there.signIn("ada");
    await bob.signIn("bob");

    const form = await here.request(`${provider.issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await form.text())![1]!;
    // The provider's time is the machine's.
    stack.clock.advance((systemClock.now() - stack.clock.now()) / 1e6);
    const confirmed = await here.request(`${provider.issuer}/session/end/confirm`, {
      method: "POST",
      body: new URLSearchParams({ xsrf, logout: "yes" }),
    });
    await confirmed.body?.cancel();
    assert.equal(await statusOf(here), 401);
    assert.equal(await statusOf(there), 200);
    assert.equal(await statusOf(bob), 200);
    const [entry] = await entriesOf(stack.db, "main", { operation: "providerSignOut" });
    assert.equal(entry!.subject, "ada");
  },
);

const nowOf = (stack: Stack) => Math.floor(stack.clock.now() / 1e6);

async function logoutToken(
  stack: Stack,
  provider: IdentityProvider,
  change: Record<string, unknown> = {},
  header: LogoutHeader = {},
): Promise<string> {
  return await provider.logoutToken(nowOf(stack), change, header);
}

testLogout("back-channel logout: a forged or faulty token ends nothing", async (stack, provider) => {
  const browser = await stack.browser().signIn("ada");
  const now = nowOf(stack);
  const faults: Record<string, unknown>[] = [
    { iss: "https://evil.example" },
    { iss: undefined },
    { aud: "another-client" },
    { aud: undefined },
    { iat: undefined },
    { iat: now + 600, exp: now + 720 },
    { iat: now - 3600 },
    { exp: now - 60 },
    { exp: undefined },
    { jti: undefined },
    { jti: "" },
    { jti: 7 },
    { events: undefined },
    { events: {} },
    { events: [EVENT] },
    { events: { [EVENT]: "yes" } },
    { events: { "http://schemas.openid.net/event/other": {} } },
    { sub: undefined },
    { sub: 7 },
    { sub: "" },
    { sid: 7 },
    { nonce: "n" },
  ];
  for (const fault of faults) {
    assert.equal(await send(stack, await logoutToken(stack, provider, fault)), 400, JSON.stringify(fault));
  }
  const other = await generateKeyPair("RS256");
  const publicPem = new TextEncoder().encode(await exportSPKI(provider.publicKey));
  const secret = new TextEncoder().encode(provider.clientSecret);
  const forged: Record<string, string> = {
    "another key": await logoutToken(stack, provider, {}, { key: other.privateKey }),
    "an unknown key": await logoutToken(stack, provider, {}, { key: other.privateKey, kid: "unknown" }),
    "HS256 with the public key": await logoutToken(stack, provider, {}, { key: publicPem, alg: "HS256" }),
    "HS256 with the client secret": await logoutToken(stack, provider, {}, { key: secret, alg: "HS256" }),
    "alg none": new UnsecuredJWT(provider.logoutClaims(nowOf(stack), {})).encode(),
    "another type": await logoutToken(stack, provider, {}, { typ: "at+jwt" }),
    "no JWT": "x.y.z",
    "nothing": "",
  };
  const [head, payload] = (await logoutToken(stack, provider, { sub: "bob" })).split(".");
  forged["another payload"] = `${head}.${payload}.${(await logoutToken(stack, provider)).split(".")[2]}`;
  for (const [name, token] of Object.entries(forged)) assert.equal(await send(stack, token), 400, name);

  // The request itself.
  const valid = await logoutToken(stack, provider);
  const requests: Record<string, RequestInit> = {
    "no body": { method: "POST" },
    "JSON": {
      method: "POST",
      body: JSON.stringify({ logout_token: valid }),
      headers: { "content-type": "application/json" },
    },
    "two tokens": {
      method: "POST",
      body: new URLSearchParams([["logout_token", valid], ["logout_token", valid]]),
    },
    "too large": {
      method: "POST",
      body: new URLSearchParams({ logout_token: valid, x: "x".repeat(20_000) }),
    },
  };
  for (const [name, init] of Object.entries(requests)) {
    const response = await fetch(stack.baseUrl + PATH, init);
    await response.body?.cancel();
    assert.equal(response.status, 400, name);
  }
  const read = await fetch(`${stack.baseUrl}${PATH}?logout_token=${valid}`);
  await read.body?.cancel();
  assert.equal(read.status, 405);
  assert.equal(await statusOf(browser), 200);
  assert.deepEqual(await entriesOf(stack.db, "main", { operation: "providerSignOut" }), []);

  // The same token, unchanged, is accepted: nothing else was wrong with the forged ones. It works once.
  assert.equal(await send(stack, valid), 200);
  assert.equal(await statusOf(browser), 401);
  await browser.signIn("ada");
  assert.equal(await send(stack, valid), 400, "a replay");
  assert.equal(await statusOf(browser), 200);
});

testLogout(
  "back-channel logout: by subject, by session, by both, and for an unknown one",
  async (stack, provider) => {
    const sessionOf = async () => {
      const [row] = await stack.db.shared((tx) =>
        tx.rows<{ sid: string }>(sql`
        select provider_session as sid from session order by created_at desc, session_id desc limit 1`)
      );
      return row!.sid;
    };
    const signIn = async (account: string) => {
      stack.clock.advance(1);
      return await stack.browser().signIn(account);
    };
    let one = await signIn("ada");
    const sid = await sessionOf();
    const two = await signIn("ada");
    const bob = await signIn("bob");
    const logout = async (change: Record<string, unknown>) => {
      // A token without a type, as older providers send it.
      assert.equal(await send(stack, await logoutToken(stack, provider, change, { typ: undefined })), 200);
      return await Promise.all([one, two, bob].map(statusOf));
    };
    assert.deepEqual(await logout({ sub: "nobody" }), [200, 200, 200]);
    assert.deepEqual(await logout({ sub: undefined, sid: "unknown" }), [200, 200, 200]);
    assert.deepEqual(await logout({ sub: "bob", sid }), [200, 200, 200], "the session is another person's");
    assert.deepEqual(await logout({ sub: undefined, sid }), [401, 200, 200]);
    one = await signIn("ada");
    assert.deepEqual(await logout({ sub: "ada", sid: await sessionOf() }), [401, 200, 200]);
    one = await signIn("ada");
    assert.deepEqual(await logout({ sub: "ada" }), [401, 401, 200]);
  },
);

testLogout(
  "back-channel logout: a key that the provider has just begun to use is found",
  async (stack, provider) => {
    const browser = await stack.browser().signIn("ada");
    await provider.rotateKeys();
    // Longer than the pause between two readings of the keys.
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    assert.equal(await send(stack, await logoutToken(stack, provider)), 200);
    assert.equal(await statusOf(browser), 401);
    await browser.signIn("ada");
  },
);
