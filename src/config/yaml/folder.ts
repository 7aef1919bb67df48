import { messageOf } from "../../kit/errors.ts";
import type { Faults } from "./faults.ts";

/** A file in a folder of the configuration. */
export interface FolderFile {
  name: string;
  path: string;
  /** Bytes. */
  size: number;
  /** Changes when the file is written or replaced. */
  stamp: string;
}

/** Leftovers of editors, downloads and packages. */
const BY_THE_WAY = /^\.|~$|\.(bak|orig|part|partial|swp|temp|tmp|dpkg-\w+|ucf-\w+)$|^readme(\.|$)/i;

/**
 * The files of a folder with the wanted endings, by name; links are followed, subfolders are not. Without the
 * folder there are none. Unreadable files and other endings are faults and skipped.
 */
export function listFolder(path: string, endings: readonly string[], faults: Faults): FolderFile[] {
  const files: FolderFile[] = [];
  for (const name of namesIn(path, faults)) {
    if (BY_THE_WAY.test(name)) continue;
    const place = { file: `${path}/${name}`, line: null, column: null };
    try {
      const info = Deno.statSync(place.file);
      if (info.isDirectory) continue;
      const wanted = endings.some((ending) => name.toLowerCase().endsWith(ending));
      if (!info.isFile) faults.add(place, "expected a regular file or a link to one");
      else if (!wanted) {
        faults.add(place, `expected a name that ends in ${endings.join(", ")}; the file is not read`);
      } else files.push({ name, path: place.file, size: info.size, stamp: stampOf(info) });
    } catch (error) {
      faults.add(place, `expected a readable file, but ${messageOf(error)}`);
    }
  }
  return files;
}

/** Sorted by code units, so that the order is the same on every machine. */
function namesIn(path: string, faults: Faults): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      faults.add(
        { file: path, line: null, column: null },
        `expected a readable folder, but ${messageOf(error)}`,
      );
    }
    return [];
  }
}

function stampOf({ ino, size, mtime }: Deno.FileInfo): string {
  return `${ino} ${size} ${mtime?.getTime()}`;
}
