import type { SmbFacts } from "../facts.ts";
import { asList, asObject, expectTexts, type Fields, small, text } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";

const MAX_NAME = 256;
const MAX_PATH = 1024;
const MAX_OPERATION = 0xffff;

/** Interfaces of Windows services by UUID: DCE/RPC states numbers only. */
const INTERFACES: ReadonlyMap<string, string> = new Map([
  ["12345678-1234-abcd-ef00-0123456789ab", "spoolss"],
  ["12345678-1234-abcd-ef00-01234567cffb", "netlogon"],
  ["12345778-1234-abcd-ef00-0123456789ab", "lsarpc"],
  ["12345778-1234-abcd-ef00-0123456789ac", "samr"],
  ["1ff70682-0a51-30e8-076d-740be8cee98b", "atsvc"],
  ["338cd001-2244-31f1-aaaa-900038001003", "winreg"],
  ["367abb81-9844-35f1-ad32-98f038001003", "svcctl"],
  ["4b324fc8-1670-01d3-1278-5a47bf6ee188", "srvsvc"],
  ["6bffd098-a112-3610-9833-46c3f87e345a", "wkssvc"],
  ["86d35949-83c9-4044-b424-db363231fd0c", "atsvc"],
  ["e1af8308-5d1f-11c9-91a4-08002b14a0fa", "epmapper"],
  ["e3514235-4b06-11d1-ab04-00c04fc2dcd2", "drsuapi"],
]);

/**
 * Suricata EVE `smb`: one SMB 1 to 3 transaction, a request with its reply, from the flow's originator. The
 * members depend on the command: `ntlmssp` or `kerberos` for a session setup, `share` or `named_pipe` for a
 * tree connect, `filename` or `directory` for a create (`<share_root>` for the share itself), `rename`, `dcerpc`
 * for a procedure call over a pipe: a request states the interface that it calls, a bind all that it opens.
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
  const dcerpc = asObject(smb.dcerpc);
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
    rpcInterface: dcerpc === null ? null : interfaceOf(dcerpc),
    rpcOperation: small(dcerpc?.opnum, MAX_OPERATION),
  };
}

function interfaceOf(dcerpc: Fields): string | null {
  const uuid = text(asObject(asList(dcerpc.interfaces)[0])?.uuid, 64)?.toLowerCase() ?? null;
  return uuid === null ? null : INTERFACES.get(uuid) ?? uuid;
}

/** A status without a name is logged as a decimal number; prefers its hexadecimal code. */
function statusOf(smb: Fields): string | null {
  const status = text(smb.status, 64);
  if (status !== null && !/^\d+$/.test(status)) return status;
  return text(smb.status_code, 64) ?? status;
}
