import type { Device, DeviceDetail } from "../../contract/device.ts";
import type { DeviceProfile, PeerProfile } from "../../domain/device/profile.ts";
import { formatMillis } from "../../kit/time.ts";
import type { DeviceRow, DomainCount, ScoreEntry } from "../../store/device-read.ts";
import type { HistoryEntry } from "../../store/history.ts";

export function deviceView(row: DeviceRow): Device {
  return {
    device_id: row.device_id,
    display_name: row.display_name,
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
  /** The bounded traversal met its limit. */
  truncated: boolean;
  domains: DomainCount[];
  scores: ScoreEntry[];
  history: HistoryEntry[];
  /** Display names of the peers that are devices. */
  names: Map<string, string>;
}

export function deviceDetailView(parts: DetailParts): DeviceDetail {
  const peer = (profile: PeerProfile) => peerView(profile, parts.names);
  return {
    ...deviceView(parts.row),
    mac_addresses: [],
    score_history: parts.scores.map((entry) => ({ ...entry, at: formatMillis(entry.at) })),
    pattern_grid: parts.profile.grid.map(({ weekday, hour, flowCount }) => ({
      weekday,
      hour,
      flow_count: flowCount,
    })),
    top_peers: parts.profile.peers.map(peer),
    top_destinations: parts.profile.destinations.map((profile) => ({
      ...peer(profile),
      threat_intelligence: false,
    })),
    services: parts.profile.services.map(({ flowCount, ...service }) => ({
      ...service,
      flow_count: flowCount,
    })),
    domains: parts.domains.map(({ domain, count, lastSeen }) => ({
      domain,
      count,
      last_seen: formatMillis(lastSeen),
    })),
    fingerprints: [],
    user_agents: [],
    telemetry_truncated: parts.truncated,
    identities: [],
    merge_events: [],
    workflow_history: historyView(parts.history),
  };
}

export function historyView(history: readonly HistoryEntry[]): DeviceDetail["workflow_history"] {
  return history.map((entry) => ({ ...entry, at: formatMillis(entry.at) }));
}

function peerView(profile: PeerProfile, names: Map<string, string>): DeviceDetail["top_peers"][number] {
  return {
    ip: profile.ip,
    device_id: profile.deviceId,
    display_name: profile.deviceId === null ? null : names.get(profile.deviceId) ?? null,
    flow_count: profile.flowCount,
    bytes_out: profile.bytesOut,
    bytes_in: profile.bytesIn,
    first_seen: formatMillis(profile.firstSeen),
    last_seen: formatMillis(profile.lastSeen),
  };
}
