import {
  type Architecture,
  ARCHITECTURES,
  type Heartbeat,
  HEARTBEAT_SCHEMA_VERSION,
  SOURCE_CATEGORIES,
  type SourceCategory,
} from "../../../contract/telemetry/heartbeat.ts";
import { CONNECTOR_IDS } from "../../../contract/connector/connector.ts";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { LearningPhase } from "../../detect/kernel/learning.ts";
import { deviceBucket, errorBucket, uptimeBucket } from "./buckets.ts";
import { checkHeartbeat } from "./check.ts";
import type { HeartbeatFacts, TenantFacts } from "./facts.ts";
import { osOf, UNKNOWN } from "./os-release.ts";
import type { Violation } from "./violation.ts";

/** A payload: the only text that may be sent, and the violations that forbid it. */
export interface PreparedHeartbeat {
  payload: Heartbeat;
  text: string;
  violations: Violation[];
}

/**
 * Builds and serialises the payload and runs both guards. Only `text` may be sent, byte for byte, and only
 * without violations.
 */
export function prepareHeartbeat(facts: HeartbeatFacts): PreparedHeartbeat {
  const payload = buildHeartbeat(facts);
  const text = JSON.stringify(payload);
  return { payload, text, violations: checkHeartbeat(text) };
}

/** Every field of the table and no other, in its order. The guards verify this independently. */
export function buildHeartbeat(facts: HeartbeatFacts): Heartbeat {
  const { machine, license, tenants } = facts;
  const os = osOf(machine.osRelease);
  return {
    schema_version: HEARTBEAT_SCHEMA_VERSION,
    install_id: facts.installId,
    product_version: facts.productVersion,
    bundle_version: facts.bundleVersion,
    os_id: os.id,
    os_version_major: os.versionMajor,
    kernel_major: kernelMajor(machine.kernelRelease),
    arch: architecture(machine.arch),
    plan: license.plan,
    license_key_id_hash: license.plan === "pro" ? license.keyIdHash : null,
    tenant_count: tenants.length,
    device_bucket: deviceBucket(sum(tenants, ({ devices }) => devices)),
    source_kinds: sourceKinds(facts.recordKinds),
    connector_counts: connectorCounts(tenants),
    uptime_bucket: uptimeBucket(machine.uptimeSeconds ?? 0),
    learning_phase: learningOf(tenants),
    ingest_error_bucket: errorBucket(sum(tenants, ({ ingestErrors }) => ingestErrors)),
    sent_at: formatMillis(facts.now),
  };
}

function kernelMajor(release: string | null): string {
  return /^(\d{1,2})\.\d/.exec(release ?? "")?.[1] ?? UNKNOWN;
}

function architecture(name: string): Architecture {
  return ARCHITECTURES.find((known) => known === name) ?? "other";
}

/** One entry per category, in the table's order. */
function sourceKinds(kinds: Iterable<RecordKind>): SourceCategory[] {
  const prefixes = new Set([...kinds].map((kind) => kind.split(".")[0]));
  return SOURCE_CATEGORIES.filter((category) => prefixes.has(category));
}

/** Instances per connector type the product ships; never arbitrary text. */
function connectorCounts(tenants: readonly TenantFacts[]): Heartbeat["connector_counts"] {
  const counts: Heartbeat["connector_counts"] = {};
  for (const id of CONNECTOR_IDS) {
    const count = sum(tenants, ({ connectors }) => connectors.get(id) ?? 0);
    if (count > 0) counts[id] = count;
  }
  return counts;
}

/** An installation is learning while any of its tenants is; unknown without records. */
function learningOf(tenants: readonly TenantFacts[]): LearningPhase {
  const phases = new Set(tenants.map(({ learning }) => learning));
  if (phases.has("learning")) return "learning";
  return phases.has("complete") ? "complete" : "unknown";
}

function sum(tenants: readonly TenantFacts[], of: (tenant: TenantFacts) => number): number {
  return tenants.reduce((total, tenant) => total + of(tenant), 0);
}
