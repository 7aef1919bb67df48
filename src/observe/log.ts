import { configureSync, getLogger, type LogRecord, resetSync } from "@logtape/logtape";
import type { LogLevel } from "../config/environment.ts";
import { stringifyJson } from "../kit/json/json.ts";
import { Redactor } from "./redactor.ts";
import { currentRequest } from "./request-scope.ts";

export type LogFields = Readonly<Record<string, unknown>>;

/** A component's logger. Messages are constant texts; variable parts go into the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggingOptions {
  level: LogLevel;
  /** Texts that must never be written, such as source tokens. */
  secrets?: Iterable<string>;
  /** Receives one line including its line end; default: standard error. */
  write?: (line: string) => void;
}

/**
 * The log of a process: one JSON object per line, with `time`, `level`, `logger`, `message` and the fields.
 */
export class Logging {
  readonly #redactor: Redactor;
  readonly #options: LoggingOptions;

  constructor(options: LoggingOptions) {
    this.#options = options;
    this.#redactor = new Redactor(options.secrets);
  }

  /** A process has one log: starting replaces a previously started one. */
  start(): void {
    const write = this.#options.write ?? writeToStderr;
    const level = this.#options.level === "warn" ? "warning" : this.#options.level;
    const lines = (record: LogRecord) => write(formatLine(record, this.#redactor));
    configureSync({
      reset: true,
      sinks: { lines },
      loggers: [
        { category: "ndr", sinks: ["lines"], lowestLevel: level },
        { category: ["logtape", "meta"], sinks: ["lines"], lowestLevel: "warning" },
      ],
    });
  }

  stop(): void {
    resetSync();
  }

  /** Returns a component's logger; the name appears as `logger` in its lines: `ingest`, `pipeline`. */
  logger(component: string): Logger {
    const target = getLogger(["ndr", component]);
    return {
      debug: (message, fields = {}) => target.debug(message, withRequestId(fields)),
      info: (message, fields = {}) => target.info(message, withRequestId(fields)),
      warn: (message, fields = {}) => target.warn(message, withRequestId(fields)),
      error: (message, fields = {}) => target.error(message, withRequestId(fields)),
    };
  }

  /** Adds secrets that are loaded while the process runs. */
  addSecrets(secrets: Iterable<string>): void {
    this.#redactor.add(secrets);
  }
}

/** Logs nothing; for tests and interactive tools. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Adds the id of the current request, if any. */
function withRequestId(fields: LogFields): LogFields {
  const request = currentRequest();
  return request === null ? fields : { request_id: request.requestId, ...fields };
}

const OWN_KEYS = new Set(["time", "level", "logger", "message"]);

function formatLine(record: LogRecord, redactor: Redactor): string {
  const line: Record<string, unknown> = {
    time: new Date(record.timestamp).toISOString(),
    level: record.level === "warning" ? "warn" : record.level,
    logger: record.category.at(-1) ?? "",
    // The raw text: braces in it are not placeholders.
    message: redactor.text(
      typeof record.rawMessage === "string" ? record.rawMessage : record.message.join(""),
    ),
  };
  const fields = redactor.value(record.properties) as Record<string, unknown>;
  for (const [key, value] of Object.entries(fields)) line[OWN_KEYS.has(key) ? `${key}_` : key] = value;
  return stringifyJson(line) + "\n";
}

function writeToStderr(line: string): void {
  const bytes = new TextEncoder().encode(line);
  try {
    for (let written = 0; written < bytes.length;) written += Deno.stderr.writeSync(bytes.subarray(written));
  } catch {
    // A log that cannot be written must not stop the service, and there is no other place to report it.
  }
}
