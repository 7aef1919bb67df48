import type { Context, Hono } from "hono";
import { errorResponse } from "../../contract/request/envelope.ts";
import { type PersonClaims, SESSION_LIFETIME } from "../../contract/session/service-session.ts";
import { isSubject, SUBJECT_RULE } from "../../contract/request/subject.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import { currentRequestId } from "../../observe/request-scope.ts";
import type { Cookies } from "../cookies.ts";
import { checkCsrf } from "../csrf.ts";
import { CoreUnavailable, toApiError } from "../errors.ts";
import { type OidcClient, ProviderUnavailable, SignInRefused } from "./oidc.ts";
import { type Page, pageResponse } from "../pages.ts";
import { personName } from "./person-name.ts";
import { PENDING_LIFETIME, type PendingSignIn } from "./pending-sign-in.ts";
import type { ProviderClaims } from "./provider-claims.ts";
import type { Sealed } from "./sealed.ts";
import type { Refusals } from "../refusals.ts";
import { localPath } from "./return-to.ts";
import { hashOfToken, newToken, type Sessions } from "./sessions.ts";

interface AuthOptions {
  publicUrl: string;
  oidc: OidcClient;
  pending: Sealed<PendingSignIn>;
  providerClaims: ProviderClaims;
  sessions: Sessions;
  cookies: Cookies;
  refusals: Refusals;
  log: Logger;
}

const AGAIN = { href: "/auth/login", label: "Sign in" };
/** Longest `return_to`, in characters: it is kept in a cookie. A longer one leads to the start page. */
const MAX_RETURN_TO = 512;
/** Where a callback without a sign-in in progress continues; see `withoutAttempt`. */
const ENDED_PATH = "/auth/ended";
const PROMPTS = ["login", "select_account"];

/** `GET /auth/login`, `GET /auth/callback`, `GET /auth/ended`, `POST /auth/logout`. */
export function addAuthRoutes(app: Hono, options: AuthOptions): void {
  app.get("/auth/login", (c) => answer(options, () => login(c, options)));
  app.get("/auth/callback", (c) => answer(options, () => callback(c, options)));
  app.get(ENDED_PATH, (c) => answer(options, () => withoutAttempt(c, options)));
  app.post("/auth/logout", async (c) => {
    try {
      return await logout(c, options);
    } catch (error) {
      const requestId = currentRequestId();
      return errorResponse(toApiError(error, requestId, options.log), requestId);
    }
  });
}

/** Query: `return_to` (a local path), `login_hint`, `prompt` (`login` or `select_account`). */
async function login(c: Context, { publicUrl, oidc, pending, cookies }: AuthOptions): Promise<Response> {
  const url = new URL(c.req.url);
  const elsewhere = otherLoopbackName(url, publicUrl);
  if (elsewhere !== null) return c.redirect(elsewhere, 302);

  const prompt = c.req.query("prompt");
  const { url: provider, secrets } = await oidc.start({
    loginHint: c.req.query("login_hint"),
    prompt: prompt !== undefined && PROMPTS.includes(prompt) ? prompt : undefined,
  });
  const token = cookies.session(c);
  const returnTo = localPath(c.req.query("return_to"), publicUrl);
  const sealed = await pending.seal({
    state: secrets.state,
    nonce: secrets.nonce,
    code_verifier: secrets.codeVerifier,
    return_to: returnTo.length > MAX_RETURN_TO ? "/" : returnTo,
    replaces: token === undefined ? null : await hashOfToken(token),
  });
  await cookies.setPending(c, secrets.state, sealed, PENDING_LIFETIME);
  return c.redirect(provider.href, 302);
}

async function callback(c: Context, options: AuthOptions): Promise<Response> {
  const { oidc, sessions, cookies, log } = options;
  const state = c.req.query("state") ?? "";
  const pending = await options.pending.open(await cookies.pending(c, state));
  if (pending === null || pending.state !== state) return await withoutAttempt(c, options);
  let finished: Awaited<ReturnType<OidcClient["finish"]>>;
  try {
    finished = await oidc.finish(new URL(c.req.url).searchParams, {
      state: pending.state,
      nonce: pending.nonce,
      codeVerifier: pending.code_verifier,
    });
  } catch (error) {
    // A refused attempt is over; if the provider did not answer, reloading the page may still succeed.
    if (!(error instanceof SignInRefused)) throw error;
    await cookies.clearPending(c, state);
    return withCookies(c, await refused(options, error));
  }
  await cookies.clearPending(c, state);

  const { claims } = finished;
  if (!isSubject(claims.sub)) {
    const reason = `the subject (claim sub) is not ${SUBJECT_RULE}`;
    return await withoutAccess(c, options, { claims, reason, page: UNUSABLE_SUBJECT });
  }
  const { grants, unknownTenants } = sessions.accessOf(claims);
  const token = newToken();
  const signedIn = grants.length > 0 && await sessions.create({
    token_hash: await hashOfToken(token),
    subject: claims.sub,
    display_name: personName(claims),
    claims,
    selected_tenant: grants.length === 1 ? grants[0]!.tenant_id : null,
    csrf_token: newToken(),
    grants: grants.map(({ tenant_id, roles }) => ({ tenant_id, roles })),
    provider_session: finished.providerSession,
    provider_state: await options.providerClaims.keep(finished.state),
  });
  if (!signedIn) {
    const unknown = [...grants.map((grant) => grant.tenant_id), ...unknownTenants];
    const reason = unknown.length === 0
      ? sessions.mismatchOf(claims)
      : `access.yaml gives roles only in tenants that are not configured: ${unknown.join(", ")}`;
    return await withoutAccess(c, options, { claims, reason, page: noAccess(personName(claims)) });
  }
  const present = cookies.session(c);
  const replaced = new Set([pending.replaces, present === undefined ? null : await hashOfToken(present)]);
  for (const tokenHash of replaced) if (tokenHash !== null) await endQuietly(options, tokenHash);
  log.info("signed in", { subject: claims.sub, tenants: grants.map((grant) => grant.tenant_id) });
  cookies.setSession(c, token, SESSION_LIFETIME / 1e6);
  return c.redirect(pending.return_to, 303);
}

/**
 * Answers a callback that belongs to no sign-in in progress in this browser: reloaded, restored with the
 * browser, expired, or a link from elsewhere. It changes no session. A person with a session continues to the
 * dashboard.
 *
 * The session cookie is SameSite=Strict, so it is absent if the identity provider's site started this request.
 * The page therefore continues by itself to ENDED_PATH, which is then a request of our own site.
 */
async function withoutAttempt(c: Context, { sessions, cookies }: AuthOptions): Promise<Response> {
  if (await sessions.find(cookies.session(c)) !== null) return c.redirect("/", 303);
  return pageResponse({
    status: 400,
    title: "This sign-in has ended",
    paragraphs: [
      "The sign-in was already completed, took longer than ten minutes, or was started in another browser.",
    ],
    action: { href: AGAIN.href, label: "Sign in again" },
    continueTo: c.req.path === ENDED_PATH ? undefined : ENDED_PATH,
  });
}

/** 204, also without a session; 503 if the session could not be ended, and then the cookie stays. */
async function logout(c: Context, { publicUrl, sessions, cookies, log }: AuthOptions): Promise<Response> {
  const session = await sessions.find(cookies.session(c));
  if (session !== null) {
    await checkCsrf(c.req.raw.headers, publicUrl, session.record.csrf_token);
    await sessions.end(session.tokenHash, "signOut");
    log.info("signed out", { subject: session.record.subject });
  }
  cookies.clearSession(c);
  return c.body(null, 204);
}

/**
 * An evaluator may open http://localhost:8080 while the service is known as http://127.0.0.1:8080. Cookies
 * are bound to the name, so the sign-in must start under the name that the provider redirects to. Behind a
 * proxy the Host header is unreliable, hence only between loopback names.
 */
function otherLoopbackName(url: URL, publicUrl: string): string | null {
  const home = new URL(publicUrl);
  const names = ["localhost", "127.0.0.1", "[::1]"];
  if (url.hostname === home.hostname || !names.includes(url.hostname) || !names.includes(home.hostname)) {
    return null;
  }
  return home.origin + url.pathname + url.search;
}

async function endQuietly({ sessions, log }: AuthOptions, tokenHash: string): Promise<void> {
  try {
    await sessions.end(tokenHash, "sessionReplaced");
  } catch (error) {
    log.warn("a replaced session could not be ended", { error: messageOf(error) });
  }
}

function noAccess(person: string): Page {
  return {
    status: 403,
    title: "No access",
    paragraphs: [
      `You are signed in as ${person}, but you have no access.`,
      "Ask the administrator of this appliance to give you a role in access.yaml.",
    ],
    action: { href: "/auth/login?prompt=select_account", label: "Use another account" },
  };
}

const UNUSABLE_SUBJECT: Page = {
  status: 403,
  title: "This account cannot be used",
  paragraphs: [
    "The identity provider gives this account an identifier that this appliance does not support.",
    "The administrator finds the reason in the log and in the audit log.",
  ],
  action: { href: "/auth/login?prompt=select_account", label: "Use another account" },
};

/** Answers a sign-in of a known person that gives no session; log and audit name the reason. */
async function withoutAccess(
  c: Context,
  { log, refusals }: AuthOptions,
  { claims, reason, page }: { claims: PersonClaims & { sub: string }; reason: string; page: Page },
): Promise<Response> {
  log.warn("sign-in without access", { subject: claims.sub, reason });
  await refusals.ofSignIn(reason, { subject: claims.sub, displayName: personName(claims) });
  return withCookies(c, page);
}

/** A page of our own carries the cookies set along the way. */
function withCookies(c: Context, page: Page): Response {
  const response = pageResponse(page);
  for (const cookie of c.res.headers.getSetCookie()) response.headers.append("Set-Cookie", cookie);
  return response;
}

async function refused({ log, refusals }: AuthOptions, error: SignInRefused): Promise<Page> {
  log.warn("sign-in refused", { error: error.message });
  await refusals.ofSignIn(
    `the identity provider refused, or its answer is invalid: ${error.message}`,
    null,
  );
  return {
    status: 403,
    title: "You were not signed in",
    paragraphs: ["The sign-in was cancelled, or the identity provider's answer was not accepted."],
    action: AGAIN,
  };
}

async function answer({ log }: AuthOptions, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof CoreUnavailable) {
      log.error("sign-in failed", { error: messageOf(error) });
      return pageResponse({
        status: 503,
        title: "Sign-in is not possible at the moment",
        paragraphs: [
          error instanceof CoreUnavailable
            ? "The core of this appliance does not answer. Please try again shortly."
            : "The identity provider does not answer. Please try again shortly.",
        ],
        action: { href: "/auth/login", label: "Try again" },
      });
    }
    const requestId = currentRequestId();
    toApiError(error, requestId, log);
    return pageResponse({
      status: 500,
      title: "Something went wrong",
      paragraphs: [`The administrator finds the cause in the log under ${requestId}.`],
      action: AGAIN,
    });
  }
}
