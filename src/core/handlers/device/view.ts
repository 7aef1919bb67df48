import type { Device, DeviceDetail } from "../../../contract/device/device.ts";
import type { DeviceProfile, PeerProfile } from "../../../domain/device/classify/profile.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { StoredFact } from "../../../store/device/facts.ts";
import type { DeviceRow, ScoreEntry } from "../../../store/device/read.ts";
import type { GrantedLease } from "../../../store/device/dhcp-leases.ts";
import type { HistoryEntry } from "../../../store/incident/history.ts";
import type { ObservedClassification } from "../../../store/device/classification.ts";
import type { StoredVlan } from "../../../store/device/vlans.ts";
import type { KnownMatch } from "../../../store/intel/match.ts";
import type { InventoryEvidence } from "../../../store/device/inventory.ts";
import { deviceFactsView } from "./facts-view.ts";
import { type GeoOf, intelMarker, intelMatchView } from "../intel/intel-view.ts";
import { inventoryView } from "./inventory-view.ts";

export function deviceView(row: DeviceRow): Device {
  return {
    device_id: row.device_id,
    display_name: row.display_name,
    display_name_source: row.display_name_source,
    device_type: row.device_type,
    classification_source: row.classification_source,
    confidence: row.confidence,
    owner: row.owner,
    tags: row.tags,
    addresses: row.addresses,
    vlan_ids: row.vlan_ids,
    first_seen: formatMillis(row.first_seen),
    last_seen: formatMillis(row.last_seen),
    score: row.score,
    incident_count: row.incident_count,
    revision: row.revision,
  };
}

export interface DetailParts {
  row: DeviceRow;
  profile: DeviceProfile;
  /** The flow traversal reached its limit. */
  truncated: boolean;
  facts: StoredFact[];
  leases: GrantedLease[];
  scores: ScoreEntry[];
  history: HistoryEntry[];
  /** Display names of peers that are known devices, by device id. */
  names: Map<string, string>;
  vlans: StoredVlan[];
  /** Names of the site's VLANs by id. */
  vlanNames: ReadonlyMap<number, string>;
  observed: ObservedClassification | null;
  inventory: InventoryEvidence[];
  /** Indicators that the device matched, newest first; `intelOf` returns those matched at a destination. */
  intel: KnownMatch[];
  intelOf: (ip: string) => KnownMatch[];
  geoOf: GeoOf;
}

export function deviceDetailView(parts: DetailParts): DeviceDetail {
  const peer = (profile: PeerProfile) => peerView(profile, parts.names, parts.geoOf);
  return {
    ...deviceView(parts.row),
    ...deviceFactsView(parts.facts, parts.leases),
    score_history: parts.scores.map((entry) => ({ ...entry, at: formatMillis(entry.at) })),
    pattern_grid: parts.profile.grid.map(({ weekday, hour, flowCount }) => ({
      weekday,
      hour,
      flow_count: flowCount,
    })),
    top_peers: parts.profile.peers.map(peer),
    top_destinations: parts.profile.destinations.map((profile) => ({
      ...peer(profile),
      ...intelMarker(parts.intelOf(profile.ip)),
    })),
    intel_matches: parts.intel.map(intelMatchView),
    services: parts.profile.services.map(({ flowCount, ...service }) => ({
      ...service,
      flow_count: flowCount,
    })),
    telemetry_truncated: parts.truncated,
    identities: [],
    merge_events: [],
    workflow_history: historyView(parts.history),
    vlans: parts.vlans.map(({ vlanId, source }) => ({
      vlan_id: vlanId,
      name: parts.vlanNames.get(vlanId) ?? null,
      source,
    })),
    observed_classification: parts.observed && {
      ...parts.observed,
      classified_at: formatMillis(parts.observed.classified_at),
    },
    inventory: parts.inventory.map(inventoryView),
  };
}

export function historyView(history: readonly HistoryEntry[]): DeviceDetail["workflow_history"] {
  return history.map((entry) => ({ ...entry, at: formatMillis(entry.at) }));
}

function peerView(
  profile: PeerProfile,
  names: Map<string, string>,
  geoOf: GeoOf,
): DeviceDetail["top_peers"][number] {
  return {
    ip: profile.ip,
    device_id: profile.deviceId,
    display_name: profile.deviceId === null ? null : names.get(profile.deviceId) ?? null,
    flow_count: profile.flowCount,
    bytes_out: profile.bytesOut,
    bytes_in: profile.bytesIn,
    first_seen: formatMillis(profile.firstSeen),
    last_seen: formatMillis(profile.lastSeen),
    geo: geoOf(profile.ip),
  };
}
