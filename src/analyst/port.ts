// The port to a language model: one question, one answer, never a second attempt.

import type { TokenUsage } from "../domain/analyst/cost.ts";

export interface ModelQuestion {
  /** Instructions. */
  system: string;
  /** Data. */
  user: string;
  /** The answer ends here at the latest. */
  maxOutputTokens: number;
}

/**
 * What a failed call cost: nothing, an unknown amount (it may have been worked on), or the tokens that the provider
 * reported.
 */
export type Billed = "no" | "unknown" | TokenUsage;

export type FailureCode = "provider_rate_limited" | "provider_unavailable" | "provider_response_invalid";

export type ModelReply =
  /** `usage` is null if the provider reported none: the cost is unknown. */
  | { kind: "answer"; text: string; usage: TokenUsage | null }
  /** `message` is one line for an administrator, without the key and without text of the answer. */
  | { kind: "failure"; code: FailureCode; message: string; billed: Billed };

export interface ModelProvider {
  /**
   * Asks once. Never rejects: an aborted call is `provider_unavailable`, and `billed` says whether the request may have been
   * sent by then.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply>;
}
