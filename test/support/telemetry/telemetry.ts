// A telemetry component on a real store, with a test clock and a real server on a free port.

import type { Database } from "../../../src/store/engine/database.ts";
import { slotAt } from "../../../src/domain/telemetry/heartbeat/schedule.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import type { Entitlement } from "../../../src/telemetry/entitlement.ts";
import { Telemetry, type TelemetryConfig, type TelemetryDeps } from "../../../src/telemetry/telemetry.ts";
import { ManualTime } from "../virtual-time.ts";

export const INSTALL_ID = `ins_${"0".repeat(24)}000002a5`;
/** Noon; the daily slot of this identifier is 11:17 UTC. */
export const NOON = Date.parse("2026-01-31T12:00:00Z") * 1000;
export const MINUTE_MS = 60_000;
export const DAY_MS = 1440 * MINUTE_MS;

export const RELEASE = {
  latest_version: "0.2.0",
  channel: "stable",
  released_on: "2026-02-01",
  security: true,
  notice: "Closes a <b>hole</b>.",
  url: "https://ndr.example/releases/0.2.0",
};

/** No licence: there is nothing to renew. */
const FREE_PLAN: Entitlement = {
  plan: () => ({ plan: "free", keyIdHash: null }),
  renew: () => Promise.resolve(),
};

interface StubRequest {
  method: string;
  path: string;
  body: string;
}

/** Responds according to the protocol, or with `status` if set. */
export class StubServer {
  readonly requests: StubRequest[] = [];
  /** Status of every response; null for success. */
  status: number | null = null;
  license: string | null = null;
  release: unknown = RELEASE;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) => this.#answer(request),
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Requests since the last call, in short form. */
  take(): string[] {
    return this.requests.splice(0).map(({ method, path }) => `${method} ${path.replace(/\?.*/, "")}`);
  }

  close(): Promise<void> {
    return this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    this.requests.push({ method: request.method, path: pathname + search, body: await request.text() });
    if (this.status !== null) return new Response(null, { status: this.status });
    return Response.json(pathname === "/v1/updates" ? this.release : { license: this.license });
  }
}

export class TelemetryBench {
  readonly time = new ManualTime(NOON);
  readonly server = new StubServer();
  /** Delays passed to `later`, milliseconds. */
  readonly waits: number[] = [];
  versions = { productVersion: "0.1.0", bundleVersion: "0.1.0-1" };
  entitlement: Entitlement = FREE_PLAN;

  private constructor(readonly db: Database, readonly directory: string) {}

  static async with(db: Database, body: (bench: TelemetryBench) => Promise<void>): Promise<void> {
    const bench = new TelemetryBench(db, await Deno.makeTempDir({ prefix: "ndr-telemetry-" }));
    try {
      await Deno.writeTextFile(`${bench.directory}/install-id`, `${INSTALL_ID}\n`, { mode: 0o600 });
      await body(bench);
    } finally {
      await bench.server.close();
      await Deno.remove(bench.directory, { recursive: true });
    }
  }

  telemetry(config: Partial<TelemetryConfig> = {}, deps: Partial<TelemetryDeps> = {}): Telemetry {
    const place = { directory: this.directory, owner: Deno.uid() };
    return new Telemetry({ enabled: true, origin: this.server.origin, place, ...config }, {
      db: this.db,
      clock: this.time,
      logger: silentLogger,
      parts: () => ({ ...this.versions, tenantIds: ["main"], recordKinds: ["zeek.conn"] }),
      entitlement: { plan: () => this.entitlement.plan(), renew: (token) => this.entitlement.renew(token) },
      elapsed: () => this.time.now() / 1000,
      later: (milliseconds) => {
        this.waits.push(milliseconds);
        return () => {};
      },
      timeoutMs: 3000,
      ...deps,
    });
  }

  /** Moves the clock to the next daily slot of this identifier. */
  toSlot(): void {
    const next = slotAt(this.time.now(), INSTALL_ID) + DAY_MS * 1000;
    this.time.advance((next - this.time.now()) / 1000);
  }

  rows(): Promise<{ kind: string; outcome: string; payload: string | null; failure: string | null }[]> {
    return this.db.shared((tx) =>
      tx.rows(sql`select kind, outcome, payload, failure from telemetry_log order by id`)
    );
  }
}
