import { z } from "@hono/zod-openapi";
import * as oauth from "oauth4webapi";
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { PersonClaims, ProviderLogout } from "../../contract/session/service-session.ts";
import {
  clientAuthentication,
  discoverProvider,
  isInsecureIssuer,
  providerHttp,
  SIGNATURES,
} from "../../config/oidc-provider.ts";
import { type Resolve, systemResolve } from "../../config/resolve-receiver.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import { formatMillis } from "../../kit/time.ts";
import { digestHex } from "../../kit/web-crypto.ts";
import type { Logger } from "../../observe/log.ts";

/** Provider metadata is read again after this long, in milliseconds. */
const METADATA_LIFETIME_MS = 3600_000;
/** Tolerance for the provider's clock, in seconds. */
const CLOCK_TOLERANCE = 30;
/** Claims about the ID token rather than the person. */
const TOKEN_CLAIMS = ["iat", "exp", "nbf", "nonce", "jti", "at_hash", "c_hash", "s_hash", "sid"];
const KEY_TIMEOUT_MS = 10_000;
/** How soon a key that is not known makes the provider's keys be read again, in milliseconds. */
const KEY_COOLDOWN_MS = 5_000;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Types of a logout token; older providers state none. */
const LOGOUT_TYPES = [undefined, "jwt", "logout+jwt", "application/logout+jwt"];
/** Oldest logout token, in seconds: its identifier is kept as long, so that it is used once. */
const MAX_LOGOUT_AGE = 600;
/** Longest identifier of a session at the provider that is kept, in characters. */
const MAX_SID = 255;

/** What a session needs to ask the provider for its claims again. */
export const ProviderState = z.object({
  access_token: z.string(),
  /** Unix seconds; null if the provider does not state it. */
  access_expires_at: z.number().nullable(),
  refresh_token: z.string().nullable(),
  /** Names of the claims that user info has given so far. */
  user_info: z.array(z.string()),
});
export type ProviderState = z.infer<typeof ProviderState>;

interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider redirects people to. */
  redirectUri: string;
  /** Asks for a refresh token. */
  offlineAccess?: boolean;
  clock: Clock;
  logger: Logger;
  /** Resolves the names of the provider's hosts; default: like every program on the machine. */
  resolve?: Resolve;
}

/** The secrets of one sign-in, which the browser keeps sealed until it returns. */
interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The result of a sign-in. */
interface Finished {
  claims: PersonClaims & { sub: string };
  /** The provider's identifier of its session (claim `sid`), if it states one. */
  providerSession: string | null;
  /** Null if the provider cannot be asked again. */
  state: ProviderState | null;
}

/** The provider refused, or its answer is invalid: `message` is for the log, not for the page. */
export class SignInRefused extends Error {}
/** The provider is unreachable or fails. */
export class ProviderUnavailable extends Error {}

/** An OpenID Connect relying party: authorization code flow with PKCE, as a confidential client. */
export class OidcClient {
  readonly #issuer: URL;
  readonly #options: OidcOptions;
  readonly #client: oauth.Client;
  #keys: { uri: string; get: JWTVerifyGetKey } | null = null;
  #metadata: { server: oauth.AuthorizationServer; readAt: number } | null = null;

  constructor(options: OidcOptions) {
    this.#issuer = new URL(options.issuer);
    this.#options = options;
    this.#client = { client_id: options.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE };
    if (this.#issuer.protocol !== "https:" && !isInsecureIssuer(this.#issuer)) {
      throw new TypeError(`OIDC issuer: expected https, or http on loopback, got ${options.issuer}`);
    }
  }

  /** The redirect for the browser, and the secrets that must return with it. Throws ProviderUnavailable. */
  async start(hints: { loginHint?: string; prompt?: string }): Promise<{ url: URL; secrets: SignInSecrets }> {
    const server = await this.#discover();
    if (!server.authorization_endpoint) throw new ProviderUnavailable("no authorization endpoint");
    const secrets = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      codeVerifier: oauth.generateRandomCodeVerifier(),
    };
    const url = new URL(server.authorization_endpoint);
    const parameters: Record<string, string | undefined> = {
      client_id: this.#options.clientId,
      redirect_uri: this.#options.redirectUri,
      response_type: "code",
      // Access rules mostly use groups; some providers give them only for their own scope.
      scope: "openid profile email" + (server.scopes_supported?.includes("groups") ? " groups" : "") +
        (this.#options.offlineAccess ? " offline_access" : ""),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: "S256",
      login_hint: hints.loginHint,
      prompt: hints.prompt,
    };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return { url, secrets };
  }

  /**
   * Redeems a callback's code and returns the person's claims; those of the ID token override user info.
   * Throws SignInRefused or ProviderUnavailable.
   */
  async finish(callback: URLSearchParams, secrets: SignInSecrets): Promise<Finished> {
    const server = await this.#discover();
    try {
      const parameters = oauth.validateAuthResponse(server, this.#client, callback, secrets.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        clientAuthentication(server, this.#options.clientSecret),
        parameters,
        this.#options.redirectUri,
        secrets.codeVerifier,
        this.#http(),
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: secrets.nonce,
        requireIdToken: true,
      });
      const idToken = await this.#idToken(server, tokens);
      if (!idToken) throw new SignInRefused("no ID token");
      const userInfo = await this.#userInfo(server, tokens.access_token, idToken.sub).catch((error) => {
        // Fewer claims give fewer rights, never more.
        this.#options.logger.warn("no user info from the identity provider", { error: messageOf(error) });
        return {};
      });
      const state = this.#stateOf(tokens, Object.keys(userInfo));
      const { sid } = idToken;
      return {
        claims: personal({ ...userInfo, ...idToken }) as Finished["claims"],
        providerSession: typeof sid === "string" && sid !== "" && sid.length <= MAX_SID ? sid : null,
        state: server.userinfo_endpoint || state.refresh_token !== null ? state : null,
      };
    } catch (error) {
      throw classify(error);
    }
  }

  /**
   * The claims of a signed-in person now. With a refresh token both tokens are renewed, and user info is asked if the
   * new ID token lacks some of its claims; without one user info alone is asked, while the access token lasts. A
   * returned state of null means that the provider cannot be asked again.
   *
   * Throws SignInRefused if the provider no longer accepts the person, and ProviderUnavailable.
   */
  async refresh(
    person: { subject: string; claims: PersonClaims },
    state: ProviderState,
  ): Promise<{ claims: PersonClaims; state: ProviderState | null }> {
    const server = await this.#discover();
    if (state.refresh_token !== null) return await this.#renew(server, person, state, state.refresh_token);
    const expiresAt = state.access_expires_at;
    if (expiresAt !== null && expiresAt - CLOCK_TOLERANCE <= this.#now()) {
      return { claims: person.claims, state: null };
    }
    try {
      return this.#replaced(
        person.claims,
        await this.#userInfo(server, state.access_token, person.subject),
        state,
      );
    } catch (error) {
      const refused = error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401;
      // A token whose end is not known may simply have expired.
      if (refused && expiresAt === null) return { claims: person.claims, state: null };
      throw refused ? new SignInRefused(messageOf(error), { cause: error }) : unavailable(error);
    }
  }

  async #renew(
    server: oauth.AuthorizationServer,
    { subject, claims }: { subject: string; claims: PersonClaims },
    state: ProviderState,
    refreshToken: string,
  ): Promise<{ claims: PersonClaims; state: ProviderState }> {
    let renewed: ProviderState;
    let idToken: oauth.IDToken | undefined;
    try {
      const authentication = clientAuthentication(server, this.#options.clientSecret);
      const response = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        authentication,
        refreshToken,
        this.#http(),
      );
      const tokens = await oauth.processRefreshTokenResponse(server, this.#client, response);
      renewed = this.#stateOf(
        { ...tokens, refresh_token: tokens.refresh_token ?? refreshToken },
        state.user_info,
      );
      idToken = await this.#idToken(server, tokens);
    } catch (error) {
      const refused = error instanceof oauth.ResponseBodyError && error.error === "invalid_grant";
      throw refused ? new SignInRefused(messageOf(error), { cause: error }) : unavailable(error);
    }
    if (idToken !== undefined && idToken.sub !== subject) {
      throw new SignInRefused("the tokens are another person's");
    }
    const asksUserInfo = idToken === undefined || state.user_info.some((name) => !(name in idToken));
    try {
      const userInfo = asksUserInfo ? await this.#userInfo(server, renewed.access_token, subject) : {};
      if (idToken === undefined) return this.#replaced(claims, userInfo, renewed);
      const names = new Set([...state.user_info, ...Object.keys(userInfo)]);
      return {
        claims: personal({ ...userInfo, ...idToken }),
        state: { ...renewed, user_info: [...names] },
      };
    } catch (error) {
      // The former refresh token may be used up: the new one must not get lost.
      this.#options.logger.warn("no user info from the identity provider", { error: messageOf(error) });
      return { claims, state: renewed };
    }
  }

  /** Claims after new user info, which also withdraws what it no longer names. */
  #replaced(claims: PersonClaims, userInfo: PersonClaims, state: ProviderState) {
    const names = [...new Set([...state.user_info, ...Object.keys(userInfo)])];
    const kept = Object.entries(claims).filter(([name]) => !names.includes(name));
    return {
      claims: personal({ ...Object.fromEntries(kept), ...userInfo }),
      state: { ...state, user_info: names },
    };
  }

  /** Checks a logout token entirely, except whether it is used for the first time. Throws like `refresh`. */
  async verifyLogout(token: string): Promise<ProviderLogout> {
    const server = await this.#discover();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keysOf(server), {
        algorithms: SIGNATURES,
        issuer: server.issuer,
        audience: this.#options.clientId,
        requiredClaims: ["iat", "exp", "jti"],
        maxTokenAge: MAX_LOGOUT_AGE,
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(this.#options.clock.now() / 1000),
      });
      const { sub, sid, jti, iat } = payload as Record<string, unknown>;
      const event = (payload.events as Record<string, unknown> | undefined)?.[LOGOUT_EVENT];
      const isName = (value: unknown) => typeof value === "string" && value !== "" && value.length <= MAX_SID;
      const isNameOrAbsent = (value: unknown) => value === undefined || isName(value);
      if (!LOGOUT_TYPES.includes(protectedHeader.typ?.toLowerCase())) {
        throw new SignInRefused("typ: no logout token");
      }
      if (typeof event !== "object" || event === null || Array.isArray(event)) {
        throw new SignInRefused("events");
      }
      if ("nonce" in payload) throw new SignInRefused("nonce: an ID token");
      if (!isNameOrAbsent(sub) || !isNameOrAbsent(sid)) throw new SignInRefused("sub or sid");
      if (sub === undefined && sid === undefined) throw new SignInRefused("neither sub nor sid");
      if (!isName(jti)) throw new SignInRefused("jti");
      return {
        subject: (sub as string | undefined) ?? null,
        provider_session: (sid as string | undefined) ?? null,
        token_id: await digestHex(JSON.stringify([server.issuer, jti])),
        expires_at: formatMillis(((iat as number) + MAX_LOGOUT_AGE + CLOCK_TOLERANCE) * 1e6),
      };
    } catch (error) {
      throw classify(error);
    }
  }

  /** The claims of a response's ID token, whose signature is checked; undefined if it has none. */
  async #idToken(
    server: oauth.AuthorizationServer,
    tokens: oauth.TokenEndpointResponse,
  ): Promise<oauth.IDToken | undefined> {
    if (tokens.id_token === undefined) return undefined;
    await jwtVerify(tokens.id_token, this.#keysOf(server), {
      algorithms: SIGNATURES,
      clockTolerance: CLOCK_TOLERANCE,
    });
    return oauth.getValidatedIdTokenClaims(tokens);
  }

  /** The provider's keys. A key that is not known makes them be read again. */
  #keysOf({ jwks_uri: uri }: oauth.AuthorizationServer): JWTVerifyGetKey {
    if (uri === undefined) throw new ProviderUnavailable("no jwks_uri");
    if (!uri.startsWith("https:") && !isInsecureIssuer(this.#issuer)) {
      throw new ProviderUnavailable(`expected https, got ${uri}`);
    }
    if (this.#keys?.uri !== uri) {
      const get = createRemoteJWKSet(new URL(uri), {
        timeoutDuration: KEY_TIMEOUT_MS,
        cooldownDuration: KEY_COOLDOWN_MS,
        [customFetch]: (url, init) => this.#http()[oauth.customFetch](url, init as RequestInit),
      });
      this.#keys = { uri, get };
    }
    return this.#keys.get;
  }

  #stateOf(tokens: oauth.TokenEndpointResponse, userInfo: string[]): ProviderState {
    return {
      access_token: tokens.access_token,
      access_expires_at: tokens.expires_in === undefined ? null : this.#now() + tokens.expires_in,
      refresh_token: tokens.refresh_token ?? null,
      user_info: userInfo,
    };
  }

  /** Unix seconds. */
  #now(): number {
    return Math.floor(this.#options.clock.now() / 1e6);
  }

  async #userInfo(
    server: oauth.AuthorizationServer,
    accessToken: string,
    subject: string,
  ): Promise<PersonClaims> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, this.#client, accessToken, this.#http());
    return { ...await oauth.processUserInfoResponse(server, this.#client, subject, response) };
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    if (this.#metadata !== null && Date.now() - this.#metadata.readAt < METADATA_LIFETIME_MS) {
      return this.#metadata.server;
    }
    return await this.#readMetadata();
  }

  /** Why the provider does not answer now; null if it does. */
  async check(): Promise<string | null> {
    return await this.#readMetadata().then(() => null, messageOf);
  }

  async #readMetadata(): Promise<oauth.AuthorizationServer> {
    try {
      const server = await discoverProvider(this.#issuer, this.#resolve);
      this.#metadata = { server, readAt: Date.now() };
      return server;
    } catch (error) {
      throw new ProviderUnavailable(`discovery at ${this.#issuer.href}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  #http() {
    return providerHttp(this.#issuer, this.#resolve);
  }

  get #resolve(): Resolve {
    return this.#options.resolve ?? systemResolve;
  }
}

/** The claims of a person, without those of a token. */
function personal(claims: PersonClaims): PersonClaims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.includes(name)));
}

function unavailable(error: unknown): ProviderUnavailable {
  return error instanceof ProviderUnavailable
    ? error
    : new ProviderUnavailable(messageOf(error), { cause: error });
}

function classify(error: unknown): Error {
  if (error instanceof SignInRefused || error instanceof ProviderUnavailable) return error;
  const refused = error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.WWWAuthenticateChallengeError ||
    // The two codes mean that the keys could not be read.
    error instanceof errors.JOSEError && !["ERR_JWKS_TIMEOUT", "ERR_JOSE_GENERIC"].includes(error.code);
  return refused
    ? new SignInRefused(messageOf(error), { cause: error })
    : new ProviderUnavailable(messageOf(error), { cause: error });
}
