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
