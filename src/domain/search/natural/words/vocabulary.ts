import type { Effect } from "./effect.ts";
import { DEVICES } from "./phrases/devices.ts";
import { FIELDS_BY_NOUN } from "./phrases/fields.ts";
import { FLOWS } from "./phrases/flows.ts";
import { INCIDENTS } from "./phrases/incidents.ts";
import { SENTENCE } from "./phrases/sentence.ts";

export { EITHER_SIDE } from "./phrases/incidents.ts";

/** Phrases by their words in singular and lower case, separated by spaces. The longest one that fits is taken. */
export const PHRASES: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...SENTENCE,
  ...FIELDS_BY_NOUN,
  ...DEVICES,
  ...FLOWS,
  ...INCIDENTS,
]);

/** Longest phrase, in words. */
export const MAX_PHRASE_WORDS = Math.max(...[...PHRASES.keys()].map((text) => text.split(" ").length));

export const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  moderate: "medium",
  low: "low",
  info: "info",
  informational: "info",
};

/** Words after a severity that include the higher ones. */
export const OR_HIGHER: readonly string[] = [
  "or higher",
  "or above",
  "and above",
  "or worse",
  "and higher",
  "or more",
  "and up",
  "or greater",
  "and worse",
];

/** Words after a severity that include the lower ones. */
export const OR_LOWER: readonly string[] = ["or lower", "or below", "and below", "and lower", "or less"];

/** The word in the singular, as phrases are written. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|dns|tls|https|dos|ddos|nas|c2s)$/.test(word)) return word;
  if (/(?:ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
