// What people and the services reach: the public URL with its certificate, the OIDC provider, core and web.

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import type { Environment } from "../../config/environment.ts";
import { discoverProvider, SIGNATURES } from "../../config/oidc-provider.ts";
import { bareHost, type Resolve, systemResolve } from "../../config/resolve-receiver.ts";
import { messageOf } from "../../kit/errors.ts";
import { isLoopbackIp, parseIp } from "../../kit/net/ip.ts";
import { connectVerified, TlsFault } from "../../kit/net/outgoing.ts";
import { plural } from "../../kit/text.ts";
import { providerFault } from "../setup/provider.ts";
import type { Check } from "./finding.ts";

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Certificates are renewed 30 days before their end; half of that has passed without. */
const EXPIRES_SOON_DAYS = 15;
const RENEW = "certbot renew # or whatever renews the proxy's certificate; then systemctl reload nginx";

/** `trusted`: further roots (PEM). */
export async function checkCertificate(
  check: Check,
  publicUrl: string,
  trusted: readonly string[] = [],
): Promise<void> {
  const url = new URL(publicUrl);
  const host = bareHost(url);
  if (url.protocol !== "https:") {
    const ip = parseIp(host);
    if (host === "localhost" || (ip !== null && isLoopbackIp(ip))) {
      check.skip(`${publicUrl} is this machine only`);
    } else check.warn(`${publicUrl} is not https: sessions can be read on the way`, "sudo ndr setup");
    return;
  }
  const place = { address: host, port: Number(url.port || 443), host };
  let certificate: X509Certificate;
  try {
    certificate = await certificateAt(place);
  } catch (error) {
    check.fail(
      `${publicUrl} cannot be reached from here: ${messageOf(error)}`,
      "systemctl status nginx caddy",
    );
    return;
  }
  const end = Date.parse(certificate.validTo);
  const days = Math.floor((end - Date.now()) / DAY_MS);
  const until = new Date(end).toISOString().slice(0, 10);
  const names = parseIp(host) === null ? certificate.checkHost(host) : certificate.checkIP(host);
  if (days < 0) check.fail(`the certificate of ${publicUrl} has expired on ${until}`, RENEW);
  else if (names === undefined) {
    check.fail(
      `the certificate of ${publicUrl} is not for ${host}, but ${certificate.subjectAltName ?? "nothing"}`,
      RENEW,
    );
  } else if (days < EXPIRES_SOON_DAYS) {
    check.warn(`the certificate of ${publicUrl} expires in ${plural(days, "day")}, on ${until}`, RENEW);
  } else await checkTrust(check, publicUrl, { place, until, trusted });
}

async function checkTrust(
  check: Check,
  publicUrl: string,
  { place, until, trusted }: {
    place: Parameters<typeof connectVerified>[0];
    until: string;
    trusted: readonly string[];
  },
): Promise<void> {
  try {
    (await connectVerified(place, trusted, AbortSignal.timeout(TIMEOUT_MS))).close();
    check.pass(`valid for ${place.host} until ${until}`);
  } catch (error) {
    if (!(error instanceof TlsFault)) throw error;
    check.warn(
      `this machine does not trust the certificate of ${publicUrl}: ${messageOf(error)}`,
      "cp your-authority.crt /usr/local/share/ca-certificates/ && update-ca-certificates",
    );
  }
}

/** The peer's certificate, whatever it is. */
async function certificateAt(
  { address, port, host }: { address: string; port: number; host: string },
): Promise<X509Certificate> {
  const socket = connect({
    host: address,
    port,
    servername: parseIp(host) === null ? host : "",
    rejectUnauthorized: false,
  });
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { raw } = socket.getPeerCertificate();
    if (raw === undefined) throw new Error("it shows no certificate");
    return new X509Certificate(raw);
  } finally {
    socket.destroy();
  }
}

export async function checkProvider(
  check: Check,
  { oidc, publicUrl }: { oidc: NonNullable<Environment["oidc"]>; publicUrl: string },
  resolve: Resolve = systemResolve,
): Promise<void> {
  const { issuer, clientId, clientSecret } = oidc;
  const fault = await providerFault(
    { issuer, clientId, clientSecret: clientSecret.reveal(), publicUrl },
    resolve,
  );
  if (fault !== null) {
    check.fail(fault, "sudo ndr setup");
    return;
  }
  const server = await discoverProvider(new URL(issuer), resolve);
  const offered = server.id_token_signing_alg_values_supported ?? ["RS256"];
  const usable = offered.filter((name) => SIGNATURES.includes(name));
  if (usable.length > 0) {
    check.pass(`${issuer} answers, knows the client, and signs with ${usable.join(", ")}`);
  } else {
    check.fail(
      `${issuer} signs ID tokens with ${offered.join(", ")} only; expected one of ${SIGNATURES.join(", ")}`,
      "set the signature of ID tokens to RS256 in the client's settings at the provider",
    );
  }
}

/** Whether ndr-web answers at all; `host` as in a URL. */
export async function checkWeb(check: Check, host: string): Promise<void> {
  try {
    const { status, body } = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await body?.cancel();
    if (status < 500) check.pass(`ndr-web answers at ${host}`);
    else check.fail(`ndr-web answers ${status} at ${host}`, "journalctl -u ndr-web -n 50");
  } catch (error) {
    check.fail(
      `ndr-web does not answer at ${host}: ${messageOf(error)}`,
      "systemctl restart ndr-web; journalctl -u ndr-web -n 50",
    );
  }
}
