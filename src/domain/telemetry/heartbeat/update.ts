// What a registration server tells of the newest release. It is text from outside, with no authority: shown, and nothing else.

import { type Release, RELEASE_VERSION } from "../../../contract/telemetry/registration.ts";

/** Characters of a notice that are shown. */
export const MOST_NOTICE = 500;
/** Marks that may stand on one letter; more of them run into the lines above and below. */
const MOST_MARKS = 2;

/** A release as people may see it. */
export function harmless(release: Release): Release {
  return { ...release, notice: plainText(release.notice) };
}

/**
 * One line of text that is only that, wherever it is shown: no control characters, none that change the direction or cannot be
 * seen, nothing that HTML or Markdown would take for markup, and not too long.
 */
export function plainText(text: string): string {
  const line = text.toWellFormed().normalize("NFKC")
    .replace(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replace(/\p{C}|\ufffd/gu, "")
    .replace(MANY_MARKS, "$1")
    .replace(/[<>[\]`*_~|\\]/g, (mark) => INSTEAD[mark] ?? "")
    // What HTML would read as a character, such as &lt;
    .replace(/&(?=[#\w])/g, "& ")
    .trim();
  const characters = [...line];
  return characters.length <= MOST_NOTICE
    ? line
    : `${characters.slice(0, MOST_NOTICE - 1).join("").trimEnd()}…`;
}

const MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");
const INSTEAD: Readonly<Record<string, string>> = {
  "<": "‹",
  ">": "›",
  "[": "(",
  "]": ")",
  "`": "'",
  "_": "-",
  "|": "/",
  "\\": "/",
};

/** Whether `version` comes after `current`. An older or equal one does not, nor what cannot be compared. */
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
  /** What stands behind the hyphen, in its parts; empty for a release. */
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

/** The precedence of semver.org: a release after its pre-releases, numbers before words, the shorter list first. */
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
