import { formatJson } from "../../ui/json-text.ts";

type JsonLine = ReturnType<typeof formatJson>[number];

/** A line of a record's tree. */
export interface RecordLine extends JsonLine {
  /** The keys from the root, list positions as numbers. */
  path: readonly (string | number)[];
  /** Index of the line that closes the object or list which this line opens; null if it opens none. */
  closes: number | null;
}

interface Container {
  path: readonly (string | number)[];
  /** The position of the next member; null for an object. */
  next: number | null;
  line: number;
}

/** The record's exact text as lines, each with its path. Text that is no JSON keeps its lines. */
export function recordLines(json: string): RecordLine[] {
  const open: Container[] = [];
  const lines: RecordLine[] = [];
  formatJson(json).forEach((line, index) => {
    const [first] = line.tokens;
    const last = line.tokens.findLast(({ text }) => text !== ",");
    const isClosing = line.tokens.length <= 2 && (first?.text === "}" || first?.text === "]");
    if (isClosing) {
      const closed = open.pop();
      if (closed !== undefined) lines[closed.line]!.closes = index;
      lines.push({ ...line, path: closed?.path ?? [], closes: null });
      return;
    }
    const parent = open.at(-1);
    const path = parent === undefined ? [] : [...parent.path, memberOf(parent, first)];
    lines.push({ ...line, path, closes: null });
    if (last?.text === "{" || last?.text === "[") {
      open.push({ path, next: last.text === "[" ? 0 : null, line: index });
    }
  });
  return lines;
}

function memberOf(parent: Container, first: JsonLine["tokens"][number] | undefined): string | number {
  if (parent.next !== null) return parent.next++;
  return first?.kind === "key" ? decoded(first.text) : "";
}

/** The value of a JSON string; other tokens, and strings that are no JSON, as they are. */
export function decoded(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** A path as people write it: `dns.answers[0].rdata`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`,
    "",
  );
}
