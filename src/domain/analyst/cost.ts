// What a call of a model costs, in integer micro-USD. Every call is rounded up, so that sums never fall short of the bill.

import type { ModelLimits, PreparedRequest } from "./plan.ts";

/** Tokens of one call. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

type Prices = Pick<ModelLimits, "inputMicrousdPerMillion" | "outputMicrousdPerMillion">;

/** The most that the request can cost: each byte is a token, and the answer has its full length. Reserved before the call. */
export function worstCost(
  plan: Prices & Pick<ModelLimits, "maxOutputTokens">,
  request: Pick<PreparedRequest, "worstInputTokens">,
): number {
  return costOf(plan, { inputTokens: request.worstInputTokens, outputTokens: plan.maxOutputTokens });
}

/** The usual cost: four bytes are a token, and the answer has its full length. */
export function estimatedCost(
  plan: Prices & Pick<ModelLimits, "maxOutputTokens">,
  request: Pick<PreparedRequest, "estimatedInputTokens">,
): number {
  return costOf(plan, { inputTokens: request.estimatedInputTokens, outputTokens: plan.maxOutputTokens });
}

/**
 * What a call with these tokens costs, rounded up to a whole micro-USD.
 *
 * @throws RangeError if a count or a price is not a safe integer of at least 0, or the cost exceeds 2^53 - 1
 */
export function costOf(
  { inputMicrousdPerMillion, outputMicrousdPerMillion }: Prices,
  { inputTokens, outputTokens }: TokenUsage,
): number {
  const perMillion = exact(inputTokens) * exact(inputMicrousdPerMillion) +
    exact(outputTokens) * exact(outputMicrousdPerMillion);
  const cost = Number((perMillion + 999_999n) / 1_000_000n);
  if (!Number.isSafeInteger(cost)) throw new RangeError("the cost of a call exceeds 2^53 - 1 micro-USD");
  return cost;
}

function exact(count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`expected a whole number of at least 0, got ${count}`);
  }
  return BigInt(count);
}
