import type { Hono } from "hono";
import { AccessPolicy } from "../../../src/config/access.ts";
import type { OperationId } from "../../../src/contract/routes.ts";
import { transportRefusal } from "../../../src/contract/request/transport-refusal.ts";
import { Cursors } from "../../../src/core/cursor.ts";
import type { Handlers } from "../../../src/core/handler.ts";
import { siteHandlers } from "../../../src/core/handlers/site.ts";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { developmentAccessRules } from "../../../src/dev/sign-in-accounts.ts";
import { type DevSignIn, startDevSignIn } from "../../../src/dev/sign-in.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { listen, type Listener, type ListenOptions, type Peer } from "../../../src/kit/net/listen.ts";
import { type Logger, silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createWebApp } from "../../../src/web/app.ts";
import type { CoreTimeouts } from "../../../src/web/core-client.ts";
import { type WebLimits, webLimits } from "../../../src/web/limits.ts";
import type { MetricsSettings } from "../../../src/web/metrics.ts";
import { type AnyHandler, coreOn, echoHandlers, TEST_KEY, type TestCore } from "../../contract/core.ts";
import { HandClock } from "../../contract/support.ts";
import { freshDatabase } from "../../support/database.ts";
import { Browser } from "./web-browser.ts";

/** The test clock stands still, so rate limit buckets are never refilled. */
const UNLIMITED = webLimits({ address: 1e6, session: 1e6, signIn: 1e6 });

/** Overrides of the program's defaults. */
export interface StackOptions {
  limits?: WebLimits;
  coreTimeouts?: CoreTimeouts;
  sessionCheckMs?: number;
  claimsPatienceMs?: number;
  /** For both listeners. */
  listen?: Partial<ListenOptions>;
  handlers?: Partial<Record<OperationId, AnyHandler>>;
  /** Responds in place of the core unless it returns null. */
  core?: (request: Request) => Response | Promise<Response> | null;
  logger?: Logger;
  /** Without it `/metrics` does not exist. */
  metrics?: MetricsSettings;
  /** The `sub` that the identity provider gives an account. */
  subjectOf?: (account: string) => string;
  /** Starts another identity provider than that of `ndr up`. */
  provider?: (publicUrl: string) => Promise<DevSignIn>;
}

/** Core, web and development sign-in as `ndr up` runs them, each behind its own listener. */
export class Stack {
  policy = new AccessPolicy(developmentAccessRules());
  /** Those that the web layer knows; the core has `main` and `branch`. */
  readonly tenants = new Map([["main", "Main site"], ["branch", "Branch office"]]);
  readonly clock: HandClock;
  /** Requests that reached the core, as `METHOD /path`, without the session routes. */
  readonly reached: string[] = [];
  #core: Hono;
  #web: Hono | null = null;
  #listeners: Listener[] = [];
  #signIn: DevSignIn | null = null;
  #folder: string | null = null;

  private constructor(
    readonly db: Database,
    private readonly handlers: Handlers,
    /** Which the core's web reports reach. */
    readonly health: HealthReporter,
    private readonly options: StackOptions,
    core?: TestCore,
  ) {
    this.clock = core?.clock ?? new HandClock(systemClock.now());
    this.#core = core?.app ?? this.#coreOn(db);
  }

  /**
   * With a core whose handlers echo the request, or with the given one, whose clock must show today's time.
   */
  static async start(db: Database, core?: TestCore, options: StackOptions = {}): Promise<Stack> {
    const site = (name: string) => ({
      site: {
        site_id: name,
        display_name: `Site ${name}`,
        home_coordinates: null,
        vlans: [],
        time_zone: "UTC",
      },
      networks: [],
      sensors: [],
    });
    const tenants = new Map([["main", site("main")], ["branch", site("branch")]]);
    const health = new HealthReporter({ db, tenants });
    const { getSite } = siteHandlers({
      db,
      tenants,
      clock: systemClock,
      cursors: new Cursors(TEST_KEY),
      health,
    });
    const handlers = echoHandlers({ getSite: getSite as AnyHandler, ...options.handlers });
    const stack = new Stack(db, handlers, health, options, core);
    const listening = { port: 0, refusal: transportRefusal, ...options.listen };
    const coreListener = await listen((request, peer) => stack.#serveCore(request, peer), {
      hostname: "127.0.0.1",
      ...listening,
    });
    const webListener = await listen((request, peer) => stack.#web!.fetch(request, peer), {
      hostname: "localhost",
      ...listening,
    });
    stack.#listeners = [webListener, coreListener];
    stack.#signIn = await options.provider?.(webListener.url) ?? await startDevSignIn({
      redirectUris: [`${webListener.url}/auth/callback`],
      subjectOf: options.subjectOf,
    });
    stack.#folder = await Deno.makeTempDir({ prefix: "ndr-web-test-" });
    await writeDashboard(stack.#folder);
    stack.#web = stack.webApp(webListener.url);
    return stack;
  }

  get baseUrl(): string {
    return this.#listeners[0]!.url;
  }

  get coreUrl(): string {
    return this.#listeners[1]!.url;
  }

  get issuer(): string {
    return this.#signIn!.issuer;
  }

  /** A web layer for another public address, without a listener. */
  webApp(publicUrl: string): Hono {
    return createWebApp({
      publicUrl,
      coreUrl: this.coreUrl,
      serviceKey: TEST_KEY,
      oidc: this.#signIn!,
      access: {
        grantsFor: (claims) => this.policy.grantsFor(claims),
        mismatchOf: (claims) => this.policy.mismatchOf(claims),
      },
      tenants: this.tenants,
      staticDir: this.#folder!,
      clock: this.clock,
      logger: this.options.logger ?? silentLogger,
      limits: this.options.limits ?? UNLIMITED,
      coreTimeouts: this.options.coreTimeouts,
      sessionCheckMs: this.options.sessionCheckMs,
      claimsPatienceMs: this.options.claimsPatienceMs,
      metrics: this.options.metrics,
    });
  }

  browser(): Browser {
    return new Browser(this.baseUrl);
  }

  /** Replaces the core's database, to simulate losing it and getting it back. */
  useDatabase(db: Database): void {
    this.#core = this.#coreOn(db);
  }

  #coreOn(db: Database): Hono {
    const { handlers, clock, health } = this;
    return coreOn(db, { handlers, clock, webReported: (report, now) => health.webReported(report, now) }).app;
  }

  #serveCore(request: Request, peer: Peer): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) this.reached.push(`${request.method} ${pathname}`);
    return this.options.core?.(request) ?? this.#core.fetch(request, peer);
  }

  async stopCore(): Promise<void> {
    await this.#listeners[1]!.close();
  }

  async close(): Promise<void> {
    await this.#signIn?.close();
    for (const listener of this.#listeners) await listener.close();
    if (this.#folder) await Deno.remove(this.#folder, { recursive: true });
  }
}

/** A test with its own stack. */
export function testStack(
  name: string,
  body: (stack: Stack) => Promise<void>,
  options: StackOptions = {},
): void {
  Deno.test(name, async () => {
    const db = await freshDatabase();
    const stack = await Stack.start(db, undefined, options);
    try {
      await body(stack);
    } finally {
      await stack.close();
      await db.close();
    }
  });
}

async function writeDashboard(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/assets`);
  await Deno.writeTextFile(`${folder}/index.html`, "<!doctype html><title>NDR</title><p>the dashboard");
  await Deno.writeTextFile(`${folder}/assets/index-B1c2D3.js`, `console.log("${"x".repeat(4000)}");`);
  await Deno.writeTextFile(`${folder}/.hidden`, "secret");
  await Deno.writeTextFile(`${folder}/favicon.svg`, "<svg xmlns='http://www.w3.org/2000/svg'/>");
}
