/** What one check found. */
export interface Finding {
  check: string;
  status: "pass" | "warn" | "fail" | "skip";
  /** One line. */
  message: string;
  /** The command that mends it, for a shell of root; null for pass and skip. */
  remedy: string | null;
}

/** The findings of one check. */
export class Check {
  readonly findings: Finding[] = [];

  constructor(private readonly check: string) {}

  pass(message: string): void {
    this.#add("pass", message, null);
  }

  skip(message: string): void {
    this.#add("skip", message, null);
  }

  warn(message: string, remedy: string): void {
    this.#add("warn", message, remedy);
  }

  fail(message: string, remedy: string): void {
    this.#add("fail", message, remedy);
  }

  #add(status: Finding["status"], message: string, remedy: string | null): void {
    this.findings.push({ check: this.check, status, message: message.replaceAll(/\s*\n\s*/g, "; "), remedy });
  }
}

const STATUS_WIDTH = 6;

/** Lines for people: each finding, below it the command that mends it, at the end the counts. */
export function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, message, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}${check.padEnd(width)}  ${message}`,
    ...remedy === null ? [] : [`${" ".repeat(STATUS_WIDTH + width)}  mend: ${remedy}`],
  ]);
  const counts = (["pass", "warn", "fail", "skip"] as const).map((status) =>
    `${findings.filter((finding) => finding.status === status).length} ${status}`
  );
  return [...lines, "", counts.join(", ")];
}
