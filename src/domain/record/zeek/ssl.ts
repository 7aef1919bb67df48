import type { JsonValue } from "../../../kit/json/json.ts";
import { domainName } from "../dns.ts";
import { asObject, expectTexts, type Fields, firstOf, listOf, orWarn, text, warn } from "../fields.ts";
import type { TlsFacts } from "../facts.ts";
import { recordType } from "../record-type.ts";
import {
  certificateTime,
  distinguishedName,
  fingerprintOf,
  ja4Fingerprint,
  ja4Of,
  serialNumber,
  tlsVersion,
} from "../tls.ts";
import { zeekCommon, zeekFlag, zeekFlagOf, zeekSpan, zeekTime, zeekTuple } from "./envelope.ts";

/** The visible part of a QUIC handshake: the two hellos, possibly a hello retry request. */
const HELLOS_ONLY = /^(Cj)?Cs$/;

/**
 * Zeek `ssl.log`: one TLS or DTLS handshake, client to server, at the time it was first seen. `uid` is that
 * of the connection. The log does not state its transport: see `transportOf`.
 *
 * Certificate members depend on the version. Since 4.1 Zeek logs `cert_chain_fps`, SHA-256 hashes of the
 * chain, the server's own certificate first; names and validity are in `x509.log` under the same hash.
 * Earlier versions log `subject` and `issuer`; Bro 2.1 `issuer_subject`, `not_valid_before` and
 * `not_valid_after` as well. Members a pipeline joined from `x509.log` (`certificate.serial`, …) are read
 * too. TLS 1.3 hides all of it. `validation_status` needs validate-certs, the fingerprints need their
 * packages (`ja3`, `ja3s`, `ja4`, `ja4s`), and `resp_certificate_sha1` needs a custom script.
 */
export const zeekSsl = recordType("zeek.ssl", "zeek", "tls", (payload, context) => {
  const warnings: string[] = [];
  const isStated = payload.proto !== undefined && payload.proto !== null;
  const tuple = zeekTuple(payload, warnings, isStated ? undefined : transportOf(payload, warnings));
  if ("unparsed" in tuple) return tuple;
  return {
    ...zeekSpan(payload, null, context, warnings),
    ...tuple,
    counters: null,
    service: "ssl",
    facts: tlsFacts(payload, warnings),
    warnings,
    ...zeekCommon(payload, warnings),
  };
});

/**
 * TCP, unless the record shows otherwise: the version is DTLS, a JA4 fingerprint names its transport, or a
 * TLS 1.3 handshake ends after the hellos, as in QUIC (in this log since Zeek 6.1): over TCP more would be
 * visible.
 */
function transportOf(payload: Fields, warnings: string[]): string {
  if (typeof payload.version === "string" && payload.version.startsWith("DTLS")) return "udp";
  const ja4 = ja4Fingerprint(payload.ja4) ?? ja4Fingerprint(payload.ja4s);
  if (ja4 !== null) return ja4.startsWith("t") ? "tcp" : "udp";
  if (!isQuicHandshake(payload)) return "tcp";
  warn(warnings, "transport not stated, assumed udp: the handshake looks like QUIC");
  return "udp";
}

function isQuicHandshake({ version, established, ssl_history: history }: Fields): boolean {
  return version === "TLSv13" && zeekFlag(established) === false && typeof history === "string" &&
    HELLOS_ONLY.test(history);
}

const TEXTS = [
  "server_name",
  "version",
  "cipher",
  "next_protocol",
  "subject",
  "issuer",
  "issuer_subject",
  "validation_status",
];

function tlsFacts(payload: Fields, warnings: string[]): TlsFacts {
  const certificate = certificateOf(payload);
  const validity = (name: string) =>
    certificateTime(payload[name] ?? certificate(name), zeekTime, name, warnings);
  const [leaf] = listOf(payload.cert_chain_fps, "cert_chain_fps", warnings);
  const issuer = firstOf(payload, ["issuer", "issuer_subject"])?.value ?? certificate("issuer");
  const serial = certificate("serial");
  expectTexts(payload, TEXTS, warnings);
  return {
    type: "tls",
    serverName: domainName(payload.server_name),
    version: tlsVersion(payload.version),
    cipher: text(payload.cipher, 64),
    alpn: text(payload.next_protocol, 64),
    ja3: fingerprintOf(payload.ja3, "ja3", warnings),
    ja3s: fingerprintOf(payload.ja3s, "ja3s", warnings),
    ja4: ja4Of(payload.ja4, "ja4", warnings),
    ja4s: ja4Of(payload.ja4s, "ja4s", warnings),
    subject: distinguishedName(payload.subject ?? certificate("subject")),
    issuer: distinguishedName(issuer),
    serial: orWarn(serialNumber(serial), serial, "certificate.serial: expected a serial number", warnings),
    fingerprint: fingerprintOf(leaf, "cert_chain_fps", warnings) ??
      fingerprintOf(payload.resp_certificate_sha1, "resp_certificate_sha1", warnings),
    notBefore: validity("not_valid_before"),
    notAfter: validity("not_valid_after"),
    validation: text(payload.validation_status, 128),
    resumed: zeekFlagOf(payload, "resumed", warnings),
    established: zeekFlagOf(payload, "established", warnings),
  };
}

/** A member of the certificate joined from `x509.log`, in the same three spellings as the tuple. */
function certificateOf(payload: Fields): (name: string) => JsonValue | undefined {
  const nested = asObject(payload.certificate);
  return (name) => payload[`certificate.${name}`] ?? payload[`certificate_${name}`] ?? nested?.[name];
}
