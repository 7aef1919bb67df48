// The two tenants of the isolation tests behind the web layer, and one signed-in user whose grants a test
// chooses.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import type { Role } from "../../../src/contract/record/kinds.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import type { Answered, Ask } from "../../contract/isolation/matrix.ts";
import { type TestTenant, World } from "../../contract/isolation/world.ts";
import { testDatabase } from "../../support/database.ts";
import type { Browser } from "./web-browser.ts";
import { Stack } from "./web-stack.ts";
import { textOf } from "../../support/transport/event-stream.ts";

/** The development account of every user here. */
const ACCOUNT = "multi";

interface WebWorld {
  stack: Stack;
  world: World;
  browser: Browser;
  /** Sets the user's grants from now on; without a call there are none. */
  grant(grants: Partial<Record<TestTenant, readonly Role[]>>): void;
  /** Selects a tenant in the user's session. */
  select(tenant: string): Promise<Response>;
  /** Sends requests as the dashboard does. */
  ask: Ask;
}

/** On each engine: a web layer, a core with its real handlers, and a signed-in user of `main`. */
export function testWebWorld(name: string, body: (web: WebWorld) => Promise<void>): void {
  testDatabase(name, async (db) => {
    const world = await World.create(db, Math.floor(systemClock.now() / 1000) * 1000);
    const stack = await Stack.start(db, world.api.core);
    try {
      const grant: WebWorld["grant"] = (grants) => {
        stack.policy = new AccessPolicy(
          Object.entries(grants).map(([tenant, roles]) => ({ claim: "sub", value: ACCOUNT, tenant, roles })),
        );
      };
      grant({ main: ["reader"] });
      const browser = await stack.browser().signIn(ACCOUNT);
      await body({
        stack,
        world,
        browser,
        grant,
        select: (tenant_id) => browser.write("POST", "/api/v1/session/tenant", { tenant_id }),
        ask: askOf(stack, browser),
      });
    } finally {
      await stack.close();
    }
  });
}

/** Sends requests of the route table like a browser, slowly enough for the rate limits. */
export function askOf(stack: Stack, browser: Browser): Ask {
  return async ({ method, target, body, headers }): Promise<Answered> => {
    stack.clock.advance(1);
    const response = method === "GET"
      ? await browser.request(target, { headers: withSession(browser, headers) })
      : await browser.write(method, target, body, withSession(browser, headers));
    return { status: response.status, text: await textOf(response) };
  };
}

/** The request's own cookie header is appended to the session cookie and does not replace it. */
function withSession(browser: Browser, headers: Record<string, string>): Record<string, string> {
  if (headers.cookie === undefined) return headers;
  const session = browser.cookie("ndr-session");
  assert.ok(session);
  return { ...headers, cookie: `${headers.cookie}; ${session.name}=${session.value}` };
}
