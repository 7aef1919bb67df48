import { messageOf } from "../../kit/errors.ts";
import type { Faults } from "./faults.ts";

/** A file that an admin put into a folder of the configuration. */
export interface FolderFile {
  name: string;
  path: string;
  /** Bytes. */
  size: number;
  /** Another one where the file was written or replaced. */
  stamp: string;
}

/** What editors, downloads and packages leave beside the files that are meant. */
const BY_THE_WAY = /^\.|~$|\.(bak|orig|part|partial|swp|temp|tmp|dpkg-\w+|ucf-\w+)$|^readme(\.|$)/i;

/**
 * The files of a folder whose names end as wanted, by name; links are followed, folders within it are not. Without the
 * folder there are none. What cannot be read, and what has another ending, is a fault and passed over.
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

/** In the order of code units, so that it is the same wherever the program runs. */
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
