import { z } from "@hono/zod-openapi";

/** How long a person may take at the identity provider, in seconds. */
export const PENDING_LIFETIME = 600;

/** A sign-in between start and callback, which the browser keeps sealed. */
export const PendingSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  return_to: z.string(),
  /** SHA-256 of the session cookie that this sign-in replaces. */
  replaces: z.string().nullable(),
});
export type PendingSignIn = z.infer<typeof PendingSignIn>;
