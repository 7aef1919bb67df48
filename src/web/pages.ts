import { sha256Bytes } from "../kit/hash.ts";
/** Pages that the web layer renders itself: problems around sign-in. */
export interface Page {
  status: number;
  title: string;
  /** Plain text, one paragraph each. */
  paragraphs: readonly string[];
  /** Target of the only button, if there is one. */
  action?: { href: string; label: string };
  /** A path that the browser opens at once by itself. */
  continueTo?: string;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6878; --paper: #f4f6f8; --card: #fff; --accent: #1f6feb; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #9aa7b6; --paper: #0f141a; --card: #182028; --accent: #6aa5ff; }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 1.5rem; padding: 2rem; border-radius: 12px; background: var(--card); }
h1 { margin: 0 0 0.75rem; font-size: 1.25rem; }
p { margin: 0 0 0.75rem; color: var(--soft); }
a { display: inline-block; margin-top: 0.5rem; padding: 0.5rem 1rem; border-radius: 8px; background: var(--accent);
  color: var(--card); font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;
const STYLE_HASH = sha256Bytes(STYLE).toBase64();

export function pageResponse(page: Page): Response {
  const action = page.action
    ? `<a href="${escapeHtml(page.action.href)}">${escapeHtml(page.action.label)}</a>`
    : "";
  const refresh = page.continueTo === undefined
    ? ""
    : `<meta http-equiv="refresh" content="0; url=${escapeHtml(page.continueTo)}">`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(page.title)}</h1>${
    page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("")
  }${action}</main></body></html>`;
  return new Response(html, {
    status: page.status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
        "form-action 'none'; frame-ancestors 'none'",
    },
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
