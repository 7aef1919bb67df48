import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import {
  type SignableRequest,
  SIGNED_HEADERS,
  type SignedClaims,
  signRequest,
  verifyRequest,
  WEB_SERVICE,
} from "../../../../src/contract/request/signed-request.ts";
import { unreachableDatabase } from "../../support.ts";
import { coreOn } from "../../core.ts";

export const KEY = "0123456789abcdef0123456789abcdef";
/** 2026-01-31T07:15:00Z */
export const NOW = 1_769_843_700_000_000;
export const SECOND = 1_000_000;

export const REQUEST: SignableRequest = {
  method: "PATCH",
  pathname: "/api/v1/incidents/incident-1",
  search: "?b=2&a=1",
  body: new TextEncoder().encode('{"status":"investigating"}'),
};

export const CLAIMS: SignedClaims = {
  service: WEB_SERVICE,
  tenantId: "main",
  subject: "ada",
  roles: ["analyst", "reader"],
  issuedAt: NOW,
  expiresAt: NOW + 60 * SECOND,
  nonce: "9Zk0Vd1h3c7Q2m5x8b4L1A",
};

/** A request as it arrives, before or after tampering. */
interface Arrived {
  request: SignableRequest;
  headers: Record<string, string>;
}

export async function signed(claims: Partial<SignedClaims> = {}, key = KEY): Promise<Arrived> {
  return { request: REQUEST, headers: await signRequest(key, REQUEST, { ...CLAIMS, ...claims }) };
}

export async function withHeader(
  arrived: Arrived | Promise<Arrived>,
  name: keyof typeof SIGNED_HEADERS,
  value: string | null,
): Promise<Arrived> {
  const { request, headers: { ...headers } } = await arrived;
  if (value === null) delete headers[SIGNED_HEADERS[name]];
  else headers[SIGNED_HEADERS[name]] = value;
  return { request, headers };
}

/**
 * Signs whatever the headers say, or another subject: even the key's owner cannot request anything.
 */
export async function resigned(
  arrived: Arrived | Promise<Arrived>,
  canonicalQuery = "a=1&b=2",
  subject?: string,
): Promise<Arrived> {
  const { request, headers } = await arrived;
  const payload = [
    "ndr-request-v1",
    request.method,
    request.pathname,
    canonicalQuery,
    createHash("sha256").update(request.body).digest("hex"),
    headers["X-NDR-Tenant"],
    subject ?? headers["X-NDR-Subject"],
    headers["X-NDR-Roles"],
    headers["X-NDR-Issued-At"],
    headers["X-NDR-Expires-At"],
    headers["X-NDR-Nonce"],
  ].join("\n");
  return await withHeader(arrived, "signature", createHmac("sha256", KEY).update(payload).digest("hex"));
}

export async function verify(
  arrived: Arrived | Promise<Arrived>,
  now = NOW,
): Promise<SignedClaims | null> {
  const { request, headers } = await arrived;
  return await verifyRequest(KEY, request, (name) => headers[name], now);
}

/** Tests that a request is refused: by the check itself, and by a core, without the reason. */
export function refuses(name: string, make: () => Promise<Arrived>, now = NOW): void {
  Deno.test(`signed request: refuses ${name}`, async () => {
    const arrived = await make();
    assert.equal(await verify(arrived, now), null);

    const db = unreachableDatabase();
    try {
      const core = coreOn(db, { key: KEY, now });
      const { method, pathname, search, body } = arrived.request;
      const response = await core.app.request(pathname + search, {
        method,
        body: new Uint8Array(body),
        headers: {
          ...arrived.headers,
          "content-type": "application/json",
          "idempotency-key": "k1",
          "if-match": '"1"',
        },
      });
      assert.equal(response.status, 401);
      const { error } = await response.json();
      assert.equal(error.code, "unauthenticated");
      assert.equal(error.message, "Authentication required: sign in or send a valid credential.");
      assert.deepEqual(error.details, { reason: "unauthenticated" });
    } finally {
      await db.close();
    }
  });
}
