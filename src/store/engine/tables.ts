/** The plain role every request and job works under. It is cluster-wide; each database grants it its tables. */
export const APP_ROLE = "ndr_app";

/**
 * Tables that belong to no tenant: the only ones without row-level security. (`session`, `nonce` and
 * `schema_migration` come from other migrations.) A test compares this list with the catalogue.
 */
export const GLOBAL_TABLES = [
  "tenant",
  "lease",
  "session",
  "session_selection",
  "signed_nonce",
  "schema_migration",
  "audit_outside",
  "telemetry_log",
  "license_time",
];

/** Tables whose rows are added and never changed: the plain role may neither update nor delete there. */
export const APPEND_ONLY_TABLES = ["audit", "audit_outside"];

/** A table that is range-partitioned by day on `column`, UTC. */
export interface PartitionedTable {
  name: string;
  column: string;
  /** Rows of the default partition expire by this column, since its own times cannot be trusted. */
  expiryColumn: string;
  /** Days kept beyond the retention, so that what a row points to outlives the row. */
  extraDays: number;
}

/** Days made ahead, so that a night without upkeep finds its partitions. */
export const DAYS_AHEAD = 3;

/** In the order in which a day goes: the key of a record outlives what was made of it, and its bytes outlive the key. */
export const PARTITIONED_TABLES: PartitionedTable[] = [
  { name: "dns_answer", column: "day", expiryColumn: "received_at", extraDays: 0 },
  { name: "flow", column: "anchor_at", expiryColumn: "received_at", extraDays: 0 },
  { name: "evidence", column: "observed_at", expiryColumn: "received_at", extraDays: 0 },
  { name: "raw_record", column: "observed_at", expiryColumn: "received_at", extraDays: 0 },
  // A record may carry a source time that far after its receipt and still sit in a day partition.
  { name: "raw_block", column: "received_at", expiryColumn: "received_at", extraDays: DAYS_AHEAD },
];
