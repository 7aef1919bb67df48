import { expectTexts, orWarn, small, text } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { sshSoftware } from "../ssh.ts";
import { fingerprintOf } from "../tls.ts";
import { zeekCommon, zeekFlagOf, zeekSpan, zeekTuple } from "./envelope.ts";

/**
 * Zeek `ssh.log`: one SSH connection, client to server, at the time it was first seen. `uid` is that of the
 * connection. Always TCP. A mere probe of a server leaves only its `server` string.
 *
 * `auth_success` is inferred from the sizes of encrypted packets and unset if Zeek cannot tell;
 * `auth_attempts` counts those seen, including 0. `version` 0 means that the ends did not agree. The host
 * key's fingerprint is `host_key` (MD5 with colons) until Zeek 8.0 and `host_key_fingerprint` (`SHA256:…`)
 * since. HASSH needs its package (`hassh`, `hasshServer`).
 */
export const zeekSsh = recordType("zeek.ssh", "zeek", "ssh", (payload, context) => {
  const warnings: string[] = [];
  const tuple = zeekTuple(payload, warnings, "tcp");
  if ("unparsed" in tuple) return tuple;
  expectTexts(payload, ["client", "server", "host_key_fingerprint", "host_key"], warnings);
  const { version: stated, auth_attempts: attempts } = payload;
  const version = orWarn(small(stated, 255), stated, "version: expected an SSH version", warnings);
  return {
    ...zeekSpan(payload, null, context, warnings),
    ...tuple,
    counters: null,
    service: "ssh",
    facts: {
      type: "ssh",
      version: version === 0 ? null : version,
      clientSoftware: sshSoftware(payload.client),
      serverSoftware: sshSoftware(payload.server),
      hassh: fingerprintOf(payload.hassh, "hassh", warnings),
      hasshServer: fingerprintOf(payload.hasshServer, "hasshServer", warnings),
      hostKey: text(payload.host_key_fingerprint ?? payload.host_key, 128),
      authSuccess: zeekFlagOf(payload, "auth_success", warnings),
      authAttempts: orWarn(
        small(attempts, 0xffffffff),
        attempts,
        "auth_attempts: expected a count",
        warnings,
      ),
    },
    warnings,
    ...zeekCommon(payload, warnings),
  };
});
