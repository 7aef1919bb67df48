import assert from "node:assert/strict";
import type { z } from "@hono/zod-openapi";
import { defaultSite, type SiteConfig } from "../../src/config/sites.ts";
import type { Source } from "../../src/config/sources.ts";
import { REASONS } from "../../src/contract/request/reasons.ts";
import { type OperationId, type Route, ROUTES } from "../../src/contract/routes.ts";
import { Cursors } from "../../src/core/cursor.ts";
import { createHandlers } from "../../src/core/handlers/create-handlers.ts";
import { HealthReporter } from "../../src/core/health-reporter.ts";
import type { HandlerDeps } from "../../src/core/handlers/deps.ts";
import type { JsonValue } from "../../src/kit/json/json.ts";
import { parseJson } from "../../src/kit/json/json.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { pushBatch, sensor, settle } from "../support/record/pipeline.ts";
import { coreOn, type Sent, TEST_KEY, type TestCore } from "./core.ts";
import { conformsToDocument, hasDocumentedHeaders } from "./openapi/document.ts";
import { checkFormats } from "./openapi/formats.ts";
import { waitingDesk } from "./analyst/desk.ts";
import { HandClock } from "./support.ts";
import { type LiveDeps, liveGraphs } from "./graph/live.ts";

/** 2026-01-31T07:15:00Z, a Saturday: the time in these tests, in microseconds. */
export const NOW = 1_769_843_700_000_000;
export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const DAY = 1440 * MINUTE;

export const ZEEK = sensor("zeek-1");
export const SURICATA = sensor("suricata-1");
export const NETFLOW = sensor("netflow-1", { trust: "exporter" });
export const BRANCH_ZEEK = sensor("branch-zeek", { tenantId: "branch" });
const SENSORS = [ZEEK, SURICATA, NETFLOW, BRANCH_ZEEK];

type Output<Id extends OperationId> = z.output<(typeof ROUTES)[Id]["response"]>;
type Query = Record<string, string | number>;
/** Identifiers for the path by their contract names; an object that has one works too. */
interface Path {
  device_id?: string;
  flow_id?: string;
  evidence_id?: string;
  incident_id?: string;
  suppression_id?: string;
  proposal_id?: string;
  action_id?: string;
  run_id?: string;
}
/** Collections that these tests page through. */
type Walked =
  | "listFlows"
  | "listDevices"
  | "listIncidents"
  | "getFlowEvidence"
  | "listSuppressions"
  | "listModelFeedback"
  | "listProposals"
  | "listResponseActions"
  | "listPeople"
  | "listAnalystRuns"
  | "listHealthTransitions";
type Change = Omit<Sent, "method" | "target"> & { revision?: number };

/** The core with its real handlers on a database, and the ingest and pipeline that fill it. */
export class Api {
  readonly clock = new HandClock(NOW);
  readonly core: TestCore;
  #keys = 0;

  /** `live`: the graphs and streams of this core; by default ones that nothing wakes. */
  constructor(
    readonly db: Database,
    sites: SiteConfig[] = [],
    more: Partial<HandlerDeps & LiveDeps> = {},
    live = liveGraphs,
  ) {
    const tenants = new Map(["main", "branch"].map((tenantId) => [tenantId, {
      ...sites.find((site) => site.tenantId === tenantId) ?? defaultSite(tenantId),
      sensors: SENSORS.filter((one) => one.tenantId === tenantId),
    }]));
    const health = new HealthReporter({ db, tenants });
    const deps = {
      db,
      clock: this.clock,
      tenants,
      cursors: new Cursors(TEST_KEY),
      health,
      analyst: waitingDesk(),
      ...more,
    };
    this.core = coreOn(db, { handlers: createHandlers(deps, live(deps)), clock: this.clock });
  }

  /** Sends lines through ingest and pipeline, received now. */
  async take(source: Source, lines: readonly string[]): Promise<void> {
    for (let next = 0; next < lines.length; next += 1000) {
      await pushBatch(this.db, source, lines.slice(next, next + 1000), this.clock.now());
    }
    await settle(this.db, { tenantId: source.tenantId, now: this.clock.now() });
  }

  /**
   * A read that must succeed; its answer is checked against the contract, the document and the common
   * formats.
   */
  async read<Id extends OperationId>(
    id: Id,
    query: Query = {},
    sent: Omit<Sent, "target"> = {},
    path: Path = {},
  ): Promise<Output<Id>> {
    return await checked(id, await this.send(id, query, sent, path));
  }

  async send(
    id: OperationId,
    query: Query = {},
    sent: Omit<Sent, "target"> = {},
    path: Path = {},
  ): Promise<Response> {
    const { method, path: template }: Route = ROUTES[id];
    const target = template.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => encodeURIComponent(path[name as keyof Path] ?? ""),
    );
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return await this.core.send({ method, target: `${target}${text.size > 0 ? `?${text}` : ""}`, ...sent });
  }

  /** A write with valid headers, unless `sent` overrides them. */
  async change(id: OperationId, path: Path, change: Change): Promise<Response> {
    const { revision, ...sent } = change;
    const headers: Record<string, string> = { "idempotency-key": `key-${++this.#keys}` };
    if (revision !== undefined) headers["if-match"] = `"${revision}"`;
    return await this.send(id, {}, { ...sent, headers: { ...headers, ...sent.headers } }, path);
  }

  /** Every page of a collection. */
  async walk<Id extends Walked>(
    id: Id,
    query: Query,
    options: { path?: Path; between?: () => Promise<void> } = {},
  ): Promise<Output<Id>["data"][]> {
    const pages: Output<Id>["data"][] = [];
    let cursor: string | null = null;
    do {
      const page: Output<Id> = await this.read(
        id,
        cursor === null ? query : { ...query, cursor },
        {},
        options.path,
      );
      pages.push(page.data);
      cursor = page.next_cursor;
      await options.between?.();
      assert.ok(pages.length < 1000, "paging ends");
    } while (cursor !== null);
    return pages;
  }
}

/** A successful answer, checked. */
export async function checked<Id extends OperationId>(id: Id, response: Response): Promise<Output<Id>> {
  const route: Route = ROUTES[id];
  const text = await response.text();
  assert.ok([route.status, ...route.alsoStatus ?? []].includes(response.status), text);
  const body = parseJson(text);
  const read = route.response.parse(body) as Output<Id>;
  // The answer has no field that the contract lacks: `parse` drops unknown fields.
  assert.deepEqual(read, body);
  checkFormats(body);
  conformsToDocument(id, response.status, body);
  hasDocumentedHeaders(id, response);
  return read;
}

/** An error answer, checked: its `error` object. */
export async function refusal(
  response: Response,
  status: number,
  code: string,
): Promise<{ message: string; details: Record<string, JsonValue> }> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  const { error } = JSON.parse(text);
  assert.equal(error.code, code, text);
  assert.match(error.request_id, /^[0-9a-f-]{36}$/);
  assert.ok(error.details.reason in REASONS, text);
  return error;
}
