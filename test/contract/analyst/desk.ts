// A provider that nobody asks: queued runs wait until a test answers them.

import assert from "node:assert/strict";
import type { AnalystAnswer } from "../../../src/contract/analyst/analyst-run.ts";
import type { AnalystDesk, AskedModel, AskedReply } from "../../../src/core/handlers/analyst/analyst-desk.ts";
import { worstCost } from "../../../src/domain/analyst/cost.ts";
import type { AnalystPlan } from "../../../src/domain/analyst/plan.ts";
import { ledgerDay, reserve } from "../../../src/store/analyst/ledger.ts";
import { endRun, nextQueued, settleRun, startRun } from "../../../src/store/analyst/queue.ts";
import type { Database } from "../../../src/store/engine/database.ts";

export const TEST_PLAN: AnalystPlan = {
  provider: "local",
  model: "llama3.1",
  inputMicrousdPerMillion: 150_000,
  outputMicrousdPerMillion: 600_000,
  maxInputTokens: 12_000,
  maxOutputTokens: 1_000,
  dailyBudgetMicrousd: 10_000_000,
  send: ["names", "addresses"],
};

/** What the desk was told. */
interface WaitingDesk extends AnalystDesk {
  readonly woken: string[];
  readonly aborted: string[];
}

/** A filter for any question. */
export const ANSWERED: AskedReply = {
  kind: "answer",
  text: JSON.stringify({ kind: "flows", filter: "service:ssh direction:outbound" }),
};

/**
 * `plan`: of all tenants; `TEST_PLAN` by default. `reply`: to questions that are asked at once; a filter by default. They are
 * charged like runs, without a ledger.
 */
export function waitingDesk(
  plan: () => AnalystPlan | null = () => TEST_PLAN,
  reply: () => AskedReply = () => ANSWERED,
): WaitingDesk {
  const woken: string[] = [];
  const aborted: string[] = [];
  return {
    woken,
    aborted,
    plan,
    queued: (tenantId) => void woken.push(tenantId),
    cancelled: (runId) => void aborted.push(runId),
    ask(_tenantId, of, question): Promise<AskedModel> {
      const worst = worstCost(of, question);
      if (worst > of.dailyBudgetMicrousd) return Promise.resolve({ kind: "no_room", worst });
      const cost = { inputTokens: 2_000, outputTokens: 20, microusd: 312 };
      return Promise.resolve({ kind: "asked", reply: reply(), cost, worst });
    },
  };
}

/** Answers the tenant's oldest queued run, as the runner does. */
export async function answerRun(
  db: Database,
  tenantId: string,
  runId: string,
  now: number,
  answer?: Partial<AnalystAnswer>,
): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    const run = await nextQueued(tx, tenantId);
    assert.equal(run?.run_id, runId);
    const call = { tenantId, provider: run.provider, day: await ledgerDay(tx), amount: 1_500 };
    assert.equal(await reserve(tx, call, 10_000_000), true);
    const held = await startRun(tx, call, run, { holder: "test", seconds: 60, now });
    const complete: AnalystAnswer = {
      assessment: "suspicious",
      confidence: 0.6,
      summary: "The device contacted a known server.",
      reasoning: [{ claim: "An alert names the server.", evidence_ids: [run.reference.evidence_ids[0]!] }],
      next_steps: ["Ask the owner of the device."],
      suggestion: null,
      ...answer,
    };
    assert.equal(
      await endRun(tx, tenantId, held, { state: "complete", error: null, answer: complete, at: now }),
      true,
    );
    await settleRun(tx, tenantId, runId, { inputTokens: 2_000, outputTokens: 300, microusd: 480 });
  });
}
