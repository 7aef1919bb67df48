// Files of the machine that setup replaces as a whole, and what undoes it.

import { z } from "zod";
import { sha256Hex } from "../../kit/hash.ts";

/** A file with its new text. An existing file keeps mode and owner; a new one is root's. */
export interface FileChange {
  path: string;
  text: string;
  /** What changes, for people. */
  what: string;
  /** Of a new file; 0o644 by default. */
  mode?: number;
  /** Of a new file; by default who runs this. */
  owner?: { uid: number | null; gid: number | null };
}

/** What became of each file at an undo. */
interface Undone {
  restored: string[];
  removed: string[];
  /** Changed since by someone else, and so left alone. */
  left: string[];
}

const BACKUP = ".before-setup";
const DRAFT = ".setup-new";
const RECORD = ".setup.json";

/** Whether a file of this name is kept for `ndr setup --undo`; only root may read some. */
export function isForUndo(name: string): boolean {
  return name === RECORD || name.endsWith(BACKUP);
}

const Record = z.array(z.object({ path: z.string(), sha256: z.string(), isNew: z.boolean() }));

export class SetupFiles {
  readonly #record: string;

  /** `root` stands before every path, except for the caller. The record of the last run is in the folder `configDir`. */
  constructor(readonly root: string, configDir: string) {
    this.#record = `${root}${configDir}/${RECORD}`;
  }

  /** Null if there is no such file. */
  read(path: string): string | null {
    return textOf(`${this.root}${path}`);
  }

  readBytes(path: string): Uint8Array {
    return Deno.readFileSync(`${this.root}${path}`);
  }

  exists(path: string): boolean {
    return statOf(`${this.root}${path}`) !== null;
  }

  /** When a file, or a folder, was last written, in milliseconds since 1970; null if there is none. */
  writtenAt(path: string): number | null {
    return statOf(`${this.root}${path}`)?.mtime?.getTime() ?? null;
  }

  /** The first byte of a file, as a character; null if there is none. */
  startOf(path: string): string | null {
    if (!this.exists(path)) return null;
    using file = Deno.openSync(`${this.root}${path}`);
    const byte = new Uint8Array(1);
    return file.readSync(byte) === 1 ? String.fromCharCode(byte[0]!) : null;
  }

  /** Undefined if there is no such folder. */
  ownerOf(folder: string): FileChange["owner"] {
    const info = statOf(`${this.root}${folder}`);
    return info === null ? undefined : { uid: info.uid, gid: info.gid };
  }

  makeFolder(path: string): void {
    Deno.mkdirSync(`${this.root}${path}`, { recursive: true, mode: 0o750 });
  }

  /** Writes all files or none: a failure before the last step leaves every file as it was. */
  write(changes: readonly FileChange[]): void {
    const drafts: { draft: string; path: string }[] = [];
    try {
      for (const change of changes) {
        const path = this.#target(change.path);
        const info = statOf(path);
        if (info !== null) place(`${path}${BACKUP}`, Deno.readFileSync(path), info);
        else Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
        const bytes = new TextEncoder().encode(change.text);
        drafts.push({
          draft: draft(path, bytes, info ?? { mode: change.mode ?? 0o644, ...change.owner }),
          path,
        });
      }
      const record = changes.map(({ path, text }) => ({
        path,
        sha256: sha256Hex(text),
        isNew: statOf(this.#target(path)) === null,
      }));
      place(this.#record, new TextEncoder().encode(JSON.stringify(record)), { mode: 0o600 });
      for (const { draft, path } of drafts) Deno.renameSync(draft, path);
    } catch (error) {
      for (const { draft } of drafts) {
        if (statOf(draft) !== null) Deno.removeSync(draft);
      }
      throw error;
    }
  }

  /** Restores what the last run wrote; null if there is no such run. */
  undo(): Undone | null {
    const text = textOf(this.#record);
    if (text === null) return null;
    const entries = Record.parse(JSON.parse(text));
    const undone: Undone = { restored: [], removed: [], left: [] };
    for (const { path, sha256, isNew } of entries) {
      const target = this.#target(path);
      const now = textOf(target);
      const before = isNew ? null : textOf(`${target}${BACKUP}`);
      if (now === before) undone[isNew ? "removed" : "restored"].push(path);
      else if (now === null || sha256Hex(now) !== sha256 || (!isNew && before === null)) {
        undone.left.push(path);
      } else if (isNew) {
        Deno.removeSync(target);
        undone.removed.push(path);
      } else {
        Deno.renameSync(`${target}${BACKUP}`, target);
        undone.restored.push(path);
      }
    }
    Deno.removeSync(this.#record);
    return undone;
  }

  /** The file itself, if the path is a link. */
  #target(path: string): string {
    const full = `${this.root}${path}`;
    return statOf(full) === null ? full : Deno.realPathSync(full);
  }
}

/** Where an undo leaves the former text of a file that it did not touch. */
export function backupOf(path: string): string {
  return `${path}${BACKUP}`;
}

type Owner = { mode: number | null; uid?: number | null; gid?: number | null };

/** A file beside `path` with this content, on disk. */
function draft(path: string, bytes: Uint8Array, { mode, uid, gid }: Owner): string {
  const name = `${path}${DRAFT}`;
  if (statOf(name) !== null) Deno.removeSync(name);
  using file = Deno.openSync(name, { createNew: true, write: true, mode: 0o600 });
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  if (uid !== undefined && uid !== null) Deno.chownSync(name, uid, gid ?? null);
  Deno.chmodSync(name, (mode ?? 0o600) & 0o7777);
  file.syncDataSync();
  return name;
}

/** Replaces a file at once: readers see the former content or this one. */
export function place(path: string, bytes: Uint8Array, owner: Owner): void {
  Deno.renameSync(draft(path, bytes, owner), path);
}

function textOf(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function statOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
