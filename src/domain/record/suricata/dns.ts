import type { JsonValue } from "../../../kit/json/json.ts";
import { domainName, MAX_ANSWER_LENGTH, MAX_ANSWERS, queryType, rcode } from "../dns.ts";
import {
  asList,
  asObject,
  bounded,
  expectTexts,
  type Fields,
  listOf,
  orWarn,
  small,
  text,
} from "../fields.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";
import { reversed, type Tuple } from "../tuple.ts";

/**
 * Suricata EVE `dns`, one message: a query, or an answer with the question it repeats. There are three
 * formats: version 1 (Suricata 3 and 4) has one record per answer, whose `rrname` is the answer's own name;
 * version 2 (5 to 7) one record with `answers`, `grouped`, or both; version 3 (8) has `queries` and the types
 * `request` and `response`. Only the first of several questions is kept. The originator is always the client.
 *
 * DNS over HTTPS (8) has an `http` object beside `dns` and gets the service name of its flow record, `doh2`.
 * Not used: `id`, flags, `ttl`, `opcode`, `authorities` and `additionals`.
 */
export const suricataDns = recordType("suricata.dns", "suricata", "dns", (payload, context) => {
  const warnings: string[] = [];
  const tuple = eveTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const dns = asObject(payload.dns);
  const overHttps = asObject(payload.http) !== null || payload.app_proto === "doh2";
  if (dns === null) {
    const why = overHttps ? "; this exchange over HTTPS carried no DNS message" : "";
    return { unparsed: `dns: expected an object${why}` };
  }
  const answered = dns.type === "answer" || dns.type === "response";
  const question = asObject(listOf(dns.queries, "queries", warnings)[0]) ?? dns;
  expectTexts(question, ["rrname"], warnings);
  return {
    ...eveMoment(payload, context, warnings),
    ...(answered && !overHttps && isFromServer(tuple, dns) ? reversed(tuple) : tuple),
    counters: null,
    service: overHttps ? "doh2" : "dns",
    facts: {
      type: "dns",
      query: domainName(question.rrname),
      qtype: orWarn(
        queryType(...nameOrNumber(question.rrtype)),
        question.rrtype,
        "rrtype: expected a query type",
        warnings,
      ),
      // A version 3 request has an `rcode` too: that of the query's own header, always NOERROR.
      rcode: answered
        ? orWarn(rcode(...nameOrNumber(dns.rcode)), dns.rcode, "rcode: expected a response code", warnings)
        : null,
      answers: answered ? answersOf(dns, warnings) : [],
      answered,
    },
    warnings,
    ...eveCommon(payload, warnings),
  };
});

/** Suricata writes values without a name as a number in a string. */
function nameOrNumber(value: JsonValue | undefined): [name: JsonValue | undefined, number?: JsonValue] {
  return typeof value === "string" && !/^\d+$/.test(value) ? [value] : [undefined, value];
}

/**
 * Whether an answer's source is the server. Decided by port 53 if exactly one end has it, else by the format:
 * version 2 has the flow's direction (client first), versions 1 and 3 the packet's (server first). DNS over
 * HTTPS always has the flow's.
 */
function isFromServer({ src, dst }: Tuple, dns: Fields): boolean {
  if ((src.port === 53) !== (dst.port === 53)) return src.port === 53;
  return dns.version !== 2;
}

function answersOf(dns: Fields, warnings: string[]): string[] {
  const found: JsonValue[] = [];
  for (const answer of listOf(dns.answers, "answers", warnings).slice(0, MAX_ANSWERS)) {
    found.push(orWarn(asObject(answer), answer, "answers: expected objects", warnings));
  }
  if (found.length === 0) {
    const grouped = Object.values(asObject(dns.grouped) ?? {});
    for (const group of grouped.slice(0, MAX_ANSWERS)) found.push(...asList(group).slice(0, MAX_ANSWERS));
  }
  // Version 1: the record itself is the answer.
  if (found.length === 0) found.push(dns);
  return found.map(answerText).filter((answer) => answer !== null).slice(0, MAX_ANSWERS);
}

/** Answer data in zone file notation; null for records without data of their own. */
function answerText(answer: JsonValue): string | null {
  if (typeof answer === "string") return text(answer, MAX_ANSWER_LENGTH);
  const record = asObject(answer);
  if (record === null) return null;
  const rdata = text(record.rdata, MAX_ANSWER_LENGTH);
  if (rdata !== null) return rdata;
  return serviceText(asObject(record.srv) ?? record) ?? authorityText(asObject(record.soa) ?? record) ??
    hostKeyText(asObject(record.sshfp) ?? record);
}

// In `grouped` the parts of such data are not nested.

function serviceText(srv: Fields): string | null {
  const numbers = [srv.priority, srv.weight, srv.port].map((part) => small(part, 0xffff));
  return joined([...numbers, domainName(srv.name)]);
}

function authorityText(soa: Fields): string | null {
  const times = [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum];
  return joined([
    domainName(soa.mname),
    domainName(soa.rname),
    ...times.map((part) => small(part, 0xffffffff)),
  ]);
}

function hostKeyText(sshfp: Fields): string | null {
  const numbers = [sshfp.algo, sshfp.type].map((part) => small(part, 0xff));
  return joined([...numbers, text(sshfp.fingerprint, 256)?.replaceAll(":", "") ?? null]);
}

function joined(parts: readonly (string | number | null)[]): string | null {
  return parts.includes(null) ? null : bounded(parts.join(" "), MAX_ANSWER_LENGTH);
}
