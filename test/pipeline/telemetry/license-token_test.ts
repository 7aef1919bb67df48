// What is and what is not a valid licence, with real keys and signatures.

import assert from "node:assert/strict";
import fc from "fast-check";
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";
import { LICENSE_AUDIENCE, LICENSE_ISSUER, LICENSE_TYPE } from "../../../src/contract/telemetry/license.ts";
import { licenseOf } from "../../../src/domain/telemetry/license/license.ts";
import { LICENSE_KEYS } from "../../../src/telemetry/license-keys.ts";
import { readLicense } from "../../../src/telemetry/license-token.ts";
import { claimsOf, LicenseSigner } from "../../support/telemetry/licenses.ts";

const NOW = 1_769_843_700_000_000;
const YEAR = 365 * 86_400_000_000;
const signer = await LicenseSigner.generate();
const other = await LicenseSigner.generate();
const claims = claimsOf({ issuedAt: NOW, expiresAt: NOW + YEAR, installId: `ins_${"0".repeat(32)}` });
const good = await signer.sign(claims);

async function faultOf(token: string): Promise<string | null> {
  return (await readLicense(token, signer.keys)).fault;
}

function part(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

Deno.test("a licence: EdDSA, plan, seats, expiry, key identifier; verified offline", async () => {
  assert.deepEqual(await readLicense(good, signer.keys), { license: licenseOf(claims), fault: null });
  assert.deepEqual(licenseOf(claims), {
    plan: "pro",
    seats: 5,
    keyId: "lic-0001",
    installId: `ins_${"0".repeat(32)}`,
    issuedAt: NOW,
    expiresAt: NOW + YEAR,
  });
  const more = await signer.sign({ ...claims, customer: "Example", modules: ["a"] });
  assert.equal(await faultOf(more), null, "additions of later versions are ignored");
});

Deno.test("the built-in key is an Ed25519 one, and a licence of any other key is refused", async () => {
  for (const x of Object.values(LICENSE_KEYS)) assert.equal(base64url.decode(x).length, 32);
  const [kid] = Object.keys(LICENSE_KEYS);
  const forged = await signer.sign(claims, { kid });
  assert.deepEqual(await readLicense(forged, LICENSE_KEYS), {
    license: null,
    fault: "has an invalid signature",
  });
  assert.equal(
    (await readLicense(good, LICENSE_KEYS)).fault,
    "is signed with a key that this release does not know",
  );
});

Deno.test("`alg: none` and every other algorithm than EdDSA is refused", async () => {
  const payload = good.split(".")[1];
  const header = { typ: LICENSE_TYPE, kid: signer.kid };
  for (
    const alg of [
      "none",
      "None",
      "NONE",
      "",
      "HS256",
      "HS512",
      "RS256",
      "ES256",
      "Ed25519",
      "eddsa",
      null,
      0,
      undefined,
    ]
  ) {
    for (const signature of ["", good.split(".")[2]]) {
      const fault = await faultOf(`${part({ ...header, alg })}.${payload}.${signature}`);
      assert.match(fault ?? "taken", /^(is not a signed token|has a wrong header: alg)/, String(alg));
    }
  }
  assert.equal(
    await faultOf(`${good.split(".").slice(0, 2).join(".")}.`),
    "is not a signed token (three base64url parts separated by dots)",
  );
});

Deno.test("key confusion is refused: our public key as a shared secret, a key in the header, keys of other kinds", async () => {
  const header = { typ: LICENSE_TYPE, kid: signer.kid };
  const x = Object.values(signer.keys)[0]!;
  for (const secret of [base64url.decode(x), new TextEncoder().encode(x)]) {
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const key = await crypto.subtle.importKey(
        "raw",
        new Uint8Array(secret),
        { name: "HMAC", hash: `SHA-${alg.slice(2)}` },
        false,
        ["sign"],
      );
      const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key);
      assert.equal(await faultOf(token), "has a wrong header: alg");
    }
  }
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  const jwk = await exportJWK(publicKey);
  for (
    const own of [
      { jwk },
      { jku: "https://evil.example/k" },
      { x5c: ["AA"] },
      { x5u: "https://evil.example/c" },
      { crit: ["exp"], exp: 1 },
      { b64: false },
      { zip: "DEF" },
      { cty: "JWT" },
    ]
  ) {
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", ...header }).sign(privateKey);
    const tampered = `${part({ alg: "EdDSA", ...header, ...own })}.${token.split(".").slice(1).join(".")}`;
    assert.equal(await faultOf(tampered), "has a wrong header: its fields");
  }
  const es256 = await generateKeyPair("ES256");
  const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg: "ES256" }).sign(
    es256.privateKey,
  );
  const [, payload, signature] = token.split(".");
  assert.equal(await faultOf(token), "has a wrong header: alg");
  const relabelled = `${part({ ...header, alg: "EdDSA" })}.${payload}.${signature}`;
  assert.equal(await faultOf(relabelled), "has an invalid signature");
});

Deno.test("another signer, a changed claim and a changed header are refused", async () => {
  assert.equal(await faultOf(await other.sign(claims)), "has an invalid signature");
  const [header, , signature] = good.split(".");
  const longer = `${header}.${part({ ...claims, exp: claims.exp + 1 })}.${signature}`;
  assert.equal(await faultOf(longer), "has an invalid signature");
  const spaced = base64url.encode(`{ "alg":"EdDSA","typ":"${LICENSE_TYPE}","kid":"${signer.kid}"}`);
  assert.equal(
    await faultOf(`${spaced}.${good.split(".").slice(1).join(".")}`),
    "has an invalid signature",
  );
  for (const kid of ["", "unknown", "__proto__", "constructor", "x".repeat(65), 7, undefined]) {
    assert.match(
      (await faultOf(await signer.sign(claims, { kid })))!,
      /^(has a wrong header: kid|is signed with a key that this release does not know)$/,
    );
  }
});

Deno.test("claims are checked strictly: issuer, audience, type, plan, seats, times, key identifier, installation", async () => {
  const cases: [string, unknown][] = [
    ...["", "ndr", `${LICENSE_ISSUER} `, [LICENSE_ISSUER], undefined].map((iss) =>
      ["iss", iss] as [string, unknown]
    ),
    ...["", "other", [LICENSE_AUDIENCE], undefined].map((aud) => ["aud", aud] as [string, unknown]),
    ...["free", "PRO", "enterprise", 1, undefined].map((plan) => ["plan", plan] as [string, unknown]),
    ...[0, -1, 1.5, "5", null, 1e9, undefined].map((seats) => ["seats", seats] as [string, unknown]),
    ...[String(claims.exp), null, 1e15, 0.5, -1, claims.iat, claims.iat - 1, undefined].map((exp) =>
      ["exp", exp] as [string, unknown]
    ),
    ...[String(claims.iat), null, -1, undefined].map((iat) => ["iat", iat] as [string, unknown]),
    ...["", "a b", "x".repeat(65), "ä", 1, undefined].map((key) => ["key_id", key] as [string, unknown]),
    ...["", "ins_", `INS_${"0".repeat(32)}`, null, [claims.install_id]].map((id) =>
      ["install_id", id] as [string, unknown]
    ),
    ["nbf", claims.iat],
  ];
  for (const [claim, value] of cases) {
    const token = await signer.sign({ ...claims, [claim]: value });
    assert.equal(await faultOf(token), `has a wrong claim: ${claim}`, `${claim} ${JSON.stringify(value)}`);
  }
  for (const whole of [null, [], "text", 1, [claims]]) {
    assert.equal(await faultOf(await signer.sign(whole)), "has a wrong claim: its fields");
  }
  for (const typ of ["JWT", "at+jwt", "", undefined]) {
    assert.equal(await faultOf(await signer.sign(claims, { typ })), "has a wrong header: typ");
  }
});

Deno.test("a token longer than 8192 characters is refused before any of it is parsed", async () => {
  const long = await signer.sign({ ...claims, more: "x".repeat(8192) });
  assert.equal(await faultOf(long), "is longer than 8192 characters");
  assert.equal(await faultOf("a".repeat(10_000_000)), "is longer than 8192 characters");
});

Deno.test("for any file content, reading it never throws, yields no licence, and quotes nothing of it", async () => {
  const secret = "SECRETSECRETSECRET";
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...good.split(".")),
    fc.json().map((json) => base64url.encode(json)),
    fc.constant(base64url.encode(JSON.stringify({ [secret]: secret }))),
    fc.base64String(),
  );
  const token = fc.oneof(
    text,
    fc.array(text, { maxLength: 5 }).map((parts) => [...parts, secret].join(".")),
    fc.nat({ max: good.length - 1 }).map((at) => good.slice(0, at) + good.slice(at + 1)),
  );
  await fc.assert(fc.asyncProperty(token, async (text) => {
    const { license, fault } = await readLicense(text, signer.keys);
    assert.equal(license, null);
    assert.doesNotMatch(fault!, /SECRET/);
  }));
  for (const name of [secret, "__proto__", "toString"]) {
    const named = await signer.sign({ ...claims, exp: undefined, [name]: secret }, { [name]: 1 });
    assert.doesNotMatch((await faultOf(named))!, /SECRET|proto|toString/);
  }
});
