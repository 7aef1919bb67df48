import { TERM_KINDS, type TermKind } from "../../contract/filter/field.ts";
import { hash64After } from "../../kit/hash64.ts";

/** The numbers of kinds are on disk: `TERM_KINDS` may only grow at its end. */
const KIND_NUMBERS = new Map<TermKind, number>(TERM_KINDS.map((kind, at) => [kind, at + 1]));

export function termKindNumber(kind: TermKind): number {
  return KIND_NUMBERS.get(kind)!;
}

/** The ids of a tenant's terms of one kind, by their text in the dictionary's form (`termText`). */
export function termIdsOf(tenantId: string, kind: TermKind): (text: string) => bigint {
  return hash64After(`${tenantId} ${termKindNumber(kind)} `);
}
