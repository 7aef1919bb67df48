import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { messageOf } from "../kit/errors.ts";
import { makeProvider, type Provider, type ProviderContext } from "./sign-in-provider.ts";
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_CLAIM, groupsOf } from "./sign-in-accounts.ts";
import { SIGN_IN_PAGE_CSP, signInPage, signInProblemPage } from "./sign-in-page.ts";

interface DevSignInOptions {
  /** Port on 127.0.0.1; default any free one. */
  port?: number;
  /** Allowed redirect targets: `<public URL>/auth/callback`. */
  redirectUris: readonly string[];
  /** The subject (claim `sub`) of an account, different for each; the default is its name. */
  subjectOf?: SubjectOf;
}

type SubjectOf = (account: string) => string;

export interface DevSignIn {
  issuer: string;
  clientId: string;
  clientSecret: string;
  close(): Promise<void>;
}

const SCOPES = ["openid", "profile", "email", DEVELOPMENT_CLAIM];
/** Cookie in which the provider would remember the last sign-in. */
const SESSION_COOKIE = "ndr_dev_session";

/**
 * Starts the sign-in of `ndr up`: a real OpenID provider on loopback whose accounts need no password. It
 * keeps no session, so that each sign-in may be another person; a `login_hint` that names an account signs in
 * at once. All secrets are new at each start.
 */
export async function startDevSignIn(options: DevSignInOptions): Promise<DevSignIn> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve());
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const subjectOf = options.subjectOf ?? ((account) => account);
  const clientId = "ndr-web";
  const clientSecret = randomText();
  try {
    const client = {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...options.redirectUris],
    };
    const provider = await makeProvider(issuer, await configuration(client, subjectOf));
    const callback = provider.callback();
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      forgetSession(request);
      const interaction = /^\/interaction\/([\w-]+)(?:\/([\w-]+))?(?:\?|$)/.exec(request.url ?? "");
      const served = interaction
        ? interact(provider, subjectOf, request, response, interaction[2])
        : callback(request, response);
      served.catch((error: unknown) => problem(response, 500, messageOf(error)));
    });
  } catch (error) {
    await closeServer(server);
    throw error;
  }
  return { issuer, clientId, clientSecret, close: () => closeServer(server) };
}

async function configuration(
  client: Record<string, unknown>,
  subjectOf: SubjectOf,
): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    clients: [{ ...client, response_types: ["code"], grant_types: ["authorization_code"] }],
    jwks: { keys: [{ ...await exportJWK(privateKey), alg: "RS256", use: "sig", kid: "development" }] },
    cookies: { keys: [randomText()], names: { session: SESSION_COOKIE } },
    scopes: SCOPES,
    claims: {
      openid: ["sub"],
      profile: ["name"],
      email: ["email"],
      [DEVELOPMENT_CLAIM]: [DEVELOPMENT_CLAIM],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      IdToken: 300,
      Interaction: 3600,
      Session: 300,
      Grant: 300,
    },
    findAccount: (_context: unknown, subject: string) => findAccount(subject, subjectOf),
    loadExistingGrant,
    renderError: (context: ProviderContext, out: { error: string; error_description?: string }) => {
      context.type = "html";
      context.set("Content-Security-Policy", SIGN_IN_PAGE_CSP);
      context.body = signInProblemPage(out.error_description ?? out.error);
    },
  };
}

function findAccount(subject: string, subjectOf: SubjectOf) {
  const known = DEVELOPMENT_ACCOUNTS.find(({ account }) => subjectOf(account) === subject);
  if (!known) return undefined;
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      name: known.displayName,
      email: `${known.account}@ndr.example`,
      [DEVELOPMENT_CLAIM]: groupsOf(known),
    }),
  };
}

/** Consent is implied: there is one client, and it is ours. */
async function loadExistingGrant({ oidc }: ProviderContext) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope(SCOPES.join(" "));
  await grant.save();
  return grant;
}

async function interact(
  provider: Provider,
  subjectOf: SubjectOf,
  request: IncomingMessage,
  response: ServerResponse,
  chosen: string | undefined,
): Promise<void> {
  if (request.method !== "GET") return problem(response, 405, "Only GET here.");
  const { uid, params } = await provider.interactionDetails(request, response);
  const account = chosen ?? params.login_hint;
  if (DEVELOPMENT_ACCOUNTS.some((known) => known.account === account)) {
    const login = { accountId: subjectOf(String(account)), remember: false };
    return await provider.interactionFinished(request, response, { login }, {
      mergeWithLastSubmission: false,
    });
  }
  page(response, 200, signInPage((name) => `/interaction/${uid}/${name}`));
}

/** Without its cookie the provider treats every browser as new and always asks. */
function forgetSession(request: IncomingMessage): void {
  const cookies = request.headers.cookie;
  if (cookies === undefined) return;
  request.headers.cookie = cookies.split(/;\s*/).filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join(
    "; ",
  );
}

function page(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": SIGN_IN_PAGE_CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  });
  response.end(html);
}

function problem(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.end();
  else page(response, status, signInProblemPage(text));
}

function randomText(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
