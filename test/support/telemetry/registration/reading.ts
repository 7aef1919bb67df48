import { DatabaseSync } from "node:sqlite";
import type { Heartbeat } from "../../../../src/contract/telemetry/heartbeat.ts";

type Row = Record<string, unknown>;

/** Every row of every table in a registration server's file, in key order. */
export function readLedger(
  path: string,
): Record<"registration" | "heartbeat" | "daily_aggregate" | "counted_day", Row[]> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const names = db.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    const tables = names.map(({ name }) =>
      [name, db.prepare(`select * from "${name}" order by 1`).all()] as const
    );
    return Object.fromEntries(
      tables.map(([name, rows]) => [name, rows.map((row) => ({ ...row }))]),
    ) as ReturnType<
      typeof readLedger
    >;
  } finally {
    db.close();
  }
}

export function sampleHeartbeat(installId: string, more: Partial<Heartbeat> = {}): Heartbeat {
  return {
    schema_version: 1,
    install_id: installId,
    product_version: "0.1.0",
    bundle_version: "0.1.0-1",
    os_id: "debian",
    os_version_major: "12",
    kernel_major: "6",
    arch: "x86_64",
    plan: "free",
    license_key_id_hash: null,
    tenant_count: 2,
    device_bucket: "51-200",
    source_kinds: ["suricata", "zeek"],
    connector_counts: { webhook: 1 },
    uptime_bucket: "7-30d",
    learning_phase: "complete",
    ingest_error_bucket: "0",
    sent_at: "2026-01-31T07:15:00.000Z",
    ...more,
  };
}
