import { domainName, MAX_ANSWER_LENGTH, MAX_ANSWERS, queryType, rcode } from "../dns.ts";
import { texts } from "../fields.ts";
import { recordType } from "../record-type.ts";
import { zeekCommon, zeekSpan, zeekTuple } from "./envelope.ts";

/**
 * Zeek `dns.log`: one transaction, client to server, from the query to its answer (`rtt`). `uid` is that of
 * the connection, which may carry many transactions. A half-duplex capture gives answers without their query;
 * `query` is then null. A dynamic update (logged since Zeek 8.1, `opcode` 5) has its zone as the query.
 */
export const zeekDns = recordType("zeek.dns", "zeek", "dns", (payload, context) => {
  const warnings: string[] = [];
  const tuple = zeekTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const answers = texts(payload.answers, MAX_ANSWERS, MAX_ANSWER_LENGTH);
  const code = rcode(payload.rcode_name, payload.rcode);
  return {
    ...zeekSpan(payload, "rtt", context, warnings),
    ...tuple,
    counters: null,
    service: "dns",
    facts: {
      type: "dns",
      query: domainName(payload.query),
      qtype: queryType(payload.qtype_name, payload.qtype),
      rcode: code,
      answers,
      answered: code !== null || answers.length > 0,
    },
    warnings,
    ...zeekCommon(payload),
  };
}, (payload) => zeekTuple(payload, []));
