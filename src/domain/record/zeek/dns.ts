import { domainName, MAX_ANSWER_LENGTH, MAX_ANSWERS, queryType, rcode } from "../dns.ts";
import { expectTexts, listOf, orWarn, texts, warn } from "../fields.ts";
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
  expectTexts(payload, ["query", "qtype_name", "rcode_name"], warnings);
  const listed = listOf(payload.answers, "answers", warnings);
  if (listed.some((answer) => typeof answer !== "string")) warn(warnings, "answers: expected texts");
  const answers = texts(listed, MAX_ANSWERS, MAX_ANSWER_LENGTH);
  const code = orWarn(
    rcode(payload.rcode_name, payload.rcode),
    payload.rcode,
    "rcode: expected a response code",
    warnings,
  );
  const type = orWarn(
    queryType(payload.qtype_name, payload.qtype),
    payload.qtype,
    "qtype: expected a query type",
    warnings,
  );
  return {
    ...zeekSpan(payload, "rtt", context, warnings),
    ...tuple,
    counters: null,
    service: "dns",
    facts: {
      type: "dns",
      query: domainName(payload.query),
      qtype: type,
      rcode: code,
      answers,
      answered: code !== null || answers.length > 0,
    },
    warnings,
    ...zeekCommon(payload, warnings),
  };
}, (payload) => zeekTuple(payload, []));
