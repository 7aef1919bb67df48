// The daily brief as text for a terminal or a mail.

import type { DailyBrief } from "../../contract/brief/brief.ts";
import { plainLine } from "../../kit/plain-text.ts";
import { type BriefTable, dayInWords, figuresOf, moreInWords, sectionsOf } from "./sections.ts";

const WIDTH = 100;
/** Cells are cut, so that a long name does not push the others away. */
const MAX_CELL = 52;

/** Lines of at most about 100 characters, in plain text whatever the names contain. Ends with a line break. */
export function briefText(brief: DailyBrief): string {
  const lines = [
    `Daily brief: ${brief.site_name}`,
    dayInWords(brief),
    "",
    ...[...brief.summary, ...brief.unknown].flatMap(wrapped),
    "",
    ...tableLines([
      ["", "day", "day before"],
      ...figuresOf(brief).map(({ name, value, previous }) => [name, value, previous]),
    ], [false, true, true]),
  ];
  for (const { title, sentences, tables } of sectionsOf(brief)) {
    lines.push("", title.toUpperCase(), ...sentences.flatMap(wrapped));
    for (const table of tables) lines.push("", ...shown(table));
  }
  return `${lines.map((line) => plainLine(line).trimEnd()).join("\n")}\n`;
}

function shown(table: BriefTable): string[] {
  const { columns, rows } = table;
  const more = moreInWords(table);
  const cells = [columns.map(({ name }) => name), ...rows];
  return [
    ...tableLines(cells, columns.map(({ number }) => number === true)),
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

function tableLines(cells: readonly (readonly string[])[], right: readonly boolean[]): string[] {
  const cut = cells.map((row) =>
    row.map((cell) => cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL - 1)}…` : cell)
  );
  const widths = cut[0]!.map((_, at) => Math.max(...cut.map((row) => row[at]!.length)));
  return cut.map((row) =>
    `  ${row.map((cell, at) => right[at] ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)).join("  ")}`
  );
}

function wrapped(sentence: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of sentence.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
