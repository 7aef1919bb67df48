/// <reference lib="dom" />
import type { ResultKind } from "../../../contract/filter/tree.ts";

const KEPT = 5;
const keyOf = (tenant: string, kind: ResultKind) => `ndr.searches.${tenant}.${kind}`;

/** What was searched for in this tab, the latest first. */
export function recentSearches(tenant: string, kind: ResultKind): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(tenant, kind)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Remembers a search that could be read. */
export function rememberSearch(tenant: string, kind: ResultKind, text: string): void {
  if (text === "") return;
  const others = recentSearches(tenant, kind).filter((one) => one !== text);
  try {
    sessionStorage.setItem(keyOf(tenant, kind), JSON.stringify([text, ...others].slice(0, KEPT)));
  } catch {
    // Without storage none is offered again.
  }
}
