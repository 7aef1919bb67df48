import type { Tx } from "../database.ts";
import { textArray } from "../literals.ts";
import { sql } from "../sql.ts";

/**
 * Settings that the statements rely on, for each session: what an administrator sets for a database or a role, or an
 * `alter system`, must not change what is read or written.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  bytea_output: "hex",
  array_nulls: "on",
  standard_conforming_strings: "on",
  transform_null_equals: "off",
  default_transaction_isolation: "read committed",
  // `off` makes each statement fail that a policy would filter.
  row_security: "on",
  // An accepted batch must be on disk.
  synchronous_commit: "on",
  // Compilation costs more than running any of our statements.
  jit: "off",
  plan_cache_mode: "auto",
  enable_partition_pruning: "on",
};

/** The settings as the startup message of a connection carries them, where they take precedence over all others but `set`. */
export function startupOptions(): string {
  return Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`)
    .join(" ");
}

/** The server, and the settings of a session that differ from those that it asked for: `TimeZone is Europe/Berlin`. */
export async function serverFacts(tx: Tx): Promise<{ version: string; differing: string[]; fsync: boolean }> {
  const names = Object.keys(SESSION_SETTINGS);
  const rows = await tx.rows<{ name: string; value: string }>(sql`
    select n as name, current_setting(n) as value
    from unnest(${textArray([...names, "server_version", "fsync"])}::text[]) as t (n)`);
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const isAsAsked = (name: string) => values.get(name)!.split(",")[0] === SESSION_SETTINGS[name];
  return {
    version: values.get("server_version")!,
    differing: names.filter((name) => !isAsAsked(name)).map((name) => `${name} is ${values.get(name)}`),
    fsync: values.get("fsync") === "on",
  };
}
