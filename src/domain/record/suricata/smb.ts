import type { SmbFacts } from "../facts.ts";
import { asObject, expectTexts, type Fields, text } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";

const MAX_NAME = 256;
const MAX_PATH = 1024;

/**
 * Suricata EVE `smb`: one SMB 1 to 3 transaction, a request with its reply, from the flow's originator. The
 * members depend on the command: `ntlmssp` or `kerberos` for a session setup, `share` or `named_pipe` for a
 * tree connect, `filename` or `directory` for a create (`<share_root>` for the share itself), `rename`.
 * `dialect` is `unknown` if the negotiation was not seen. The format is the same in Suricata 5 to 8.
 */
export const suricataSmb = recordType("suricata.smb", "suricata", "flow_observation", (payload, context) => {
  const warnings: string[] = [];
  const tuple = eveTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const smb = asObject(payload.smb);
  if (smb === null) return { unparsed: "smb: expected an object" };
  return {
    ...eveMoment(payload, context, warnings),
    ...tuple,
    counters: null,
    service: "smb",
    facts: smbFacts(smb, warnings),
    warnings,
    ...eveCommon(payload, warnings),
  };
});

const TEXTS = ["dialect", "command", "status", "status_code", "share", "filename", "directory", "named_pipe"];

function smbFacts(smb: Fields, warnings: string[]): SmbFacts {
  expectTexts(smb, TEXTS, warnings);
  const ntlmssp = asObject(smb.ntlmssp);
  if (ntlmssp !== null) expectTexts(ntlmssp, ["user", "domain", "host"], warnings);
  const rename = asObject(smb.rename);
  const dialect = text(smb.dialect, 64);
  return {
    type: "smb",
    dialect: dialect === "unknown" || dialect === "invalid" ? null : dialect,
    command: text(smb.command, 64),
    status: statusOf(smb),
    share: text(smb.share, MAX_PATH),
    // The new name of a renamed file: the record of its opening has the old one.
    filename: text(smb.filename ?? smb.directory ?? rename?.to, MAX_PATH),
    namedPipe: text(smb.named_pipe, MAX_PATH),
    user: text(ntlmssp?.user, MAX_NAME),
    domain: text(ntlmssp?.domain, MAX_NAME) ?? text(asObject(smb.kerberos)?.realm, MAX_NAME),
    host: text(ntlmssp?.host, MAX_NAME),
  };
}

/** A status without a name is logged as a decimal number; prefers its hexadecimal code. */
function statusOf(smb: Fields): string | null {
  const status = text(smb.status, 64);
  if (status !== null && !/^\d+$/.test(status)) return status;
  return text(smb.status_code, 64) ?? status;
}
