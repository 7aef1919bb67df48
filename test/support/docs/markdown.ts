// Reference documentation rendered from the code: one section per entry, so that a page can be read on a narrow screen.

/** A page that is generated completely. */
export interface GeneratedPage {
  /** Path in the repository. */
  path: string;
  render(): string;
}

/** A generated part of a hand-written page, between `<!-- generated: NAME -->` and `<!-- end: NAME -->`. */
export interface GeneratedBlock {
  /** Path of the page in the repository. */
  path: string;
  name: string;
  render(): string;
}

export const GENERATED_NOTE = "<!-- Generated from the code by `make docs`; do not edit. -->";

/** Replaces the text between a block's markers. Throws if the page lacks them. */
export function withBlock(page: string, { path, name }: GeneratedBlock, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path}: expected the markers ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** A bullet list of terms with texts; entries without text are omitted. */
export function bullets(entries: readonly (readonly [term: string, text: string | undefined])[]): string {
  return entries.filter(([, text]) => text !== undefined).map(([term, text]) => `- ${term}: ${text}`).join(
    "\n",
  );
}

/** A heading with paragraphs, separated by empty lines. */
export function section(level: number, title: string, ...paragraphs: string[]): string {
  return [`${"#".repeat(level)} ${title}`, ...paragraphs.filter((text) => text !== "")].join("\n\n");
}
