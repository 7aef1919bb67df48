import type { Context } from "hono";
import { EVENT_STREAM_TYPE } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { readBodyOf } from "../contract/request/capacity.ts";
import { type Route, ROUTES } from "../contract/routes.ts";
import { gzipOrPlain } from "./accept-encoding.ts";
import type { CoreClient } from "./core-client.ts";
import { admit, type GuardOptions } from "./guard.ts";
import { whileSignedIn } from "./session/signed-in-stream.ts";

/**
 * Headers of a browser's request that reach the core. An allow list: no spelling of a claims header passes,
 * nor a cookie or a forwarding header.
 */
const REQUEST_HEADERS = ["content-type", "idempotency-key", "if-match", "if-none-match", "last-event-id"];
const RESPONSE_HEADERS = ["content-type", "etag", "retry-after"];
/** Additional headers of a download: its size, where it was cut, and what keeps its content inert. */
const DOWNLOAD_HEADERS = [
  "content-length",
  "content-disposition",
  "content-security-policy",
  "cross-origin-opener-policy",
  "x-result-limit",
  "x-result-truncated",
];
/**
 * Answers with data. Nothing else is compressed: the size of a compressed session would reveal its CSRF token, a download has
 * a declared size, and events must not wait for each other.
 */
const COMPRESSED_TYPE = /^application\/json\b/;
/** Bytes of a body that fits one packet anyway. */
const LARGEST_PLAIN = 1024;
/** Additional header of a stream: a proxy in front must not hold it back. */
const STREAM_HEADERS = ["x-accel-buffering"];

interface ProxyOptions extends GuardOptions {
  core: CoreClient;
  sessionCheckMs?: number;
}

/** Forwards an admitted request to the core, signed for the session's person and tenant. */
export async function proxy(c: Context, route: Route, options: ProxyOptions): Promise<Response> {
  const session = await admit(c, route, options, route === ROUTES.getHealth);
  const sent = await readBodyOf(c);

  const headers: Record<string, string> = {};
  for (const name of REQUEST_HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const response = await options.core.send({
    method: c.req.method,
    target: corePath(route, c.req.param()) + new URL(c.req.url).search,
    body: sent,
    headers,
    signedFor: {
      tenantId: session.selected!.tenant_id,
      subject: session.record.subject,
      roles: session.selected!.roles,
    },
    signal: c.req.raw.signal,
  });
  if (response.status === 401) {
    // The person is signed in; the core does not trust the web layer (another key, a wrong clock).
    await response.body?.cancel();
    throw new Error(
      "the core refused a signed request: check that both processes use the same service key and clock",
    );
  }
  const isStream = response.headers.get("content-type") === EVENT_STREAM_TYPE;
  const body = isStream && response.body !== null
    ? whileSignedIn(response.body, c, session, options)
    : response.body;
  const passed = new Headers();
  for (const name of headersOf(route, response.ok)) {
    const value = response.headers.get(name);
    if (value !== null) passed.set(name, value);
  }
  const { status } = response;
  const isNegotiated = !route.download && COMPRESSED_TYPE.test(response.headers.get("content-type") ?? "");
  if (isNegotiated) passed.set("vary", "Accept-Encoding");
  if (!isNegotiated || body === null || !isCompressed(c, response)) {
    return new Response(body, { status, headers: passed });
  }
  passed.set("content-encoding", "gzip");
  return new Response(body.pipeThrough(new CompressionStream("gzip")), { status, headers: passed });
}

function isCompressed(c: Context, { headers }: Response): boolean {
  const accepted = gzipOrPlain(c.req.header("accept-encoding"));
  return accepted.gzip &&
    (!accepted.plain || Number(headers.get("content-length") ?? Infinity) > LARGEST_PLAIN);
}

function headersOf({ download, stream }: Route, ok: boolean): string[] {
  if (!ok) return RESPONSE_HEADERS;
  return [...RESPONSE_HEADERS, ...(download ? DOWNLOAD_HEADERS : []), ...(stream ? STREAM_HEADERS : [])];
}

/**
 * The route's path with its parameters inserted. A parameter that a URL parser would resolve to another path
 * (`..`) is not found: the role was checked for this route only.
 */
function corePath(route: Route, params: Record<string, string>): string {
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(params[name] ?? ""),
  );
  if (new URL(path, "http://core.invalid").pathname !== path) {
    throw new ApiError("not_found", undefined, { reason: "no_such_route" });
  }
  return path;
}
