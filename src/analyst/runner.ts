import type { AnalystPlan } from "../domain/analyst/plan.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { Wake } from "../kit/threads/wake.ts";
import type { Logger } from "../observe/log.ts";
import { interruptRuns } from "../store/analyst/queue.ts";
import type { Database } from "../store/engine/database.ts";
import { leaseHolder } from "../store/engine/leases.ts";
import { paidCall, type PaidQuestion, type PaidReply, type TenantModel } from "./paid-call.ts";
import { type StartedRun, takeRun } from "./take-run.ts";
import { RunCall } from "./run-call.ts";

type TenantModels = ReadonlyMap<string, TenantModel>;

interface RunnerDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** False while answers could not be stored, as on a full disk: nothing is asked then. */
  mayWrite?: () => boolean;
  /** Milliseconds for a question that is answered at once; default 20 s. */
  questionMs?: number;
}

/** Calls at once of one core. */
const PLACES = 4;
/** Calls at once of one core for one tenant. */
const TENANT_PLACES = 2;
/** Less than the web layer waits for an answer, so that a person sees what became of a question that was paid. */
const QUESTION_MS = 20_000;
/** How long the run of a killed core waits to be failed, in seconds. */
const LEASE_SECONDS = 15;
const RENEW_MS = 4_000;
/** Poll interval for runs that another core queued or left, in milliseconds. */
const SWEEP_MS = 5_000;
const INTERRUPTED =
  "The service that ran it was stopped. What the call cost is unknown, so that it stays reserved until the UTC day ends.";

/**
 * Asks the tenants' models about the queued runs: each run once, under the ledger. Of several cores any takes the next run.
 * A run whose core was killed has failed; it is never asked again.
 */
export class AnalystRunner {
  readonly #holder: string;
  readonly #tenants: readonly string[];
  #models: TenantModels;
  readonly #calls = new Map<string, RunCall>();
  /** Questions under way that belong to no run, by tenant. */
  readonly #questions = new Map<string, number>();
  readonly #ends = new AbortController();
  readonly #wake = new Wake();
  #timer: ReturnType<typeof setInterval> | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  /** The tenant that is served next. */
  #turn = 0;
  /** The former process, whose leases count as expired; null after the first sweep. */
  #former: string | null;
  /** Failure that was logged already. */
  #trouble: string | null = null;

  constructor(
    { tenants, models }: { tenants: Iterable<string>; models: TenantModels },
    private readonly deps: RunnerDeps,
  ) {
    this.#tenants = [...tenants];
    this.#models = models;
    this.#holder = leaseHolder(deps.db);
    // An embedded database has one process at a time: what runs under its name at the start was left by a killed one.
    this.#former = deps.db.engine === "pglite" ? this.#holder : null;
  }

  start(): void {
    this.#timer = setInterval(() => this.#renew(), RENEW_MS);
    this.#running = this.#loop();
  }

  /** Replaces providers, prices and budgets for the next calls; calls under way keep theirs. */
  use(models: TenantModels): void {
    this.#models = models;
    this.#wake.now();
  }

  /** The tenant's current plan; null if it has no provider. */
  plan(tenantId: string): AnalystPlan | null {
    return this.#models.get(tenantId)?.plan ?? null;
  }

  /** The tenant's current provider and plan; null if it has none. */
  model(tenantId: string): TenantModel | null {
    return this.#models.get(tenantId) ?? null;
  }

  /** A run was queued. */
  queued(): void {
    this.#wake.now();
  }

  /** A run was cancelled: its call ends now if this core makes it. */
  cancelled(runId: string): void {
    this.#calls.get(runId)?.abort();
  }

  /**
   * Asks the tenant's model once, under its budget; nothing is sent if `plan` is not its plan any more, or if the tenant has no
   * place for a further question.
   */
  async ask(
    tenantId: string,
    plan: AnalystPlan,
    question: PaidQuestion,
  ): Promise<PaidReply | { kind: "no_provider" } | { kind: "busy" }> {
    const model = this.model(tenantId);
    if (model === null || model.plan !== plan) return { kind: "no_provider" };
    const asking = this.#questions.get(tenantId) ?? 0;
    if (asking >= TENANT_PLACES || this.#stopping) return { kind: "busy" };
    this.#questions.set(tenantId, asking + 1);
    const milliseconds = this.deps.questionMs ?? QUESTION_MS;
    const late = AbortSignal.timeout(milliseconds);
    try {
      const signal = AbortSignal.any([this.#ends.signal, late]);
      const paid = await paidCall(this.deps.db, tenantId, model, question, signal);
      if (!late.aborted || paid.kind !== "asked" || paid.reply.kind !== "failure") return paid;
      const message = `provider ${plan.provider}: it did not answer within ${milliseconds / 1000} seconds`;
      return { ...paid, reply: { ...paid.reply, message } };
    } finally {
      this.#questions.set(tenantId, this.#questions.get(tenantId)! - 1);
    }
  }

  /** Aborts the calls under way, which makes their runs `interrupted`; queued runs stay queued. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ends.abort();
    this.#wake.now();
    await this.#running;
    for (const call of this.#calls.values()) call.stop();
    await Promise.all([...this.#calls.values()].map(({ ended }) => ended));
    clearInterval(this.#timer);
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      this.#wake.taken();
      await this.#round();
      await this.#wake.wait(SWEEP_MS);
    }
  }

  async #round(): Promise<void> {
    if (this.deps.mayWrite?.() === false) return;
    try {
      for (const tenantId of this.#tenants) await this.#interrupt(tenantId);
      this.#former = null;
      while (!this.#stopping && await this.#takeOne());
      this.#trouble = null;
    } catch (error) {
      const message = messageOf(error);
      // Logged once: a database that is down stays so for many rounds.
      if (message !== this.#trouble) {
        this.deps.logger.error("analyst runs cannot continue, retrying", { message });
      }
      this.#trouble = message;
    }
  }

  async #interrupt(tenantId: string): Promise<void> {
    const { db, clock, logger } = this.deps;
    const end = { former: this.#former, message: INTERRUPTED, now: clock.now() };
    const failed = await db.tenant(tenantId, (tx) => interruptRuns(tx, tenantId, end));
    for (const run of failed) logger.warn("an analyst run was interrupted", { tenant: tenantId, run });
  }

  /** Takes one run of the next tenant that has one; false if there is none, or no place for it. */
  async #takeOne(): Promise<boolean> {
    const { db, clock } = this.deps;
    for (let passed = 0; passed < this.#tenants.length && this.#calls.size < PLACES; passed++) {
      const tenantId = this.#tenants[this.#turn]!;
      this.#turn = (this.#turn + 1) % this.#tenants.length;
      const own = [...this.#calls.values()].filter((call) => call.tenantId === tenantId);
      if (own.length >= TENANT_PLACES) continue;
      const model = this.model(tenantId);
      const lease = { holder: this.#holder, seconds: LEASE_SECONDS, now: clock.now() };
      const taken = await takeRun(db, tenantId, model, lease);
      if (taken === null) continue;
      if (taken !== "ended") this.#call(taken);
      return true;
    }
    return false;
  }

  #call(run: StartedRun): void {
    const call = new RunCall(run, this.deps, LEASE_SECONDS);
    this.#calls.set(run.held.runId, call);
    const { tenantId, held } = run;
    void call.start().catch((error) => {
      // A fault of ours must not end the process; the lease expires, and the run is interrupted.
      const fields = { tenant: tenantId, run: held.runId, message: messageOf(error) };
      this.deps.logger.error("an analyst run broke off", fields);
    }).finally(() => {
      this.#calls.delete(run.held.runId);
      this.#wake.now();
    });
  }

  #renew(): void {
    for (const call of this.#calls.values()) void call.renew();
  }
}
