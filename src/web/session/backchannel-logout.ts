import type { Context, Hono } from "hono";
import { readBodyOf } from "../../contract/request/capacity.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import { type OidcClient, SignInRefused } from "./oidc.ts";
import type { Sessions } from "./sessions.ts";

const PATH = "/auth/backchannel-logout";
/** Most bytes of a request: a logout token has some hundred. */
const MAX_BYTES = 16 * 1024;

interface LogoutOptions {
  oidc: OidcClient;
  sessions: Sessions;
  log: Logger;
}

/**
 * `POST /auth/backchannel-logout` (OpenID Connect Back-Channel Logout 1.0): the provider ends sessions, which its
 * signed token names. Every failure is 400, as the specification demands; `error` says whether to try again.
 */
export function addBackchannelLogout(app: Hono, { oidc, sessions, log }: LogoutOptions): void {
  app.post(PATH, async (c) => {
    try {
      const logout = await oidc.verifyLogout(await readToken(c));
      const ended = await sessions.endAtProvider(logout);
      if (ended === null) throw new SignInRefused("the token was used before");
      log.info("signed out by the identity provider", { subject: logout.subject, sessions: ended });
      return answer(c, 200);
    } catch (error) {
      log.warn("logout of the identity provider not accepted", { error: messageOf(error) });
      const code = error instanceof SignInRefused ? "invalid_request" : "temporarily_unavailable";
      return answer(c, 400, { error: code });
    }
  });
}

async function readToken(c: Context): Promise<string> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new SignInRefused("the body is no form");
  const body = await readBodyOf(c);
  if (body.length > MAX_BYTES) throw new SignInRefused(`the body has more than ${MAX_BYTES} bytes`);
  const tokens = new URLSearchParams(new TextDecoder().decode(body)).getAll("logout_token");
  if (tokens.length !== 1) throw new SignInRefused(`expected one logout_token, got ${tokens.length}`);
  return tokens[0]!;
}

function answer(c: Context, status: 200 | 400, body?: { error: string }): Response {
  c.header("Cache-Control", "no-store");
  return body === undefined ? c.body(null, status) : c.json(body, status);
}
