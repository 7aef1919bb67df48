// Drives a running service from its OpenAPI document: requests are built from the document's examples and
// schemas, and every answer is checked against it.

import assert from "node:assert/strict";
import type { OperationId } from "../../../../src/contract/routes.ts";
import { type Route, ROUTES } from "../../../../src/contract/routes.ts";
import { EXAMPLE_META } from "../../../../src/contract/openapi/examples/ids.ts";
import * as exampleIds from "../../../../src/contract/openapi/examples/ids.ts";
import { parseJson } from "../../../../src/kit/json/json.ts";
import { Browser } from "../../../web/session/web-browser.ts";
import { conformsToDocument, hasDocumentedHeaders, operationOf } from "../document.ts";
import { checkFormats } from "../formats.ts";
import { FORGED_TOKEN, prepare } from "./prepare.ts";
import { textOf } from "../../../support/transport/event-stream.ts";
import { mediaTypesOf, OPTIONAL_HEADERS } from "../document.ts";

export interface ApiRequest {
  path: Record<string, string>;
  query: [string, string][];
  /** An undefined header is not sent. */
  headers: Record<string, string | undefined>;
  /** JSON, unless it is text or bytes already. */
  body?: unknown;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: Envelope;
}

/** The fields of an object that the drive uses. */
interface Shown {
  id: string;
  action_id: string;
  addresses: string[];
  counters: { src_to_dst: { bytes: number | bigint | null } };
  device_id: string;
  device_ids: string[];
  flow_id: string;
  model_results: { analysis_id: string }[];
  observation_count: number;
  primary_evidence: { evidence_id: string };
  proposal_id: string;
  revision: number;
  run_id: string;
  status: string;
  subject: string;
  suppression_id: string;
}

/** Any answer, checked as a whole by the document; `data` is an object or a list. */
interface Envelope {
  data: Shown & Shown[];
  meta: { request_id: string };
  next_cursor: string | null;
  error: {
    code: string;
    message: string;
    details: { reason: string; revision?: number; issues?: { path: string }[] };
  };
}

/** Objects of the service in place of those of the examples. */
type Known = Partial<Record<keyof typeof exampleIds, string>>;

const EXAMPLE_NOW = Date.parse(EXAMPLE_META.generated_at);
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/;

export class Drive {
  /** Statuses answered so far. */
  readonly seen = new Map<OperationId, Set<number>>();
  known: Known = {};
  readonly #people = new Map<string, Promise<Browser>>();

  /** `now`: the service's time, in milliseconds. `answerRun`: lets a queued analyst run become complete. */
  constructor(
    readonly baseUrl: string,
    private readonly now: () => number = Date.now,
    readonly answerRun: (runId: string) => Promise<void> = () =>
      Promise.reject(new Error("no model answers")),
  ) {}

  /**
   * A signed-in person; `nobody` has no session, `stranger` a fictitious one. `multi#2` is another session of
   * `multi`.
   */
  as(account: string): Promise<Browser> {
    let browser = this.#people.get(account);
    if (!browser) {
      browser = this.#arrive(account);
      this.#people.set(account, browser);
    }
    return browser;
  }

  /** Ends all sessions. */
  forgetPeople(): void {
    this.#people.clear();
  }

  async #arrive(account: string): Promise<Browser> {
    const browser = new Browser(this.baseUrl);
    if (account === "nobody") return browser;
    if (account !== "stranger") return await browser.signIn(account.split("#")[0]!);
    const { hostname: host } = new URL(this.baseUrl);
    browser.cookies.push({
      name: "ndr-session",
      value: FORGED_TOKEN,
      host,
      path: "/",
      attributes: new Map(),
    });
    return browser;
  }

  /** Sends a request and checks its answer against the document. */
  async send(id: OperationId, request: ApiRequest, account = accountFor(ROUTES[id])): Promise<Answered> {
    const { method }: Route = ROUTES[id];
    const browser = await this.as(account);
    const headers: Record<string, string | undefined> = { ...request.headers };
    if (method !== "GET" && !("x-csrf-token" in headers)) {
      headers["x-csrf-token"] = account === "nobody" || account === "stranger"
        ? FORGED_TOKEN
        : await browser.csrf();
    }
    if (request.body !== undefined) headers["content-type"] ??= "application/json";
    const given = Object.entries(headers).filter((entry): entry is [string, string] =>
      entry[1] !== undefined
    );
    const response = await browser.request(targetOf(ROUTES[id], request), {
      method,
      headers: Object.fromEntries(given),
      body: bodyOf(request.body),
    });
    return await this.#checked(id, response);
  }

  async #checked(id: OperationId, response: Response): Promise<Answered> {
    const { status, headers } = response;
    const text = await textOf(response);
    this.seen.set(id, (this.seen.get(id) ?? new Set()).add(status));
    const route: Route = ROUTES[id];
    if (status === 304) {
      assert.ok(route.conditional && text === "", `${id}: 304 has no body`);
      hasDocumentedHeaders(id, response);
      return { status, headers, text, body: null as unknown as Envelope };
    }
    const types = mediaTypesOf(route, status);
    const type = (headers.get("content-type") ?? "").split(";")[0]!;
    assert.ok(types.includes(type), `${id} ${status}: ${type} ${text}`);
    const body: unknown = type === "application/json" ? parseJson(text) : text;
    conformsToDocument(id, status, body);
    hasDocumentedHeaders(id, response);
    // The content of a download is a sensor's.
    if (!(route.download && status === route.status) && typeof body !== "string") checkFormats(body);
    return { status, headers, text, body: body as Envelope };
  }

  /** A valid request built from the document's examples, with the service's objects and time. */
  async good(id: OperationId): Promise<ApiRequest> {
    const { parameters = [], requestBody } = operationOf(id);
    const { path, revision } = await prepare(this, id);
    const request: ApiRequest = { path, query: [], headers: {} };
    for (const { in: place, name, required } of parameters) {
      assert.equal(required, place !== "query" && !OPTIONAL_HEADERS.includes(name), `${id}: ${name}`);
      if (name === "Idempotency-Key") request.headers[name.toLowerCase()] = crypto.randomUUID();
      if (name === "If-Match") request.headers[name.toLowerCase()] = `"${revision}"`;
    }
    if (requestBody) request.body = this.adapt(requestBody.content["application/json"]!.example);
    return request;
  }

  /** An example with this service's objects and times. */
  adapt(example: unknown): unknown {
    if (typeof example === "string") {
      const name = Object.entries(exampleIds).find(([, id]) => id === example)?.[0] as
        | keyof Known
        | undefined;
      if (name && this.known[name] !== undefined) return this.known[name];
      return TIME.test(example) ? this.time(Date.parse(example) - EXAMPLE_NOW) : example;
    }
    if (Array.isArray(example)) return example.map((item) => this.adapt(item));
    if (typeof example !== "object" || example === null) return example;
    return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, this.adapt(value)]));
  }

  /** A timestamp this many milliseconds from now. */
  time(offset: number): string {
    return new Date(this.now() + offset).toISOString();
  }
}

/** An account with the role and, except for readers, no other. */
export function accountFor({ role }: Route): string {
  return role;
}

export function targetOf(route: Route, { path, query }: ApiRequest): string {
  const target = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  return query.length === 0 ? target : `${target}?${new URLSearchParams(query)}`;
}

function bodyOf(body: unknown): BodyInit | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? body as Uint8Array<ArrayBuffer> : JSON.stringify(body);
}
