import type { SentPart } from "../../contract/analyst/analyst-run.ts";

/** Prices and limits of a model, as analyst.yaml states them. */
export interface ModelLimits {
  /** Integer micro-USD per million tokens. */
  inputMicrousdPerMillion: number;
  outputMicrousdPerMillion: number;
  maxInputTokens: number;
  maxOutputTokens: number;
}

/** What a tenant's runs use. */
export interface AnalystPlan extends ModelLimits {
  provider: string;
  model: string;
  /** Integer micro-USD per UTC day. */
  dailyBudgetMicrousd: number;
  send: readonly SentPart[];
}

/** Bytes per token that an estimate assumes. */
export const BYTES_PER_TOKEN = 4;
/** What a chat template may add at the most: marks of roles, and defaults such as a date. */
export const TEMPLATE_TOKENS = 256;

/** A request as it is stored with its run, before anything is sent. */
export interface PreparedRequest {
  promptVersion: string;
  system: string;
  user: string;
  /** Evidence that was sent; an answer may cite nothing else. */
  evidenceIds: string[];
  /** Evidence of the incident that did not fit. */
  evidenceOmitted: number;
  /** Original texts by placeholder; put back into the answer. */
  placeholders: Record<string, string>;
  /** What the texts usually take. */
  estimatedInputTokens: number;
  /** What they take at the most: a token has at least one byte. */
  worstInputTokens: number;
}
