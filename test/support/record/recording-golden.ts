// Golden files of recordings: the result of each, how it was verified, and explanations of what was not
// parsed.

import type { Outcome } from "./recording-outcome.ts";

/** The result of a recording, with the parts that are written by hand. */
interface Golden extends Found {
  /** By section: how its numbers were verified independently. */
  checked: Record<string, string>;
  /** By reason of skipped, rejected, unparsed or doubtful lines: why it occurs. */
  explained: Record<string, string>;
}

export interface Found extends Outcome {
  sent: { lines: number; duplicates: number };
  /** Lines that the replay did not send, by reason. */
  skipped: Record<string, number>;
}

const FOLDER = new URL("../../data/recordings/", import.meta.url);

export function goldenNames(): string[] {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name);
  return files.filter((name) => name.endsWith(".golden.json")).map((name) => name.split(".")[0]!).sort();
}

/** Null if there is none yet. */
export function readGolden(name: string): Golden | null {
  try {
    return JSON.parse(Deno.readTextFileSync(fileOf(name)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Keeps the handwritten parts that still apply. */
export function writeGolden(name: string, found: Found): void {
  const known = readGolden(name);
  const keep = (texts: Record<string, string> | undefined, keys: string[]) =>
    Object.fromEntries(keys.map((key) => [key, texts?.[key] ?? ""]));
  const checked = keep(known?.checked, sectionsOf(found));
  const explained = keep(known?.explained, reasonsOf(found));
  Deno.writeTextFileSync(fileOf(name), pretty({ checked, explained, ...found }) + "\n");
}

/** The non-empty sections. */
export function sectionsOf(found: Found): string[] {
  return Object.entries(found).filter(([, section]) => JSON.stringify(section) !== "[]" && !isEmpty(section))
    .map(([name]) => name);
}

/** All reasons of skipped, rejected, unparsed and doubtful lines. */
export function reasonsOf({ skipped, rejected, unparsed, warnings }: Found): string[] {
  const reasons = [skipped, rejected, warnings].flatMap((counts) => Object.keys(counts));
  return [...reasons, ...unparsed.map(({ reason }) => reason)];
}

function isEmpty(section: unknown): boolean {
  return typeof section === "object" && section !== null && Object.keys(section).length === 0;
}

function fileOf(name: string): URL {
  return new URL(`${name}.golden.json`, FOLDER);
}

/** Indented, with short values on one line. */
function pretty(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  const inner = indent + "  ";
  if (typeof value !== "object" || value === null || (isLeaf(value) && flat.length + inner.length < 110)) {
    return flat;
  }
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + pretty(item, inner)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, item]) =>
    `${inner}${JSON.stringify(key)}: ${pretty(item, inner)}`
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function isLeaf(value: object): boolean {
  return Object.values(value).every((item) => typeof item !== "object" || item === null || isEmpty(item));
}
