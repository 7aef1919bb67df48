import * as oauth from "oauth4webapi";
import type { PersonClaims } from "../../contract/session/service-session.ts";
import {
  clientAuthentication,
  discoverProvider,
  isInsecureIssuer,
  providerHttp,
} from "../../config/oidc-provider.ts";
import { type Resolve, systemResolve } from "../../config/resolve-receiver.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";

/** Provider metadata is read again after this long, in milliseconds. */
const METADATA_LIFETIME_MS = 3600_000;
/** Tolerance for the provider's clock, in seconds. */
const CLOCK_TOLERANCE = 30;
/** Claims about the ID token rather than the person. */
const TOKEN_CLAIMS = ["iat", "exp", "nbf", "nonce", "jti", "at_hash", "c_hash", "s_hash"];

interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider redirects people to. */
  redirectUri: string;
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

/** The provider refused, or its answer is invalid: `message` is for the log, not for the page. */
export class SignInRefused extends Error {}
/** The provider is unreachable or fails. */
export class ProviderUnavailable extends Error {}

/** An OpenID Connect relying party: authorization code flow with PKCE, as a confidential client. */
export class OidcClient {
  readonly #issuer: URL;
  readonly #options: OidcOptions;
  readonly #client: oauth.Client;
  readonly #jwks: oauth.JWKSCacheInput = {};
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
      scope: "openid profile email" + (server.scopes_supported?.includes("groups") ? " groups" : ""),
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
  async finish(callback: URLSearchParams, secrets: SignInSecrets): Promise<PersonClaims & { sub: string }> {
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
      await oauth.validateApplicationLevelSignature(server, response, {
        ...this.#http(),
        [oauth.jwksCache]: this.#jwks,
      });
      const idToken = oauth.getValidatedIdTokenClaims(tokens);
      if (!idToken) throw new SignInRefused("no ID token");
      const claims = { ...await this.#userInfo(server, tokens.access_token, idToken.sub), ...idToken };
      return Object.fromEntries(
        Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.includes(name)),
      ) as PersonClaims & { sub: string };
    } catch (error) {
      throw classify(error);
    }
  }

  async #userInfo(
    server: oauth.AuthorizationServer,
    accessToken: string,
    subject: string,
  ): Promise<PersonClaims> {
    if (!server.userinfo_endpoint) return {};
    try {
      const response = await oauth.userInfoRequest(server, this.#client, accessToken, this.#http());
      return { ...await oauth.processUserInfoResponse(server, this.#client, subject, response) };
    } catch (error) {
      // Fewer claims give fewer rights, never more.
      this.#options.logger.warn("no user info from the identity provider", { error: messageOf(error) });
      return {};
    }
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    if (this.#metadata !== null && Date.now() - this.#metadata.readAt < METADATA_LIFETIME_MS) {
      return this.#metadata.server;
    }
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

function classify(error: unknown): Error {
  if (error instanceof SignInRefused) return error;
  const refused = error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.WWWAuthenticateChallengeError;
  return refused
    ? new SignInRefused(messageOf(error), { cause: error })
    : new ProviderUnavailable(messageOf(error), { cause: error });
}
