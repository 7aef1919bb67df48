import type { Incident } from "../../../contract/incident/incident.ts";
import { type Target, to } from "../../base/links.ts";
import { windowAround } from "./incident-window.ts";

/** The map of all devices and addresses of the incident's evidence, while it happened. */
export function mapOfIncident(incident: Pick<Incident, "id" | "first_seen" | "last_seen">): Target {
  const { from, to: end } = windowAround(incident);
  return to.map({ filter: `incident:${incident.id}`, incident: incident.id, scope: `${from}/${end}` });
}
