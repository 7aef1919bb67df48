import { type Search, text } from "../base/search-params.ts";

/** `date`: the day, such as 2026-01-30; yesterday without it. */
export function readBrief(search: Search): { date?: string } {
  return { date: text(search.date) };
}
