// The identity provider's addresses follow the same rule as those of webhooks, those in its metadata too.

import assert from "node:assert/strict";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { OidcClient, ProviderUnavailable } from "../../../src/web/session/oidc.ts";

const REFUSED = /cloud metadata addresses are refused/;

function clientOf(issuer: string, addresses?: string[]): OidcClient {
  return new OidcClient({
    issuer,
    clientId: "ndr",
    clientSecret: "secret",
    redirectUri: "https://ndr.example/auth/callback",
    clock: systemClock,
    logger: silentLogger,
    resolve: addresses && (() => Promise.resolve(addresses)),
  });
}

Deno.test("sign-in: a provider at a refused address is not contacted", async () => {
  const refused = async (client: OidcClient, about: string) => {
    await assert.rejects(client.start({}), (error: Error) => {
      assert.ok(error instanceof ProviderUnavailable, about);
      assert.match(error.message, REFUSED, about);
      return true;
    });
  };
  for (const host of ["169.254.169.254", "[::ffff:0:a9fe:a9fe]", "[2001:0:a9fe:a9fe::1]", "[fec0::1]"]) {
    await refused(clientOf(`https://${host}`), host);
  }
  for (const address of ["2001:db8::5efe:169.254.169.254", "fe80::1", "2002:a9fe:a9fe::1"]) {
    await refused(clientOf("https://id.example", ["192.0.2.7", address]), address);
  }
});

Deno.test("sign-in: the provider's metadata cannot lead to a refused address", async () => {
  let metadata: Record<string, string> = {};
  const provider = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json(metadata),
  );
  const issuer = `http://127.0.0.1:${provider.addr.port}`;
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: "http://[64:ff9b::a9fe:a9fe]/token",
    jwks_uri: `${issuer}/keys`,
  };
  try {
    const client = clientOf(issuer);
    const { secrets } = await client.start({});
    const callback = new URLSearchParams({ code: "c", state: secrets.state });
    await assert.rejects(client.finish(callback, secrets), (error: Error) => {
      assert.ok(error instanceof ProviderUnavailable);
      assert.match(error.message, REFUSED);
      return true;
    });
  } finally {
    await provider.shutdown();
  }
});
