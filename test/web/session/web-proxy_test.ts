// Signing in and working through the shipped proxy examples over TLS, with the real programs.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import { listen } from "../../../src/kit/net/listen.ts";
import { entriesOf } from "../../contract/session/audit.ts";
import { makeAuthority } from "../../support/certificates.ts";
import { freshDatabase } from "../../support/database.ts";
import { startCaddy, startNginx } from "../../support/proxies.ts";
import { IdentityProvider } from "../../support/session/identity-provider.ts";
import { transportTest as programTest } from "../../support/transport/transport-programs.ts";
import { Browser } from "./web-browser.ts";
import { Stack } from "./web-stack.ts";

/** Larger than a proxy's buffers, within the service's limit of 1 MiB. */
const LARGE = 900_000;

async function signsIn(start: typeof startCaddy): Promise<void> {
  const db = await freshDatabase();
  let provider!: IdentityProvider;
  const stack = await Stack.start(db, undefined, {
    provider: async (publicUrl) => provider = await IdentityProvider.start({ publicUrl }),
  });
  let app: ReturnType<Stack["webApp"]>;
  const listener = await listen((request, peer) => app.fetch(request, peer), {
    hostname: "127.0.0.1",
    port: 0,
  });
  try {
    const authority = await makeAuthority();
    await using proxy = await start(listener.url, await authority.issue("IP:127.0.0.1"));
    using client = Deno.createHttpClient({ caCerts: [authority.cert] });
    app = stack.webApp(proxy.url);
    provider.publicUrl = proxy.url;
    await provider.rotateKeys();
    provider.groups.set("ada", ["soc"]);
    stack.policy = new AccessPolicy([{ claim: "groups", value: "soc", tenant: "main", roles: ["analyst"] }]);

    const browser = new Browser(proxy.url, client);
    const begun = await browser.request("/auth/login?login_hint=ada");
    await begun.body?.cancel();
    const { response, visited } = await browser.visit(begun.headers.get("location")!);
    assert.match(await response.text(), /the dashboard/);
    assert.equal(visited.at(-1), `${proxy.url}/`);
    const cookie = browser.cookie("__Host-ndr-session")!;
    assert.ok(cookie.attributes.has("secure") && cookie.attributes.has("httponly"));
    assert.equal(cookie.attributes.get("samesite"), "Strict");
    assert.equal(cookie.path, "/");
    assert.ok(!cookie.attributes.has("domain"));
    for (const name of ["content-security-policy", "strict-transport-security", "x-content-type-options"]) {
      const value = response.headers.get(name);
      assert.ok(value, name);
      // Two headers of one name would be joined by a comma.
      assert.doesNotMatch(value, /, /, `${name} is set once`);
    }

    // What a client claims about its address is not what the proxy saw.
    const spoofed = { "x-forwarded-for": "203.0.113.9", "forwarded": "for=203.0.113.9" };
    const selected = await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "branch" }, spoofed);
    assert.equal(selected.status, 403);
    await selected.body?.cancel();
    for (const operation of ["signIn", "selectTenant"]) {
      const [entry] = await entriesOf(db, "main", { operation });
      assert.equal(entry!.client_address, "127.0.0.1", operation);
    }

    const text = "x".repeat(LARGE);
    const echoed = await browser.write("POST", "/api/v1/search/interpret", { text });
    // Too long for the operation, but it arrived: the refusal is the service's own.
    assert.equal(echoed.status, 400);
    assert.equal((await echoed.json()).error.code, "invalid_request");
    const tooLarge = await browser.write("POST", "/api/v1/search/interpret", { text: text + text });
    // Caddy cuts the request to the service off, and answers 502 if it sees that connection end first.
    assert.ok([413, ...start === startCaddy ? [502] : []].includes(tooLarge.status), String(tooLarge.status));
    await tooLarge.body?.cancel();
    const document = await browser.request("/api/v1/openapi.json");
    assert.ok((await document.text()).length > 200_000);

    const left = await browser.write("POST", "/auth/logout", undefined);
    assert.equal(left.status, 204);

    const plain = await fetch(`${proxy.plainUrl}/incidents?status=open`, { redirect: "manual" });
    await plain.body?.cancel();
    assert.equal(plain.status, 308);
    assert.equal(plain.headers.get("location"), "https://127.0.0.1/incidents?status=open");
  } finally {
    await listener.close();
    await stack.close();
    await db.close();
  }
}

for (const [program, start] of [["nginx", startNginx], ["caddy", startCaddy]] as const) {
  await programTest(
    `${program} as shipped: sign-in over TLS, cookies, addresses, sizes, the redirect from http`,
    { programs: [program] },
    () => signsIn(start),
  );
}
