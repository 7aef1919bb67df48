// The licence file: a compact JWS (RFC 7515) with the claims of a JWT (RFC 7519) as payload, so that it can
// be verified offline.

import { z } from "@hono/zod-openapi";
import { INSTALL_ID } from "./heartbeat.ts";

/** In NDR_CONFIG_DIR. */
export const LICENSE_FILE = "license.jwt";
/** The only accepted algorithm: Ed25519 signatures. */
export const LICENSE_ALGORITHM = "EdDSA";
export const LICENSE_TYPE = "ndr-license+jwt";
export const LICENSE_ISSUER = "ndr-licensing";
export const LICENSE_AUDIENCE = "ndr-appliance";
/** Maximum length of the token, in characters; also applies to the registration server's responses. */
export const MAX_LICENSE_LENGTH = 8192;

/** The complete header: apart from the key id, a token cannot influence how it is verified. */
export const LicenseHeader = z.strictObject({
  alg: z.literal(LICENSE_ALGORITHM),
  typ: z.literal(LICENSE_TYPE),
  /** Id of the signing key, one of the program's built-in keys. */
  kid: z.string().min(1).max(64),
});

/** Seconds since the Unix epoch, up to the year 2255, the limit for exact microseconds in a number. */
const NumericDate = z.int().min(0).max(8_993_721_600);

/** The claims; others are ignored, except `nbf`, which is rejected: a licence is valid from its issue. */
export const LicenseClaims = z.object({
  iss: z.literal(LICENSE_ISSUER),
  aud: z.literal(LICENSE_AUDIENCE),
  iat: NumericDate,
  exp: NumericDate,
  nbf: z.undefined().optional(),
  /** Without a licence an installation has the free plan. */
  plan: z.literal("pro"),
  /** Number of installations that may use it at once; counted by the registration server. */
  seats: z.int().min(1).max(1_000_000),
  /** Identifies the licence key; the heartbeat contains a hash of it. */
  key_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  /** The installation that the licence is bound to; without it, any installation may use the file. */
  install_id: z.string().regex(INSTALL_ID).optional(),
}).refine(({ iat, exp }) => exp > iat, { path: ["exp"], message: "expected to be later than iat" });
export type LicenseClaims = z.infer<typeof LicenseClaims>;
