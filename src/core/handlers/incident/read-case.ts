import type { FlowObservation } from "../../../contract/flow/flow.ts";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { CaseInput } from "../../../domain/incident/report/build-case.ts";
import { asShown } from "../../../store/device/group.ts";
import { leasesOfDevices } from "../../../store/device/dhcp-leases.ts";
import { deviceNames, devicesByIds } from "../../../store/device/read.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { flowsByIds } from "../../../store/flow/read.ts";
import { useRepeatableRead } from "../../../store/flow/list.ts";
import { type ShownFlow, shownFlow } from "../../../store/flow/shown-flows.ts";
import { keptByIds } from "../../../store/incident/kept-evidence.ts";
import { evidenceByLinks, evidenceLinks, incidentById } from "../../../store/incident/read.ts";
import { peopleNames } from "../../../store/session/people.ts";
import { deviceView } from "../device/view.ts";
import type { FlowPresenter } from "../flow/present.ts";
import { observationView } from "../flow/view.ts";
import type { GeoOf } from "../intel/intel-view.ts";
import { detail, MAX_EVIDENCE } from "./detail.ts";

/** Leases whose hardware addresses a case may show. */
const MAX_LEASES = 500;
/** Kept observations read at once: each is stored with its whole record, at most 256 KiB. */
const KEPT_AT_ONCE = 4;

interface CaseReads {
  presentFlows: FlowPresenter;
  geoOf: GeoOf;
}

/** What a case is built from, besides what the request and the configuration state. */
type CaseContent = Omit<CaseInput, "site" | "tlp" | "url">;

/**
 * Reads an incident with all that its case has, in one snapshot; `now` in microseconds.
 *
 * @throws ApiError not_found
 */
export async function readCase(
  tx: Tx,
  { tenantId, incidentId, now }: { tenantId: string; incidentId: string; now: number },
  { presentFlows, geoOf }: CaseReads,
): Promise<CaseContent> {
  await useRepeatableRead(tx);
  const row = await incidentById(tx, tenantId, incidentId);
  if (!row) throw new ApiError("not_found");
  const incident = await detail(tx, tenantId, row, { now, geoOf });
  const links = await evidenceLinks(tx, tenantId, incidentId, MAX_EVIDENCE);
  const states = await flowsByIds(tx, tenantId, [...new Set(links.map(({ flow_id }) => flow_id))]);
  const shown = await asShown(tx, tenantId, [...states.values()].map(shownFlow));
  const flows = await presentFlows(tx, tenantId, shown);
  const byId = new Map(shown.map((flow) => [flow.flowId, flow]));
  const observations = await observationsOf(tx, tenantId, { incident, links, flows: byId, geoOf });
  const ends = observations.flatMap(({ src, dst }) => [src, dst]).concat(
    flows.flatMap(({ src, dst }) => [src, dst]),
  );
  const endIds = ends.flatMap(({ device_id }) => device_id ?? []);
  const actors = incident.workflow_history.flatMap(({ actor, action, from, to }) =>
    action === "assigned" ? [actor, from, to] : [actor]
  );
  const [devices, leases, names, people] = await Promise.all([
    devicesByIds(tx, tenantId, incident.device_ids),
    leasesOfDevices(tx, tenantId, incident.device_ids, MAX_LEASES),
    deviceNames(tx, tenantId, [...new Set([...incident.device_ids, ...endIds])]),
    peopleNames(tx, tenantId, [...new Set([...actors, incident.assignee].filter((one) => one !== null))]),
  ]);
  return {
    incident,
    observations,
    flows,
    devices: devices.map((device) => ({
      ...deviceView(device),
      mac_addresses: [
        ...new Set(leases.filter(({ ip }) => device.addresses.includes(ip)).map(({ mac }) => mac)),
      ].sort(),
    })),
    deviceNames: names,
    people,
  };
}

/** The evidence as observations without their raw records, in the order of the incident. */
async function observationsOf(
  tx: Tx,
  tenantId: string,
  { incident, links, flows, geoOf }: {
    incident: IncidentDetail;
    links: Parameters<typeof evidenceByLinks>[2];
    flows: ReadonlyMap<string, ShownFlow>;
    geoOf: GeoOf;
  },
): Promise<FlowObservation[]> {
  const rows = await evidenceByLinks(tx, tenantId, links);
  const found = new Map(rows.flatMap((row) => {
    const flow = flows.get(row.flow_id);
    return flow === undefined ? [] : [[row.evidence_id, observationView(row, flow, null, geoOf)] as const];
  }));
  const gone = incident.evidence.map(({ evidence_id }) => evidence_id).filter((id) => !found.has(id));
  for (let at = 0; at < gone.length; at += KEPT_AT_ONCE) {
    for (const kept of await keptByIds(tx, tenantId, gone.slice(at, at + KEPT_AT_ONCE))) {
      const { src, dst } = kept;
      found.set(kept.evidence_id, {
        ...kept,
        raw: null,
        src: { ...src, geo: geoOf(src.ip) },
        dst: { ...dst, geo: geoOf(dst.ip) },
      });
    }
  }
  return incident.evidence.flatMap(({ evidence_id }) => found.get(evidence_id) ?? []);
}
