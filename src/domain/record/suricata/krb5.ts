import type { JsonValue } from "../../../kit/json/json.ts";
import type { KerberosFacts } from "../facts.ts";
import { asObject, expectTexts, type Fields, orWarn, text } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";
import { reversed } from "../tuple.ts";

const KDC_PORT = 88;
const MAX_PRINCIPAL = 256;

/**
 * Suricata EVE `krb5`: one Kerberos 5 exchange, logged by its reply, a ticket or an error. `<empty>` and
 * `<none>` stand for missing values: an error names the service only. `encryption` is that of the reply,
 * under the client's key; `ticket_encryption` (newer versions) that of the ticket, under the service's key.
 *
 * The record lists first the source of the packet that triggered it, which may be either end. The client is
 * put first: the other end uses port 88.
 */
export const suricataKrb5 = recordType(
  "suricata.krb5",
  "suricata",
  "flow_observation",
  (payload, context) => {
    const warnings: string[] = [];
    const tuple = eveTuple(payload, warnings);
    if ("unparsed" in tuple) return tuple;
    const krb5 = asObject(payload.krb5);
    if (krb5 === null) return { unparsed: "krb5: expected an object" };
    const isFromServer = tuple.src.port === KDC_PORT && tuple.dst.port !== KDC_PORT;
    return {
      ...eveMoment(payload, context, warnings),
      ...(isFromServer ? reversed(tuple) : tuple),
      counters: null,
      service: "krb5",
      facts: kerberosFacts(krb5, warnings),
      warnings,
      ...eveCommon(payload, warnings),
    };
  },
);

const TEXTS = ["msg_type", "cname", "realm", "sname", "encryption", "ticket_encryption", "error_code"];

function kerberosFacts(krb5: Fields, warnings: string[]): KerberosFacts {
  expectTexts(krb5, TEXTS, warnings);
  const encryption = known(krb5.encryption, 64);
  const ticketEncryption = known(krb5.ticket_encryption, 64);
  const weak = [
    encryption === null ? null : krb5.weak_encryption,
    ticketEncryption === null ? null : krb5.ticket_weak_encryption,
  ].filter((verdict) => typeof verdict === "boolean");
  for (const name of ["weak_encryption", "ticket_weak_encryption"]) {
    const flag = krb5[name];
    orWarn(typeof flag === "boolean" ? flag : null, flag, `${name}: expected a boolean`, warnings);
  }
  return {
    type: "kerberos",
    messageType: messageTypeOf(krb5.msg_type),
    client: known(krb5.cname, MAX_PRINCIPAL),
    realm: known(krb5.realm, MAX_PRINCIPAL),
    service: known(krb5.sname, MAX_PRINCIPAL),
    encryption,
    ticketEncryption,
    weakEncryption: weak.length === 0 ? null : weak.includes(true),
    error: known(krb5.error_code, 64),
  };
}

/** `KRB_AS_REP` in RFC notation: `AS-REP`; an unnamed type stays unchanged. */
function messageTypeOf(value: JsonValue | undefined): string | null {
  const name = text(value, 64);
  return name?.startsWith("KRB_") ? name.slice(4).replaceAll("_", "-") || null : name;
}

function known(value: JsonValue | undefined, limit: number): string | null {
  const given = text(value, limit);
  return given === "<empty>" || given === "<none>" ? null : given;
}
