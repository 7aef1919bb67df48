// The core's data for the web layer's `GET /metrics`: the numbers of the health report by tenant, without
// device names, addresses, domains, incidents or failure reasons.

import { z } from "@hono/zod-openapi";
import { CONNECTOR_STATES } from "../connector/connector.ts";
import { HEALTH_STATUSES, INCIDENT_STATUSES, SEVERITIES } from "../record/kinds.ts";

/** Route of the core for signed service requests, which name neither a tenant nor a role. */
export const METRICS_SNAPSHOT_PATH = "/internal/v1/metrics";

export const LICENSE_STATES = ["off", "valid", "grace", "expired", "invalid"] as const;
export type LicenseState = (typeof LICENSE_STATES)[number];

/** Seconds since the Unix epoch; the fraction is milliseconds. */
const UnixSeconds = z.number();

export const LicenseMetrics = z.object({
  /** False while licensing is disabled. */
  enabled: z.boolean(),
  state: z.enum(LICENSE_STATES),
  expires_at: UnixSeconds.nullable(),
  grace_until: UnixSeconds.nullable(),
  seats: z.number().int().nullable(),
});
export type LicenseMetrics = z.infer<typeof LicenseMetrics>;

export const UpdateMetrics = z.object({
  enabled: z.boolean(),
  /** A newer release is available. */
  available: z.boolean(),
  /** A newer release with a security fix is available. */
  available_security: z.boolean(),
  /** A newer release is available that this installation cannot install. */
  blocked: z.boolean(),
  last_check_at: UnixSeconds.nullable(),
  last_check_failed: z.boolean(),
});
export type UpdateMetrics = z.infer<typeof UpdateMetrics>;

export const ConnectorMetrics = z.object({
  instance: z.string(),
  connector: z.string(),
  state: z.enum(CONNECTOR_STATES),
  consecutive_failures: z.number(),
  items_last_hour: z.number(),
  last_success_at: UnixSeconds.nullable(),
  /** For webhooks: delivered, failed, rejected, dropped, pending. */
  counters: z.record(z.string(), z.number()),
});
export type ConnectorMetrics = z.infer<typeof ConnectorMetrics>;

/** One tenant. Values that cannot be read are null or missing, never stale. */
export const TenantMetrics = z.object({
  tenant_id: z.string(),
  status: z.enum(HEALTH_STATUSES),
  components: z.array(z.object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(HEALTH_STATUSES),
    lag_seconds: z.number(),
  })),
  ingest: z.object({
    events_last_5m: z.number(),
    unparsed_last_5m: z.number(),
    rejected_last_5m: z.number(),
  }).nullable(),
  /** All configured sensors; `last_event_at` is null before the first record. */
  feeds: z.array(z.object({
    sensor_id: z.string(),
    events_last_5m: z.number().nullable(),
    last_event_at: UnixSeconds.nullable(),
  })),
  capture_loss_percent: z.number().nullable(),
  /** Only existing combinations; null if they cannot be counted. */
  incidents: z.array(z.object({
    status: z.enum(INCIDENT_STATUSES),
    severity: z.enum(SEVERITIES),
    count: z.number(),
  })).nullable(),
  /** Results of the last 24 hours that joined a campaign incident; null if they cannot be counted. */
  results_joined: z.number().nullable(),
  connectors: z.array(ConnectorMetrics),
  /** Today's budgets in millionths of a US dollar, one per analyst provider with a budget. */
  analyst_budgets: z.array(z.object({
    provider: z.string(),
    limit: z.number(),
    reserved: z.number(),
    spent: z.number(),
  })),
});
export type TenantMetrics = z.infer<typeof TenantMetrics>;

/** `data` of `GET /internal/v1/metrics`. */
export const MetricsSnapshot = z.object({
  tenants: z.array(TenantMetrics),
  license: LicenseMetrics,
  update: UpdateMetrics,
});
export type MetricsSnapshot = z.infer<typeof MetricsSnapshot>;
