import { Html, html } from "./html.ts";

/** A document that needs nothing else: no script, no font, no picture from elsewhere. */
interface HtmlDocument {
  title: string;
  /** CSS rules in addition to those of every document. */
  style?: string;
  body: Html;
}

/**
 * Rules of every document: dark on white, A4 in print, tables that break between rows and repeat their head, long words
 * that wrap.
 */
const STYLE = `
:root { color-scheme: light; --ink: #16202c; --muted: #56616f; --line: #cfd6de; --panel: #f4f6f8; --accent: #1f5fbf; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 190mm; padding: 8mm; color: var(--ink); background: #fff;
  font: 10pt/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 6mm 0 2mm; }
h3 { font-size: 10.5pt; margin: 4mm 0 1mm; }
h1, h2, h3 { break-after: avoid; } p, ul, ol { margin: 0 0 2mm; } .muted { color: var(--muted); }
table { width: 100%; border-collapse: collapse; font-size: 9pt; margin: 0 0 3mm; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 1px solid var(--line); }
th { background: var(--panel); font-weight: 600; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; } tr, svg, figure { break-inside: avoid; }
code { font: 9pt ui-monospace, "DejaVu Sans Mono", monospace; }
@page { size: A4; margin: 14mm 12mm; }
@media print { body { max-width: none; padding: 0; } a { color: inherit; text-decoration: none; } }
`;

/** Returns the whole text of a document. Its own policy forbids scripts and requests, wherever the file is opened. */
export function renderDocument({ title, style = "", body }: HtmlDocument): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  return `<!doctype html>\n${
    html`
      <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta http-equiv="Content-Security-Policy" content="${policy}">
          <meta name="viewport" content="width=device-width">
          <title>${title}</title>
          <style>${new Html(STYLE + style)}</style>
        </head>
        <body>${body}</body>
      </html>
    `.text
  }\n`;
}
