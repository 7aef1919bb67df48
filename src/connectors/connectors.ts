import type { ConfiguredConnector } from "../config/connectors.ts";
import type { Clock } from "../kit/clock.ts";
import type { Logger } from "../observe/log.ts";
import { configureConnectors } from "../store/connector/connectors.ts";
import type { Database } from "../store/engine/database.ts";
import { pause } from "../kit/threads/pause.ts";
import { leaseHolder } from "../store/engine/leases.ts";
import { Follower, type Sleep } from "./follower.ts";
import { Tally } from "./tally.ts";
import type { Resolve } from "../config/resolve-receiver.ts";
import { devicesOf } from "./webhook/envelope.ts";
import { WebhookSink } from "./webhook/sink.ts";

interface ConnectorsConfig {
  /** NDR_CONNECTORS_ENABLED. */
  enabled: boolean;
  /** All tenants, with or without instances. */
  tenants: Iterable<string>;
  connectors: readonly ConfiguredConnector[];
}

export interface ConnectorsDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Version of the product. */
  version: string;
  /** How the framework waits; timers by default. */
  sleep?: Sleep;
  /** Uniform in [0, 1); `Math.random` by default. */
  random?: () => number;
  /** Resolves receivers' names. */
  resolve?: Resolve;
  /** Further trusted certificate authorities, PEM. */
  roots?: readonly string[];
}

/**
 * The connector instances of this core. Each follows the event log on its own, so that a slow receiver delays
 * neither another instance nor the pipeline. Of several cores one serves an instance.
 */
export class Connectors {
  readonly #tenants: readonly string[];
  readonly #holder: string;
  readonly #tallies = new Map<string, Tally>();
  #followers: { tenantId: string; follower: Follower }[] = [];
  #changing: Promise<void> = Promise.resolve();

  constructor(private readonly config: ConnectorsConfig, private readonly deps: ConnectorsDeps) {
    this.#tenants = [...config.tenants];
    this.#holder = leaseHolder(deps.db);
  }

  /** Records the configured instances and serves them if connectors are enabled. */
  start(): Promise<void> {
    return this.#inTurn(() => this.#serve(this.config.connectors));
  }

  /** Replaces instances, keys and receivers; each continues from its bookmark and keeps its counters. */
  use(connectors: readonly ConfiguredConnector[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end();
      await this.#serve(connectors);
    });
  }

  /** A transaction of this tenant was committed and may have written events. */
  wake(tenantId: string): void {
    for (const { tenantId: of, follower } of this.#followers) if (of === tenantId) follower.wake();
  }

  /** Aborts what is under way. An event without an answer is sent again after the next start. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  async #serve(connectors: readonly ConfiguredConnector[]): Promise<void> {
    const { db, clock } = this.deps;
    const active = (one: ConfiguredConnector) => this.config.enabled && one.enabled;
    for (const tenantId of this.#tenants) {
      const instances = connectors.filter((one) => one.tenantId === tenantId)
        .map((one) => ({ instance: one.instance, connector: one.connector, active: active(one) }));
      await db.tenant(tenantId, (tx) => configureConnectors(tx, tenantId, instances, clock.now()));
    }
    this.#followers = connectors.filter(active).map((one) => ({
      tenantId: one.tenantId,
      follower: this.#followerOf(one),
    }));
    for (const { follower } of this.#followers) follower.start();
  }

  async #end(): Promise<void> {
    await Promise.all(this.#followers.map(({ follower }) => follower.stop()));
    this.#followers = [];
  }

  #followerOf(connector: ConfiguredConnector): Follower {
    const { db, clock, logger, sleep = pause, random = Math.random } = this.deps;
    const { tenantId, instance } = connector;
    const sink = new WebhookSink(connector, this.deps);
    const tally = this.#tallies.get(instance) ?? new Tally();
    this.#tallies.set(instance, tally);
    return new Follower({ tenantId, instance, holder: this.#holder, tally }, sink, {
      db,
      clock,
      logger,
      sleep,
      random,
      devicesOf,
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }
}
