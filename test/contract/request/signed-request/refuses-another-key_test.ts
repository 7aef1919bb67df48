import assert from "node:assert/strict";
import { sha256Hex } from "../../../../src/kit/hash.ts";
import { hmacHex } from "../../../../src/kit/web-crypto.ts";
import { KEY, refuses, signed, withHeader } from "./support.ts";

const KEYS = {
  "an empty key": "",
  "a key of zeros": "\0".repeat(32),
  "the key with a line end": "0123456789abcdef0123456789abcdef\n",
  "the key in upper case": "0123456789ABCDEF0123456789ABCDEF",
  "half of the key": "0123456789abcdef",
};
for (const [name, key] of Object.entries(KEYS)) {
  refuses(`everything signed again with ${name}`, () => signed({}, key));
}

// A signature over nothing, or over another payload.
refuses(
  "the MAC of nothing",
  async () => withHeader(signed(), "signature", await hmacHex(KEY, "")),
);
refuses("claims of another tenant with the signature of this one", async () => {
  const other = signed({ tenantId: "branch" });
  return withHeader(other, "signature", (await signed()).headers["X-NDR-Signature"]!);
});
refuses("fields that only together match what was signed", async () => {
  // The subject absorbs a role; without line ends the two payloads would be equal.
  const moved = withHeader(withHeader(signed(), "subject", "adaanalyst"), "roles", "reader");
  return withHeader(moved, "signature", (await signed()).headers["X-NDR-Signature"]!);
});
refuses("another version of the payload", async () => {
  const { request, headers } = await signed();
  const payload = ["ndr-request-v2", request.method, request.pathname, "a=1&b=2", sha256Hex(request.body)];
  for (const name of ["Tenant", "Subject", "Roles", "Issued-At", "Expires-At", "Nonce"]) {
    payload.push(headers[`X-NDR-${name}`]!);
  }
  const signature = (version: string) => hmacHex(KEY, [version, ...payload.slice(1)].join("\n"));
  assert.equal(await signature("ndr-request-v1"), headers["X-NDR-Signature"], "only the version differs");
  return withHeader(signed(), "signature", await signature("ndr-request-v2"));
});
