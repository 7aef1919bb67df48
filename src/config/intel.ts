import { messageOf } from "../kit/errors.ts";
import { Faults, formatFault } from "./yaml/faults.ts";
import { type FolderFile, listFolder } from "./yaml/folder.ts";

// The texts of a deployment's indicator lists; they are parsed elsewhere.

const INTEL_FOLDER = "intel";
const INTEL_ENDINGS = [
  ".txt",
  ".csv",
  ".tsv",
  ".list",
  ".ioc",
  ".hosts",
  ".netset",
  ".ipset",
  ".intel",
  ".dat",
];
/** Larger files are not read: they are hardly lists of indicators. */
const MAX_INTEL_BYTES = 512 * 1024 * 1024;

const PIECE = 256 * 1024;

interface IntelFile {
  /** Without the folder. */
  name: string;
  /** The text as it is read from disk; iterable once. Bytes that are not UTF-8 become U+FFFD. */
  pieces: Iterable<string>;
}

/**
 * The lists in `<configDir>/intel`, by name. The consumer reads one before the next. A file that cannot be
 * read to its end is a fault; the others follow all the same.
 */
export function* readIntelFiles(
  configDir: string,
  faults: Faults,
  maxBytes: number = MAX_INTEL_BYTES,
): Generator<IntelFile> {
  for (const file of listFolder(`${configDir}/${INTEL_FOLDER}`, INTEL_ENDINGS, faults)) {
    if (file.size > maxBytes) {
      const what = `expected a list of at most ${maxBytes} bytes, got ${file.size}; it is not read`;
      faults.add({ file: file.path, line: null, column: null }, what);
    } else yield { name: file.name, pieces: readPieces(file, maxBytes, faults) };
  }
}

/**
 * Names, sizes and times of the files that `readIntelFiles` would read, and their visible faults: differs if
 * a list was added, removed or changed. Cheap.
 */
export function intelStamp(configDir: string): string {
  const faults = new Faults();
  const files = listFolder(`${configDir}/${INTEL_FOLDER}`, INTEL_ENDINGS, faults);
  return [...files.map(({ name, stamp }) => `${name} ${stamp}`), ...faults.list.map(formatFault)].join("\n");
}

function* readPieces({ path }: FolderFile, maxBytes: number, faults: Faults): Generator<string> {
  let opened: Deno.FsFile | null = null;
  try {
    opened = Deno.openSync(path);
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(PIECE);
    // A file may grow while it is read, within bounds.
    for (let left = maxBytes; left > 0;) {
      const count = opened.readSync(buffer.subarray(0, Math.min(PIECE, left)));
      if (count === null) break;
      left -= count;
      yield decoder.decode(buffer.subarray(0, count), { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    faults.add({ file: path, line: null, column: null }, `expected a readable file, but ${messageOf(error)}`);
  } finally {
    opened?.close();
  }
}
