// A web layer with a metrics token in front of a real core on a real database.

import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { MetricsSource } from "../../../src/core/metrics-source.ts";
import { NO_SERVICES } from "../../../src/domain/health/services.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { coreOn } from "../../contract/core.ts";
import { HandClock } from "../../contract/support.ts";
import { freshDatabase } from "../../support/database.ts";
import { Stack, type StackOptions } from "../session/web-stack.ts";

export const TOKEN = "a-token-of-a-scraper";
export const RIGHT = { authorization: `Bearer ${TOKEN}` };
const TENANTS = new Map([["main", { sensors: [{ sensorId: "zeek-1" }] }], ["branch", { sensors: [] }]]);

/** The manually advanced clock by which the web layer measures a body's age. */
class Elapsed {
  ms = 0;
}

/** Counts the web layer's metrics requests to the core. */
class CoreRequests {
  count = 0;
  hold: Promise<void> = Promise.resolve();
}

interface Scene {
  stack: Stack;
  elapsed: Elapsed;
  coreRequests: CoreRequests;
  /** Switches the database that the core's metrics are read from; it may be unavailable. */
  use(db: Database): void;
  scrape(headers?: Record<string, string>): Promise<Response>;
  text(): Promise<string>;
}

/** A test of `GET /metrics` whose clock and core stand still until advanced. */
export function testScene(
  name: string,
  body: (scene: Scene) => Promise<void>,
  options: StackOptions = {},
): void {
  Deno.test(`GET /metrics: ${name}`, async () => {
    const db = await freshDatabase();
    let current: Database = db;
    const coreRequests = new CoreRequests();
    const elapsed = new Elapsed();
    const clock = new HandClock(systemClock.now());
    const metrics = {
      async snapshot(now: number) {
        coreRequests.count++;
        await coreRequests.hold;
        const health = new HealthReporter({ db: current, tenants: TENANTS });
        const deps = { db: current, health, tenants: TENANTS, services: () => NO_SERVICES };
        return await new MetricsSource(deps).snapshot(now);
      },
    };
    const stack = await Stack.start(db, coreOn(db, { clock, metrics }), {
      metrics: { token: TOKEN, version: "9.8.7", elapsed: () => elapsed.ms },
      ...options,
    });
    const scrape = (headers: Record<string, string> = RIGHT) =>
      fetch(`${stack.baseUrl}/metrics`, { headers });
    try {
      await body({
        stack,
        elapsed,
        coreRequests,
        use: (other) => current = other,
        scrape,
        text: async () => await (await scrape()).text(),
      });
    } finally {
      await stack.close();
      await db.close();
    }
  });
}

export async function statusOf(response: Promise<Response>): Promise<number> {
  const answer = await response;
  await answer.body?.cancel();
  return answer.status;
}
