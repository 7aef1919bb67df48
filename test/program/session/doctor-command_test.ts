// `ndr doctor` beside the running services.

import assert from "node:assert/strict";
import { Check } from "../../../src/cli/doctor/finding.ts";
import { checkProvider } from "../../../src/cli/doctor/network.ts";
import { Secret } from "../../../src/config/secret.ts";
import { startDevSignIn } from "../../../src/dev/sign-in.ts";
import { callNdr } from "../../support/command.ts";
import { startProcesses } from "../../support/processes.ts";

interface Finding {
  check: string;
  status: string;
  message: string;
}

Deno.test("ndr doctor: finds nothing broken beside running services, and the core gone once it is stopped", async () => {
  const ndr = await startProcesses();
  try {
    await Deno.chmod(`${ndr.configDir}/service.key`, 0o600);
    const examine = async () => {
      const { code, stdout, stderr } = await callNdr(["doctor", "--json"], ndr.env);
      assert.equal(stderr, "");
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return { code, findings, of: (check: string) => findings.filter((one) => one.check === check) };
    };
    const running = await examine();
    assert.deepEqual(running.findings.filter(({ status }) => status === "fail"), []);
    assert.equal(running.code, 0);
    assert.deepEqual(running.of("configuration").map(({ status }) => status), ["pass"]);
    assert.deepEqual(running.of("sign-in").map(({ status }) => status), ["pass"]);
    assert.deepEqual(running.of("services").map(({ status }) => status), ["pass", "pass"]);
    assert.deepEqual(running.of("sensors").map(({ message }) => message), [
      "main-zeek: no record has arrived yet",
      "main-suricata: no record has arrived yet",
      "main-netflow: no record has arrived yet",
    ]);
    const embedded = ndr.databaseUrl.startsWith("embedded:");
    assert.equal(running.of("database").at(-1)!.status, embedded ? "skip" : "pass");

    await ndr.stopCore();
    const stopped = await examine();
    assert.equal(stopped.code, 1);
    assert.deepEqual(stopped.of("services").map(({ status }) => status), ["fail", "pass"]);
    const database = stopped.of("database");
    assert.equal(database.at(-1)!.status, "pass");
    // The server of the tests runs with fsync off.
    for (const { message } of database.slice(0, -1)) assert.match(message, /^fsync is off: /);
    assert.deepEqual(stopped.of("clock").at(-1)!.status, "pass");
    assert.equal(stopped.of("sensors").length, 3);
  } finally {
    await ndr.stop();
  }
});

Deno.test("sign-in: the provider answers, knows the client and signs with an algorithm that is verified", async () => {
  const publicUrl = "https://ndr.example.org";
  const found = async (oidc: Parameters<typeof checkProvider>[1]["oidc"]) => {
    const check = new Check("sign-in");
    await checkProvider(check, { oidc, publicUrl });
    return check.findings;
  };
  const provider = await startDevSignIn({ redirectUris: [`${publicUrl}/auth/callback`] });
  const { issuer, clientId, clientSecret } = provider;
  const oidc = { issuer, clientId, clientSecret: new Secret(clientSecret) };
  try {
    const [good] = await found(oidc);
    assert.equal(good!.status, "pass", good!.message);
    const wrong = { ...oidc, clientSecret: new Secret("another-secret") };
    const [refused] = await found(wrong);
    assert.match(refused!.message, /does not accept the client id ndr-web with this secret/);
    const other = { ...oidc, issuer: issuer.replace("127.0.0.1", "localhost") };
    const [differing] = await found(other);
    assert.match(differing!.message, /^the issuer differs: /);
  } finally {
    await provider.close();
  }

  const weak = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    const { origin, pathname } = new URL(url);
    if (pathname === "/token") return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      id_token_signing_alg_values_supported: ["HS256"],
    });
  });
  try {
    const [finding] = await found({ ...oidc, issuer: `http://127.0.0.1:${weak.addr.port}` });
    assert.equal(finding!.status, "fail");
    assert.match(finding!.message, /signs ID tokens with HS256 only; expected one of RS256, /);
  } finally {
    await weak.shutdown();
  }
});
