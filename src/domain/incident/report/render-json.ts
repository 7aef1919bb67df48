import type { IncidentCase } from "../../../contract/incident/case.ts";
import { stringifyJson } from "../../../kit/json/json.ts";

/** The case as it is, indented; counters keep every digit. */
export function renderJson(value: IncidentCase): string {
  return `${stringifyJson(value)}\n`;
}
