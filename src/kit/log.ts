/**
 * Where a component writes what happened: a fixed message and named properties, never text put together from
 * input. The loggers of LogTape have this shape.
 */
export interface Log {
  debug(message: string, properties?: Record<string, unknown>): void;
  info(message: string, properties?: Record<string, unknown>): void;
  warn(message: string, properties?: Record<string, unknown>): void;
  error(message: string, properties?: Record<string, unknown>): void;
}

function nothing(): void {}

/** For whoever does not want to hear. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
