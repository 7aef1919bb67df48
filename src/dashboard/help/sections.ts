// A page of the documentation in sections, for its headings' anchors and for the search.

export interface Section {
  /** The page's title. */
  page: string;
  /** The section's heading; the page's title for what stands before the first one. */
  heading: string;
  /** The heading's anchor; empty for the beginning of the page. */
  anchor: string;
  text: string;
}

/** Marks of Markdown that are no words: emphasis, code, links' addresses, comments. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|^[-|: ]+$/gm, "")
    .replaceAll("|", " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The anchor of a heading, as code hosts make it: `## When a disk is full` is `when-a-disk-is-full`. */
export function anchorOf(heading: string): string {
  return plain(heading).toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

/** Anchors in the order of the headings; a repeated one gets a number. */
export function anchorsOf(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const anchor = anchorOf(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

const HEADING = /^(#{1,6}) +(.*)$/;

/** The sections of a page. */
export function sectionsOf(markdown: string): Section[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let inCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) inCode = !inCode;
    const heading = inCode ? undefined : HEADING.exec(line)?.[2];
    if (heading !== undefined) parts.push({ heading, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const anchors = anchorsOf(parts.map(({ heading }) => heading));
  const title = plain(parts[0]?.heading ?? "");
  return parts.map(({ heading, lines }, index) => ({
    page: title,
    heading: plain(heading),
    anchor: index === 0 ? "" : anchors[index]!,
    text: plain(lines.join("\n")),
  }));
}

/** The anchor of the section that describes a detector, by its model: `beacon`; null if there is none. */
export function anchorOfModel(sections: readonly Section[], model: string): string | null {
  return sections.find(({ text }) => text.includes(`Model: ${model}, version `))?.anchor ?? null;
}

export interface Hit<S extends Section> {
  section: S;
  /** The text around the first word that was found. */
  excerpt: string;
}

const AROUND = 80;

/** Sections that have every word, those with the words in the heading first. */
export function searchSections<S extends Section>(
  sections: readonly S[],
  query: string,
  most: number,
): Hit<S>[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const heading = section.heading.toLowerCase();
    const page = section.page.toLowerCase();
    const text = section.text.toLowerCase();
    let rank = 0;
    for (const word of words) {
      if (heading.includes(word)) rank += 4;
      else if (text.includes(word)) rank += 1;
      else if (!page.includes(word)) return [];
      if (page.includes(word)) rank += 1;
    }
    return [{ section, rank, excerpt: excerptOf(section.text, words) }];
  });
  return found.toSorted((a, b) => b.rank - a.rank).slice(0, most);
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const from = at <= AROUND ? 0 : text.indexOf(" ", at - AROUND) + 1;
  const to = Math.min(text.length, at + 2 * AROUND);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
