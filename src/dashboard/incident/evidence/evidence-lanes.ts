import type { IncidentDetail, ModelResult } from "../../../contract/incident/incident.ts";
import type { Severity } from "../../../contract/record/kinds.ts";

/** What a lane stands for. */
export type LaneBy = "detector" | "device";

/** One linked record on a lane. */
export interface LanedRecord {
  id: string;
  evidenceId: string;
  lane: string;
  at: string;
  severity: Severity;
  text: string;
}

interface EvidenceLanes {
  lanes: { id: string; text: string }[];
  events: LanedRecord[];
  window: { from: string; to: string };
}

/** The lane of records that no present scoring links. */
export const EARLIER = "earlier";

type Source = Pick<IncidentDetail, "evidence" | "model_results" | "device_names" | "severity">;

/**
 * Linked records on one lane per detector or device, strongest first. A record that several results link is on
 * each of their lanes; one that only former versions of the results link has a lane of its own.
 */
export function evidenceLanes(
  incident: Source,
  by: LaneBy,
  severityOf: (score: number) => Severity,
): EvidenceLanes {
  const items = new Map(incident.evidence.map((item) => [item.evidence_id, item]));
  const lanes = new Map<string, string>();
  const events = new Map<string, LanedRecord>();
  const laned = new Set<string>();
  const results = incident.model_results.toSorted((a, b) => b.score - a.score);
  for (const result of results) {
    const [lane, text] = laneOf(result, by, incident.device_names);
    const linked = result.evidence_ids.flatMap((id) => items.get(id) ?? []);
    if (linked.length > 0) lanes.set(lane, text);
    for (const { evidence_id, observed_at, summary } of linked) {
      laned.add(evidence_id);
      const id = `${lane} ${evidence_id}`;
      if (events.has(id)) continue;
      events.set(id, {
        id,
        evidenceId: evidence_id,
        lane,
        at: observed_at,
        severity: severityOf(result.score),
        text: summary,
      });
    }
  }
  const [only] = lanes.keys();
  for (const { evidence_id, observed_at, summary } of incident.evidence) {
    if (laned.has(evidence_id)) continue;
    const lane = lanes.size === 1 && only !== undefined ? only : EARLIER;
    if (!lanes.has(lane)) lanes.set(lane, "Former scorings");
    const id = `${lane} ${evidence_id}`;
    events.set(id, {
      id,
      evidenceId: evidence_id,
      lane,
      at: observed_at,
      // Its scoring is not kept; the incident's severity would make it look like the worst of them.
      severity: lane === EARLIER ? "info" : incident.severity,
      text: summary,
    });
  }
  const all = [...events.values()];
  return {
    lanes: [...lanes].map(([id, text]) => ({ id, text })),
    events: all,
    window: windowOf(all.map(({ at }) => Date.parse(at))),
  };
}

function laneOf(
  { model_id, device_id }: ModelResult,
  by: LaneBy,
  names: Readonly<Record<string, string>>,
): [id: string, text: string] {
  if (by === "detector") return [`detector ${model_id}`, model_id];
  return device_id === null
    ? ["no device", "No device of the site"]
    : [`device ${device_id}`, names[device_id] ?? device_id];
}

const LEAST_MARGIN = 1000;

/** The records' time with a margin on both sides, so that no mark touches the edge. */
function windowOf(times: number[]): { from: string; to: string } {
  const [first, last] = times.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)];
  const margin = Math.max(LEAST_MARGIN, (last - first) * 0.02);
  return { from: new Date(first - margin).toISOString(), to: new Date(last + margin).toISOString() };
}
