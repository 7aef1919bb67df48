import type { Facts } from "../../contract/record/facts.ts";

export type FactsOf<T extends Facts["type"]> = Extract<Facts, { type: T }>;

/** The facts of one kind; undefined if the list was read without them. */
export function factsOf<T extends Facts["type"]>(
  listed: readonly Facts[] | null,
  type: T,
): FactsOf<T>[] | undefined {
  const all = listed?.filter((facts): facts is FactsOf<T> => facts.type === type);
  return all?.filter((facts) => !all.some((other) => answers(other, facts)));
}

/** Whether a DNS answer makes the question that another record has redundant. */
function answers(answer: Facts, question: Facts): boolean {
  return answer.type === "dns" && question.type === "dns" && answer.answered && !question.answered &&
    answer.query === question.query && answer.qtype === question.qtype;
}
