// Faults of a server certificate, as far as the TLS record shows them.
import { registeredDomain } from "../../device/registered-domain.ts";
import type { TlsFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { randomness } from "./randomness.ts";
import { isIpText } from "./peer.ts";

/** One bit per fault. Issuer and subject are the same. */
export const SELF_SIGNED = 1;
/** Signed by an authority that the sensor does not know. */
export const UNKNOWN_AUTHORITY = 2;
export const EXPIRED = 4;
export const NOT_YET_VALID = 8;
/** The client sent no server name, or only an IP address. */
export const NO_NAME = 16;
/** Self-signed with the default names of a tool: `CN=localhost`, `O=Internet Widgits Pty Ltd`. */
export const PLACEHOLDER = 32;
/** The client asked for a name that the certificate does not contain. */
export const OTHER_NAME = 64;

const LAST_HEX_DIGIT = "f".charCodeAt(0);
/** Tolerated clock error. */
const TOLERANCE: Micros = 24 * 3600 * 1_000_000;
/** A label of at least this length and randomness counts as random. */
const RANDOM_LENGTH = 7;
const MIN_RANDOMNESS = 0.5;

const PLACEHOLDERS =
  /(^|,)(CN=(localhost|example|test|changeme|server|ssl)(,|$)|CN=(www\.)?(example|test)\.(com|org|net)(,|$)|CN=localhost\.|O=Internet Widgits|O=Default Company)/i;

/** The bits that apply; 0 for a sound certificate, and if TLS 1.3 or a resumed session hides it. */
export function faultsOf(facts: TlsFacts, at: Micros): number {
  const { subject, issuer, notBefore, notAfter } = facts;
  const verdict = facts.validation?.toLowerCase() ?? null;
  if (verdict === "ok" || (verdict === null && subject === null && notAfter === null)) return 0;
  let faults = 0;
  if (
    (subject !== null && subject === issuer) ||
    (verdict !== null && /^self[ -]signed certificate$/.test(verdict))
  ) {
    faults |= SELF_SIGNED;
  } else if (verdict !== null && /issuer certificate|first certificate|in certificate chain/.test(verdict)) {
    faults |= UNKNOWN_AUTHORITY;
  }
  if ((notAfter !== null && notAfter < at - TOLERANCE) || verdict?.includes("expired")) faults |= EXPIRED;
  if ((notBefore !== null && notBefore > at + TOLERANCE) || verdict?.includes("not yet valid")) {
    faults |= NOT_YET_VALID;
  }
  if (faults === 0) return 0;
  if (isNameless(facts.serverName)) faults |= NO_NAME;
  else if (subject !== null && !isNamed(subject, facts.serverName!)) faults |= OTHER_NAME;
  if ((faults & SELF_SIGNED) !== 0 && subject !== null && PLACEHOLDERS.test(subject)) faults |= PLACEHOLDER;
  return faults;
}

/** Whether the client sent no server name, or only an IP address. */
export function isNameless(serverName: string | null): boolean {
  if (serverName === null || serverName === "") return true;
  // Fast path: most names end in a letter that no address contains.
  return serverName.charCodeAt(serverName.length - 1) <= LAST_HEX_DIGIT && isIpText(serverName);
}

/** Whether a known authority signed the certificate, as far as the record shows. */
export function isTrusted(facts: TlsFacts, at: Micros): boolean {
  const { subject, issuer, validation } = facts;
  if (validation !== null) return validation === "ok";
  return subject !== null && issuer !== null && /(^|,)O=/.test(issuer) && faultsOf(facts, at) === 0;
}

/** The first common name; null if there is none. */
export function commonName(name: string | null): string | null {
  if (name === null) return null;
  return /(?:^|,)CN=((?:\\.|[^,\\])+)/i.exec(name)?.[1] ?? null;
}

function isNamed(subject: string, serverName: string): boolean {
  const domain = registeredDomain(serverName);
  return domain === null || subject.toLowerCase().includes(domain);
}

/**
 * Whether the certificate has random names like those of Tor relays, which generate one per relay: subject and issuer
 * are nothing but two different host names. If the certificate is hidden, a random server name such as
 * `www.<random>.com` counts.
 */
export function hasRandomNames({ subject, issuer, serverName }: TlsFacts): boolean {
  if (subject !== null && issuer !== null) {
    if (subject === issuer) return false;
    const [own, other] = [loneHost(subject), loneHost(issuer)];
    return own !== null && other !== null && own !== other && looksRandom(own);
  }
  return serverName !== null && /^www\.[a-z2-7]{8,25}\.(com|net)$/.test(serverName) &&
    looksRandom(serverName);
}

function loneHost(name: string): string | null {
  const [, host] = /^CN=(www\.[a-z0-9-]{4,40}\.[a-z]{2,6})$/.exec(name) ?? [];
  return host ?? null;
}

function looksRandom(host: string): boolean {
  const label = host.split(".")[1]!;
  return label.length >= RANDOM_LENGTH && randomness(label) >= MIN_RANDOMNESS;
}
