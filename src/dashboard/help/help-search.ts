import { type Search, text } from "../base/search-params.ts";

export function readHelp(search: Search): { q?: string } {
  return { q: text(search.q) };
}
