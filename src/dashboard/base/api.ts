/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type {
  AnswerOf,
  DataOf,
  ItemOf,
  ListId,
  OperationId,
  OperationLine,
  RequestOf,
  RevisionedId,
  WriteId,
} from "../../contract/request/client.ts";
import type { ErrorCode } from "../../contract/request/errors.ts";
import { requestTarget } from "../../kit/net/request-target.ts";
import { OPERATIONS } from "./operations.ts";

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

/** The session's CSRF token: whatever is no `GET` needs it. */
interface Secured {
  csrf: string;
}

/** What a write needs beside its body: the key of the attempt, and the revision that a change is based on. */
export interface WriteOptions extends Secured {
  key: string;
  revision?: number;
}

type OptionsOf<Id extends OperationId> =
  & (Id extends RevisionedId ? WriteOptions & { revision: number }
    : Id extends WriteId ? WriteOptions
    : OperationLine<Id> extends `GET ${string}` ? unknown
    : Secured)
  & { signal?: AbortSignal };

/** A request of one operation. */
export type Call<Id extends OperationId> = RequestOf<Id> & OptionsOf<Id>;

/** A request of any operation, for functions that are typed themselves. */
interface AnyCall extends Partial<WriteOptions> {
  params?: Record<string, string>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

const TIMEOUT_MILLISECONDS = 30_000;

/** The address of a read, for links, downloads and streams. */
export function addressOf<Id extends OperationId>(id: Id, { params, query }: RequestOf<Id>): string {
  return requestTarget(OPERATIONS[id].slice("GET ".length), params, query);
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

/** The request of an operation as `fetch` takes it. */
function requestOf(id: OperationId, request: AnyCall): [url: string, init: RequestInit] {
  const { params, query, body, csrf, key, revision, signal } = request;
  const [method, path] = OPERATIONS[id].split(" ") as [string, string];
  const headers: Record<string, string> = { accept: "application/json" };
  if (csrf !== undefined) headers["x-csrf-token"] = csrf;
  if (key !== undefined) headers["idempotency-key"] = key;
  if (revision !== undefined) headers["if-match"] = `"${revision}"`;
  if (body !== undefined) headers["content-type"] = "application/json";
  return [requestTarget(path, params, query), { method, headers, body: JSON.stringify(body), signal }];
}

/**
 * Calls an operation of the API, typed by the route table. A write can be repeated with the same key and body.
 */
export async function call<Id extends OperationId>(
  id: Id,
  request: Call<Id>,
): Promise<DataOf<Id>> {
  return await callAny(id, request) as DataOf<Id>;
}

/** As `call`, for functions that are typed themselves. */
export async function callAny(id: OperationId, request: AnyCall): Promise<unknown> {
  return (await send(...requestOf(id, request))).data;
}

/** As `call`, for the whole body of the answer. */
export async function callWhole<Id extends OperationId>(
  id: Id,
  request: Call<Id>,
): Promise<AnswerOf<Id>> {
  return await send(...requestOf(id, request)) as AnswerOf<Id>;
}

/** A page of a list, from the cursor of the one before. */
export async function pageOf<Id extends ListId>(
  id: Id,
  request: Call<Id>,
  cursor: string | null = null,
): Promise<Page<ItemOf<Id>>> {
  return await pageOfAny(id, request, cursor) as Page<ItemOf<Id>>;
}

/** As `pageOf`, for functions that are typed themselves. */
export async function pageOfAny(id: ListId, request: AnyCall, cursor: string | null): Promise<Page<unknown>> {
  const query = { ...request.query, cursor };
  const { data, next_cursor } = await send(...requestOf(id, { ...request, query }));
  return { data, next_cursor } as Page<unknown>;
}

/** The first pages of a list, at most so many, and whether that is all. */
export async function firstPages<Id extends ListId>(
  id: Id,
  request: Call<Id>,
  most: number,
): Promise<{ rows: ItemOf<Id>[]; complete: boolean }> {
  const rows: ItemOf<Id>[] = [];
  let cursor: string | null = null;
  for (let read = 0; read < most; read++) {
    const page: Page<ItemOf<Id>> = await pageOf(id, request, cursor);
    rows.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return { rows, complete: cursor === null };
}

export interface Changed<T> {
  data: T;
  etag: string | null;
}

/** A read that is polled, with its entity tag: null if it still has this one. */
export async function callIfChanged<Id extends OperationId>(
  id: Id,
  etag: string | null,
  request: Call<Id>,
): Promise<Changed<DataOf<Id>> | null> {
  const [url, init] = requestOf(id, request);
  const headers = { ...init.headers, ...etag === null ? {} : { "if-none-match": etag } };
  const response = await fetch(url, { ...init, headers, credentials: "same-origin" });
  if (response.status === 304) return null;
  const body = await bodyOf(response);
  if (!("data" in body)) throw failureOf(response, body);
  return { data: body.data as DataOf<Id>, etag: response.headers.get("etag") };
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

/** Whether the server goes on where it stopped when it is asked again. */
export function isStillReading(error: unknown): boolean {
  return error instanceof ApiFailure && error.details.reason === "still_reading";
}

const LONGEST_WAIT = 30_000;

/** Milliseconds until the next try: what the server asked for, otherwise 1 s, doubled each time. */
export function retryDelay(attempt: number, error: unknown): number {
  const asked = error instanceof ApiFailure ? error.retryAfter : null;
  return Math.min(LONGEST_WAIT, asked ?? 1000 * 2 ** attempt);
}
