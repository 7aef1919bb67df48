// Finds the one JSON object in the text of a model, which may stand in a code fence or between sentences.

/** Reasoning that some models print before their answer. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i;

/** The object, or why there is not exactly one. */
export function oneJsonObject(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  const found: unknown[] = [];
  const rest = text.replace(THINKING, "");
  for (let at = rest.indexOf("{"); at !== -1;) {
    const end = endOfObject(rest, at);
    if (end === null) return { ok: false, reason: "its JSON object is not complete" };
    try {
      found.push(JSON.parse(rest.slice(at, end)));
    } catch {
      return { ok: false, reason: "its JSON is not valid" };
    }
    if (found.length > 1) return { ok: false, reason: "it has more than one JSON object" };
    at = rest.indexOf("{", end);
  }
  return found.length === 1 ? { ok: true, value: found[0] } : { ok: false, reason: "it has no JSON object" };
}

/** Index after the brace that closes the one at `start`; null if none does. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return null;
}
