import type { HealthReport } from "../../health.ts";
import type { Session } from "../../session.ts";
import type { SiteReport } from "../../site.ts";

export const SITE: SiteReport = {
  site_id: "main",
  display_name: "Head office",
  home_coordinates: { latitude: 44.4268, longitude: 26.1025 },
  vlans: [{ vlan_id: 20, name: "Office", cidrs: ["10.0.0.0/24"] }],
  learning: { phase: "learning", days: 3, needed_days: 7 },
};

const telemetry = {
  id: "telemetry",
  kind: "telemetry",
  status: "unavailable",
  last_event_at: null,
  lag_seconds: 0,
  message: "disabled",
} as const;

export const HEALTH: HealthReport = {
  status: "ok",
  watermark: "2026-01-31T07:15:00.000Z",
  components: [
    {
      id: "appliance",
      kind: "appliance",
      status: "ok",
      last_event_at: "2026-01-31T07:15:00.000Z",
      lag_seconds: 20,
      message: null,
    },
    { id: "store", kind: "store", status: "ok", last_event_at: null, lag_seconds: 0, message: null },
    {
      id: "sensor:zeek-1",
      kind: "sensor",
      status: "ok",
      last_event_at: "2026-01-31T07:15:00.000Z",
      lag_seconds: 20,
      message: null,
    },
    { id: "pipeline", kind: "pipeline", status: "ok", last_event_at: null, lag_seconds: 0, message: null },
    telemetry,
  ],
  ingest: { events_last_5m: 1240, unparsed_last_5m: 2, rejected_last_5m: 0, oldest_buffered_at: null },
  capture: { loss_percent: 0.02, sampled_at: "2026-01-31T07:10:00.000Z" },
  telemetry: { ...telemetry, last_payload: null },
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
