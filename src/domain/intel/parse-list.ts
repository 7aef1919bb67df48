import { type Columns, readHeader, readRow, separatorOf, shortened } from "./columns.ts";
import { type Indicator, type IntelFault, type ListReport, quoted, type Refusal } from "./indicator.ts";
import type { IntelBuilder, Said } from "./intel-builder.ts";
import { readIndicator } from "./read-indicator.ts";
import { splitRow } from "./split-row.ts";

/** Told for each list; the others are counted. */
export const MAX_FAULTS = 20;
const MAX_LINE = 65_536;
const SAYS_NOTHING: Said = { description: null, confidence: null };

/** Where a hosts file sends the names that it blocks. */
const SINKHOLES = new Set(["0.0.0.0", "127.0.0.1", "::", "::1"]);
/** What every hosts file has. */
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
 * Reads one list, given in pieces of any size, into a builder. A list is one of these, told by its name and its lines:
 *
 * - one indicator a line; behind it, after white space, `#` or `;`, there may be a description
 * - a hosts file: `0.0.0.0 evil.example`, which speaks of this very name only
 * - a table with commas, semicolons or tabs, whose columns a header line names, in a comment or not (see columns.ts);
 *   without a header the first field that is an indicator counts, and the text behind it describes it
 *
 * Comments begin with `#`, `;` or `//`. A line that cannot be used is told and does no harm to the others.
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

  /** The next line; null is one that is too long. */
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
    // Tables that were put one after the other bring their headers.
    if ("expected" in read && this.#header(text)) return;
    this.#take(read, row.said);
  }

  #bareRow(text: string): void {
    const fields = splitRow(text, separatorOf(text));
    let refusal: Refusal | null = null;
    for (const [at, field] of fields.entries()) {
      if (field === "") continue;
      const read = readIndicator(field);
      if (!("expected" in read)) return this.#take(read, saying(fields[at + 1] ?? ""));
      refusal ??= read;
    }
    this.#take(refusal ?? { expected: `expected an indicator, got ${quoted(text)}` }, SAYS_NOTHING);
  }

  #plain(text: string): void {
    const end = text.search(/\s/);
    const first = end === -1 ? text : text.slice(0, end);
    const behind = end === -1 ? "" : text.slice(end).trim();
    if (behind !== "" && this.#hostsLine(first, behind)) return;
    const { word, comment } = withoutComment(first);
    this.#take(
      readIndicator(word),
      comment === "" && behind === "" ? SAYS_NOTHING : saying(`${comment} ${behind}`),
    );
  }

  /** `0.0.0.0 name name # comment` */
  #hostsLine(first: string, behind: string): boolean {
    const sign = behind.search(/[#;]/);
    const names = (sign === -1 ? behind : behind.slice(0, sign)).split(/\s+/).filter((name) => name !== "");
    if (names.length > 0 && names.every((name) => HOSTS_FILE_NAMES.has(name))) return true;
    if (names.length === 0 || !SINKHOLES.has(first)) return false;
    const said = saying(sign === -1 ? "" : behind.slice(sign));
    for (const name of names) {
      if (!HOSTS_FILE_NAMES.has(name)) this.#take(readIndicator(name, "host", true), said);
    }
    return true;
  }

  #take(read: Indicator | Refusal, said: Said): void {
    if ("expected" in read) return this.#fault(read.expected);
    const added = this.builder.add(read, said);
    if (added === "full") {
      const { indicators, networks } = this.builder.limits;
      this.#fault(
        `expected at most ${indicators} indicators, ${networks} of them networks, in all lists together`,
      );
    } else if (added === "collides") this.#fault("expected no more indicators that were made to collide");
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

/** Whether a line that no header explains is a row all the same: a URL may have commas in it. */
function isRow(text: string): boolean {
  if (text.startsWith('"')) return true;
  return text.includes(",") && /^[^\s,]+\s*,/.test(text) && !/^h(tt|xx)ps?:/i.test(text);
}

/** Cuts off a comment that follows without a space; in a URL these signs mean something else. */
function withoutComment(word: string): { word: string; comment: string } {
  const sign = word.search(/[#;]/);
  const isUrl = sign !== -1 && word.includes("/") && !/\/\d{1,3}[#;]/.test(word);
  return sign === -1 || isUrl
    ? { word, comment: "" }
    : { word: word.slice(0, sign), comment: word.slice(sign) };
}

/** A description without the signs that led to it; not a date or a number alone. */
function saying(text: string): Said {
  const words = text.trim().replace(/^[#;/,\s-]+/, "");
  return words === "" || /^[\d\s:.TZ+-]+$/.test(words)
    ? SAYS_NOTHING
    : { description: shortened(words), confidence: null };
}
