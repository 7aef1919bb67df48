import type { FailedRecord } from "../../record/failed-record.ts";
import type { SensorCoverage } from "../../health/coverage.ts";
import type { HealthReport, HealthTransition } from "../../health/health.ts";
import type { Session } from "../../session/session.ts";
import type { SiteReport } from "../../site.ts";
import type { Summary } from "../../summary.ts";
import type { Person } from "../../session/person.ts";
import { INCIDENT_ID, PERSON_SUBJECT, TRANSITION_ID } from "./ids.ts";

export const SITE: SiteReport = {
  site_id: "main",
  display_name: "Head office",
  home_coordinates: { latitude: 44.4268, longitude: 26.1025 },
  vlans: [{ vlan_id: 20, name: "Office", cidrs: ["10.0.0.0/24"] }],
  time_zone: "Europe/Bucharest",
  learning: { phase: "learning", days: 3, needed_days: 7 },
  require_second_person: false,
};

const SEEN = { last_event_at: "2026-01-31T07:15:00.000Z", lag_seconds: 20 };

function component(
  id: string,
  kind: string,
  more: Partial<HealthReport["components"][number]> = {},
): HealthReport["components"][number] {
  return {
    id,
    kind,
    status: "ok",
    last_event_at: null,
    lag_seconds: 0,
    message: null,
    since: null,
    expected_within_seconds: null,
    events_last_5m: null,
    connector: null,
    ...more,
  };
}

const telemetry = component("telemetry", "telemetry", { status: "unavailable", message: "disabled" });
const update = component("update", "update", { status: "unavailable", message: "disabled" });

export const COVERAGE: SensorCoverage = {
  hours: ["2026-01-31T06:00:00.000Z", "2026-01-31T07:00:00.000Z"],
  sensors: [
    { sensor_id: "suricata-1", received: [false, null] },
    { sensor_id: "zeek-1", received: [true, true] },
  ],
};

export const HEALTH: HealthReport = {
  status: "ok",
  watermark: "2026-01-31T07:15:00.000Z",
  components: [
    component("appliance", "appliance", SEEN),
    component("store", "store"),
    component("sensor:zeek-1", "sensor", { ...SEEN, expected_within_seconds: 900, events_last_5m: 1240 }),
    component("pipeline", "pipeline"),
    component("disk", "disk"),
    component("connector:soc", "connector", {
      last_event_at: "2026-01-31T06:40:12.310Z",
      lag_seconds: 2108,
      since: "2026-01-30T18:02:44.000Z",
      connector: {
        connector: "webhook",
        state: "ok",
        failure_class: null,
        consecutive_failures: 0,
        counters: { delivered: 31, failed: 1, rejected: 0, dropped: 0, pending: 0 },
      },
    }),
    component("license", "license", { message: "off" }),
    telemetry,
    update,
  ],
  ingest: { events_last_5m: 1240, unparsed_last_5m: 2, rejected_last_5m: 0, oldest_buffered_at: null },
  capture: { loss_percent: 0.02, sampled_at: "2026-01-31T07:10:00.000Z" },
  telemetry: { ...telemetry, last_payload: null },
  update: { ...update, release: null },
};

export const SESSION: Session = {
  subject: "ada",
  display_name: "Ada Analyst",
  tenants: [
    { tenant_id: "main", display_name: "Head office", roles: ["analyst"] },
    { tenant_id: "branch", display_name: "Branch office", roles: ["reader"] },
  ],
  selected_tenant: "main",
  csrf_token: "dGhpcyBpcyBhIHRva2VuIG9mIHRoZSBzZXNzaW9uIQ",
};

export const UNPARSED_RECORD: FailedRecord = {
  record_id: "9a2c51f0c7b84d5f8e1f6f0b7a3e2d1c0b9a8f7e6d5c4b3a29180706f5e4d3c2",
  status: "unparsed",
  sensor_id: "zeek-1",
  source: "zeek",
  kind: "zeek.conn",
  received_at: "2026-01-31T07:14:40.000Z",
  observed_at: "2026-01-31T07:14:38.250Z",
  reason: "id.orig_h: expected an address",
  raw:
    '{"ts":1769843678.25,"uid":"C8kDb52","id.orig_p":50814,"id.resp_h":"198.51.100.7","id.resp_p":443,"proto":"tcp"}',
  raw_bytes: 111,
  truncated: false,
};

export const SUMMARY: Summary = {
  open_incidents: 12,
  high_incidents: 3,
  unassigned_incidents: 8,
  mine: 2,
  pending_decisions: 1,
  pending_proposals: 0,
  newest_incident: { id: INCIDENT_ID, revision: 3, last_seen: "2026-01-31T07:11:30.000Z" },
  incident_mark: "482",
  device_mark: "9120-482-17",
  flow_mark: "9120",
  decision_mark: "6",
  health: "ok",
  watermark: "2026-01-31T07:15:18.000Z",
};

export const PERSON: Person = {
  subject: PERSON_SUBJECT,
  name: "Ada Analyst",
  roles: ["analyst"],
  last_seen: "2026-01-31T06:58:00.000Z",
};

export const HEALTH_TRANSITION: HealthTransition = {
  transition_id: TRANSITION_ID,
  at: "2026-01-31T06:41:30.000Z",
  component_id: "sensor:zeek-1",
  kind: "sensor",
  from: "ok",
  to: "stale",
  message: null,
};
