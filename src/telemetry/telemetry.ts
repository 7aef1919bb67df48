import { violationText } from "../domain/telemetry/heartbeat/check.ts";
import {
  dueSends,
  needsBaseline,
  type SendKind,
  slotAt,
  type Versions,
} from "../domain/telemetry/heartbeat/schedule.ts";
import { NO_SERVICES } from "../domain/health/services.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { scheduleMinutes } from "../kit/schedule.ts";
import type { Logger } from "../observe/log.ts";
import type { Database } from "../store/engine/database.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../store/engine/leases.ts";
import {
  beginSend,
  endSend,
  expireTelemetryLog,
  readTelemetry,
  recordBaseline,
  type Sender,
  sendHistory,
  type TelemetryView,
} from "../store/telemetry/telemetry-log.ts";
import { RegistrationClient } from "./client.ts";
import type { Entitlement } from "./entitlement.ts";
import { type RemoteFacts, remoteFacts } from "./facts.ts";
import type { HeartbeatParts } from "./heartbeat.ts";
import { ensureInstallId, type InstallIdPlace } from "./install-id.ts";
import { type PreparedSend, prepareSend } from "./send.ts";

export interface TelemetryConfig {
  /** NDR_TELEMETRY. Off: no connection, no file, no row. */
  enabled: boolean;
  /** The registration server; null means the same as off. */
  origin: string | null;
  /** Location of the file install-id. */
  place: InstallIdPlace;
}

export interface TelemetryDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Current facts of configuration and build. */
  parts: () => Omit<HeartbeatParts, "license">;
  entitlement: Entitlement;
  /** Milliseconds by a monotonic clock; default `performance.now`. */
  elapsed?: () => number;
  /** Runs `work` after a delay, unless the returned function cancels it. */
  later?: (milliseconds: number, work: () => void) => () => void;
  /** Further trusted certificate authorities, PEM. */
  roots?: readonly string[];
  /** For one call to the server, in milliseconds. */
  timeoutMs?: number;
}

const EACH_MINUTE = "*";
const MINUTE_MS = 60_000;
/** After a core was killed another one takes over; one call and its entry fit into this time. */
const LEASE = { name: "telemetry", seconds: 180 };
/** A slow store delays nothing else. */
const LIMITS = { statementMs: 20_000, lockMs: 5_000, waitMs: 20_000, answerMs: 45_000 };
/** Registration, heartbeat and update check, and one extra of each. */
const MOST_SENDS_A_ROUND = 6;

/**
 * Registers this installation, sends its daily heartbeat and asks for the newest release. What is due is
 * decided from recorded state; of several cores one sends, the same one for as long as it runs. The
 * registration server can affect these facts and nothing else.
 */
export class Telemetry {
  readonly #stop = new AbortController();
  readonly #holder: string;
  readonly #client: RegistrationClient | null;
  #rounds: Promise<void> = Promise.resolve();
  #waiting = false;
  #lease: Lease | null = null;
  #callOff: () => void = () => {};
  #looked: { now: number; elapsed: number } | null = null;
  #problem: string | null = null;
  #view: TelemetryView | null = null;

  constructor(private readonly config: TelemetryConfig, private readonly deps: TelemetryDeps) {
    this.#holder = leaseHolder(deps.db);
    const { enabled, origin } = config;
    this.#client = enabled && origin !== null
      ? new RegistrationClient({ origin, roots: deps.roots, timeoutMs: deps.timeoutMs })
      : null;
  }

  /** Starts with a round: something may be due already. */
  start(): void {
    if (this.#client === null) return;
    const { logger } = this.deps;
    scheduleMinutes(
      EACH_MINUTE,
      { name: "heartbeat", signal: this.#stop.signal, logger },
      () => this.#tick(),
    );
    this.#tick();
  }

  /** Aborts a call under way; it is retried after the next start. */
  async stop(): Promise<void> {
    this.#callOff();
    this.#stop.abort(new Error("the service was stopped"));
    await this.#rounds;
    if (this.#lease !== null) await releaseLease(this.deps.db, this.#lease).catch(() => {});
    this.#lease = null;
  }

  /** What was known at the last round, of this core or of the one that sends. */
  facts(): RemoteFacts {
    if (this.#client === null) return { telemetry: NO_SERVICES.telemetry, update: NO_SERVICES.update };
    return remoteFacts(this.#view, this.#problem, this.#versions().product);
  }

  /** Performs what is due, after the current round. It never throws. */
  round(): Promise<void> {
    return this.#rounds = this.#rounds.then(async () => {
      this.#waiting = false;
      if (this.#client === null || this.#stop.signal.aborted) return;
      try {
        await this.#round(this.#client);
      } catch (error) {
        const message = messageOf(error);
        this.deps.logger.error("telemetry round failed, retrying", { message });
      }
    });
  }

  /** A round that takes longer than a minute skips the next one. */
  #tick(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    void this.round();
  }

  async #round(client: RegistrationClient): Promise<void> {
    this.#callOff();
    const { id, problem } = await ensureInstallId(this.config.place);
    if (problem !== null && problem !== this.#problem) {
      this.deps.logger.warn("the installation identifier has a fault", { message: problem });
    }
    this.#problem = problem;
    if (id === null) return;
    const drift = this.#drift();
    this.#lease = await acquireLease(this.deps.db, LEASE.name, this.#holder, LEASE.seconds);
    try {
      if (this.#lease !== null) await this.#sendDue(client, this.#lease, id, drift);
    } finally {
      this.#view = await this.#shared((tx) => readTelemetry(tx, this.#sender(id)));
    }
  }

  async #sendDue(client: RegistrationClient, lease: Lease, id: string, drift: number): Promise<void> {
    for (let sends = 0; sends < MOST_SENDS_A_ROUND; sends++) {
      const now = this.deps.clock.now();
      const slot = slotAt(now, id);
      const versions = this.#versions();
      const history = await this.#history(id, slot, versions, now, sends === 0 ? drift : 0);
      const { kinds: [kind], againAt } = dueSends(history, slot, versions, now);
      if (kind === undefined) {
        if (againAt !== null) this.#again((againAt - now) / 1000);
        return;
      }
      const send = await prepareSend(kind, {
        db: this.deps.db,
        parts: { ...this.deps.parts(), license: this.deps.entitlement.plan() },
        installId: id,
        now,
      });
      if (!(await this.#perform(client, lease, this.#sender(id), slot, send))) return;
    }
  }

  /** The recorded history, starting with a baseline. */
  async #history(id: string, slot: number, versions: Versions, now: number, drift: number) {
    const sender = this.#sender(id);
    return await this.#shared(async (tx) => {
      const recorded = await sendHistory(tx, sender, slot);
      if (recorded !== null && !needsBaseline(recorded, now, drift)) return recorded;
      // After a clock jump a changed version is still reported at once.
      await recordBaseline(tx, sender, { at: now, slot, versions: recorded?.newest ?? versions });
      return (await sendHistory(tx, sender, slot))!;
    });
  }

  /** One send with its entry. False if another core sends, or this one is stopping. */
  async #perform(
    client: RegistrationClient,
    lease: Lease,
    sender: Sender,
    slot: number,
    { kind, text, violations }: PreparedSend,
  ): Promise<boolean> {
    const { clock, logger } = this.deps;
    const versions = this.#versions();
    // What must not be sent is not stored either: every role can read the last payload.
    const payload = violations.length === 0 ? text : null;
    const start = { kind, at: clock.now(), slot, versions, payload };
    const entry = await this.#shared((tx) => beginSend(tx, lease, sender, start));
    if (entry === null) return false;
    let answer: string | null = null;
    let failure: string | null = null;
    if (violations.length > 0) {
      failure = `not sent: ${violations.map(violationText).join("; ")}`;
    } else {
      try {
        answer = await this.#call(client, kind, text);
      } catch (error) {
        failure = messageOf(error);
      }
    }
    const outcome = failure === null ? "sent" : violations.length > 0 ? "refused" : "failed";
    if (failure === null) logger.info("sent to the registration server", { kind });
    else logger.warn("sending to the registration server failed", { kind, message: failure });
    await this.#shared(async (tx) => {
      const at = clock.now();
      await endSend(tx, entry, { at, outcome, failure, answer });
      await expireTelemetryLog(tx, sender, at);
    });
    return !this.#stop.signal.aborted;
  }

  /** Resolves to the part of the answer that is stored. */
  async #call(client: RegistrationClient, kind: SendKind, text: string | null): Promise<string | null> {
    const { signal } = this.#stop;
    if (kind === "update") {
      return JSON.stringify(await client.newestRelease(this.#versions().product, signal));
    }
    const license = kind === "heartbeat"
      ? await client.heartbeat(text!, signal)
      : await client.register(text!, signal);
    if (license !== null) await this.#renew(license);
    return null;
  }

  /** The send succeeded, whatever happens here. */
  async #renew(license: string): Promise<void> {
    const { entitlement, logger } = this.deps;
    try {
      if (entitlement.plan().plan === "pro") await entitlement.renew(license);
    } catch (error) {
      logger.error("the renewed licence was refused", { message: messageOf(error) });
    }
  }

  #versions(): Versions {
    const { productVersion, bundleVersion } = this.deps.parts();
    return { product: productVersion, bundle: bundleVersion };
  }

  #sender(installId: string): Sender {
    const { plan, keyIdHash } = this.deps.entitlement.plan();
    return { installId, origin: this.config.origin!, licenseKeyIdHash: plan === "pro" ? keyIdHash : null };
  }

  /** How far the clock advanced beyond elapsed time since the last round, in microseconds. */
  #drift(): number {
    const [now, elapsed] = [this.deps.clock.now(), (this.deps.elapsed ?? (() => performance.now()))()];
    const before = this.#looked;
    this.#looked = { now, elapsed };
    return before === null ? 0 : now - before.now - (elapsed - before.elapsed) * 1000;
  }

  /** Work for which the next tick is too late. */
  #again(milliseconds: number): void {
    if (milliseconds >= MINUTE_MS) return;
    this.#callOff = (this.deps.later ?? afterTime)(milliseconds, () => this.#tick());
  }

  #shared: Database["shared"] = (work) => this.deps.db.shared(work, LIMITS);
}

function afterTime(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
