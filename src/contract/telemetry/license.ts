// The licence file: a compact JWS (RFC 7515) whose payload are the claims of a JWT (RFC 7519), so that it can be verified
// without asking anybody.

import { z } from "@hono/zod-openapi";
import { INSTALL_ID } from "./heartbeat.ts";

/** In NDR_CONFIG_DIR. */
export const LICENSE_FILE = "license.jwt";
/** The one algorithm: Ed25519 signatures. */
export const LICENSE_ALGORITHM = "EdDSA";
export const LICENSE_TYPE = "ndr-license+jwt";
export const LICENSE_ISSUER = "ndr-licensing";
export const LICENSE_AUDIENCE = "ndr-appliance";
/** Of the whole token, in characters; as in the registration server's answers. */
export const MAX_LICENSE_LENGTH = 8192;

/** The header, whole: nothing in a token says how or with which key it is to be verified but the name of that key. */
export const LicenseHeader = z.strictObject({
  alg: z.literal(LICENSE_ALGORITHM),
  typ: z.literal(LICENSE_TYPE),
  /** Which of the keys that the program knows signed it. */
  kid: z.string().min(1).max(64),
});

/** Seconds since the Unix epoch, up to the year 2255: beyond it a number does not hold all its microseconds. */
const NumericDate = z.int().min(0).max(8_993_721_600);

/** The claims; other ones are ignored, but for `nbf`: a licence holds from its issue on. */
export const LicenseClaims = z.object({
  iss: z.literal(LICENSE_ISSUER),
  aud: z.literal(LICENSE_AUDIENCE),
  iat: NumericDate,
  exp: NumericDate,
  nbf: z.undefined().optional(),
  /** Without a licence an installation has the free plan. */
  plan: z.literal("pro"),
  /** How many installations may use it at once; the registration server counts them. */
  seats: z.int().min(1).max(1_000_000),
  /** Names the licence key; the heartbeat carries a hash of it. */
  key_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  /** The one installation that it is for; a token without it is for whichever has the file. */
  install_id: z.string().regex(INSTALL_ID).optional(),
}).refine(({ iat, exp }) => exp > iat, { path: ["exp"], message: "expected to be later than iat" });
export type LicenseClaims = z.infer<typeof LicenseClaims>;
