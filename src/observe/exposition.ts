// The Prometheus text format, version 0.0.4, for gauges.

export type Labels = Readonly<Record<string, string>>;

/** Adds one series to the text. */
export type Series = (labels: Labels, value: number) => void;

/** Builds a response body; metric families keep the order of their creation. */
export class Exposition {
  readonly #families: string[][] = [];

  /**
   * Adds a gauge. `help` is one line of plain text. A gauge without series still has its HELP and TYPE lines.
   */
  gauge(name: string, help: string): Series {
    const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} gauge`];
    this.#families.push(lines);
    return (labels, value) => void lines.push(`${name}${labelText(labels)} ${valueText(value)}`);
  }

  toString(): string {
    return this.#families.map((lines) => lines.join("\n") + "\n").join("");
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** The format escapes three characters; other control characters and invalid text break some parsers. */
function escapeLabel(value: string): string {
  return value.toWellFormed()
    .replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    .replace(/\p{Cc}/gu, "\ufffd");
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function valueText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
