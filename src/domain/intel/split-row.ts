export type Separator = "," | ";" | "\t";

const MAX_FIELDS = 256;

/**
 * The fields of one row, trimmed and unquoted; a doubled quote within quotes is one quote. An unclosed quote
 * ends with its line, so that it cannot swallow the following lines.
 */
export function splitRow(line: string, separator: Separator): string[] {
  const fields: string[] = [];
  let at = 0;
  while (fields.length < MAX_FIELDS) {
    while (at < line.length && line.charCodeAt(at) === 0x20) at++;
    if (line.charCodeAt(at) === 0x22) {
      const { text, end } = quotedField(line, at + 1);
      fields.push(text);
      at = line.indexOf(separator, end);
    } else {
      const end = line.indexOf(separator, at);
      fields.push(line.slice(at, end === -1 ? line.length : end).trim());
      at = end;
    }
    if (at === -1) break;
    at++;
  }
  return fields;
}

/** A field's text after its opening quote, and the index after its closing one. */
function quotedField(line: string, from: number): { text: string; end: number } {
  let text = "";
  let start = from;
  while (true) {
    const quote = line.indexOf('"', start);
    if (quote === -1) return { text: text + line.slice(start), end: line.length };
    text += line.slice(start, quote);
    if (line.charCodeAt(quote + 1) !== 0x22) return { text, end: quote + 1 };
    text += '"';
    start = quote + 2;
  }
}
