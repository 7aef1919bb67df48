// Asks the OIDC provider whether people will be able to sign in.

import * as oauth from "oauth4webapi";
import {
  clientAuthentication,
  discoverProvider,
  isInsecureIssuer,
  providerHttp,
} from "../../config/oidc-provider.ts";
import { RefusedAddress, type Resolve, systemResolve } from "../../config/resolve-receiver.ts";
import { messageOf } from "../../kit/errors.ts";

interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  publicUrl: string;
}

/** What is wrong with the issuer, the client or the way to them, and what to do; null if nothing is. */
export async function providerFault(
  { issuer, clientId, clientSecret, publicUrl }: ProviderSettings,
  resolve: Resolve = systemResolve,
): Promise<string | null> {
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isInsecureIssuer(url)) {
    return `the issuer ${issuer} is not https: expected https, or http to a loopback address`;
  }
  let server: oauth.AuthorizationServer;
  try {
    server = await discoverProvider(url, resolve);
  } catch (error) {
    return `${discoveryFault(issuer, error)}`;
  }
  if (!server.authorization_endpoint || !server.token_endpoint) {
    return `the provider ${issuer} names no authorization or token endpoint: is it an OpenID provider?`;
  }
  try {
    return await clientFault(server, { issuer, clientId, clientSecret, publicUrl }, resolve);
  } catch (error) {
    return `the token endpoint ${server.token_endpoint} ${wayFault(error)}`;
  }
}

function discoveryFault(issuer: string, error: unknown): string {
  const document = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { cause } = error instanceof Error ? error : { cause: undefined };
  if (cause instanceof Response) {
    return `the issuer ${issuer} is no OpenID provider: ${document} answers ${cause.status}`;
  }
  const stated = (cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  if (typeof stated === "string" && stated !== issuer) {
    return `the issuer differs: the provider at ${issuer} calls itself ${stated}. Give exactly that text, with or without ` +
      "the slash at its end";
  }
  if (error instanceof oauth.OperationProcessingError) {
    return `the issuer ${issuer} is no OpenID provider: ${document}: ${messageOf(error)}`;
  }
  return `the issuer ${issuer} ${wayFault(error)}`;
}

function wayFault(error: unknown): string {
  if (error instanceof RefusedAddress) return `has an address that is not asked: ${messageOf(error)}`;
  if (error instanceof DOMException && error.name === "TimeoutError") return "does not answer within 10 s";
  const why = messageOf(error);
  return /certificate/i.test(why)
    ? `has a certificate that this machine does not trust: ${why}`
    : `cannot be reached: ${why}`;
}

/** Redeems a code that does not exist: the provider checks the client first, and only then the code. */
async function clientFault(
  server: oauth.AuthorizationServer,
  { issuer, clientId, clientSecret, publicUrl }: ProviderSettings,
  resolve: Resolve,
): Promise<string | null> {
  const client: oauth.Client = { client_id: clientId };
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      clientAuthentication(server, clientSecret),
      "authorization_code",
      {
        code: "ndr-setup-checks-the-client",
        redirect_uri: `${publicUrl}/auth/callback`,
        code_verifier: oauth.generateRandomCodeVerifier(),
      },
      providerHttp(new URL(issuer), resolve),
    );
    await oauth.processGenericTokenEndpointResponse(server, client, response);
    return null;
  } catch (error) {
    const isClient = error instanceof oauth.WWWAuthenticateChallengeError ||
      (error instanceof oauth.ResponseBodyError && error.error === "invalid_client");
    if (isClient) return `the provider ${issuer} does not accept the client id ${clientId} with this secret`;
    if (error instanceof oauth.ResponseBodyError && error.error === "unauthorized_client") {
      return `the provider ${issuer} does not allow the client ${clientId} the authorization code flow`;
    }
    // Any other refusal is about the code.
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.OperationProcessingError) {
      return null;
    }
    throw error;
  }
}
