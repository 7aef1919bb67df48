import { type FieldName, FIELDS } from "../../../contract/filter/fields.ts";
import type { Token } from "./token.ts";
import { PHRASES, singular } from "./vocabulary.ts";

/** A token as the value of a field. */
export function valueText(token: Token, field: FieldName): string {
  if (field === "device.type") return singular(token.text).replaceAll(/[ -]/g, "_");
  return FIELDS[field].type === "text" && token.kind === "word"
    ? token.typed.replace(/['’]s$/, "")
    : token.text;
}

/** Words that join others, and so are no value. */
export function isGrammar({ kind, text }: Token): boolean {
  const effect = kind === "word" ? PHRASES.get(text) : undefined;
  return effect !== undefined &&
    ("fill" in effect || "role" in effect || "negate" in effect || "verb" in effect);
}
