// A real OpenID provider whose people, keys and failures a test controls.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import type { DevSignIn } from "../../../src/dev/sign-in.ts";
import { makeProvider, type ProviderContext } from "../../../src/dev/sign-in-provider.ts";

interface ProviderOptions {
  publicUrl: string;
  /** Whether it issues refresh tokens; default false. */
  refreshTokens?: boolean;
  /** Whether the ID token has all claims instead of user info alone; default false. */
  claimsInIdToken?: boolean;
  /** Seconds; default a day. */
  accessTokenLifetime?: number;
}

const CLIENT = { clientId: "ndr-web", clientSecret: "a client secret of the test provider" };
const SCOPE = "openid profile email groups offline_access";

export const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

export interface LogoutHeader {
  key?: CryptoKey | Uint8Array;
  alg?: string;
  typ?: string;
  kid?: string;
}

export class IdentityProvider implements DevSignIn {
  readonly clientId = CLIENT.clientId;
  readonly clientSecret = CLIENT.clientSecret;
  issuer = "";
  /** Groups by account; an account without an entry is unknown. */
  readonly groups = new Map<string, string[]>();
  /** Requests served, as `METHOD /path`. */
  readonly requests: string[] = [];
  /** Where the client is; a change takes effect with new keys. */
  publicUrl: string;
  /** What it does with requests. */
  behaviour: "serve" | "fail" | "hang" = "serve";
  /** The current key. */
  key!: JWK & { kid: string };
  privateKey!: CryptoKey;
  publicKey!: CryptoKey;
  #port = 0;
  #server: Server | null = null;
  #serve!: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  private constructor(private readonly options: ProviderOptions) {
    this.publicUrl = options.publicUrl;
  }

  static async start(options: ProviderOptions): Promise<IdentityProvider> {
    const provider = new IdentityProvider(options);
    await provider.listen();
    await provider.rotateKeys();
    return provider;
  }

  /** Starts listening, again on the same port. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", () => resolve());
    });
    this.#port = (server.address() as AddressInfo).port;
    this.issuer = `http://127.0.0.1:${this.#port}`;
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Replaces the signing key, and forgets its sessions and tokens. */
  async rotateKeys(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = crypto.randomUUID();
    Object.assign(this, { privateKey, publicKey, key: { ...await exportJWK(publicKey), kid } });
    const jwk = { ...await exportJWK(privateKey), alg: "RS256", use: "sig", kid };
    const provider = await makeProvider(this.issuer, this.#configuration(jwk));
    const callback = provider.callback();
    this.#serve = async (request, response) => {
      if (!request.url!.startsWith("/interaction/")) return await callback(request, response);
      const { params } = await provider.interactionDetails(request, response);
      const login = { accountId: String(params.login_hint), remember: true };
      await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
    };
  }

  /** Requests since the last call that ask for tokens or user info. */
  takeQuestions(): string[] {
    return this.requests.splice(0).filter((one) => /\/(token|me)$/.test(one));
  }

  /** The claims of a logout token of `ada` at `now` (Unix seconds), with changes; undefined leaves one out. */
  logoutClaims(now: number, change: Record<string, unknown>): JWTPayload {
    const claims: Record<string, unknown> = {
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 120,
      jti: crypto.randomUUID(),
      sub: "ada",
      events: { [LOGOUT_EVENT]: {} },
      ...change,
    };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }

  /** A logout token with changed claims and header, signed by the current key unless another is given. */
  async logoutToken(
    now: number,
    change: Record<string, unknown> = {},
    { key = this.privateKey, ...header }: LogoutHeader = {},
  ): Promise<string> {
    return await new SignJWT(this.logoutClaims(now, change))
      .setProtectedHeader({ alg: "RS256", typ: "logout+jwt", kid: this.key.kid, ...header })
      .sign(key);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${new URL(request.url!, this.issuer).pathname}`);
    if (this.behaviour === "hang") return;
    try {
      if (this.behaviour === "fail") throw new Error("the provider fails");
      await this.#serve(request, response);
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end("failed");
    }
  }

  #configuration(key: JWK): Record<string, unknown> {
    const { refreshTokens = false, claimsInIdToken = false, accessTokenLifetime = 86_400 } = this.options;
    const { publicUrl } = this;
    const client = {
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      redirect_uris: [`${publicUrl}/auth/callback`],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
      backchannel_logout_uri: `${publicUrl}/auth/backchannel-logout`,
      backchannel_logout_session_required: true,
    };
    return {
      clients: [client],
      jwks: { keys: [key] },
      cookies: { keys: ["the provider's cookies"] },
      scopes: SCOPE.split(" "),
      claims: { openid: ["sub"], profile: ["name"], email: ["email"], groups: ["groups"] },
      conformIdTokenClaims: !claimsInIdToken,
      issueRefreshToken: () => refreshTokens,
      rotateRefreshToken: true,
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { enabled: true },
        backchannelLogout: { enabled: true },
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: {
        AccessToken: accessTokenLifetime,
        RefreshToken: 86_400,
        AuthorizationCode: 60,
        IdToken: 300,
        Interaction: 3600,
        Session: 86_400,
        Grant: 86_400,
      },
      fetch: (url: string, init: RequestInit) => fetch(url, init),
      findAccount: (_context: unknown, account: string) => {
        const groups = this.groups.get(account);
        if (groups === undefined) return undefined;
        return {
          accountId: account,
          claims: () => ({ sub: account, name: `Person ${account}`, ...groups.length > 0 ? { groups } : {} }),
        };
      },
      loadExistingGrant: async ({ oidc }: ProviderContext) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    };
  }
}
