import { asObject, expectTexts } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { expectSshVersion, sshSoftware, sshVersion } from "../ssh.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";
import { fingerprintOf } from "../tls.ts";

/**
 * Suricata EVE `ssh`: the banners of one connection, from the client, and its HASSH fingerprints (since 6,
 * with `hassh: yes`). Up to Suricata 5 both ends are always present, later one may be missing. Suricata
 * reports neither the host key nor the login result. `hassh.string` and `error` (8) are not used.
 */
export const suricataSsh = recordType("suricata.ssh", "suricata", "ssh", (payload, context) => {
  const warnings: string[] = [];
  const tuple = eveTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const ssh = asObject(payload.ssh);
  if (ssh === null) return { unparsed: "ssh: expected an object" };
  const client = asObject(ssh.client);
  const server = asObject(ssh.server);
  for (const end of [client, server]) {
    if (end === null) continue;
    expectTexts(end, ["software_version"], warnings);
    expectSshVersion(end.proto_version, "proto_version", warnings);
  }
  return {
    ...eveMoment(payload, context, warnings),
    ...tuple,
    counters: null,
    service: "ssh",
    facts: {
      type: "ssh",
      version: sshVersion(client?.proto_version, server?.proto_version),
      clientSoftware: sshSoftware(client?.software_version),
      serverSoftware: sshSoftware(server?.software_version),
      hassh: fingerprintOf(asObject(client?.hassh)?.hash, "client.hassh", warnings),
      hasshServer: fingerprintOf(asObject(server?.hassh)?.hash, "server.hassh", warnings),
      hostKey: null,
      authSuccess: null,
      authAttempts: null,
    },
    warnings,
    ...eveCommon(payload, warnings),
  };
});
