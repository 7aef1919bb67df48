import type { JsonValue } from "../../../kit/json/json.ts";
import { domainName } from "../dns.ts";
import { asObject, expectTexts, type Fields, listOf, orWarn, text } from "../fields.ts";
import type { TlsFacts } from "../facts.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";
import { readTime } from "../times.ts";
import { cipherSuite } from "../tls-ciphers.ts";
import {
  certificateTime,
  distinguishedName,
  fingerprintOf,
  ja4Of,
  serialNumber,
  tlsVersion,
} from "../tls.ts";

/**
 * Suricata EVE `tls`: one handshake, from the client, written when it is complete. The members depend on the
 * sensor's settings: subject, issuer and `session_resumed` always; the rest with `extended: yes` (the
 * default) or in `custom`; JA3 and JA4 if enabled (JA4 since later releases of 7), `client_alpns` and
 * `server_alpns` since 8, `server_handshake` since 8 if listed in `custom`. TLS 1.3 encrypts the certificate,
 * so such records have none.
 *
 * The top-level certificate is the server's. Not used: the client's own (`client`), `subjectaltname`,
 * `chain`, the client's offers (`client_alpns`, `client_handshake`), and `from_proto`, the protocol before
 * STARTTLS.
 */
export const suricataTls = recordType("suricata.tls", "suricata", "tls", (payload, context) => {
  const warnings: string[] = [];
  const tuple = eveTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const tls = asObject(payload.tls);
  if (tls === null) return { unparsed: "tls: expected an object" };
  return {
    ...eveMoment(payload, context, warnings),
    ...tuple,
    counters: null,
    service: "tls",
    facts: tlsFacts(tls, warnings),
    warnings,
    ...eveCommon(payload, warnings),
  };
});

function tlsFacts(tls: Fields, warnings: string[]): TlsFacts {
  expectTexts(tls, ["sni", "version", "subject", "issuerdn"], warnings);
  const chosen = asObject(tls.server_handshake);
  const subject = distinguishedName(tls.subject);
  const issuer = distinguishedName(tls.issuerdn);
  const ja3s = asObject(tls.ja3s);
  return {
    type: "tls",
    serverName: domainName(tls.sni),
    version: tlsVersion(tls.version) ?? tlsVersion(chosen?.version),
    cipher: cipherSuite(chosen?.cipher) ?? cipherOfJa3s(ja3s?.string),
    // The server's choice; the client's offers are not facts about the connection.
    alpn: text(listOf(tls.server_alpns, "server_alpns", warnings)[0], 64),
    ja3: fingerprintOf(asObject(tls.ja3)?.hash, "ja3.hash", warnings),
    ja3s: fingerprintOf(ja3s?.hash, "ja3s.hash", warnings),
    ja4: ja4Of(tls.ja4, "ja4", warnings),
    ja4s: null,
    subject,
    issuer,
    serial: orWarn(serialNumber(tls.serial), tls.serial, "serial: expected a serial number", warnings),
    fingerprint: fingerprintOf(tls.fingerprint, "fingerprint", warnings),
    notBefore: certificateTime(tls.notbefore, readTime, "notbefore", warnings),
    notAfter: certificateTime(tls.notafter, readTime, "notafter", warnings),
    validation: null,
    resumed: isResumed(tls, subject ?? issuer),
    established: null,
  };
}

/** The text hashed by JA3S: version, chosen cipher suite, extensions, in decimal: `771,49200,35-16`. */
function cipherOfJa3s(value: JsonValue | undefined): string | null {
  const parts = text(value, 1024)?.split(",", 3) ?? [];
  return parts.length === 3 ? cipherSuite(parts[1]) : null;
}

/** Suricata logs this only if true. A server that sends its certificate does not resume a session. */
function isResumed(tls: Fields, certificate: string | null): boolean | null {
  if (tls.session_resumed === true) return true;
  return certificate === null ? null : false;
}
