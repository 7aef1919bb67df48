import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { pause } from "../kit/threads/pause.ts";
import { readAnswer } from "../domain/analyst/answer.ts";
import type { Logger } from "../observe/log.ts";
import type { Database } from "../store/engine/database.ts";
import { endRun, renewRun, type RunEnd, settleRun } from "../store/analyst/queue.ts";
import { costOfReply } from "./paid-call.ts";
import type { ModelReply } from "./provider.ts";
import type { StartedRun } from "./take-run.ts";

interface CallDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
}

/** Between attempts to store a result, in milliseconds. */
const STORE_AGAIN_MS = 1_000;
const STOPPED =
  "The service was stopped during the call. What the call cost is unknown, so that it stays reserved until the UTC day ends.";
const STOPPED_UNSENT = "The service was stopped before the request was sent.";

/** One call of a model for a started run, until its result is stored. */
export class RunCall {
  readonly #abort = new AbortController();
  readonly #stop = new AbortController();
  /** Resolves when the result is stored, or never will be. */
  ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly started: StartedRun,
    private readonly deps: CallDeps,
    private readonly leaseSeconds: number,
  ) {}

  get tenantId(): string {
    return this.started.tenantId;
  }

  start(): Promise<void> {
    return this.ended = this.#run();
  }

  /** Ends the call; its run was cancelled or belongs to this core no more. */
  abort(): void {
    this.#abort.abort(new Error("cancelled"));
  }

  /** Ends the call because the core stops. */
  stop(): void {
    this.#stop.abort();
    this.#abort.abort(new Error("stopped"));
  }

  /** Renews the lease; a run that was cancelled or failed meanwhile, also by another core, needs no answer. */
  async renew(): Promise<void> {
    const { tenantId, held } = this.started;
    try {
      const isHeld = await this.deps.db.tenant(
        tenantId,
        (tx) => renewRun(tx, tenantId, held, this.leaseSeconds),
      );
      if (!isHeld) this.abort();
    } catch {
      // Without a database the result cannot be stored either, which is retried and logged there.
    }
  }

  async #run(): Promise<void> {
    const { model: { plan, provider }, run } = this.started;
    const question = { system: run.system_text, user: run.user_text, maxOutputTokens: plan.maxOutputTokens };
    const reply = await provider.ask(question, this.#abort.signal);
    const end = { ...this.#endOf(reply), at: this.deps.clock.now() };
    for (let attempt = 1;; attempt++) {
      try {
        return await this.#store(reply, end);
      } catch (error) {
        if (attempt === 1) {
          this.deps.logger.error("an analyst run's result cannot be stored, retrying", {
            ...this.#fields,
            message: messageOf(error),
          });
        }
        // What is not stored stays reserved, and the run is interrupted when its lease expires.
        if (this.#stop.signal.aborted) return;
        await pause(STORE_AGAIN_MS, this.#stop.signal);
      }
    }
  }

  async #store(reply: ModelReply, end: RunEnd): Promise<void> {
    const { tenantId, held, model: { plan } } = this.started;
    const cost = costOfReply(plan, reply);
    const isOurs = await this.deps.db.tenant(tenantId, async (tx) => {
      const ended = await endRun(tx, tenantId, held, end);
      if (cost !== null) await settleRun(tx, tenantId, held.runId, cost);
      return ended;
    });
    this.deps.logger.info("an analyst run ended", {
      ...this.#fields,
      // A late result changes the ledger only.
      state: isOurs ? end.state : "ended before",
      code: isOurs ? end.error?.code ?? null : null,
      spent_microusd: cost?.microusd ?? null,
    });
  }

  #endOf(reply: ModelReply): Omit<RunEnd, "at"> {
    if (reply.kind === "failure") {
      const { code, message, billed } = reply;
      if (!this.#stop.signal.aborted) return failed(code, message);
      return failed("interrupted", billed === "no" ? STOPPED_UNSENT : STOPPED);
    }
    const { evidence_ids: evidenceIds, placeholders } = this.started.run.reference;
    const answer = readAnswer(reply.text, { evidenceIds, placeholders });
    if (typeof answer !== "string") return { state: "complete", error: null, answer };
    return failed("provider_response_invalid", `The answer of the model is not valid: ${answer}.`);
  }

  get #fields() {
    return { tenant: this.started.tenantId, run: this.started.held.runId };
  }
}

function failed(code: NonNullable<RunEnd["error"]>["code"], message: string): Omit<RunEnd, "at"> {
  return { state: "failed", error: { code, message }, answer: null };
}
