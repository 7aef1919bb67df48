// A health watch on a real report, with a simulated disk that the test fills and empties.

import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { HealthWatch } from "../../../src/core/jobs/health-watch.ts";
import { StoreProbe } from "../../../src/core/jobs/store-probe.ts";
import type { DiskFacts } from "../../../src/domain/health/disk.ts";
import { EVENT_BODIES } from "../../../src/contract/connector/event.ts";
import type { EventHealth } from "../../../src/contract/connector/event.ts";
import { type Logger, silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eventsAfter } from "../../../src/store/connector/event-log.ts";
import { recordedHealth } from "../../../src/store/health/state.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { HandClock } from "../../contract/support.ts";
import { NOON } from "../../store/record/records.ts";

type Reporter = Pick<HealthReporter, "report">;

const GIB = 1024 ** 3;
/** Free bytes of a 100 GiB disk. */
const FREE: Record<DiskFacts["state"], number> = { ok: 50 * GIB, low: 3 * GIB, full: 0 };

interface WatchedOptions {
  tenants?: string[];
  sensors?: string[];
  clock?: HandClock;
  /** Wraps the reporter before the watch uses it. */
  around?: (reporter: Reporter) => Reporter;
  logger?: Logger;
  /** Whether reports include whether the database commits. */
  probe?: boolean;
}

/** One core's observer. Its clock starts at noon and moves only when the test moves it. */
export class Watched {
  readonly clock: HandClock;
  readonly watch: HealthWatch;
  /** The half-minute pauses requested so far. */
  readonly pauses: { milliseconds: number; over: () => void; cancelled: boolean }[] = [];
  disk: DiskFacts["state"] | null = "ok";
  sensors: string[];
  readonly #reporter: Reporter;

  constructor(db: Database, options: WatchedOptions = {}) {
    const {
      tenants = ["main"],
      clock = new HandClock(NOON),
      around = (reporter) => reporter,
      logger = silentLogger,
    } = options;
    this.clock = clock;
    this.sensors = options.sensors ?? [];
    const elapsed = () => clock.now() / 1000;
    const probe = options.probe ? new StoreProbe({ db, logger, elapsed }) : null;
    const reporter = this.#reporter = new HealthReporter({
      db,
      tenants: { get: () => ({ sensors: this.sensors.map((sensorId) => ({ sensorId })) }) },
      room: () => ({ disk: this.#disk(), space: null }),
      writeFault: () => probe?.fault() ?? Promise.resolve(null),
    });
    this.watch = new HealthWatch({ tenants }, {
      db,
      clock,
      logger,
      reporter: around(reporter),
      later: (milliseconds, work) => {
        const pause = { milliseconds, over: work, cancelled: false };
        this.pauses.push(pause);
        return () => void (pause.cancelled = true);
      },
    });
  }

  #disk(): DiskFacts | null {
    if (this.disk === null) return null;
    const space = { size: 100 * GIB, free: FREE[this.disk] };
    return { directory: "/var/lib/ndr", space, state: this.disk, refused: false };
  }

  /** Seconds after noon. */
  seconds(): number {
    return (this.clock.now() - NOON) / 1e6;
  }

  /** The present statuses of these components. */
  async statuses(ids: readonly string[]): Promise<(string | undefined)[]> {
    const { components } = await this.#reporter.report("main", this.clock.now());
    return ids.map((id) => components.find((one) => one.id === id)?.status);
  }

  /** Advances half a minute and observes a disk in this state. */
  async pass(disk = this.disk): Promise<void> {
    this.disk = disk;
    this.clock.advance(30);
    await this.watch.run();
  }
}

interface HealthEvent extends EventHealth {
  event_id: string;
  /** Seconds after noon. */
  at: number;
}

/** The health events in the log, in order; each is validated against its type's schema. */
export async function healthEvents(db: Database, tenantId = "main"): Promise<HealthEvent[]> {
  const events = await db.tenant(tenantId, (tx) => eventsAfter(tx, tenantId, 0, 1000));
  return events.filter(({ type }) => type === "health.transition").map(({ eventId, occurredAt, body }) => ({
    ...EVENT_BODIES["health.transition"].parse(body).health,
    event_id: eventId,
    at: (occurredAt - NOON) / 1e6,
  }));
}

/** Lines such as `30 disk: ok > degraded`; times in seconds after noon. */
export async function lines(db: Database, tenantId = "main"): Promise<string[]> {
  return (await healthEvents(db, tenantId)).map(({ at, component_id, from, to }) =>
    `${at} ${component_id}: ${from} > ${to}`
  );
}

/** The recorded statuses by component. */
export async function recorded(db: Database, tenantId = "main"): Promise<Record<string, string>> {
  const states = await db.tenant(tenantId, (tx) => recordedHealth(tx, tenantId));
  return Object.fromEntries([...states].map(([id, { status }]) => [id, status]));
}

/** Expires the lease, as if the holder had been gone for longer than its lease. */
export async function expireLeases(db: Database): Promise<void> {
  await db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 second'`));
}
