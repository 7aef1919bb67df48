/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ErrorCode } from "../../contract/request/errors.ts";

/**
 * An API error, or no usable answer: `unreachable` (no answer) or `unreadable` (an answer that is not the
 * API's).
 */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode | "unreachable" | "unreadable",
    message: string,
    readonly requestId: string | null,
    readonly details: Record<string, unknown>,
    /** Milliseconds that the server asks to wait before a retry. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "ApiFailure";
  }
}

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export type Params = Record<string, string | number | null | undefined>;

/**
 * What a write needs beside its body: the session's CSRF token, an idempotency key, the revision it is based
 * on.
 */
export interface WriteOptions {
  csrf: string;
  key: string;
  revision?: number;
}

const TIMEOUT_MILLISECONDS = 30_000;

export function address(path: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  } catch {
    // Falls through: to the user a proxy's error page and a broken connection are the same.
  }
  throw new ApiFailure(
    response.status,
    "unreadable",
    `The server answered ${response.status} without a readable body.`,
    null,
    {},
  );
}

/** `Retry-After` in milliseconds; the API gives it in seconds. */
function waitOf(response: Response): number | null {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

function failureOf(response: Response, body: Record<string, unknown>): ApiFailure {
  const error = body.error as
    | { code: ErrorCode; message: string; request_id: string; details: Record<string, unknown> }
    | undefined;
  if (error === undefined) {
    return new ApiFailure(response.status, "unreadable", `The server answered ${response.status}.`, null, {});
  }
  return new ApiFailure(
    response.status,
    error.code,
    error.message,
    error.request_id,
    error.details ?? {},
    waitOf(response),
  );
}

/**
 * Sends one request. An answer with `data` is a result whatever its status: health sends its report with a
 * 503.
 */
async function send(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const deadline = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal, credentials: "same-origin" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const reason = deadline.aborted ? "The server did not answer in time." : "The server cannot be reached.";
    throw new ApiFailure(0, "unreachable", reason, null, {});
  }
  const body = await bodyOf(response);
  if (!("data" in body)) throw failureOf(response, body);
  return body;
}

/** `GET` of one resource. */
export async function getOne<T>(path: string, params: Params, signal?: AbortSignal): Promise<T> {
  const body = await send(address(path, params), { signal, headers: { accept: "application/json" } });
  return body.data as T;
}

/** As `getOne`, with the time at which the server made the answer, by the server's clock. */
export async function getOneAt<T>(path: string, signal?: AbortSignal): Promise<{ data: T; at: string }> {
  const { data, meta } = await send(path, { signal, headers: { accept: "application/json" } });
  return { data: data as T, at: (meta as { generated_at: string }).generated_at };
}

export interface Changed<T> {
  data: T;
  etag: string | null;
}

/** `GET` of a resource that is polled: null if it still has this entity tag. */
export async function getIfChanged<T>(
  path: string,
  etag: string | null,
  signal: AbortSignal,
): Promise<Changed<T> | null> {
  const response = await fetch(path, {
    signal,
    credentials: "same-origin",
    headers: { accept: "application/json", ...etag === null ? {} : { "if-none-match": etag } },
  });
  if (response.status === 304) return null;
  const body = await bodyOf(response);
  if (!("data" in body)) throw failureOf(response, body);
  return { data: body.data as T, etag: response.headers.get("etag") };
}

/** `GET` of one page of a collection. */
export async function getPage<T>(path: string, params: Params, signal?: AbortSignal): Promise<Page<T>> {
  const body = await send(address(path, params), { signal, headers: { accept: "application/json" } });
  return { data: body.data as T[], next_cursor: (body.next_cursor ?? null) as string | null };
}

/** Sends a write; repeating it with the same key and body is safe. */
export async function write<T>(
  method: "POST" | "PUT" | "PATCH",
  path: string,
  body: unknown,
  options: WriteOptions,
): Promise<T> {
  const headers: Record<string, string> = {
    "accept": "application/json",
    "content-type": "application/json",
    "x-csrf-token": options.csrf,
    "idempotency-key": options.key,
  };
  if (options.revision !== undefined) headers["if-match"] = `"${options.revision}"`;
  const answer = await send(path, { method, headers, body: JSON.stringify(body) });
  return answer.data as T;
}

/** A read whose question is too large for an address: a `POST` without effect. */
export async function ask<T>(path: string, body: unknown, csrf: string, signal?: AbortSignal): Promise<T> {
  const headers = { "accept": "application/json", "content-type": "application/json", "x-csrf-token": csrf };
  const answer = await send(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  return answer.data as T;
}

/** Ends the session on the server. The answer may be a redirect; the page reloads to follow it. */
export async function signOut(csrf: string): Promise<void> {
  const response = await fetch("/auth/logout", {
    method: "POST",
    headers: { "x-csrf-token": csrf },
    credentials: "same-origin",
    redirect: "manual",
  });
  if (response.status >= 400) throw failureOf(response, await bodyOf(response));
}

/** Whether a retry may succeed without any change. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiFailure &&
    (error.status === 0 || error.status >= 500 || error.details.reason === "rate_limit");
}

const LONGEST_WAIT = 30_000;

/** Milliseconds until the next try: what the server asked for, otherwise 1 s, doubled each time. */
export function retryDelay(attempt: number, error: unknown): number {
  const asked = error instanceof ApiFailure ? error.retryAfter : null;
  return Math.min(LONGEST_WAIT, asked ?? 1000 * 2 ** attempt);
}
