/** A piece of markup that is safe to insert into a document as it is. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What a template accepts: text is escaped, markup inserted as it is, a list joined; null and false are nothing. */
export type HtmlValue = Html | string | number | bigint | null | false | undefined | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/**
 * A template tag for documents outside of the dashboard, such as reports. Quote every attribute value.
 *
 * @example html`<a href="${url}">${name}</a>` escapes `url` and `name`
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => text + markupOf(values[index - 1]) + part));
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return value.map(markupOf).join("");
  return escapeHtml(String(value));
}
