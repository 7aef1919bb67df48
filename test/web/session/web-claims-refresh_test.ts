// The claims of signed-in people are read again while they work.

import assert from "node:assert/strict";
import { AccessPolicy, type AccessRule } from "../../../src/config/access.ts";
import type { Role } from "../../../src/contract/record/kinds.ts";
import { CLAIMS_INTERVAL } from "../../../src/contract/session/service-session.ts";
import { entriesOf } from "../../contract/session/audit.ts";
import { IdentityProvider } from "../../support/session/identity-provider.ts";
import type { Browser } from "./web-browser.ts";
import { type Stack, testStack } from "./web-stack.ts";

const INTERVAL = CLAIMS_INTERVAL / 1e6;

interface World {
  stack: Stack;
  provider: IdentityProvider;
  browser: Browser;
}

type Given = Omit<Parameters<typeof IdentityProvider.start>[0], "publicUrl"> & { patienceMs?: number };

/** A test with `ada` signed in, who is in the groups `soc`, which gives `analyst`, and `all`, which gives `reader`. */
function testProvider(
  name: string,
  { patienceMs = 300_000, ...given }: Given,
  body: (world: World) => Promise<void>,
): void {
  let provider: IdentityProvider;
  testStack(name, async (stack) => {
    const rule = (value: string, role: Role): AccessRule => ({
      claim: "groups",
      value,
      tenant: "main",
      roles: [role],
    });
    stack.policy = new AccessPolicy([rule("soc", "analyst"), rule("all", "reader")]);
    provider.groups.set("ada", ["soc", "all"]);
    const browser = await stack.browser().signIn("ada");
    provider.takeQuestions();
    await body({ stack, provider, browser });
  }, {
    claimsPatienceMs: patienceMs,
    provider: async (publicUrl) => provider = await IdentityProvider.start({ publicUrl, ...given }),
  });
}

/** The person's roles in their tenant, or the status of the refusal. */
async function rolesOf(browser: Browser): Promise<string | number> {
  const { status, body } = await browser.json("/api/v1/session");
  return status === 200 ? body.data.tenants[0].roles.join() : status;
}

const KINDS: Record<string, Given> = {
  "user info": {},
  "a refresh token and user info": { refreshTokens: true },
  "a refresh token with all claims in the ID token": { refreshTokens: true, claimsInIdToken: true },
  // Both state the groups; once the last is lost, user info has no such claim.
  "user info, while the ID token of the sign-in still has the groups": { claimsInIdToken: true },
};

for (const [kind, given] of Object.entries(KINDS)) {
  testProvider(`claims: a lost group is a lost right, by ${kind}`, given, async (world) => {
    const { stack, provider, browser } = world;
    assert.equal(await rolesOf(browser), "analyst,reader");
    provider.groups.set("ada", ["all"]);
    stack.clock.advance(INTERVAL - 1);
    assert.equal(await rolesOf(browser), "analyst,reader");
    assert.deepEqual(provider.takeQuestions(), [], "not before the interval has passed");
    stack.clock.advance(1);
    assert.equal(await rolesOf(browser), "reader");
    const questions = provider.takeQuestions();
    const expected = given.refreshTokens
      ? ["POST /token", ...given.claimsInIdToken ? [] : ["GET /me"]]
      : ["GET /me"];
    assert.deepEqual(questions, expected);
    const [entry] = await entriesOf(stack.db, "main", { operation: "accessChanged" });
    assert.deepEqual(JSON.parse(entry!.changes), [{ field: "roles", from: "analyst, reader", to: "reader" }]);

    // Once more, with the tokens that the first refresh has left.
    provider.groups.set("ada", ["soc"]);
    stack.clock.advance(INTERVAL);
    assert.equal(await rolesOf(browser), "analyst");

    provider.groups.set("ada", []);
    stack.clock.advance(INTERVAL);
    assert.equal(await rolesOf(browser), 401);
    assert.equal((await entriesOf(stack.db, "main", { operation: "accessWithdrawn" })).length, 1);
  });

  testProvider(`claims: a person who is refused loses the session, by ${kind}`, given, async (world) => {
    const { stack, provider, browser } = world;
    provider.groups.delete("ada");
    assert.equal(await rolesOf(browser), "analyst,reader");
    stack.clock.advance(INTERVAL);
    assert.equal(await rolesOf(browser), 401);
    assert.equal((await entriesOf(stack.db, "main", { operation: "providerRefused" })).length, 1);
  });
}

testProvider("claims: many requests and two web processes ask once per interval", {}, async (world) => {
  const { stack, provider, browser } = world;
  const other = stack.webApp(stack.baseUrl);
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  for (let round = 0; round < 2; round++) {
    stack.clock.advance(INTERVAL);
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, at) => {
      if (at % 2 === 0) return (await browser.json("/api/v1/session")).status;
      const response = await other.request(`${stack.baseUrl}/api/v1/session`, { headers: { cookie } });
      await response.body?.cancel();
      return response.status;
    }));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.deepEqual(provider.takeQuestions(), ["GET /me"]);
  }
});

testProvider("claims: an access token that has ended keeps the session as it is", {
  accessTokenLifetime: 120,
}, async ({ stack, provider, browser }) => {
  provider.groups.delete("ada");
  for (let round = 0; round < 2; round++) {
    stack.clock.advance(INTERVAL);
    assert.equal(await rolesOf(browser), "analyst,reader");
  }
  assert.deepEqual(provider.takeQuestions(), []);
});

testProvider(
  "claims: a provider that hangs delays one person by seconds, and nobody else",
  { patienceMs: 1_000 },
  async (world) => {
    const { stack, provider, browser } = world;
    provider.groups.set("bob", ["all"]);
    stack.clock.advance(INTERVAL / 2);
    const bob = await stack.browser().signIn("bob");
    provider.takeQuestions();
    provider.behaviour = "hang";
    stack.clock.advance(INTERVAL / 2);
    const waiting = rolesOf(browser);
    let isAnswered = false;
    void waiting.then(() => isAnswered = true);
    // A person whose claims were read a moment ago.
    assert.equal(await rolesOf(bob), "reader");
    assert.equal(isAnswered, false);
    assert.equal(await waiting, "analyst,reader");
    // The question is still under way: it delays no further request, and none asks again.
    assert.equal(await rolesOf(browser), "analyst,reader");
    assert.deepEqual(provider.takeQuestions(), ["GET /me"]);
  },
);
