import { z } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { errorResponse } from "../contract/request/envelope.ts";
import { ApiError } from "../contract/request/errors.ts";
import { METRICS_SNAPSHOT_PATH, MetricsSnapshot, type TenantMetrics } from "../contract/health/metrics.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { TokenTable } from "../kit/net/token-table.ts";
import type { Logger } from "../observe/log.ts";
import { renderMetrics } from "../observe/metrics.ts";
import { currentRequestId } from "../observe/request-scope.ts";
import type { CoreClient } from "./core-client.ts";
import { SingleFlight } from "../kit/threads/single-flight.ts";

const METRICS_PATH = "/metrics";
/** How long a body is served, in milliseconds. */
const METRICS_CACHE_MS = 10_000;
/** How long the core may take, in milliseconds: less than the default timeout of a scraper (10 s). */
const CORE_ANSWER_MS = 8_000;

const Answer = z.object({ data: MetricsSnapshot });

export interface MetricsSettings {
  /** `NDR_METRICS_TOKEN`. */
  token: string;
  /** Version of this program. */
  version: string;
  /** Milliseconds by a monotonic clock; default `performance.now`. */
  elapsed?: () => number;
  /** How long the core may take, in milliseconds; default 8,000. */
  coreAnswerMs?: number;
}

interface MetricsOptions extends MetricsSettings {
  core: CoreClient;
  clock: Clock;
  log: Logger;
  /** Tenants by id, reported as unavailable while the core has never named its tenants. */
  tenants: ReadonlyMap<string, unknown>;
}

/** `GET /metrics`: who may read it, and a body rendered at most every ten seconds. */
export class MetricsPage {
  readonly #options: MetricsOptions;
  readonly #scrapers: TokenTable<true>;
  #made: { body: string; at: number } | null = null;
  readonly #making = new SingleFlight<string>();
  /** From the core's last answer. */
  #tenantIds: readonly string[] | null = null;
  #coreFails = false;

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#scrapers = new TokenTable([{ token: options.token, holder: true }]);
  }

  /** Whether this is a scrape with the right token, compared in constant time. */
  async admits(c: Context): Promise<boolean> {
    return c.req.path === METRICS_PATH && c.req.method === "GET" &&
      await this.#scrapers.find(c.req.header("authorization")) !== null;
  }

  /** The text; concurrent callers share one rendering. */
  async body(): Promise<string> {
    const now = this.#elapsed();
    if (this.#made !== null && now - this.#made.at < METRICS_CACHE_MS) return this.#made.body;
    return await this.#making.run(() => this.#make());
  }

  async #make(): Promise<string> {
    const snapshot = await this.#ask();
    const { clock, version } = this.#options;
    const body = renderMetrics({
      version,
      generatedAt: clock.now() / 1e6,
      tenants: snapshot?.tenants ?? this.#unreachable(),
      license: snapshot?.license ?? null,
      update: snapshot?.update ?? null,
    });
    this.#made = { body, at: this.#elapsed() };
    return body;
  }

  /** Null if the core does not answer with a snapshot; the log has the reason, once. */
  async #ask(): Promise<MetricsSnapshot | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#options.coreAnswerMs ?? CORE_ANSWER_MS);
    try {
      const response = await this.#options.core.send({
        method: "GET",
        target: METRICS_SNAPSHOT_PATH,
        signal: late.signal,
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`the core answered ${response.status}`);
      const { data } = Answer.parse(JSON.parse(text));
      this.#tenantIds = data.tenants.map(({ tenant_id }) => tenant_id);
      this.#coreFails = false;
      return data;
    } catch (error) {
      if (!this.#coreFails) {
        this.#options.log.warn("metrics report the core as unavailable", { cause: messageOf(error) });
      }
      this.#coreFails = true;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Without the core only its outage is known, for every tenant. */
  #unreachable(): TenantMetrics[] {
    const ids = this.#tenantIds ?? [...this.#options.tenants.keys()];
    return ids.map((tenant_id) => ({
      tenant_id,
      status: "unavailable",
      components: [{ id: "appliance", kind: "appliance", status: "unavailable", lag_seconds: 0 }],
      ingest: null,
      feeds: [],
      capture_loss_percent: null,
      incidents: null,
      results_joined: null,
      connectors: [],
      analyst_budgets: [],
    }));
  }

  #elapsed(): number {
    return this.#options.elapsed?.() ?? performance.now();
  }
}

/** Adds the route. Without a token it does not exist. */
export function addMetricsRoute(app: Hono, page: MetricsPage): void {
  app.all(METRICS_PATH, async (c) => {
    if (c.req.method !== "GET") {
      const error = new ApiError(
        "invalid_request",
        "Only GET here.",
        { reason: "method", allow: ["GET"] },
        405,
      );
      return withHeader(errorResponse(error, currentRequestId()), "Allow", "GET");
    }
    if (!await page.admits(c)) {
      const error = new ApiError("unauthenticated", "Send the metrics token as a bearer token.");
      const refused = errorResponse(error, currentRequestId());
      return withHeader(refused, "WWW-Authenticate", 'Bearer realm="ndr metrics"');
    }
    // Exactly this type, without a charset, which the format's version implies.
    return new Response(new TextEncoder().encode(await page.body()), {
      headers: { "Content-Type": "text/plain; version=0.0.4" },
    });
  });
}

function withHeader(response: Response, name: string, value: string): Response {
  response.headers.set(name, value);
  return response;
}
