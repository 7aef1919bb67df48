// The signed request with which the web layer authenticates a caller to the core.
//
// Eight headers carry the claims. The signature is the lower-case hex HMAC-SHA256, with the service key, of
// these lines, joined by LF without a trailing one:
//
//   ndr-request-v1                      version marker
//   PATCH                               method, upper case
//   /api/v1/incidents/i-1               pathname as received
//   limit=5&query=a%20b                 canonical query, may be empty
//   44136fa355b3678a…                   lower-case hex SHA-256 of the exact body, which may be empty
//   main                                tenant, empty on a service request
//   ada                                 subject; its header is `UTF-8''` and percent-encoded if not ASCII
//   analyst,reader                      roles, sorted, joined by commas; empty on a service request
//   2026-01-31T07:15:00.000Z            issued at
//   2026-01-31T07:16:00.000Z            expires at
//   9Zk0Vd1h3c7Q2m5x8b4L1A              nonce
//
// No value contains a line end, so each line is exactly one field. Only a subject may have characters beyond
// printable ASCII; the lines are signed as UTF-8.
// `test/contract/request/signed-request/vectors.json` has worked examples.

import { constantTimeEqual, digestHex, hmacHex } from "../../kit/web-crypto.ts";
import { formatMillis, parseTimestamp } from "../../kit/time.ts";
import { type Role, ROLES } from "../record/kinds.ts";
import { decodeSubject, encodeSubject, isSubject } from "./subject.ts";

export const SIGNED_HEADERS = {
  service: "X-NDR-Service",
  tenant: "X-NDR-Tenant",
  subject: "X-NDR-Subject",
  roles: "X-NDR-Roles",
  issuedAt: "X-NDR-Issued-At",
  expiresAt: "X-NDR-Expires-At",
  nonce: "X-NDR-Nonce",
  signature: "X-NDR-Signature",
} as const;

const SIGNED_REQUEST_VERSION = "ndr-request-v1";
/** Identifier of the only service that may sign. */
export const WEB_SERVICE = "ndr-web";
/** Maximum claim lifetime and tolerated clock difference, in microseconds. */
export const MAX_CLAIM_LIFETIME = 60_000_000;
export const CLOCK_SKEW = 30_000_000;

/** The signed parts of an HTTP request. */
export interface SignableRequest {
  method: string;
  /** Percent-encoded, as in the request line. */
  pathname: string;
  /** The query as in the request line, with or without `?`. */
  search: string;
  body: Uint8Array;
}

export interface SignedClaims {
  service: string;
  /** Null on requests that the service makes on its own behalf, such as a session lookup. */
  tenantId: string | null;
  subject: string;
  /** Sorted, without duplicates. */
  roles: readonly Role[];
  /** Microseconds since the epoch; whole milliseconds. */
  issuedAt: number;
  expiresAt: number;
  /** 16 to 128 characters of base64url. */
  nonce: string;
}

const METHOD = /^[A-Z]{1,16}$/;
const PATHNAME = /^\/[\x21-\x7e]*$/;
const SERVICE = /^[\x21-\x7e]{1,64}$/;
const TENANT = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/;
const NONCE = /^[A-Za-z0-9_-]{16,128}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * Returns the canonical query: pairs sorted by encoded name, then encoded value, duplicates kept, all but
 * unreserved characters percent-encoded (space as `%20`). It derives from the decoded pairs, which handlers
 * read, so queries with the same canonical form are equivalent.
 */
export function canonicalQuery(search: string): string {
  const pairs = [...new URLSearchParams(search)].map(([name, value]) =>
    [encode(name), encode(value)] as const
  );
  pairs.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return pairs.map(([name, value]) => `${name}=${value}`).join("&");
}

/**
 * Returns the headers that carry and sign the claims. Throws a TypeError for values that headers cannot carry
 * and for lifetimes that no verifier accepts.
 */
export async function signRequest(
  key: Uint8Array | string,
  request: SignableRequest,
  claims: SignedClaims,
): Promise<Record<string, string>> {
  const lifetime = claims.expiresAt - claims.issuedAt;
  if (!(lifetime > 0 && lifetime <= MAX_CLAIM_LIFETIME)) {
    throw new TypeError("signed request: invalid claim lifetime");
  }
  const fields: Fields = {
    service: claims.service,
    tenant: claims.tenantId ?? "",
    subject: claims.subject,
    roles: [...new Set(claims.roles)].sort().join(","),
    issuedAt: formatMillis(claims.issuedAt),
    expiresAt: formatMillis(claims.expiresAt),
    nonce: claims.nonce,
  };
  if (!isWellFormed(request, fields)) throw new TypeError("signed request: a value does not fit a header");
  return {
    [SIGNED_HEADERS.service]: fields.service,
    [SIGNED_HEADERS.tenant]: fields.tenant,
    [SIGNED_HEADERS.subject]: encodeSubject(fields.subject),
    [SIGNED_HEADERS.roles]: fields.roles,
    [SIGNED_HEADERS.issuedAt]: fields.issuedAt,
    [SIGNED_HEADERS.expiresAt]: fields.expiresAt,
    [SIGNED_HEADERS.nonce]: fields.nonce,
    [SIGNED_HEADERS.signature]: await hmacHex(key, await canonicalPayload(request, fields)),
  };
}

/** Reads one header; null or undefined if it is absent. */
type HeaderReader = (name: string) => string | null | undefined;

/**
 * Whether a request carries complete, well-formed claims that are current at `now` (microseconds). Says nothing
 * about the signature, which covers the body: it decides whether the body is worth reading.
 */
export function looksSigned(
  request: Pick<SignableRequest, "method" | "pathname">,
  header: HeaderReader,
  now: number,
): boolean {
  return readClaims(request, header, now) !== null;
}

/**
 * Returns the claims if signature, format and times are valid at `now` (microseconds), else null; the client
 * must not learn the reason. The caller must check that the nonce was not used before.
 */
export async function verifyRequest(
  key: Uint8Array | string,
  request: SignableRequest,
  header: HeaderReader,
  now: number,
): Promise<SignedClaims | null> {
  const read = readClaims(request, header, now);
  if (read === null) return null;
  const expected = await hmacHex(key, await canonicalPayload(request, read.fields));
  return await constantTimeEqual(read.signature, expected) ? read.claims : null;
}

function readClaims(
  request: Pick<SignableRequest, "method" | "pathname">,
  header: HeaderReader,
  now: number,
): { fields: Fields; signature: string; claims: SignedClaims } | null {
  const value = (name: keyof typeof SIGNED_HEADERS): string | null => header(SIGNED_HEADERS[name]) ?? null;
  const { service, tenant, subject, roles, issuedAt, expiresAt, nonce, signature } = {
    service: value("service"),
    tenant: value("tenant"),
    subject: decodeSubject(value("subject") ?? ""),
    roles: value("roles"),
    issuedAt: value("issuedAt"),
    expiresAt: value("expiresAt"),
    nonce: value("nonce"),
    signature: value("signature"),
  };
  if (
    service === null || tenant === null || subject === null || roles === null || issuedAt === null ||
    expiresAt === null || nonce === null || signature === null
  ) return null;

  const fields: Fields = { service, tenant, subject, roles, issuedAt, expiresAt, nonce };
  if (!isWellFormed(request, fields) || !SIGNATURE.test(signature)) return null;

  const issued = parseTimestamp(issuedAt)?.micros;
  const expires = parseTimestamp(expiresAt)?.micros;
  if (issued === undefined || expires === undefined) return null;
  const lifetime = expires - issued;
  if (!(lifetime > 0 && lifetime <= MAX_CLAIM_LIFETIME)) return null;
  if (issued > now + CLOCK_SKEW || expires < now - CLOCK_SKEW) return null;

  return {
    fields,
    signature,
    claims: {
      service,
      tenantId: tenant === "" ? null : tenant,
      subject,
      roles: roles === "" ? [] : roles.split(",") as Role[],
      issuedAt: issued,
      expiresAt: expires,
      nonce,
    },
  };
}

/** The claims as they are signed: the subject decoded, the others as in their headers. */
type Fields = Record<Exclude<keyof typeof SIGNED_HEADERS, "signature">, string>;

async function canonicalPayload(request: SignableRequest, fields: Fields): Promise<string> {
  return [
    SIGNED_REQUEST_VERSION,
    request.method,
    request.pathname,
    canonicalQuery(request.search),
    await digestHex(request.body),
    fields.tenant,
    fields.subject,
    fields.roles,
    fields.issuedAt,
    fields.expiresAt,
    fields.nonce,
  ].join("\n");
}

function isWellFormed(request: Pick<SignableRequest, "method" | "pathname">, fields: Fields): boolean {
  return METHOD.test(request.method) && PATHNAME.test(request.pathname) && SERVICE.test(fields.service) &&
    TENANT.test(fields.tenant) && isSubject(fields.subject) && isRoles(fields.roles) &&
    TIME.test(fields.issuedAt) && TIME.test(fields.expiresAt) && NONCE.test(fields.nonce);
}

function isRoles(text: string): boolean {
  if (text === "") return true;
  const roles = text.split(",");
  return roles.every((role, i) =>
    (ROLES as readonly string[]).includes(role) && (i === 0 || roles[i - 1]! < role)
  );
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => "%" + character.charCodeAt(0).toString(16).toUpperCase(),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
