import type { EvidenceItem } from "../../../contract/flow/flow.ts";
import type { ModelResult } from "../../../contract/incident/incident.ts";
import { type IncidentTalk, MAX_SUMMED_DAYS, MAX_SUMMED_TALKS } from "../../../contract/incident/talk.ts";
import type { CaseFlow } from "../../../contract/incident/case.ts";
import { namedFlow } from "../../../domain/incident/parties.ts";
import { severityOf } from "../../../domain/incident/severity.ts";
import { namedTalks, sumOf, talkKey, talksOf, withAllFlows } from "../../../domain/incident/talks.ts";
import { asShown } from "../../../store/device/group.ts";
import { deviceNames as readDeviceNames } from "../../../store/device/read.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { type FlowPair, type PairSum, sumsBetween } from "../../../store/flow/between.ts";
import type { FlowWindow } from "../../../store/flow/filter.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";
import { namesOfFlows } from "../flow/names.ts";
import { flowView } from "../flow/view.ts";
import type { GeoOf } from "../intel/intel-view.ts";

interface TalksSource {
  /** Flows of the evidence that are retained. */
  flows: readonly ShownFlow[];
  /** Oldest first. */
  evidence: readonly EvidenceItem[];
  results: readonly ModelResult[];
  /** Names of the incident's devices by id. */
  deviceNames: Readonly<Record<string, string>>;
  geoOf: GeoOf;
  /** The incident's time. */
  window: FlowWindow;
}

/** Returns the pairs of ends in an incident's evidence, each with the totals of all its flows. Runs five statements. */
export async function incidentTalks(
  tx: Tx,
  tenantId: string,
  { flows, evidence, results, deviceNames, geoOf, window }: TalksSource,
): Promise<IncidentTalk[]> {
  const [shown, names] = await Promise.all([
    asShown(tx, tenantId, flows),
    namesOfFlows(tx, tenantId, flows),
  ]);
  const ends = shown.flatMap(({ srcDeviceId, dstDeviceId }) => [srcDeviceId, dstDeviceId]);
  const ids = [...new Set(ends)].filter((id) => id !== null);
  const found = await readDeviceNames(tx, tenantId, ids);
  const named = shown.map((flow) =>
    namedFlow(
      flowView(flow, { names: names.get(flow.flowId)!, vlanOf: () => null, geoOf, intel: [] }),
      { deviceNames: found },
    )
  );
  const findings = results.map((result) => ({ ...result, severity: severityOf(result.score) }));
  const talks = talksOf({ flows: named, evidence, findings });
  const sums = await allFlowsOf(tx, tenantId, { talks, flows, named }, window);
  const placed = new Set(talks.flatMap(({ evidence_ids }) => evidence_ids));
  const unplaced = evidence.map(({ evidence_id }) => evidence_id).filter((id) => !placed.has(id));
  return [
    ...withAllFlows(talks, sums),
    ...namedTalks({ results: findings, flows: named, unplaced, deviceNames }),
  ];
}

const MINUTE = 60_000_000;
const DAY = 1440 * MINUTE;
/** Addresses with which a pair's devices appear in the evidence. */
const MAX_ADDRESSES = 4;

/** What all flows of each talk add up to, by `talkKey`: evidence is often a small part of them. */
async function allFlowsOf(
  tx: Tx,
  tenantId: string,
  { talks, flows, named }: {
    talks: readonly IncidentTalk[];
    flows: readonly ShownFlow[];
    named: readonly CaseFlow[];
  },
  { from, to }: FlowWindow,
): Promise<Map<string, IncidentTalk["all_flows"]>> {
  if (to - from > MAX_SUMMED_DAYS * DAY) return new Map();
  const stored = new Map(flows.map((flow) => [flow.flowId, flow]));
  const byTalk = Map.groupBy(named, talkKey);
  const keys: string[] = [];
  const pairs: FlowPair[] = [];
  for (const talk of talks.slice(0, MAX_SUMMED_TALKS)) {
    const key = talkKey(talk);
    const found = new Map((byTalk.get(key) ?? []).map(({ flow_id }) => {
      const pair = pairOf(stored.get(flow_id)!);
      return [`${pair.src.ip} ${pair.dst.ip}`, pair] as const;
    }));
    if (found.size > MAX_ADDRESSES) continue;
    pairs.push(...found.values());
    keys.push(...Array.from(found, () => key));
  }
  const sums = await sumsBetween(tx, tenantId, pairs, { from: from - MINUTE, to: to + MINUTE });
  const parts = Map.groupBy(sums.map((sum, at) => ({ sum, key: keys[at]! })), ({ key }) => key);
  return new Map([...parts].map(([key, own]) => [key, addedUp(own.map(({ sum }) => sum))]));
}

function pairOf({ src, dst, srcDeviceId, dstDeviceId }: ShownFlow): FlowPair {
  return { src: { ip: src.ip, deviceId: srcDeviceId }, dst: { ip: dst.ip, deviceId: dstDeviceId } };
}

function addedUp(sums: readonly (PairSum | null)[]): IncidentTalk["all_flows"] {
  const known = sums.filter((sum) => sum !== null);
  if (known.length < sums.length) return null;
  return {
    flows: known.reduce((all, { flows }) => all + flows, 0),
    bytes_out: sumOf(known.map(({ srcBytes }) => srcBytes)),
    bytes_in: sumOf(known.map(({ dstBytes }) => dstBytes)),
  };
}
