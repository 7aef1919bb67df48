// The OIDC provider as every part of the program reaches it.

import * as oauth from "oauth4webapi";
import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { bareHost, requireReceiver, type Resolve } from "./resolve-receiver.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/** Algorithms of tokens' signatures with a public key: a client's secret or no key at all proves nothing here. */
export const SIGNATURES = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Plain http is only for a provider on this machine. */
export function isInsecureIssuer(issuer: URL): boolean {
  if (issuer.protocol !== "http:") return false;
  const host = bareHost(issuer);
  const ip = parseIp(host);
  return host === "localhost" || (ip !== null && isLoopbackIp(ip));
}

/** Options of every request to a provider. Its metadata names further URLs, so each one is checked. */
export function providerHttp(issuer: URL, resolve: Resolve) {
  return {
    [oauth.allowInsecureRequests]: isInsecureIssuer(issuer),
    signal: () => AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    [oauth.customFetch]: async (url: string, init: RequestInit): Promise<Response> => {
      await requireReceiver(bareHost(new URL(url)), resolve);
      return await fetch(url, init);
    },
  };
}

/** Reads the provider's metadata. */
export async function discoverProvider(issuer: URL, resolve: Resolve): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, providerHttp(issuer, resolve));
  return await oauth.processDiscoveryResponse(issuer, response);
}

/** How the client shows its secret: HTTP Basic unless the provider only accepts it in the body. */
export function clientAuthentication(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const supported = server.token_endpoint_auth_methods_supported;
  return supported && !supported.includes("client_secret_basic")
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
}
