import { count, expectTexts, type Fields, listOf, text } from "../fields.ts";
import type { HttpFacts } from "../facts.ts";
import { httpHost, httpStatus, httpVersion, MAX_HEADER, MAX_METHOD, MAX_URI } from "../http.ts";
import type { Count } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { zeekCommon, zeekSpan, zeekTuple } from "./envelope.ts";

/**
 * Zeek `http.log`: one request and its reply, client to server, at the time of the request. `uid` is that of
 * the connection, which may carry many. Always TCP.
 *
 * A capture of one direction gives replies without `method`, `host`, `uri` and `user_agent`, or requests
 * without `status_code`. `host` includes the port since Zeek 4.2; `version` is the reply's. `contentType` is
 * the type Zeek detected in the reply's body (`resp_mime_types`; `mime_type` before Bro 2.2), not the one in
 * its header.
 */
export const zeekHttp = recordType("zeek.http", "zeek", "http", (payload, context) => {
  const warnings: string[] = [];
  const tuple = zeekTuple(payload, warnings, "tcp");
  if ("unparsed" in tuple) return tuple;
  return {
    ...zeekSpan(payload, null, context, warnings),
    ...tuple,
    counters: null,
    service: "http",
    facts: httpFacts(payload, warnings),
    warnings,
    ...zeekCommon(payload, warnings),
  };
});

const TEXTS = ["method", "host", "uri", "user_agent", "referrer", "version", "mime_type", "username"];

function httpFacts(payload: Fields, warnings: string[]): HttpFacts {
  expectTexts(payload, TEXTS, warnings);
  const method = text(payload.method, MAX_METHOD);
  const status = httpStatus(payload.status_code, "status_code", warnings);
  const [mimeType] = listOf(payload.resp_mime_types, "resp_mime_types", warnings);
  return {
    type: "http",
    method,
    host: httpHost(payload.host),
    uri: text(payload.uri, MAX_URI),
    userAgent: text(payload.user_agent, MAX_HEADER),
    referrer: text(payload.referrer, MAX_HEADER),
    version: httpVersion(payload.version),
    status,
    contentType: text(mimeType ?? payload.mime_type, MAX_HEADER),
    requestBytes: bodyLength(count(payload, "request_body_len", warnings), method !== null),
    responseBytes: bodyLength(count(payload, "response_body_len", warnings), status !== null),
    username: username(payload),
  };
}

/** Zeek's default of 0 for a message that was not seen is not a count. */
function bodyLength(length: Count | null, wasSeen: boolean): Count | null {
  return length === 0 && !wasSeen ? null : length;
}

/**
 * The user of basic authentication. If Zeek could not decode it, the text is the whole secret header, which
 * is dropped.
 */
function username(payload: Fields): string | null {
  const name = text(payload.username, 256);
  return name !== null && name.startsWith("<problem-decoding>") ? null : name;
}
