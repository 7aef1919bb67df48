// Patterns that an analyst may want for an incident: those that the creation of a suppression accepts.

import type { Destination } from "../detect/kernel/result.ts";
import { patternFaults, type SuppressionPattern } from "./suppression.ts";

/** A result of an incident, as far as patterns examine it. */
export interface SuggestedFor {
  deviceId: string | null;
  modelId: string;
  destinations: readonly Destination[];
}

const MAX_SUGGESTIONS = 20;

/**
 * Valid patterns for an incident's results, narrowest first: what all of them have in common, then what the results of
 * each detector have in common, then each detector on its device. If the results have too little in common, none of
 * the patterns covers the whole incident.
 */
export function suggestPatterns(results: readonly SuggestedFor[]): SuppressionPattern[] {
  const groups = [...Map.groupBy(results, ({ modelId }) => modelId).values()];
  const found = [results, ...groups].flatMap((group) => commonPattern(group) ?? []);
  const onDevices = groups.map((group) => ({
    source: only(group.map(({ deviceId }) => deviceId)),
    destination: null,
    port: null,
    detector: group[0]!.modelId,
  }));
  const valid = [...found, ...onDevices].filter(isValid);
  const byText = new Map(valid.map((pattern) => [JSON.stringify(pattern), pattern]));
  return [...byText.values()].slice(0, MAX_SUGGESTIONS);
}

/** What results have in common, with the destination's name if it has one; null if that is no valid pattern. */
function commonPattern(results: readonly SuggestedFor[]): SuppressionPattern | null {
  const destinations = results.flatMap((result) => result.destinations);
  const complete = results.every((result) => result.destinations.length > 0);
  const pattern = (destination: string | null): SuppressionPattern => ({
    source: only(results.map(({ deviceId }) => deviceId)),
    destination: destination?.toLowerCase().replace(/\.$/, "") ?? null,
    port: complete ? only(destinations.map(({ port }) => port)) : null,
    detector: only(results.map(({ modelId }) => modelId)),
  });
  const named = complete
    ? [only(destinations.map(({ name }) => name)), only(destinations.map(({ ip }) => ip))]
    : [];
  return [...named.filter((one) => one !== null), null].map(pattern).find(isValid) ?? null;
}

function isValid(pattern: SuppressionPattern): boolean {
  return patternFaults(pattern).length === 0;
}

/** The value if all are equal, else null. */
function only<T>(values: readonly T[]): T | null {
  return new Set(values).size === 1 ? values[0]! : null;
}
