import { type Columns, readHeader, readRow, separatorOf, shortened } from "./columns.ts";
import { type Indicator, type IntelFault, type ListReport, quoted, type Refusal } from "./indicator.ts";
import type { Annotation, IntelBuilder } from "./intel-builder.ts";
import { readIndicator } from "./read-indicator.ts";
import { splitRow } from "./split-row.ts";

/** Faults kept per list; further ones are only counted. */
export const MAX_FAULTS = 20;
const MAX_LINE = 65_536;
const NO_ANNOTATION: Annotation = { description: null, confidence: null };

/** Addresses hosts files map blocked names to. */
const SINKHOLES = new Set(["0.0.0.0", "127.0.0.1", "::", "::1"]);
/** Entries of every ordinary hosts file. */
const HOSTS_FILE_NAMES = new Set([
  "0.0.0.0",
  "broadcasthost",
  "ip6-allhosts",
  "ip6-allnodes",
  "ip6-allrouters",
  "ip6-localhost",
  "ip6-localnet",
  "ip6-loopback",
  "ip6-mcastprefix",
  "local",
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost6",
]);

/**
 * Parses one list, given in chunks of any size, into a builder. The format follows from the name and the
 * lines:
 *
 * - one indicator per line, optionally followed by white space, `#` or `;` and a description
 * - a hosts file: `0.0.0.0 evil.example`, which matches this exact name only
 * - a table with commas, semicolons or tabs, whose header line (possibly a comment) names the columns (see
 *   columns.ts); without a header the first field that is an indicator counts, described by the next field
 *
 * Comments start with `#`, `;` or `//`. An unusable line is reported and does not affect the others.
 */
export function parseList(name: string, pieces: Iterable<string>, builder: IntelBuilder): ListReport {
  const parser = new ListParser(name, builder);
  let rest = "";
  let tooLong = false;
  for (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      parser.line(tooLong ? null : rest + piece.slice(start, end));
      rest = "";
      tooLong = false;
      start = end + 1;
    }
    if (!tooLong) rest += piece.slice(start);
    if (rest.length > MAX_LINE) {
      rest = "";
      tooLong = true;
    }
  }
  if (tooLong || rest !== "") parser.line(tooLong ? null : rest);
  return parser.report;
}

class ListParser {
  readonly report: ListReport;
  readonly #isTable: boolean;
  #line = 0;
  #columns: Columns | null = null;
  #hasRows = false;

  constructor(name: string, private readonly builder: IntelBuilder) {
    this.report = { name, indicators: 0, skipped: 0, faulty: 0, faults: [] };
    this.#isTable = /\.(csv|tsv)$/i.test(name);
    builder.beginList(name);
  }

  /** Parses the next line; null stands for one that is too long. */
  line(raw: string | null): void {
    this.#line++;
    if (raw === null || raw.length > MAX_LINE) {
      return this.#fault(`expected a line of at most ${MAX_LINE} characters`);
    }
    const text = raw.trim();
    if (text === "") return;
    if (text.includes("\0")) return this.#fault("expected UTF-8 text");
    if (isComment(text)) return this.#comment(text);
    if (!this.#hasRows && this.#columns === null && this.#header(text)) return;
    this.#hasRows = true;
    if (this.#columns !== null && text.includes(this.#columns.separator)) this.#row(text, this.#columns);
    else if (this.#isTable || isRow(text)) this.#bareRow(text);
    else this.#plain(text);
  }

  #comment(text: string): void {
    if (this.#hasRows) return;
    const inside = text.replace(/^[#;/]+\s*/, "").replace(/^fields\t/, "");
    this.#columns = readHeader(inside, true) ?? this.#columns;
  }

  #header(text: string): boolean {
    const columns = readHeader(text, false);
    if (columns === null) return false;
    this.#columns = columns;
    return true;
  }

  #row(text: string, columns: Columns): void {
    const row = readRow(text, columns);
    if (row === null || row.hint === "other") {
      this.report.skipped++;
      return;
    }
    const read = readIndicator(row.value, row.hint);
    // Concatenated tables repeat their headers.
    if ("expected" in read && this.#header(text)) return;
    this.#take(read, row.annotation);
  }

  #bareRow(text: string): void {
    const fields = splitRow(text, separatorOf(text));
    let refusal: Refusal | null = null;
    for (const [at, field] of fields.entries()) {
      if (field === "") continue;
      const read = readIndicator(field);
      if (!("expected" in read)) return this.#take(read, annotationOf(fields[at + 1] ?? ""));
      refusal ??= read;
    }
    this.#take(refusal ?? { expected: `expected an indicator, got ${quoted(text)}` }, NO_ANNOTATION);
  }

  #plain(text: string): void {
    const end = text.search(/\s/);
    const first = end === -1 ? text : text.slice(0, end);
    const rest = end === -1 ? "" : text.slice(end).trim();
    if (rest !== "" && this.#hostsLine(first, rest)) return;
    const { word, comment } = withoutComment(first);
    this.#take(
      readIndicator(word),
      comment === "" && rest === "" ? NO_ANNOTATION : annotationOf(`${comment} ${rest}`),
    );
  }

  /** `0.0.0.0 name name # comment` */
  #hostsLine(first: string, rest: string): boolean {
    const sign = rest.search(/[#;]/);
    const names = (sign === -1 ? rest : rest.slice(0, sign)).split(/\s+/).filter((name) => name !== "");
    if (names.length > 0 && names.every((name) => HOSTS_FILE_NAMES.has(name))) return true;
    if (names.length === 0 || !SINKHOLES.has(first)) return false;
    const annotation = annotationOf(sign === -1 ? "" : rest.slice(sign));
    for (const name of names) {
      if (!HOSTS_FILE_NAMES.has(name)) this.#take(readIndicator(name, "host", true), annotation);
    }
    return true;
  }

  #take(read: Indicator | Refusal, annotation: Annotation): void {
    if ("expected" in read) return this.#fault(read.expected);
    const added = this.builder.add(read, annotation);
    if (added === "full") {
      const { indicators, networks } = this.builder.limits;
      this.#fault(
        `expected at most ${indicators} indicators, ${networks} of them networks, in all lists together`,
      );
    } else if (added === "collides") this.#fault("too many indicators with colliding hashes");
    else this.report.indicators++;
  }

  #fault(message: string): void {
    const { report } = this;
    report.faulty++;
    const fault: IntelFault = { file: report.name, line: this.#line, message };
    if (report.faults.length < MAX_FAULTS) report.faults.push(fault);
  }
}

function isComment(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x23 || first === 0x3b || (first === 0x2f && text.startsWith("//"));
}

/** Whether a line without a header is a table row: not a URL, which may contain commas. */
function isRow(text: string): boolean {
  if (text.startsWith('"')) return true;
  return text.includes(",") && /^[^\s,]+\s*,/.test(text) && !/^h(tt|xx)ps?:/i.test(text);
}

/** Strips a comment attached without a space; in a URL these characters have another meaning. */
function withoutComment(word: string): { word: string; comment: string } {
  const sign = word.search(/[#;]/);
  const isUrl = sign !== -1 && word.includes("/") && !/\/\d{1,3}[#;]/.test(word);
  return sign === -1 || isUrl
    ? { word, comment: "" }
    : { word: word.slice(0, sign), comment: word.slice(sign) };
}

/** A description without leading separators; none if it is only a date or a number. */
function annotationOf(text: string): Annotation {
  const words = text.trim().replace(/^[#;/,\s-]+/, "");
  return words === "" || /^[\d\s:.TZ+-]+$/.test(words)
    ? NO_ANNOTATION
    : { description: shortened(words), confidence: null };
}
