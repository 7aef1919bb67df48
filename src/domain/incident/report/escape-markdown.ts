import { plainLine, plainLines } from "../../../kit/plain-text.ts";

/** What begins emphasis, code, links, images, markup, entities, tables, strikethrough or a mention anywhere in a line. */
const ANYWHERE = /[\\`*_{}[\]()<>#!|~&^$@]/g;
/** What renderers take for an address to link: `https:`, `mailto:`, `www.`. */
const ADDRESS = /:(?=\/)|(?<=\b(?:mailto|xmpp)):|(?<=\bwww)\./gi;
/** What begins a list, a rule or the underline of a heading. */
const AT_START = /^([-+=])|^(\d{1,9})(?=[.)](?:\s|$))/;

/** One line of plain text for Markdown: nothing in it is rendered, and characters that deceive are shown as codes. */
export function markdownText(text: string): string {
  return escaped(plainLine(text));
}

/** A text of several lines as a quotation. */
export function markdownQuote(text: string): string {
  return plainLines(text).split(/\r\n|\r|\n/).map((line) =>
    `> ${escaped(line.replaceAll("\t", " ").trim())}`.trimEnd()
  )
    .join("\n");
}

/** A text from the network in a cell of a table, as code: nothing in code is rendered, linked or a mention. */
export function markdownCode(text: string): string {
  const line = plainLine(text).replaceAll("|", "\\|");
  if (line.trim() === "") return "";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const edge = longest > 0 || line.startsWith(" ") || line.endsWith(" ") ? " " : "";
  return `${fence}${edge}${line}${edge}${fence}`;
}

function escaped(line: string): string {
  return line.replace(ANYWHERE, "\\$&").replace(ADDRESS, "\\$&").replace(
    AT_START,
    (_, mark: string | undefined, digits: string) => mark === undefined ? `${digits}\\` : `\\${mark}`,
  );
}
