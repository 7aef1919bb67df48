import type { IntelSet } from "../domain/intel/intel-set.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import type { TenantSettings } from "../pipeline/stages/stage.ts";
import type { Database } from "../store/engine/database.ts";
import { serveDatabase, type ServedDatabase } from "../store/engine/remote/serve-database.ts";
import type { ParsedBatch } from "../store/record/parsed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";
import { PipelineFlags } from "./pipeline-flags.ts";
import type { DatabaseAccess, FromPipeline, ToPipeline } from "./pipeline-messages.ts";

interface PipelineThreadConfig {
  tenants: ReadonlyMap<string, TenantSettings>;
  /** The program of the worker; `pipeline-worker.ts` by default. */
  program?: URL;
}

interface PipelineThreadDeps {
  /** The database of this thread, which the worker uses, too. */
  db: Database;
  logger: Logger;
  /** Parses a stored batch, in any thread. */
  parse: (batch: PendingBatch) => Promise<Uint8Array>;
  /** False while nothing should be written, as on a full disk. */
  mayWrite: () => boolean;
  /** The current threat intelligence lists; null until they are loaded. */
  intel: () => IntelSet | null;
  /** Called when a round of the tenant was committed; it may have added events. */
  onApplied: (tenantId: string) => void;
}

/** Bundled under its own name. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "./pipeline-worker.ts" : "./pipeline-worker.js",
  import.meta.url,
);
/** Interval at which the disk state and changed lists are passed to the worker. */
const SYNC_MILLISECONDS = 100;
/** A burst goes on if the next request arrives within this time after the last answer. */
const INGEST_IDLE_MILLISECONDS = 25;
/** Delay before a crashed worker is restarted; doubled after each crash. */
const RESTART_MILLISECONDS = 1000;
const MAX_RESTART_MILLISECONDS = 60_000;
/** After a run of this length the delay starts over. */
const STABLE_MILLISECONDS = 300_000;

/**
 * Runs `Pipeline` in a worker of its own, so that rounds never delay requests. The worker reaches the database through
 * this thread. Connections of its own would be slower: a socket's buffer holds less than one statement of a round, and a
 * thread that computes refills it too rarely.
 */
export class PipelineThread {
  readonly #flags: PipelineFlags;
  #tenants: ReadonlyMap<string, TenantSettings>;
  #worker: Worker | null = null;
  #served: ServedDatabase | null = null;
  /** The lists that the worker has. */
  #intel: IntelSet | null = null;
  #stopping = false;
  #stopped: () => void = () => {};
  #sync: ReturnType<typeof setInterval> | null = null;
  #restart: ReturnType<typeof setTimeout> | null = null;
  #ingestIdle: ReturnType<typeof setTimeout> | null = null;
  #delay = RESTART_MILLISECONDS;
  #startedAt = 0;

  constructor(private readonly config: PipelineThreadConfig, private readonly deps: PipelineThreadDeps) {
    this.#tenants = config.tenants;
    this.#flags = PipelineFlags.create([...config.tenants.keys()]);
  }

  start(): void {
    this.#startWorker();
    this.#sync = setInterval(() => this.#synchronise(), SYNC_MILLISECONDS);
  }

  /** As `Pipeline.wants`. */
  wants(tenantId: string): boolean {
    return this.#flags.isWanted(tenantId);
  }

  /** As `Pipeline.wake`; the batch's memory moves to the worker. */
  wake(tenantId: string, batch: ParsedBatch | null = null): void {
    this.#synchronise();
    this.#post({ op: "wake", tenantId, batch }, batch === null ? [] : [batch.parsed.buffer as ArrayBuffer]);
  }

  /** As `Pipeline.use`: the same tenants, in the same order. */
  use(tenants: ReadonlyMap<string, TenantSettings>): void {
    this.#tenants = tenants;
    this.#post({ op: "tenants", tenants });
  }

  /** Pauses the pipeline, within its budget, while senders wait for ingest and shortly after. */
  setIngestBusy(busy: boolean): void {
    if (this.#ingestIdle !== null) clearTimeout(this.#ingestIdle);
    this.#ingestIdle = null;
    if (busy) this.#flags.ingestBusy = true;
    else this.#ingestIdle = setTimeout(() => this.#flags.ingestBusy = false, INGEST_IDLE_MILLISECONDS);
  }

  /** Resolves after the rounds under way have committed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#sync !== null) clearInterval(this.#sync);
    if (this.#restart !== null) clearTimeout(this.#restart);
    if (this.#ingestIdle !== null) clearTimeout(this.#ingestIdle);
    if (this.#worker === null) return;
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      this.#post({ op: "stop" });
    });
    this.#endWorker();
  }

  #startWorker(): void {
    const worker = new Worker(this.config.program ?? PROGRAM, { type: "module" });
    this.#worker = worker;
    this.#startedAt = performance.now();
    worker.onmessage = ({ data }: MessageEvent<FromPipeline>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#crashed(event.message);
    };
    const database = this.#access();
    this.#post(
      { op: "start", tenants: this.#tenants, database, flags: this.#flags.memory },
      [database.port],
    );
    this.#synchronise();
  }

  #access(): DatabaseAccess {
    const { db } = this.deps;
    const { port1, port2 } = new MessageChannel();
    this.#served = serveDatabase(port1, db);
    return { port: port2, engine: db.engine };
  }

  #endWorker(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#served?.close();
    this.#served = null;
    this.#intel = null;
    for (const tenantId of this.#tenants.keys()) this.#flags.setWanted(tenantId, false);
  }

  #crashed(message: string): void {
    const ran = performance.now() - this.#startedAt;
    this.#endWorker();
    if (this.#stopping) return this.#stopped();
    if (ran >= STABLE_MILLISECONDS) this.#delay = RESTART_MILLISECONDS;
    this.deps.logger.error("pipeline thread crashed, restarting", {
      message,
      restart_seconds: this.#delay / 1000,
    });
    this.#restart = setTimeout(() => this.#startWorker(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, MAX_RESTART_MILLISECONDS);
  }

  #synchronise(): void {
    this.#flags.mayWrite = this.deps.mayWrite();
    const intel = this.deps.intel();
    if (this.#worker === null || intel === null || intel === this.#intel) return;
    this.#intel = intel;
    this.#post({ op: "intel", data: intel.data });
  }

  #receive(message: FromPipeline): void {
    const { logger, onApplied } = this.deps;
    switch (message.op) {
      case "log":
        return logger[message.level](message.message, message.fields);
      case "applied":
        return onApplied(message.tenantId);
      case "parse":
        return void this.#parse(message.id, message.batch);
      case "stopped":
        return this.#stopped();
    }
  }

  async #parse(id: number, batch: PendingBatch): Promise<void> {
    const worker = this.#worker;
    let message: ToPipeline;
    const transfer: Transferable[] = [];
    try {
      const parsed = await this.deps.parse(batch);
      message = { op: "parsed", id, parsed };
      transfer.push(parsed.buffer as ArrayBuffer);
    } catch (error) {
      message = { op: "parse failed", id, message: messageOf(error) };
    }
    // A restarted worker has not asked for it.
    if (worker === this.#worker) this.#post(message, transfer);
  }

  #post(message: ToPipeline, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }
}
