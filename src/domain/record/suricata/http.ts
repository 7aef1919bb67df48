import type { JsonValue } from "../../../kit/json/json.ts";
import { asObject, count, expectTexts, type Fields, listOf, text } from "../fields.ts";
import type { HttpFacts } from "../facts.ts";
import { httpHost, httpStatus, httpVersion, MAX_HEADER, MAX_METHOD, MAX_URI } from "../http.ts";
import type { Count } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";

const MAX_HEADERS = 128;

/**
 * Suricata EVE `http`: one request and its response, from the client, written when both are complete. Method,
 * status, protocol, length and referrer require `extended: yes` (the default). Logged headers (`custom`,
 * `dump-all-headers`; always in HTTP/2) fill in what the record's own fields lack. They are in
 * `request_headers` and `response_headers`; before 8, those of `custom` were members of their own
 * (`authorization`).
 *
 * HTTP/2 (since Suricata 6) has `version: "2"` instead of `protocol`, the pseudo headers `:authority`,
 * `:method`, `:path` and `:status`, and a `length` that may be a header of either side, so only the
 * response's own header counts. `xff`, `redirect`, `http_port`, `content_range`, `http2` and bodies are not
 * used.
 */
export const suricataHttp = recordType("suricata.http", "suricata", "http", (payload, context) => {
  const warnings: string[] = [];
  const tuple = eveTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const http = asObject(payload.http);
  if (http === null) return { unparsed: "http: expected an object" };
  const facts = httpFacts(http, warnings);
  return {
    ...eveMoment(payload, context, warnings),
    ...tuple,
    counters: null,
    // Same as in Suricata's flow records.
    service: facts.version === "2" ? "http2" : "http",
    facts,
    warnings,
    ...eveCommon(payload, warnings),
  };
});

const TEXTS = [
  "http_method",
  "hostname",
  "url",
  "http_user_agent",
  "http_refer",
  "protocol",
  "version",
  "http_content_type",
  "authorization",
];

function httpFacts(http: Fields, warnings: string[]): HttpFacts {
  expectTexts(http, TEXTS, warnings);
  const request = headersOf(http, "request_headers", warnings);
  const response = headersOf(http, "response_headers", warnings);
  const status = httpStatus(http.status, "status", warnings) ??
    httpStatus(response.get(":status"), ":status", warnings);
  const version = httpVersion(http.protocol) ?? httpVersion(http.version);
  return {
    type: "http",
    method: text(http.http_method, MAX_METHOD) ?? text(request.get(":method"), MAX_METHOD),
    host: httpHost(http.hostname) ?? httpHost(request.get(":authority")) ?? httpHost(request.get("host")),
    uri: text(http.url, MAX_URI) ?? text(request.get(":path"), MAX_URI),
    userAgent: text(http.http_user_agent, MAX_HEADER) ?? text(request.get("user-agent"), MAX_HEADER),
    referrer: text(http.http_refer ?? http.referer, MAX_HEADER) ?? text(request.get("referer"), MAX_HEADER),
    version,
    status,
    contentType: mediaType(http.http_content_type) ?? mediaType(response.get("content-type")),
    requestBytes: null,
    responseBytes: version === "2"
      ? count({ length: response.get("content-length") ?? null }, "length", warnings)
      : bodyBytes(http, status, warnings),
    username: basicUser(request.get("authorization") ?? http.authorization),
  };
}

/** Header values by lower-case name from a list of `{name, value}`; the first of each name. */
function headersOf(http: Fields, list: string, warnings: string[]): ReadonlyMap<string, JsonValue> {
  const headers = new Map<string, JsonValue>();
  for (const item of listOf(http[list], list, warnings).slice(0, MAX_HEADERS)) {
    const header = asObject(item);
    const name = text(header?.name, MAX_HEADER)?.toLowerCase();
    const value = header?.value;
    if (name !== undefined && value !== undefined && !headers.has(name)) headers.set(name, value);
  }
  return headers;
}

/** Captured size of the response body. The 0 of a request without a response is not a count. */
function bodyBytes(http: Fields, status: number | null, warnings: string[]): Count | null {
  const length = count(http, "length", warnings);
  return length === 0 && status === null ? null : length;
}

/** Without parameters, which Suricata's own field omits too. */
function mediaType(value: JsonValue | undefined): string | null {
  return text(text(value, MAX_HEADER)?.split(";", 1)[0]?.trim(), MAX_HEADER);
}

/** The user of an `Authorization: Basic` header (RFC 7617); the password is discarded. */
function basicUser(value: JsonValue | undefined): string | null {
  const given = /^Basic +((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?) *$/i.exec(
    text(value, 1024) ?? "",
  );
  if (given === null) return null;
  const bytes = Uint8Array.from(atob(given[1]!), (character) => character.charCodeAt(0));
  const credentials = new TextDecoder().decode(bytes);
  const colon = credentials.indexOf(":");
  return colon === -1 ? null : text(credentials.slice(0, colon), 256);
}
