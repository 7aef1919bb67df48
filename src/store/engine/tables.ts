/**
 * The plain role that every request and job runs under. It is cluster-wide; each database grants it its own
 * tables.
 */
export const APP_ROLE = "ndr_app";

/**
 * Tables that belong to no tenant, the only ones without row-level security. A test compares this list with
 * the catalog.
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
  "clock_state",
  "write_probe",
];

/** Tables in which the plain role may neither update nor delete. */
export const APPEND_ONLY_TABLES = ["audit", "audit_outside"];

/** Tables in which the plain role may neither update nor delete, and whose owner deletes nothing either. */
export const INSERT_ONLY_TABLES = [...APPEND_ONLY_TABLES, "session_selection"];

/** A table that is range-partitioned by day on `column`, UTC. */
export interface PartitionedTable {
  name: string;
  column: string;
  /** Rows of the default partition expire by this column, because their own times cannot be trusted. */
  expiryColumn: string;
  /** Days kept beyond the retention, so that a row outlives the rows that refer to it. */
  extraDays: number;
}

/** Partitions are created this many days ahead, so that a few days without upkeep still find theirs. */
export const DAYS_AHEAD = 3;

/**
 * In the order in which a day is dropped: a record's key outlives everything derived from it, and its bytes
 * outlive the key.
 */
export const PARTITIONED_TABLES: PartitionedTable[] = [
  { name: "flow_term", column: "day", expiryColumn: "received_at", extraDays: 0 },
  { name: "term", column: "day", expiryColumn: "received_at", extraDays: 0 },
  { name: "dns_answer", column: "day", expiryColumn: "received_at", extraDays: 0 },
  { name: "flow", column: "anchor_at", expiryColumn: "received_at", extraDays: 0 },
  { name: "evidence", column: "observed_at", expiryColumn: "received_at", extraDays: 0 },
  { name: "raw_record", column: "observed_at", expiryColumn: "received_at", extraDays: 0 },
  // The source time of a record in a day partition may be this far after its receipt.
  { name: "raw_block", column: "received_at", expiryColumn: "received_at", extraDays: DAYS_AHEAD },
];
