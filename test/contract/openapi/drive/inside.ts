// Core, web and sign-in in this process on a database, with faults that only the process can cause.

import { createHandlers } from "../../../../src/core/handlers/create-handlers.ts";
import { HealthReporter } from "../../../../src/core/health-reporter.ts";
import type { AnalystPlan } from "../../../../src/domain/analyst/plan.ts";
import { AccessPolicy } from "../../../../src/config/access.ts";
import { defaultSite } from "../../../../src/config/sites.ts";
import { Cursors } from "../../../../src/core/cursor.ts";
import { recordObservations } from "../../../../src/core/jobs/record-health.ts";
import { requestFingerprint } from "../../../../src/contract/request/idempotency.ts";
import { CLAIM_LEASE } from "../../../../src/core/idempotency.ts";
import { developmentAccessRules } from "../../../../src/dev/sign-in-accounts.ts";
import { startDevSignIn } from "../../../../src/dev/sign-in.ts";
import { systemClock } from "../../../../src/kit/clock.ts";
import { listen } from "../../../../src/kit/net/listen.ts";
import { silentLogger } from "../../../../src/observe/log.ts";
import type { Database } from "../../../../src/store/engine/database.ts";
import { acquireLease } from "../../../../src/store/engine/leases.ts";
import { claimKey } from "../../../../src/store/session/idempotency.ts";
import { createWebApp, type WebAppOptions } from "../../../../src/web/app.ts";
import { webLimits } from "../../../../src/web/limits.ts";
import { pushBatch, sensor, settle } from "../../../support/record/pipeline.ts";
import { coreOn, TEST_KEY } from "../../core.ts";
import type { AskedReply } from "../../../../src/core/handlers/analyst/analyst-desk.ts";
import { ANSWERED, answerRun, TEST_PLAN, waitingDesk } from "../../analyst/desk.ts";
import { HandClock, unreachableDatabase } from "../../support.ts";
import type { ApiRequest } from "./driver.ts";
import { worldLines } from "./world.ts";
import { liveGraphs } from "../../graph/live.ts";

const GENEROUS = webLimits({ address: 1e6, session: 1e6, signIn: 1e6 });
const SENSORS = [sensor("zeek-1"), sensor("suricata-1"), sensor("netflow-1", { trust: "exporter" })] as const;

type ModelFailure = Extract<AskedReply, { kind: "failure" }>["code"];

export class Inside {
  readonly clock = new HandClock(systemClock.now());
  baseUrl = "";
  readonly #closing: (() => Promise<unknown>)[] = [];
  #core;
  #options: WebAppOptions | null = null;
  #plan: AnalystPlan | null = TEST_PLAN;
  #failure: ModelFailure | null = null;

  private constructor(private readonly db: Database) {
    this.#core = this.#coreOn(db);
  }

  /** `staticDir`: the built dashboard; without it an empty page is served. */
  static async start(db: Database, staticDir?: string): Promise<Inside> {
    const inside = new Inside(db);
    const core = await listen((request) => inside.#core.app.fetch(request), {
      hostname: "127.0.0.1",
      port: 0,
    });
    inside.#closing.push(() => core.close());
    const folder = await Deno.makeTempDir({ prefix: "ndr-drive-" });
    inside.#closing.push(() => Deno.remove(folder, { recursive: true }));
    await Deno.writeTextFile(`${folder}/index.html`, "<!doctype html><title>NDR</title>");
    const policy = new AccessPolicy(developmentAccessRules());
    const web = {
      coreUrl: core.url,
      serviceKey: TEST_KEY,
      access: policy,
      tenants: new Map([["main", "Head office"], ["branch", "Branch office"]]),
      staticDir: staticDir ?? folder,
      clock: inside.clock,
      logger: silentLogger,
      limits: GENEROUS,
    };
    inside.baseUrl = await inside.#serve(async (publicUrl) => {
      const oidc = await startDevSignIn({ redirectUris: [`${publicUrl}/auth/callback`] });
      inside.#closing.push(() => oidc.close());
      return inside.#options = { ...web, publicUrl, oidc };
    });
    return inside;
  }

  /** Starts a web layer with changed options; returns its address. */
  async otherWeb(change: Partial<WebAppOptions>): Promise<string> {
    return await this.#serve((publicUrl) => Promise.resolve({ ...this.#options!, publicUrl, ...change }));
  }

  async #serve(optionsFor: (publicUrl: string) => Promise<WebAppOptions>): Promise<string> {
    let app: ReturnType<typeof createWebApp> | null = null;
    const listener = await listen((request, env) => app!.fetch(request, env), {
      hostname: "127.0.0.1",
      port: 0,
    });
    this.#closing.unshift(() => listener.close());
    app = createWebApp(await optionsFor(listener.url));
    return listener.url;
  }

  #coreOn(db: Database) {
    const tenants = new Map(["main", "branch"].map((tenantId) => [tenantId, {
      ...defaultSite(tenantId),
      sensors: tenantId === "main" ? SENSORS : [],
    }]));
    const health = new HealthReporter({ db, tenants });
    const deps = {
      db,
      clock: this.clock,
      tenants,
      cursors: new Cursors(TEST_KEY),
      health,
      analyst: waitingDesk(
        () => this.#plan,
        () =>
          this.#failure === null
            ? ANSWERED
            : { kind: "failure", code: this.#failure, message: "As the test wants." },
      ),
    };
    return coreOn(db, { handlers: createHandlers(deps, liveGraphs(deps)), clock: this.clock });
  }

  /** Sends the records of `worldLines` through ingest and pipeline. */
  async fill(): Promise<void> {
    const now = this.clock.now();
    const lines = worldLines(now);
    const [zeek, suricata, netflow] = SENSORS;
    await pushBatch(this.db, zeek, lines.zeek, now);
    await pushBatch(this.db, suricata, lines.suricata, now);
    await pushBatch(this.db, netflow, lines.netflow, now);
    await settle(this.db, { tenantId: "main", now });
    await this.#turnStale(now);
  }

  /** A sensor and the appliance become stale in the last minutes. */
  async #turnStale(now: number): Promise<void> {
    const lease = (await acquireLease(this.db, "health", "drive", 60))!;
    const observations = (["ok", "stale"] as const).map((status, pass) => ({
      at: now - (3 - pass) * 60_000_000,
      pass,
      components: [
        { id: "sensor:zeek-1", kind: "sensor", status, message: null },
        { id: "appliance", kind: "appliance", status, message: null },
      ],
    }));
    await this.db.tenant("main", (tx) => recordObservations(tx, "main", "drive", lease, observations));
  }

  /** As if this request had been sent a moment ago and were still being answered. */
  async holdKey(subject: string, method: string, target: string, request: ApiRequest): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify(request.body));
    const now = this.clock.now();
    await this.db.tenant("main", (tx) =>
      claimKey(tx, {
        tenantId: "main",
        subject,
        key: request.headers["idempotency-key"]!,
        fingerprint: requestFingerprint(method, new URL(target, this.baseUrl), body),
        claimId: crypto.randomUUID(),
        now,
        leaseUntil: now + CLAIM_LEASE,
        expiresAt: now + CLAIM_LEASE,
      }));
  }

  /** Answers a run that waits. */
  async answerRun(runId: string): Promise<void> {
    await answerRun(this.db, "main", runId, this.clock.now());
  }

  /** Runs work while the tenants' plan is another one, or none. */
  async withPlan(plan: AnalystPlan | null, work: () => Promise<void>): Promise<void> {
    this.#plan = plan;
    try {
      await work();
    } finally {
      this.#plan = TEST_PLAN;
    }
  }

  /** Runs work while questions to the model end with this failure. */
  async withFailure(code: ModelFailure, work: () => Promise<void>): Promise<void> {
    this.#failure = code;
    try {
      await work();
    } finally {
      this.#failure = null;
    }
  }

  /** Runs work while the core has lost its database. */
  async withoutDatabase(work: () => Promise<void>): Promise<void> {
    const core = this.#core;
    const db = unreachableDatabase();
    this.#core = this.#coreOn(db);
    try {
      await work();
    } finally {
      this.#core = core;
      await db.close();
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }
}
