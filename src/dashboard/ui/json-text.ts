// Pretty-prints JSON as text. JSON.parse would round integers above 2^53, merge duplicate keys and resolve
// escapes; an analyst must see what the sensor sent, so this only changes white space.

type TokenKind = "key" | "string" | "number" | "word" | "mark";
interface Token {
  kind: TokenKind;
  text: string;
}
interface Line {
  depth: number;
  tokens: Token[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[A-Za-z]+|[{}[\],:]|\S/gy;
const SPACE = /[ \t\r\n]*/gy;

function tokenise(json: string): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < json.length) {
    SPACE.lastIndex = at;
    SPACE.exec(json);
    at = SPACE.lastIndex;
    if (at >= json.length) break;
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(json);
    // A lone quote or another byte that is not JSON is shown as it is.
    const text = found ? found[0] : json.slice(at, at + 1);
    texts.push(text);
    at += text.length;
  }
  return texts;
}

function kindOf(text: string, next: string | undefined): TokenKind {
  const first = text.charAt(0);
  if (first === '"') return next === ":" ? "key" : "string";
  if (first === "-" || (first >= "0" && first <= "9")) return "number";
  return /^[A-Za-z]/.test(first) ? "word" : "mark";
}

/** Lines of tokens; the tokens' texts joined give the input without the white space between tokens. */
export function formatJson(json: string): Line[] {
  const texts = tokenise(json);
  const lines: Line[] = [];
  let line: Line = { depth: 0, tokens: [] };
  let depth = 0;
  const turn = () => {
    if (line.tokens.length > 0) lines.push(line);
    line = { depth, tokens: [] };
  };
  texts.forEach((text, index) => {
    const next = texts[index + 1];
    if (text === "}" || text === "]") {
      depth = Math.max(0, depth - 1);
      const before = texts[index - 1];
      if (before === "{" || before === "[") line.depth = Math.min(line.depth, depth);
      else turn();
    }
    line.tokens.push({ kind: kindOf(text, next), text });
    if (text === "{" || text === "[") {
      depth++;
      if (next !== "}" && next !== "]") turn();
    } else if (text === ",") turn();
  });
  turn();
  return lines;
}

// Invisible characters and those that change text direction; not plain white space.
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Splits text at deceptive characters, which are returned as `{ hidden: "U+202E" }`. */
export function splitHidden(text: string): (string | { hidden: string })[] {
  if (!UNSEEN.test(text)) return [text];
  const parts: (string | { hidden: string })[] = [];
  let plain = "";
  for (const character of text) {
    if (!UNSEEN.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push({
      hidden: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    });
  }
  if (plain !== "") parts.push(plain);
  return parts;
}

/** Longest text of an attribute, in characters: a tooltip shows no more. */
const MAX_ATTRIBUTE = 500;

/** As `splitHidden`, for titles and labels, which hold nothing but text: `a‹U+202E›gpj.exe`. */
export function visibleText(text: string): string {
  const cut = text.length > MAX_ATTRIBUTE ? `${text.slice(0, MAX_ATTRIBUTE)}…` : text;
  return splitHidden(cut).map((part) => typeof part === "string" ? part : `‹${part.hidden}›`).join("");
}
