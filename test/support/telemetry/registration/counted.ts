import type { Heartbeat, HeartbeatField } from "../../../../src/contract/telemetry/heartbeat.ts";

/** New in every heartbeat, or identifies an installation or licence: not counted. */
type NotCounted = "schema_version" | "install_id" | "license_key_id_hash" | "sent_at";
type Counted = Exclude<HeartbeatField, NotCounted>;

/**
 * Every counted field of the table. Each is counted separately, so that related values are not stored
 * together.
 */
const VALUES_OF: { [Field in Counted]: (value: Heartbeat[Field]) => string[] } = {
  product_version: (value) => [value],
  bundle_version: (value) => [value],
  os_id: (value) => [value],
  os_version_major: (value) => [value],
  kernel_major: (value) => [value],
  arch: (value) => [value],
  plan: (value) => [value],
  tenant_count: (value) => [String(value)],
  device_bucket: (value) => [value],
  source_kinds: (value) => value,
  connector_counts: (value) => Object.entries(value).map(([type, count]) => `${type} ${count}`),
  uptime_bucket: (value) => [value],
  learning_phase: (value) => [value],
  ingest_error_bucket: (value) => [value],
};

/** Pairs of a field and one of its values. */
export function countedValues(heartbeat: Heartbeat): [string, string][] {
  const values = <Field extends Counted>(field: Field) =>
    VALUES_OF[field](heartbeat[field]).map((value): [string, string] => [field, value]);
  return (Object.keys(VALUES_OF) as Counted[]).flatMap((field) => values(field));
}
