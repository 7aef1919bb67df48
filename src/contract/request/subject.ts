// The subject of a signed-in person (claim `sub`) and its form in the header of a signed request.

import { plainLine } from "../../kit/plain-text.ts";

/** Longest subject, in UTF-16 code units: OpenID Connect allows 255 characters. */
const MAX_SUBJECT_LENGTH = 255;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Starts an encoded value, as in the extended parameters of RFC 8187. */
const ENCODED = "UTF-8''";

/** What `isSubject` requires, for the log and the audit. */
export const SUBJECT_RULE =
  `1 to ${MAX_SUBJECT_LENGTH} characters without control or invisible characters, ` +
  "and without spaces at its ends";

/**
 * Whether a subject fits a signed request: one line of visible text without white space at its ends. White space
 * at the ends would be lost in a header; invisible characters make two people look like one.
 */
export function isSubject(text: string): boolean {
  return text.length > 0 && text.length <= MAX_SUBJECT_LENGTH && text.trim() === text &&
    (PRINTABLE_ASCII.test(text) || plainLine(text) === text);
}

/**
 * The header value of a subject: printable ASCII as it is, any other text as `UTF-8''` and its percent-encoded
 * UTF-8. A subject that itself begins with `UTF-8''` is encoded too, so no two subjects share a header value.
 */
export function encodeSubject(subject: string): string {
  const plain = PRINTABLE_ASCII.test(subject) && !subject.startsWith(ENCODED);
  return plain ? subject : ENCODED + encodeURIComponent(subject);
}

/** The subject of a header value; null unless it is exactly what `encodeSubject` returns for a valid subject. */
export function decodeSubject(value: string): string | null {
  let subject: string;
  try {
    subject = value.startsWith(ENCODED) ? decodeURIComponent(value.slice(ENCODED.length)) : value;
  } catch {
    return null;
  }
  return isSubject(subject) && encodeSubject(subject) === value ? subject : null;
}
