// The identity provider goes away: people who are signed in go on working, and it recovers by itself.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import { CLAIMS_INTERVAL } from "../../../src/contract/session/service-session.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { CoreClient } from "../../../src/web/core-client.ts";
import { WebReporter } from "../../../src/web/report.ts";
import { OidcClient } from "../../../src/web/session/oidc.ts";
import { TEST_KEY } from "../../contract/core.ts";
import { IdentityProvider } from "../../support/session/identity-provider.ts";
import { type Stack, testStack } from "./web-stack.ts";

const INTERVAL = CLAIMS_INTERVAL / 1e6;

type Outage = [name: string, begin: (provider: IdentityProvider) => Promise<void>];

const OUTAGES: Outage[] = [
  ["is stopped", (provider) => provider.close()],
  ["answers 500", (provider) => Promise.resolve(void (provider.behaviour = "fail"))],
  ["hangs", (provider) => Promise.resolve(void (provider.behaviour = "hang"))],
];

function testProvider(name: string, body: (stack: Stack, provider: IdentityProvider) => Promise<void>): void {
  let provider: IdentityProvider;
  testStack(name, async (stack) => {
    stack.policy = new AccessPolicy([{ claim: "groups", value: "soc", tenant: "main", roles: ["reader"] }]);
    for (const account of ["ada", "bob"]) provider.groups.set(account, ["soc"]);
    await body(stack, provider);
  }, {
    claimsPatienceMs: 20_000,
    provider: async (publicUrl) =>
      provider = await IdentityProvider.start({ publicUrl, refreshTokens: true }),
  });
}

function reporterOf({ coreUrl, baseUrl, clock }: Stack, provider: IdentityProvider): WebReporter {
  const { issuer, clientId, clientSecret } = provider;
  const log = silentLogger;
  const redirectUri = `${baseUrl}/auth/callback`;
  return new WebReporter({
    core: new CoreClient({ coreUrl, serviceKey: TEST_KEY, clock }),
    oidc: new OidcClient({ issuer, clientId, clientSecret, redirectUri, clock, logger: log }),
    log,
  });
}

for (const [name, begin] of OUTAGES) {
  testProvider(
    `a provider that ${name}: sessions stay, health shows it, it recovers`,
    async (stack, provider) => {
      const reporter = reporterOf(stack, provider);
      const web = async () => {
        const { components, status } = await stack.health.report("main", stack.clock.now());
        const component = components.find(({ kind }) => kind === "web");
        return { ...component, overall: status };
      };
      assert.equal((await web()).status, undefined, "not before the first report");
      await reporter.send();
      assert.equal((await web()).status, "ok");
      const browser = await stack.browser().signIn("ada");
      const status = async () => (await browser.json("/api/v1/session")).status;

      await begin(provider);
      stack.clock.advance(INTERVAL);
      assert.equal(await status(), 200);
      assert.equal(await status(), 200);
      // A web process that has not read the provider's metadata yet.
      const fresh = stack.webApp(stack.baseUrl);
      const page = await fresh.request(`${stack.baseUrl}/auth/login`);
      assert.equal(page.status, 503);
      assert.match(
        await page.text(),
        /Sign-in is not possible at the moment.*The identity provider does not answer/s,
      );
      await reporter.send();
      const seen = await web();
      assert.deepEqual([seen.status, seen.overall], ["degraded", "degraded"]);
      assert.match(
        seen.message!,
        /^sign-in fails: the identity provider does not answer: discovery at http/,
      );

      provider.behaviour = "serve";
      await provider.close();
      await provider.listen();
      await reporter.send();
      assert.equal((await web()).status, "ok");
      const again = await fresh.request(`${stack.baseUrl}/auth/login`);
      assert.equal(again.status, 302);
      provider.groups.delete("ada");
      await stack.browser().signIn("bob");
      // The refresh token of before the outage is still the one that counts.
      stack.clock.advance(INTERVAL);
      assert.equal(await status(), 401);
    },
  );
}

testProvider("a provider that rotates its keys refuses nobody who signs in", async (stack, provider) => {
  await stack.browser().signIn("ada");
  await provider.rotateKeys();
  // Longer than the pause between two readings of the keys.
  await new Promise((resolve) => setTimeout(resolve, 5_100));
  await stack.browser().signIn("bob");
});
