import { plainLine } from "../../kit/plain-text.ts";

/** Longest name of a person that is kept, in UTF-16 code units. */
const MAX_NAME = 256;

/**
 * A person's name from the claims of the identity provider, where people can often choose it: one line of plain
 * text. Without a name it is the subject.
 */
export function personName(claims: Record<string, unknown> & { sub: string }): string {
  for (const claim of ["name", "preferred_username", "email"]) {
    const value = claims[claim];
    if (typeof value === "string" && value.trim() !== "") return shown(value.trim());
  }
  return shown(claims.sub);
}

function shown(text: string): string {
  return plainLine(text).slice(0, MAX_NAME).toWellFormed();
}
