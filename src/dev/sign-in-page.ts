import { sha256Bytes } from "../kit/hash.ts";
import { DEVELOPMENT_ACCOUNTS } from "./sign-in-accounts.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6878; --paper: #eef1f5; --card: #fff; --line: #dbe1e8;
  --accent: #1f6feb; --mark: #9a6700; --mark-paper: #fff8e0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #9aa7b6; --paper: #0f141a; --card: #171e26; --line: #2a3440; --accent: #6aa5ff;
    --mark: #f0c674; --mark-paper: #2b2413; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { width: min(28rem, calc(100vw - 2rem)); padding: 2rem; border: 1px solid var(--line); border-radius: 16px;
  background: var(--card); }
h1 { margin: 0 0 0.5rem; font-size: 1.375rem; letter-spacing: -0.01em; }
.mark { margin: 0 0 1.25rem; padding: 0.5rem 0.75rem; border-radius: 8px; background: var(--mark-paper);
  color: var(--mark); font-size: 0.875rem; }
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 0.5rem; }
a { display: grid; grid-template-columns: 2.5rem 1fr auto; gap: 0.75rem; align-items: center; padding: 0.625rem 0.75rem;
  border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none; }
a:hover { border-color: var(--accent); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.badge { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--paper);
  color: var(--accent); font-weight: 700; }
.name { display: block; font-weight: 600; }
.what { display: block; color: var(--soft); font-size: 0.875rem; line-height: 1.35; }
.tenants { color: var(--soft); font-size: 0.8125rem; text-align: right; }
`;
const STYLE_HASH = sha256Bytes(STYLE).toBase64();

/** No script, no form, no external resource. */
export const SIGN_IN_PAGE_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'";

/** The page that offers the accounts. `linkFor` returns the link of an account. */
export function signInPage(linkFor: (account: string) => string): string {
  const rows = DEVELOPMENT_ACCOUNTS.map(({ account, displayName, description, grants }) => `
<li><a href="${linkFor(account)}"><span class="badge" aria-hidden="true">${displayName.charAt(0)}</span>
<span><span class="name">${displayName}</span><span class="what">${description}</span></span>
<span class="tenants">${account}<br>${Object.keys(grants).join(", ")}</span></a></li>`).join("");
  return frame(
    "Development sign-in",
    `<p class="mark">For evaluation only: anyone on this machine can sign in as anyone. ` +
      `An installed service asks your identity provider instead.</p><ul>${rows}</ul>`,
  );
}

/** Shown when the sign-in failed. */
export function signInProblemPage(text: string): string {
  const safe = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return frame(
    "Development sign-in",
    `<p class="mark">${safe}</p><p>Go back to the dashboard and sign in again.</p>`,
  );
}

function frame(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`;
}
