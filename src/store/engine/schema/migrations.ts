import access from "../../../../migrations/0002_access.sql" with { type: "text" };
import audit from "../../../../migrations/0014_audit.sql" with { type: "text" };
import cheaperFlows from "../../../../migrations/0026_cheaper_flows.sql" with { type: "text" };
import cheaperKeys from "../../../../migrations/0027_cheaper_keys.sql" with { type: "text" };
import cheaperWrites from "../../../../migrations/0024_cheaper_writes.sql" with { type: "text" };
import connectors from "../../../../migrations/0019_connectors.sql" with { type: "text" };
import detectorJournal from "../../../../migrations/0023_detector_journal.sql" with { type: "text" };
import detectorMemory from "../../../../migrations/0009_detector_memory.sql" with { type: "text" };
import facts from "../../../../migrations/0004_facts.sql" with { type: "text" };
import healthState from "../../../../migrations/0017_health_state.sql" with { type: "text" };
import incidentCounts from "../../../../migrations/0020_incident_counts.sql" with { type: "text" };
import identity from "../../../../migrations/0005_identity.sql" with { type: "text" };
import intel from "../../../../migrations/0006_intel.sql" with { type: "text" };
import inventory from "../../../../migrations/0007_inventory.sql" with { type: "text" };
import latestEnd from "../../../../migrations/0028_latest_end.sql" with { type: "text" };
import licenseTime from "../../../../migrations/0022_license_time.sql" with { type: "text" };
import narrowRows from "../../../../migrations/0003_narrow_rows.sql" with { type: "text" };
import responseActions from "../../../../migrations/0012_response_actions.sql" with { type: "text" };
import peersByTime from "../../../../migrations/0025_peers_by_time.sql" with { type: "text" };
import rareFlows from "../../../../migrations/0015_rare_flows.sql" with { type: "text" };
import reading from "../../../../migrations/0016_reading.sql" with { type: "text" };
import review from "../../../../migrations/0010_review.sql" with { type: "text" };
import sensorWatch from "../../../../migrations/0018_sensor_watch.sql" with { type: "text" };
import soleEvidence from "../../../../migrations/0008_sole_evidence.sql" with { type: "text" };
import stories from "../../../../migrations/0011_stories.sql" with { type: "text" };
import telemetryLog from "../../../../migrations/0021_telemetry_log.sql" with { type: "text" };
import walks from "../../../../migrations/0013_walks.sql" with { type: "text" };
import spine from "../../../../migrations/0001_spine.sql" with { type: "text" };

export interface Migration {
  version: number;
  name: string;
  text: string;
}

/** In order, without gaps; a file that was released is never edited (its checksum would no longer match). */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "spine", text: spine },
  { version: 2, name: "access", text: access },
  { version: 3, name: "narrow_rows", text: narrowRows },
  { version: 4, name: "facts", text: facts },
  { version: 5, name: "identity", text: identity },
  { version: 6, name: "intel", text: intel },
  { version: 7, name: "inventory", text: inventory },
  { version: 8, name: "sole_evidence", text: soleEvidence },
  { version: 9, name: "detector_memory", text: detectorMemory },
  { version: 10, name: "review", text: review },
  { version: 11, name: "stories", text: stories },
  { version: 12, name: "response_actions", text: responseActions },
  { version: 13, name: "walks", text: walks },
  { version: 14, name: "audit", text: audit },
  { version: 15, name: "rare_flows", text: rareFlows },
  { version: 16, name: "reading", text: reading },
  { version: 17, name: "health_state", text: healthState },
  { version: 18, name: "sensor_watch", text: sensorWatch },
  { version: 19, name: "connectors", text: connectors },
  { version: 20, name: "incident_counts", text: incidentCounts },
  { version: 21, name: "telemetry_log", text: telemetryLog },
  { version: 22, name: "license_time", text: licenseTime },
  { version: 23, name: "detector_journal", text: detectorJournal },
  { version: 24, name: "cheaper_writes", text: cheaperWrites },
  { version: 25, name: "peers_by_time", text: peersByTime },
  { version: 26, name: "cheaper_flows", text: cheaperFlows },
  { version: 27, name: "cheaper_keys", text: cheaperKeys },
  { version: 28, name: "latest_end", text: latestEnd },
];
