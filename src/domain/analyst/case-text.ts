// The text of a case: JSON in plain ASCII.

/** Shorter spellings of characters that our own sentences use often. */
const PLAIN_SPELLINGS: Readonly<Record<string, string>> = {
  "→": "->",
  "…": "...",
  "–": "-",
  "—": "-",
  "×": "x",
  "“": '"',
  "”": '"',
  "’": "'",
  "\u00a0": " ",
};
const SPELLED = new RegExp(`[${Object.keys(PLAIN_SPELLINGS).join("")}]`, "g");

/**
 * What chat templates use as marks of roles (`<|im_end|>`, `</s>`, `[INST]`), and everything beyond ASCII: as JSON escapes,
 * which the model reads as the character but a tokenizer never takes for a mark. Our placeholders keep their brackets. ASCII
 * also keeps a tokenizer's normalisation from making more characters of one, so a token has at least one byte.
 */
const ESCAPED = /[<>\u007f-\uffff]|\[(?!(?:device|name|address|payload)-\d{1,6}\])/g;

/** JSON of a value of objects, lists, strings, finite numbers, booleans and null; undefined members are left out. */
export function caseText(value: unknown): string {
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(caseText).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${stringText(key)}:${caseText(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

function stringText(text: string): string {
  const spelled = text.replace(SPELLED, (char) => PLAIN_SPELLINGS[char]!);
  return JSON.stringify(spelled.toWellFormed())
    .replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
