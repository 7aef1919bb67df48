// Files of the installation: the configuration's folder, and what the state folder has besides the database.

import { messageOf } from "../../kit/errors.ts";
import { RENEWED_FILE, TIME_FILE } from "../../telemetry/license-files.ts";
import { isForUndo } from "../setup/files.ts";
import { type ArchiveWriter, BackupError } from "./archive-writer.ts";
import type { Member } from "./archive-reader.ts";
import { type FileFolder, filePlace } from "./manifest.ts";

/** The installation's folder for each one of the archive. */
export type Folders = Readonly<Record<FileFolder, string>>;

const STATE_FILES = [RENEWED_FILE, TIME_FILE];
/** What a restore kept. */
const KEPT = ".before-restore";

function isConfiguration(name: string): boolean {
  return !name.endsWith(KEPT) && !isForUndo(name);
}

/** Adds the files to an archive; returns each with its content. @throws BackupError if one cannot be read */
export async function addFiles(
  archive: ArchiveWriter,
  folders: Folders,
): Promise<{ name: string; content: Uint8Array }[]> {
  const added: { name: string; content: Uint8Array }[] = [];
  const users = await idNames("/etc/passwd");
  const groups = await idNames("/etc/group");
  for (const name of await fileNames(folders)) {
    const { folder, path } = filePlace(name)!;
    const source = `${folders[folder]}/${path}`;
    try {
      const { mode, uid, gid, mtime } = await Deno.stat(source);
      const content = await Deno.readFile(source);
      await archive.add(name, content, {
        mode: mode! & 0o7777,
        owner: users.get(uid ?? -1) ?? "",
        group: groups.get(gid ?? -1) ?? "",
        changedAt: (mtime?.getTime() ?? 0) / 1000,
      });
      added.push({ name, content });
    } catch (error) {
      throw new BackupError(`cannot back up ${source}: ${messageOf(error)}`);
    }
  }
  return added;
}

async function fileNames({ configuration, state }: Folders): Promise<string[]> {
  const names: string[] = [];
  const walk = async (folder: string, archived: string) => {
    for (const entry of (await entriesOf(folder)).sort((a, b) => a.name < b.name ? -1 : 1)) {
      const [path, name] = [`${folder}/${entry.name}`, `${archived}/${entry.name}`];
      if (entry.isDirectory) await walk(path, name);
      // A link to a folder may lead out of the configuration.
      else if ((await Deno.stat(path).catch(() => null))?.isFile && isConfiguration(entry.name)) {
        names.push(name);
      }
    }
  };
  await walk(configuration, "configuration");
  for (const { name } of await entriesOf(state)) if (STATE_FILES.includes(name)) names.push(`state/${name}`);
  return names;
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new BackupError(`cannot read the folder ${folder}: ${messageOf(error)}`);
  }
}

/** Names of the system's users or groups by number; empty if unknown. */
async function idNames(file: string): Promise<Map<number, string>> {
  const text = await Deno.readTextFile(file).catch(() => "");
  return new Map(
    text.split("\n").map((line) => line.split(":")).map(([name, , id]) => [Number(id), name ?? ""]),
  );
}

/** @throws BackupError if this user cannot write the files, before anything is changed */
export async function requireWritable(folders: Folders): Promise<void> {
  for (const folder of Object.values(folders)) {
    const trial = `${folder}/.ndr-restore`;
    try {
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(trial, "");
      await Deno.remove(trial);
    } catch (error) {
      throw new BackupError(
        `cannot write to ${folder}: ${
          messageOf(error)
        }; restore the configuration as root, for example with ` +
          "sudo ndr restore --configuration --no-database <file>",
      );
    }
  }
}

/** Writes one file with its mode and, as root, its owner. Another one in its place is kept beside it. */
export async function restoreFile(folders: Folders, member: Member): Promise<void> {
  const { folder, path } = filePlace(member.name)!;
  const target = `${folders[folder]}/${path}`;
  const present = await Deno.readFile(target).catch(() => null);
  if (present !== null && isEqual(present, member.content)) return;
  await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true, mode: 0o750 });
  const draft = `${target}.new`;
  await Deno.writeFile(draft, member.content, { mode: 0o600 });
  if (Deno.uid() === 0) await giveTo(draft, member);
  await Deno.chmod(draft, member.mode);
  if (present !== null) await Deno.rename(target, `${target}${KEPT}`);
  await Deno.rename(draft, target);
}

/** Users and groups have other numbers on another machine. */
async function giveTo(path: string, { owner, group }: Member): Promise<void> {
  const numberOf = async (file: string, name: string) =>
    [...await idNames(file)].find(([, known]) => known === name)?.[0] ?? null;
  await Deno.chown(path, await numberOf("/etc/passwd", owner), await numberOf("/etc/group", group));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
