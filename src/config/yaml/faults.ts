/** Location of a fault: a file with line and column (from 1), or only a name without a file. */
export interface Place {
  file: string;
  line: number | null;
  column: number | null;
}

export interface Fault extends Place {
  /** What is wrong and what is expected; never a secret's value. */
  message: string;
}

/** Collects all faults of a configuration, so that an administrator can correct them at once. */
export class Faults {
  readonly list: Fault[] = [];

  add(place: Place, message: string): void {
    this.list.push({ ...place, message });
  }

  /** Throws a ConfigError with all collected faults; does nothing without any. */
  throwIfAny(): void {
    if (this.list.length > 0) throw new ConfigError(inOrder(this.list));
  }
}

/** The configuration cannot be used. The message has one line per fault: `file:line:column: what`. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly faults: readonly Fault[]) {
    const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
    super(`the configuration has ${count}:\n${faults.map((fault) => `  ${formatFault(fault)}`).join("\n")}`);
  }
}

/** File by file, from top to bottom. */
function inOrder(faults: readonly Fault[]): Fault[] {
  return [...Map.groupBy(faults, ({ file }) => file).values()].flatMap((ofFile) =>
    ofFile.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  );
}

export function formatFault(fault: Fault): string {
  return `${formatPlace(fault)}: ${fault.message}`;
}

/** `file:line:column`, as far as they are known. */
function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== null).join(":");
}

/** Where a configuration that could not be read has its faults; empty for another error. */
export function faultPlaces(error: unknown): string[] {
  return error instanceof ConfigError ? error.faults.map(formatPlace) : [];
}
