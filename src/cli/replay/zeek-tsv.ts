// Zeek's tab-separated format, converted to the JSON that Zeek itself writes for the same record: one flat
// object, without unset fields, numbers with their digits.

import type { Unsent } from "./skips.ts";

type Converted = { json: string } | Unsent;

type Column = { key: string; type: string; element: string | null };

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const CONTAINER = /^(?:set|vector|table)\[(.+)\]$/;

/** Reads one log, header lines first; a later header (two logs in one file) replaces the earlier one. */
export class ZeekTsv {
  /** The log's name from `#path`, `null` without one. */
  path: string | null = null;

  #separator = "\t";
  #setSeparator = ",";
  #empty = reserved("(empty)");
  #unset = reserved("-");
  #fields: string[] = [];
  #columns: Column[] = [];

  /** Accepts a line that starts with `#`; those without meaning for the data are ignored. */
  header(line: string): void {
    if (line.startsWith("#separator ")) {
      this.#separator = unescape(line.slice("#separator ".length).trim());
      return;
    }
    const [name, ...values] = line.split(this.#separator);
    const value = values[0] ?? "";
    if (name === "#set_separator") this.#setSeparator = unescape(value);
    else if (name === "#empty_field") this.#empty = reserved(value);
    else if (name === "#unset_field") this.#unset = reserved(value);
    else if (name === "#path") this.path = unescape(value);
    else if (name === "#fields") {
      this.#fields = values;
      this.#columns = [];
    } else if (name === "#types") {
      this.#columns = values.length === this.#fields.length ? this.#fields.map(columnOf(values)) : [];
    }
  }

  /** Converts a data line. */
  convert(line: string): Converted {
    if (this.#columns.length === 0) {
      return { skip: "Zeek row without matching #fields and #types above it", unreadable: true };
    }
    const cells = line.split(this.#separator);
    if (cells.length !== this.#columns.length) {
      return { skip: "Zeek row whose number of columns differs from #fields", unreadable: true };
    }
    const members: string[] = [];
    for (const [index, column] of this.#columns.entries()) {
      const cell = cells[index]!;
      if (!this.#unset.includes(cell)) members.push(column.key + this.#value(cell, column));
    }
    return { json: "{" + members.join(",") + "}" };
  }

  #value(cell: string, column: Column): string {
    if (column.element === null) return this.#empty.includes(cell) ? '""' : scalar(cell, column.type);
    if (this.#empty.includes(cell)) return "[]";
    const element = column.element;
    const elements = cell.split(this.#setSeparator).map((item) => {
      if (this.#unset.includes(item)) return "null";
      return this.#empty.includes(item) ? '""' : scalar(item, element);
    });
    return "[" + elements.join(",") + "]";
  }
}

/** How rows may write a reserved value: Zeek escapes more characters (white space) in the header than in rows. */
function reserved(header: string): readonly string[] {
  return [header, unescape(header)];
}

function columnOf(types: string[]): (field: string, index: number) => Column {
  return (field, index) => {
    const type = types[index]!;
    const container = CONTAINER.exec(type);
    return { key: JSON.stringify(unescape(field)) + ":", type, element: container?.[1] ?? null };
  };
}

/** A value that does not match its type (`nan`, `inf`) stays text, so that nothing is lost. */
function scalar(text: string, type: string): string {
  switch (type) {
    case "time":
    case "interval":
    case "double":
    case "count":
    case "int":
    case "port":
      return JSON_NUMBER.test(text) ? text : JSON.stringify(unescape(text));
    case "bool":
      if (text === "T") return "true";
      return text === "F" ? "false" : JSON.stringify(unescape(text));
    default:
      return JSON.stringify(unescape(text));
  }
}

const ESCAPES = /\\\\|(?:\\x[0-9a-fA-F]{2})+/g;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes `\\` and `\xNN`, the escapes of Zeek's ASCII writer, from left to right: `\\x41` is the text `\x41`.
 * A backslash before anything else stands for itself, as Bro wrote it. Bytes that are not UTF-8 cannot be in
 * JSON and keep their escaped form, as in Zeek's own JSON logs.
 */
export function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPES, (run) => run === "\\\\" ? "\\" : decodeRun(run));
}

/** Decodes consecutive `\xNN`. */
function decodeRun(run: string): string {
  const bytes = new Uint8Array(run.length / 4);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(i * 4 + 2, i * 4 + 4), 16);
  let text = "";
  for (let i = 0; i < bytes.length;) {
    const length = utf8Length(bytes[i]!);
    const character = decodeUtf8(bytes.subarray(i, i + length));
    text += character ?? run.slice(i * 4, i * 4 + 4);
    i += character === null ? 1 : length;
  }
  return text;
}

/** Bytes of the character that begins with `lead`. */
function utf8Length(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
