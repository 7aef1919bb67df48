import type { TenantMetrics } from "../../../src/contract/health/metrics.ts";
import type { MetricsView } from "../../../src/observe/metrics.ts";

/** A view with a value for every metric that `/metrics` can expose. */
export function fullView(more: Partial<MetricsView> = {}, tenant: Partial<TenantMetrics> = {}): MetricsView {
  return {
    version: "1.2.3",
    generatedAt: 1_769_843_700.125,
    tenants: [{
      tenant_id: "main",
      status: "degraded",
      components: [
        { id: "appliance", kind: "appliance", status: "degraded", lag_seconds: 3 },
        { id: "store", kind: "store", status: "ok", lag_seconds: 0 },
        { id: "sensor:zeek-1", kind: "sensor", status: "stale", lag_seconds: 1800 },
        { id: "connector:siem", kind: "connector", status: "unavailable", lag_seconds: 60 },
      ],
      ingest: { events_last_5m: 9000, unparsed_last_5m: 12, rejected_last_5m: 0 },
      feeds: [
        { sensor_id: "zeek-1", events_last_5m: 9000, last_event_at: 1_769_843_699.5 },
        { sensor_id: "suricata-1", events_last_5m: 0, last_event_at: null },
      ],
      capture_loss_percent: 0.25,
      incidents: [{ status: "open", severity: "high", count: 2 }],
      results_joined: 7,
      connectors: [{
        instance: "siem",
        connector: "webhook",
        state: "error",
        consecutive_failures: 4,
        items_last_hour: 17,
        last_success_at: 1_769_843_640,
        counters: { delivered: 20, failed: 4, rejected: 1, dropped: 0, pending: 6 },
      }],
      analyst_budgets: [{ provider: "ollama", limit: 5_000_000, reserved: 20_000, spent: 1_250_000 }],
      ...tenant,
    }],
    license: {
      enabled: true,
      state: "grace",
      expires_at: 1_769_800_000,
      grace_until: 1_770_059_200,
      seats: 3,
    },
    update: {
      enabled: true,
      available: true,
      available_security: false,
      blocked: false,
      last_check_at: 1_769_800_100,
      last_check_failed: false,
    },
    ...more,
  };
}
