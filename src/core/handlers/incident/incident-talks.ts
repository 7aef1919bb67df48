import type { EvidenceItem } from "../../../contract/flow/flow.ts";
import type { ModelResult } from "../../../contract/incident/incident.ts";
import type { IncidentTalk } from "../../../contract/incident/talk.ts";
import { namedFlow } from "../../../domain/incident/parties.ts";
import { severityOf } from "../../../domain/incident/severity.ts";
import { namedTalks, talksOf } from "../../../domain/incident/talks.ts";
import { asShown } from "../../../store/device/group.ts";
import { deviceNames as readDeviceNames } from "../../../store/device/read.ts";
import type { Tx } from "../../../store/engine/database.ts";
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
}

/** Who talked to whom in the evidence of an incident; takes three statements. */
export async function incidentTalks(
  tx: Tx,
  tenantId: string,
  { flows, evidence, results, deviceNames, geoOf }: TalksSource,
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
  const placed = new Set(talks.flatMap(({ evidence_ids }) => evidence_ids));
  const unplaced = evidence.map(({ evidence_id }) => evidence_id).filter((id) => !placed.has(id));
  return [...talks, ...namedTalks({ results: findings, flows: named, unplaced, deviceNames })];
}
