// The newest release as announced by a registration server. The notice is untrusted text: displayed, never
// acted upon.

import { type Release, RELEASE_VERSION } from "../../../contract/telemetry/registration.ts";

/** Maximum length of a displayed notice, characters. */
export const MAX_NOTICE_LENGTH = 500;
/** Combining marks allowed per letter; more would run into adjacent lines. */
const MAX_MARKS = 2;

/** A release that is safe to display. */
export function sanitizeRelease(release: Release): Release {
  return { ...release, notice: plainText(release.notice) };
}

/**
 * Reduces text to one plain line: no control, bidirectional or invisible characters, nothing that HTML or
 * Markdown would interpret, at most `MAX_NOTICE_LENGTH` characters.
 */
export function plainText(text: string): string {
  const line = text.toWellFormed().normalize("NFKC")
    .replace(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replace(/\p{C}|\ufffd/gu, "")
    .replace(EXCESS_MARKS, "$1")
    .replace(/[<>[\]`*_~|\\]/g, (mark) => REPLACEMENTS[mark] ?? "")
    // HTML character references such as &lt;
    .replace(/&(?=[#\w])/g, "& ")
    .trim();
  const characters = [...line];
  return characters.length <= MAX_NOTICE_LENGTH
    ? line
    : `${characters.slice(0, MAX_NOTICE_LENGTH - 1).join("").trimEnd()}…`;
}

const EXCESS_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "<": "‹",
  ">": "›",
  "[": "(",
  "]": ")",
  "`": "'",
  "_": "-",
  "|": "/",
  "\\": "/",
};

/** Whether `version` is newer than `current`. False if equal, older or not comparable. */
export function isNewer(version: string, current: string): boolean {
  const [one, other] = [parts(version), parts(current)];
  if (one === null || other === null) return false;
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - other.numbers[index]!;
    if (difference !== 0) return difference > 0;
  }
  return comparePreRelease(one.pre, other.pre) > 0;
}

interface Parts {
  numbers: number[];
  /** Pre-release identifiers after the hyphen; empty for a release. */
  pre: string[];
}

function parts(version: string): Parts | null {
  if (!RELEASE_VERSION.test(version)) return null;
  const hyphen = version.indexOf("-");
  const core = hyphen === -1 ? version : version.slice(0, hyphen);
  return {
    numbers: core.split(".").map(Number),
    pre: hyphen === -1 ? [] : version.slice(hyphen + 1).split("."),
  };
}

/**
 * Precedence by semver.org: a release after its pre-releases, numbers before words, the shorter list first.
 */
function comparePreRelease(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [index, part] of one.entries()) {
    const opposite = other[index];
    if (opposite === undefined) return 1;
    const difference = compareIdentifiers(part, opposite);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function compareIdentifiers(one: string, other: string): number {
  const [first, second] = [one, other].map((text) => /^\d+$/.test(text));
  if (first && second) return Number(one) - Number(other);
  if (first || second) return first ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}
