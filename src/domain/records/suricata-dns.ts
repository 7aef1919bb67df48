import type { JsonValue } from "../../kit/json.ts";
import { domainName, MAX_ANSWER_LENGTH, MAX_ANSWERS, queryType, rcode } from "./dns.ts";
import { asList, asObject, bounded, type Fields, small, text } from "./fields.ts";
import { recordType } from "./record-type.ts";
import { eveCommon, eveTime, eveTuple } from "./suricata.ts";
import { reversed, type Tuple } from "./tuple.ts";

/**
 * Suricata EVE `dns`, one message: a query, or an answer with the question it repeats. Three formats exist:
 * version 1 (Suricata 3 and 4) writes one record for each answer, whose `rrname` is the answer's own name;
 * version 2 (5 to 7) one record with `answers`, `grouped`, or both; version 3 (8) has `queries`, and calls the
 * types `request` and `response`. The originator is always the client.
 */
export const suricataDns = recordType("suricata.dns", "suricata", "dns", (payload, context) => {
  const tuple = eveTuple(payload);
  if ("unparsed" in tuple) return tuple;
  const dns = asObject(payload.dns);
  if (dns === null) return { unparsed: "dns: expected an object" };
  const warnings: string[] = [];
  const time = eveTime(payload, context, warnings);
  const answered = dns.type === "answer" || dns.type === "response";
  const question = asObject(asList(dns.queries)[0]) ?? dns;
  return {
    start: time,
    end: time,
    ...(answered && isFromServer(tuple, dns) ? reversed(tuple) : tuple),
    counters: null,
    service: "dns",
    facts: {
      type: "dns",
      query: domainName(question.rrname),
      qtype: queryType(question.rrtype),
      // A version 3 request has an `rcode`, too: that of the query's own header, always NOERROR.
      rcode: answered ? rcode(dns.rcode) : null,
      answers: answered ? answersOf(dns) : [],
      answered,
    },
    warnings,
    ...eveCommon(payload),
  };
});

/**
 * Whether an answer's source is the server. Port 53 tells, if one end has it; else the format does: version 2
 * writes the flow's direction (client first), versions 1 and 3 write the packet's (server first).
 */
function isFromServer({ src, dst }: Tuple, dns: Fields): boolean {
  if ((src.port === 53) !== (dst.port === 53)) return src.port === 53;
  return dns.version !== 2;
}

function answersOf(dns: Fields): string[] {
  const found: JsonValue[] = [];
  for (const answer of asList(dns.answers).slice(0, MAX_ANSWERS)) found.push(asObject(answer) ?? null);
  if (found.length === 0) {
    const grouped = Object.values(asObject(dns.grouped) ?? {});
    for (const group of grouped.slice(0, MAX_ANSWERS)) found.push(...asList(group).slice(0, MAX_ANSWERS));
  }
  // Version 1: the record itself is the answer.
  if (found.length === 0) found.push(dns);
  return found.map(answerText).filter((answer) => answer !== null).slice(0, MAX_ANSWERS);
}

/** Answer data as a zone file writes it; records without data of their own give none. */
function answerText(answer: JsonValue): string | null {
  if (typeof answer === "string") return text(answer, MAX_ANSWER_LENGTH);
  const record = asObject(answer);
  if (record === null) return null;
  const rdata = text(record.rdata, MAX_ANSWER_LENGTH);
  if (rdata !== null) return rdata;
  const srv = asObject(record.srv) ?? record;
  const target = domainName(srv.name);
  const [priority, weight, port] = [srv.priority, srv.weight, srv.port].map((part) => small(part, 0xffff));
  if (target === null || priority === null || weight === null || port === null) return null;
  return bounded(`${priority} ${weight} ${port} ${target}`, MAX_ANSWER_LENGTH);
}
