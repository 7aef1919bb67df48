import type { RankingMeasure } from "../../contract/filter/aggregate.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { Interpretation } from "../../contract/search/search.ts";
import { csvHeader, csvLine, csvRow, type Found } from "../../domain/search/csv.ts";
import { stringifyJson } from "../../kit/json/json.ts";
import { size } from "../../kit/text.ts";
import { textTable } from "../table.ts";
import { tableCells, tableHeaders } from "./tables.ts";

export const FORMATS = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof FORMATS)[number];

/** Widest column: an IPv6 address with brackets and port. */
const WIDEST = 47;

/** What a search answers with, besides its rows. */
export interface Meta {
  interpretation: Interpretation;
  window: { from: string; to: string } | null;
  warnings: string[];
  /** Whether there are more rows than were asked for. */
  more: boolean;
}

/** Where the result goes. */
export interface Output {
  write(text: string): void;
  /** Where lines of a table are cut; null for no limit. */
  columns: number | null;
  format: Format;
  zone: string;
}

/** Writes rows as they arrive; a table, whose columns are as wide as its cells, at the end. */
export class RowWriter {
  readonly #output: Output;
  readonly #kind: ResultKind;
  readonly #cells: string[][] = [];
  #isFirst = true;

  constructor(output: Output, kind: ResultKind) {
    this.#output = output;
    this.#kind = kind;
    if (output.format === "csv") output.write(csvHeader(kind));
    if (output.format === "json") output.write('{"data":[');
  }

  add(items: readonly Found[]): void {
    const { format, zone } = this.#output;
    if (items.length === 0) return;
    if (format === "table") this.#cells.push(...items.map((item) => tableCells(this.#kind, item, zone)));
    else if (format === "csv") this.#output.write(items.map((item) => csvLine(this.#kind, item)).join(""));
    else if (format === "ndjson") {
      this.#output.write(items.map((item) => `${stringifyJson(item)}\n`).join(""));
    } else {
      const lines = items.map((item) => `\n${stringifyJson(item)}`).join(",");
      this.#output.write(this.#isFirst ? lines : `,${lines}`);
    }
    this.#isFirst = false;
  }

  end({ interpretation, ...rest }: Meta): void {
    const { format, columns } = this.#output;
    if (format === "table" && this.#cells.length > 0) {
      this.#table([tableHeaders(this.#kind), ...this.#cells], columns);
    }
    if (format !== "json") return;
    const { filter, text, interpretation: understoodAs, result_kind } = interpretation;
    const members = { result_kind, text, interpretation: understoodAs, filter, ...rest };
    this.#output.write(`\n],${stringifyJson(members).slice(1)}\n`);
  }

  #table(rows: string[][], columns: number | null): void {
    this.#output.write(textTable(rows, columns, WIDEST).map((line) => `${line}\n`).join(""));
  }
}

/** The most frequent values, or one number: what a question such as `top talkers today` asks for. */
export interface Groups {
  /** Empty for one number. */
  field: string;
  measure: RankingMeasure;
  groups: { key: (string | null)[]; total: number | bigint }[];
  other: { total: number | bigint } | null;
  /** What a table shows instead of identifiers. */
  names: ReadonlyMap<string, string>;
}

export function writeGroups(
  output: Output,
  { field, measure, groups, other, names }: Groups,
  meta: Meta,
): void {
  const header = field === "" ? [measure] : [field, measure];
  const rows = groups.map(({ key, total }) => [...field === "" ? [] : [key[0] ?? null], total]);
  switch (output.format) {
    case "table": {
      const shown = (total: number | bigint) => measure.endsWith("bytes") ? size(total) : String(total);
      const nameOf = (key: string | null) => key === null ? "(none)" : names.get(key) ?? key;
      const cells = groups.map((
        { key, total },
      ) => [...field === "" ? [] : [nameOf(key[0] ?? null)], shown(total)]);
      if (other !== null && field !== "") cells.push(["(all others)", shown(other.total)]);
      const lines = textTable([header.map((name) => name.toUpperCase()), ...cells], output.columns, WIDEST);
      output.write(lines.map((line) => `${line}\n`).join(""));
      return;
    }
    case "csv":
      return output.write([header, ...rows].map(csvRow).join(""));
    case "ndjson":
      return output.write(
        rows.map((row) => `${stringifyJson(Object.fromEntries(header.map((name, at) => [name, row[at]])))}\n`)
          .join(""),
      );
    case "json": {
      const { interpretation: { filter, text, interpretation, result_kind }, ...rest } = meta;
      const document = {
        group_by: field || null,
        measure,
        groups,
        other,
        result_kind,
        text,
        interpretation,
        filter,
      };
      return output.write(`${stringifyJson({ ...document, ...rest })}\n`);
    }
  }
}
