import type { ResultKind } from "../../../contract/filter/tree.ts";

/** A question for a language model, and what it may use for the answer. */
export interface ModelQuestion {
  tenantId: string;
  query: string;
  kind: ResultKind | undefined;
  zone: string;
  /** Microseconds. */
  now: number;
}

/**
 * Proposes a filter for a question that the grammar declined. Its answer is untrusted: it takes effect only if it
 * passes the same schema and checks as a client's filter.
 */
export type ProposeFilter = (question: ModelQuestion) => Promise<unknown>;
