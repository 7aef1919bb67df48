import type { HealthReport } from "../../health/health.ts";
import type { Session } from "../../session/session.ts";
import type { SiteReport } from "../../site.ts";

export const SITE: SiteReport = {
  site_id: "main",
  display_name: "Head office",
  home_coordinates: { latitude: 44.4268, longitude: 26.1025 },
  vlans: [{ vlan_id: 20, name: "Office", cidrs: ["10.0.0.0/24"] }],
  learning: { phase: "learning", days: 3, needed_days: 7 },
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
