// Folders of captures: each with a labels.yaml.

import { basename } from "node:path";
import { Faults } from "../../src/config/yaml/faults.ts";
import { exists } from "../support/files.ts";
import { type Form, generatedCaptures } from "./generate/captures.ts";
import type { Capture } from "./capture.ts";
import { LABELS_FILE, readLabels } from "./labels.ts";

/** The captures that the project keeps. */
export const OWN_CAPTURES = new URL("../data/captures", import.meta.url).pathname;

/** Which captures to evaluate: those of folders, the generated ones of a form, or both. */
export interface CaptureSet {
  folders: readonly string[];
  generated: Form | null;
}

/** Generated captures first: they take longest. */
export async function capturesOf({ folders, generated }: CaptureSet): Promise<Capture[]> {
  return [
    ...generated === null ? [] : generatedCaptures(generated),
    ...folders.length === 0 ? [] : await readCaptures(folders),
  ];
}

/**
 * The captures in these folders, sorted by name within each. A folder may be a capture or contain captures.
 */
export async function readCaptures(folders: readonly string[]): Promise<Capture[]> {
  const faults = new Faults();
  const captures: Capture[] = [];
  for (const folder of folders) {
    for (const path of await captureFolders(folder)) {
      const labels = readLabels(`${path}/${LABELS_FILE}`, faults);
      if (labels !== null) captures.push({ name: basename(path), labels });
    }
  }
  faults.throwIfAny();
  return captures;
}

async function captureFolders(folder: string): Promise<string[]> {
  const root = folder.replace(/(?<=.)\/+$/, "");
  if (await exists(`${root}/${LABELS_FILE}`)) return [root];
  const found: string[] = [];
  if (await exists(root)) {
    for await (const { name, isFile } of Deno.readDir(root)) {
      if (!isFile && await exists(`${root}/${name}/${LABELS_FILE}`)) found.push(`${root}/${name}`);
    }
  }
  if (found.length === 0) throw new Error(`${folder}: expected folders with a ${LABELS_FILE}, found none`);
  return found.sort();
}
