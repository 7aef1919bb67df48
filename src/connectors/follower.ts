import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import {
  claimConnector,
  connectorLease,
  ConnectorTaken,
  saveConnector,
} from "../store/connector/connectors.ts";
import { type Database, StoreUnavailable } from "../store/engine/database.ts";
import type { NumberedEvent } from "../store/connector/event-log.ts";
import { HeldLease } from "../store/engine/held-lease.ts";
import { LogReader, type ReadEvent } from "./log-reader.ts";
import { type Failed, Progress } from "./progress.ts";
import { PendingQueue } from "./queue.ts";
import type { Attempt, EventHead, Sink } from "./sink.ts";
import type { Tally } from "./tally.ts";
import { Wake } from "../kit/threads/wake.ts";

/** Waits, or returns early when the signal is aborted; does not throw. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

interface FollowerDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  sleep: Sleep;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Device ids of an event, whose names are sent with it. */
  devicesOf: (event: NumberedEvent) => string[];
}

interface Followed {
  tenantId: string;
  instance: string;
  /** Identifies this process as the holder of the lease. */
  holder: string;
  /** Counters of this process. */
  tally: Tally;
}

/** State while this core serves the instance. */
interface Serving {
  epoch: number;
  progress: Progress;
  queue: PendingQueue;
}

/**
 * Another core takes over an instance after this time, in seconds, when the core that served it was killed.
 */
const LEASE_SECONDS = 10;
/** Poll interval for events of other cores and missed wake-ups, in milliseconds. */
const SWEEP = 2_000;
/** While an event is held, later ones are counted this often, in milliseconds. */
const HELD_SWEEP = 15_000;
/** Collects commits that follow each other closely into one read of the log, in milliseconds. */
const GATHER = 100;
/** At stop an attempt under way may finish within this time, in milliseconds. */
const GRACE = 2_000;
const FAILURE = 1_000;
const ATTEMPTS = 3;

/**
 * Follows the event log for one instance, in order, from its bookmark: one event after another, each until it
 * is settled. Only the holder of the instance's lease does so, and it holds no transaction open while it
 * waits for the receiver.
 */
export class Follower {
  readonly #wake = new Wake();
  #running: Promise<void> = Promise.resolve();
  /** Aborts waits. */
  readonly #stop = new AbortController();
  /** Aborts an attempt. */
  readonly #cut = new AbortController();
  readonly #tenure: HeldLease;
  #serving: Serving | null = null;
  #bodies: ReadEvent[] = [];
  #readAt = -Infinity;
  /** The last reported reason that it cannot continue. */
  #trouble: string | null = null;
  readonly #log: LogReader;

  constructor(
    private readonly of: Followed,
    private readonly sink: Sink,
    private readonly deps: FollowerDeps,
  ) {
    this.#log = new LogReader(of, deps);
    this.#tenure = new HeldLease(deps.db, connectorLease(of.instance), of.holder, LEASE_SECONDS);
  }

  start(): void {
    this.#tenure.start();
    this.#running = this.#loop();
  }

  /** A transaction was committed. */
  wake(): void {
    this.#wake.now();
  }

  /** Starts nothing more. An event whose answer does not arrive soon stays pending. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("stopped"));
    this.#wake.now();
    const timer = setTimeout(() => this.#cut.abort(this.#stop.signal.reason), GRACE);
    await this.#running;
    clearTimeout(timer);
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const rest = await this.#step();
      await this.#wake.wait(rest, this.deps.sleep);
      if (!this.#wake.taken()) continue;
      this.#readAt = -Infinity;
      await this.deps.sleep(GATHER, this.#stop.signal);
    }
    await this.#tenure.stop();
  }

  /** Performs the next step; returns the milliseconds to wait after it. */
  async #step(): Promise<number> {
    try {
      const held = await this.#hold();
      if (held === null) return SWEEP;
      const { progress, queue } = held;
      await this.#read(held);
      if (!progress.isSaved) await this.#save(held);
      if (queue.length === 0) {
        this.#trouble = null;
        return SWEEP;
      }
      const wait = progress.waitAt(this.deps.clock.now()) / 1000;
      if (wait > 0) return Math.min(wait, HELD_SWEEP);
      await this.#deliver(held);
      this.#trouble = null;
      return 0;
    } catch (error) {
      if (this.#stop.signal.aborted) return 0;
      if (error instanceof ConnectorTaken) {
        this.#serving = null;
        return SWEEP;
      }
      this.#tellTrouble(error instanceof StoreUnavailable ? messageOf(error.cause) : messageOf(error));
      return FAILURE;
    }
  }

  /** Ensures that this core serves the instance; null if another one does. */
  async #hold(): Promise<Serving | null> {
    const { db, random } = this.deps;
    const { tenantId, instance, tally } = this.of;
    const lease = await this.#tenure.take();
    if (lease === null) return this.#serving = null;
    if (this.#serving?.epoch === lease.epoch) return this.#serving;
    const { epoch } = lease;
    const stored = await db.tenant(tenantId, (tx) => claimConnector(tx, tenantId, instance, epoch));
    const wants = (head: EventHead) => this.sink.wants(head);
    this.#bodies = [];
    this.#readAt = -Infinity;
    return this.#serving = {
      epoch,
      progress: new Progress(stored, tally, random),
      queue: new PendingQueue(stored.bookmark, this.sink.maxPending, wants),
    };
  }

  /** Reads new log entries if it is time. */
  async #read({ progress, queue }: Serving): Promise<void> {
    const now = this.deps.clock.now();
    if (Math.abs(now - this.#readAt) < SWEEP * 1000) return;
    for (let more = true; more && !this.#stop.signal.aborted;) {
      const page = await this.#log.page(queue.read);
      more = !page.isLast;
      const lost = queue.take(page);
      if (lost > 0) this.#tellLost(progress, lost, "more than max_pending, or no longer in the log");
      progress.passed(queue.done);
    }
    this.#readAt = now;
    progress.observe(queue.length, now);
  }

  async #deliver(serving: Serving): Promise<void> {
    const { progress, queue } = serving;
    const next = await this.#next(serving);
    if (next === null) return;
    const attempt = await this.#round(next.event, next.names);
    const now = this.deps.clock.now();
    if (attempt.kind === "held") {
      const seconds = Math.round(progress.held(attempt, now) / 1_000_000);
      // Device names are those at the time of delivery.
      this.#bodies = [];
      this.#logFailed("an event is held", next.event, attempt, { wait_seconds: seconds });
    } else {
      if (attempt.kind === "acknowledged") progress.acknowledged(now);
      else {
        progress.rejected(attempt, now);
        this.#logFailed("an event was rejected permanently and is skipped", next.event, attempt);
      }
      queue.shift();
      this.#bodies.shift();
      progress.passed(queue.done);
    }
    progress.observe(queue.length, now);
    await this.#save(serving);
  }

  /** The next event to deliver; null if the log no longer has it, which counts as dropped. */
  async #next({ progress, queue }: Serving) {
    const first = queue.first;
    while (this.#bodies.length > 0 && this.#bodies[0]!.event.eventNo !== first) this.#bodies.shift();
    if (this.#bodies.length === 0 && first !== undefined) {
      this.#bodies = await this.#log.read(first, queue);
    }
    const next = this.#bodies[0];
    if (next?.event.eventNo === first && next !== undefined) return next;
    this.#bodies = [];
    queue.shift();
    this.#tellLost(progress, 1, "no longer in the log");
    progress.passed(queue.done);
    progress.observe(queue.length, this.deps.clock.now());
    return null;
  }

  /**
   * Up to three attempts, with a wait before the second and twice that before the third, each plus up to
   * half.
   */
  async #round(event: NumberedEvent, names: ReadonlyMap<string, string>): Promise<Attempt> {
    for (let number = 1;; number++) {
      const attempt = await this.sink.deliver(event, names, this.#cut.signal);
      if (attempt.kind !== "held" || !attempt.again || number === ATTEMPTS) return attempt;
      await this.#pause(this.sink.retryDelayMs * number * (1 + this.deps.random() / 2));
    }
  }

  /** Waits within a round; a core that lost the instance meanwhile sends nothing more. */
  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    const serving = this.#serving;
    await this.deps.sleep(milliseconds, signal);
    signal.throwIfAborted();
    if (await this.#hold() !== serving) throw new ConnectorTaken(this.of.instance);
  }

  /**
   * Saves progress before anything else, so that a process that ends in between repeats one event at most.
   */
  async #save({ epoch, progress }: Serving): Promise<void> {
    const { tenantId, instance } = this.of;
    const snapshot = progress.snapshot();
    await this.deps.db.tenant(tenantId, (tx) => saveConnector(tx, tenantId, instance, epoch, snapshot));
    progress.saved();
  }

  /** Logged once: a database that is down stays so for many iterations. */
  #tellTrouble(message: string): void {
    if (message === this.#trouble) return;
    this.#trouble = message;
    this.deps.logger.error("connector cannot continue, retrying", { ...this.#fields, message });
  }

  #tellLost(progress: Progress, count: number, why: string): void {
    progress.dropped(count);
    this.deps.logger.warn("events were dropped", { ...this.#fields, events: count, why });
  }

  #logFailed(
    what: string,
    event: NumberedEvent,
    attempt: Failed,
    fields: Record<string, number> = {},
  ): void {
    const { failure, message } = attempt;
    this.deps.logger.warn(what, { ...this.#fields, event: event.eventId, failure, message, ...fields });
  }

  get #fields() {
    return { tenant: this.of.tenantId, connector: this.of.instance };
  }
}
