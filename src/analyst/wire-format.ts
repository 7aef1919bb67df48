import type { TokenUsage } from "../domain/analyst/cost.ts";
import type { ModelQuestion } from "./port.ts";

/** What an answer with status 200 holds. */
export interface WireAnswer {
  /** Null if the model wrote no text. */
  text: string | null;
  /** Null if it is not stated or implausible. */
  usage: TokenUsage | null;
  /** Why the text is incomplete, as a clause ("it was cut at max_output_tokens"); null if it is complete. */
  fault: string | null;
}

/** The requests and answers of one kind of interface. */
export interface WireFormat {
  /** Where questions are sent, by the base URL of the configuration. */
  endpoint(baseUrl: URL): URL;
  /** Header fields with the key, which is null if there is none. */
  headers(key: string | null): Record<string, string>;
  /** The body of a question. `jsonMode`: asks the server to let the model write nothing but JSON. */
  body(model: string, question: ModelQuestion, options: { jsonMode: boolean; baseUrl: URL }): unknown;
  /** Null if the value has another shape. */
  read(value: unknown): WireAnswer | null;
}

export const CUT = "it was cut at max_output_tokens";
export const DECLINED = "the model declined to answer";

/** More than any model takes or writes. */
const MOST_TOKENS = 1_000_000_000;

/** Null unless both are plausible counts: a prompt has at least one token. */
export function usageOf(inputTokens: unknown, outputTokens: unknown): TokenUsage | null {
  if (!isCount(inputTokens) || !isCount(outputTokens) || inputTokens === 0) return null;
  return { inputTokens, outputTokens };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;
}

/** `baseUrl` with a path appended. */
export function appended(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}
