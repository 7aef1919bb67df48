import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { Suppression } from "../../contract/review/suppression.ts";
import { leadingResult } from "../entity/incident/incident-results.ts";

type Pattern = Suppression["pattern"];

/** Durations of a suppression, in days. */
export const DURATIONS: readonly (readonly [days: number, name: string])[] = [
  [1, "1 day"],
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "1 year"],
];

/** The narrowest pattern that covers all results of an incident; null for a field in which they differ. */
export function patternOfIncident({ model_results }: Pick<IncidentDetail, "model_results">): Pattern {
  const destinations = model_results.flatMap((result) => result.destinations);
  const complete = model_results.every((result) => result.destinations.length > 0);
  const only = <T>(values: T[]): T | null => new Set(values).size === 1 ? values[0]! : null;
  const name = only(destinations.map((one) => one.name));
  return {
    source: only(model_results.map((result) => result.device_id)),
    destination: complete ? name ?? only(destinations.map((one) => one.ip)) : null,
    port: complete ? only(destinations.map((one) => one.port)) : null,
    detector: only(model_results.map((result) => result.model_id)),
  };
}

/** What a pattern lacks, in words for the person who fills in the form; null if it is complete. */
export function missingOf(pattern: Pattern): string | null {
  const { source, destination, port, detector } = pattern;
  const set = [source, destination, port, detector].filter((field) => field !== null).length;
  if (source === null && destination === null) {
    return set === 0
      ? "Still missing: the device or the destination, and one more field."
      : "Still missing: the device or the destination.";
  }
  return set < 2 ? "Still missing: one more field, such as the port or the detector." : null;
}

/**
 * The pattern that the form starts with: it covers all results, or, if they differ too much, those like the leading
 * one, because an empty form says nothing about the incident.
 */
export function firstPattern(incident: Pick<IncidentDetail, "model_results">): Pattern {
  const whole = patternOfIncident(incident);
  const leading = leadingResult(incident);
  if (missingOf(whole) === null || leading === null) return whole;
  return patternOfIncident({ model_results: [leading] });
}

/** Possible destinations: all names and addresses of an incident's results. */
export function destinationsOf({ model_results }: Pick<IncidentDetail, "model_results">): string[] {
  const named = model_results.flatMap((result) => result.destinations.flatMap(({ ip, name }) => [name, ip]));
  return [...new Set(named.filter((one) => one !== null))];
}

/** Form fields as the API takes them; empty fields are unset. */
export function patternOfFields(fields: Record<keyof Pattern, string>): Pattern {
  const text = (value: string) => value.trim() === "" ? null : value.trim();
  const port = text(fields.port);
  return {
    source: text(fields.source),
    destination: text(fields.destination),
    port: port === null ? null : Number(port),
    detector: text(fields.detector),
  };
}

/** Names of devices for a field; of equal names the later ones carry the identifier. */
export function namedDevices(devices: Iterable<readonly [id: string, name: string]>): Map<string, string> {
  const byName = new Map<string, string>();
  for (const [id, name] of devices) byName.set(byName.has(name) ? `${name} (${id})` : name, id);
  return byName;
}

/** The text of a source in the field. */
export function sourceText(source: string | null, devices: ReadonlyMap<string, string>): string {
  if (source === null) return "";
  return [...devices].find(([, id]) => id === source)?.[0] ?? source;
}

/** The device that the field names, otherwise its text: an address or a network. */
export function sourceOfText(text: string, devices: ReadonlyMap<string, string>): string {
  return devices.get(text.trim()) ?? text.trim();
}
