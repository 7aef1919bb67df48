// The tar format (ustar, POSIX.1-1988), as much of it as a backup needs: regular files.

const BLOCK = 512;
/** What the size field holds: eleven octal digits. */
const MOST_BYTES = 8 ** 11 - 1;

export interface TarEntry {
  name: string;
  size: number;
  /** Permission bits. */
  mode: number;
  /** Names of user and group; empty if unknown. */
  owner: string;
  group: string;
  /** Unix time, seconds. */
  changedAt: number;
}

/** Places of the fields in a header: offset and length. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  changedAt: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  owner: [265, 32],
  group: [297, 32],
  prefix: [345, 155],
} as const;

const MAGIC = "ustar\x0000";
const REGULAR = "0";

/** @throws RangeError for a name or size that the format cannot hold */
export function tarHeader({ name, size, mode, owner, group, changedAt }: TarEntry): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (field: keyof typeof FIELDS, text: string) => {
    const [at, length] = FIELDS[field];
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > length) throw new RangeError(`${text} is too long for a backup`);
    header.set(bytes, at);
  };
  const octal = (field: keyof typeof FIELDS, value: number) =>
    put(field, value.toString(8).padStart(FIELDS[field][1] - 1, "0"));
  if (size > MOST_BYTES) throw new RangeError(`${name} is too large for a backup`);
  const [prefix, rest] = split(name);
  put("name", rest);
  put("prefix", prefix);
  octal("mode", mode & 0o7777);
  octal("uid", 0);
  octal("gid", 0);
  octal("size", size);
  octal("changedAt", Math.max(0, Math.floor(changedAt)));
  put("type", REGULAR);
  put("magic", MAGIC);
  put("owner", owner);
  put("group", group);
  put("checksum", `${sum(header).toString(8).padStart(6, "0")}\0 `);
  return header;
}

/** A long name is cut at a slash. */
function split(name: string): [prefix: string, rest: string] {
  const length = (text: string) => new TextEncoder().encode(text).length;
  if (length(name) <= FIELDS.name[1]) return ["", name];
  for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
    if (length(name.slice(at + 1)) <= FIELDS.name[1]) return [name.slice(0, at), name.slice(at + 1)];
  }
  throw new RangeError(`${name} is too long for a backup`);
}

/** Sum of the header's bytes, those of the sum itself taken as spaces. */
function sum(header: Uint8Array): number {
  const [at, length] = FIELDS.checksum;
  return header.reduce((total, byte, index) => total + (index >= at && index < at + length ? 32 : byte), 0);
}

/** Null if it is no header of a regular file. */
export function parseTarHeader(header: Uint8Array): TarEntry | null {
  const text = (field: keyof typeof FIELDS) => {
    const [at, length] = FIELDS[field];
    const bytes = header.subarray(at, at + length);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
  };
  const octal = (field: keyof typeof FIELDS) => {
    const digits = text(field).trim();
    return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
  };
  if (octal("checksum") !== sum(header) || text("magic") !== "ustar" || text("type") !== REGULAR) return null;
  const prefix = text("prefix");
  const entry = {
    name: prefix === "" ? text("name") : `${prefix}/${text("name")}`,
    size: octal("size"),
    mode: octal("mode"),
    owner: text("owner"),
    group: text("group"),
    changedAt: octal("changedAt"),
  };
  return Number.isNaN(entry.size + entry.mode + entry.changedAt) ? null : entry;
}

/** Zeros from the end of a file's content to the next header, in bytes. */
export function paddingOf(size: number): number {
  return (BLOCK - size % BLOCK) % BLOCK;
}

export const TAR_BLOCK = BLOCK;
/** What ends an archive. */
export const TAR_END = 2 * BLOCK;
