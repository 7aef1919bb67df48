// Golden files of recordings: what each came to, how a person checked it, and why some of it was not understood.

import type { Outcome } from "./recording-outcome.ts";

/** What the recording came to, and what only a person can write. */
interface Golden extends Found {
  /** By section: how its numbers were found in the files by other means. */
  checked: Record<string, string>;
  /** Why each reason stands there under which something was skipped, refused, not understood or doubted. */
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

/** Null where there is none yet. */
export function readGolden(name: string): Golden | null {
  try {
    return JSON.parse(Deno.readTextFileSync(fileOf(name)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Keeps what a person wrote, as far as it is about something that is still there. */
export function writeGolden(name: string, found: Found): void {
  const known = readGolden(name);
  const keep = (texts: Record<string, string> | undefined, keys: string[]) =>
    Object.fromEntries(keys.map((key) => [key, texts?.[key] ?? ""]));
  const checked = keep(known?.checked, sectionsOf(found));
  const explained = keep(known?.explained, reasonsOf(found));
  Deno.writeTextFileSync(fileOf(name), pretty({ checked, explained, ...found }) + "\n");
}

/** The sections that hold something. */
export function sectionsOf(found: Found): string[] {
  return Object.entries(found).filter(([, section]) => JSON.stringify(section) !== "[]" && !isEmpty(section))
    .map(([name]) => name);
}

/** All that was skipped, refused, not understood or doubted, by what it is called. */
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

/** Indented, with what is short in one line. */
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
