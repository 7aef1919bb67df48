import type { Hono } from "hono";
import { AccessPolicy } from "../../src/config/access.ts";
import { Cursors } from "../../src/core/cursor.ts";
import type { Handlers } from "../../src/core/handler.ts";
import { siteHandlers } from "../../src/core/handlers/site.ts";
import { developmentAccessRules } from "../../src/dev/sign-in-accounts.ts";
import { type DevSignIn, startDevSignIn } from "../../src/dev/sign-in.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { listen, type Listener } from "../../src/kit/listen.ts";
import { silentLogger } from "../../src/observe/log.ts";
import type { Database } from "../../src/store/database.ts";
import { createWebApp } from "../../src/web/app.ts";
import { type AnyHandler, coreOn, echoHandlers, TEST_KEY } from "../contract/core.ts";
import { HandClock } from "../contract/support.ts";
import { freshPglite } from "../support/database.ts";
import { Browser } from "./web_browser.ts";

/** Core, web and development sign-in as `ndr up` runs them, each behind its own listener. */
export class Stack {
  policy = new AccessPolicy(developmentAccessRules());
  readonly clock: HandClock;
  /** What reached the core, as `METHOD /path`, without the session routes. */
  readonly reached: string[] = [];
  #core: Hono;
  #web: Hono | null = null;
  #listeners: Listener[] = [];
  #signIn: DevSignIn | null = null;
  #folder: string | null = null;

  private constructor(readonly db: Database, private readonly handlers: Handlers) {
    this.clock = new HandClock(systemClock.now());
    this.#core = coreOn(db, { handlers, clock: this.clock }).app;
  }

  static async start(db: Database): Promise<Stack> {
    const site = (name: string) => ({
      site: { site_id: name, display_name: `Site ${name}`, home_coordinates: null, vlans: [] },
      sensors: [],
    });
    const tenants = new Map([["main", site("main")], ["branch", site("branch")]]);
    const { getSite } = siteHandlers({ db, tenants, clock: systemClock, cursors: new Cursors(TEST_KEY) });
    const stack = new Stack(db, echoHandlers({ getSite: getSite as AnyHandler }));
    const core = await listen((request) => stack.#serveCore(request), { hostname: "127.0.0.1", port: 0 });
    const web = await listen((request) => stack.#web!.fetch(request), { hostname: "localhost", port: 0 });
    stack.#listeners = [web, core];
    stack.#signIn = await startDevSignIn({ redirectUris: [`${web.url}/auth/callback`] });
    stack.#folder = await Deno.makeTempDir({ prefix: "ndr-web-test-" });
    await writeDashboard(stack.#folder);
    stack.#web = stack.webApp(web.url);
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

  /** A web layer for another public address, not behind a listener. */
  webApp(publicUrl: string): Hono {
    return createWebApp({
      publicUrl,
      coreUrl: this.coreUrl,
      serviceKey: TEST_KEY,
      oidc: this.#signIn!,
      access: { grantsFor: (claims) => this.policy.grantsFor(claims) },
      tenants: new Map([["main", "Main site"], ["branch", "Branch office"]]),
      staticDir: this.#folder!,
      clock: this.clock,
      logger: silentLogger,
    });
  }

  browser(): Browser {
    return new Browser(this.baseUrl);
  }

  /** As when the core loses its database, and gets it back. */
  useDatabase(db: Database): void {
    this.#core = coreOn(db, { handlers: this.handlers, clock: this.clock }).app;
  }

  #serveCore(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) this.reached.push(`${request.method} ${pathname}`);
    return this.#core.fetch(request);
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

/** A test with a stack of its own. */
export function testStack(name: string, body: (stack: Stack) => Promise<void>): void {
  Deno.test(name, async () => {
    const db = await freshPglite();
    const stack = await Stack.start(db);
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
