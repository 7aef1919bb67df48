// Reads a backup from its beginning to its end. Whatever is wrong with the file is found on the first pass.

import { promisify } from "node:util";
import { gunzip as gunzipCallback } from "node:zlib";
import { messageOf } from "../../kit/errors.ts";
import { Sha256, sha256Hex } from "../../kit/hash.ts";
import { BackupError } from "./archive-writer.ts";
import {
  filePlace,
  FORMAT,
  Head,
  HEAD_NAME,
  Manifest,
  MANIFEST_NAME,
  partName,
  SUM_NAME,
} from "./manifest.ts";
import { paddingOf, parseTarHeader, TAR_BLOCK, TAR_END, type TarEntry } from "./tar.ts";

const gunzip = promisify(gunzipCallback);

/** Memory that a file of the archive may take: a damaged size must not take all. */
const MOST_BYTES = 2 ** 30;
const NEWLINE = 10;

export interface Member extends TarEntry {
  content: Uint8Array;
}

/** Reports bytes of the file that have been read. */
type OnRead = (bytes: number) => void;

/**
 * All files of the archive but its checksum, which is verified.
 *
 * @throws BackupError if the file is none of ours, incomplete or damaged
 */
export async function* members(path: string, onRead: OnRead = () => {}): AsyncGenerator<Member> {
  const file = await open(path);
  try {
    const hash = new Sha256();
    let isFirst = true;
    for (;;) {
      const header = await take(file, TAR_BLOCK, path);
      const entry = parseTarHeader(header);
      if (isFirst && entry?.name !== HEAD_NAME) throw new BackupError(`${path} is not a backup of ndr`);
      if (entry === null || entry.size > MOST_BYTES) throw damaged(path, "an entry cannot be read");
      isFirst = false;
      const content = await take(file, entry.size, path);
      const padding = await take(file, paddingOf(entry.size), path);
      onRead(header.length + content.length + padding.length);
      if (entry.name === SUM_NAME) {
        const end = await take(file, TAR_END, path);
        const isWhole = new TextDecoder().decode(content) === `${hash.hex()}\n`;
        const isClean = [...padding, ...end].every((byte) => byte === 0) && await atEnd(file);
        if (!isWhole || !isClean) throw damaged(path, "its checksum does not match");
        return;
      }
      for (const bytes of [header, content, padding]) hash.update(bytes);
      yield { ...entry, content };
    }
  } finally {
    file.close();
  }
}

async function open(path: string): Promise<Deno.FsFile> {
  try {
    const file = await Deno.open(path);
    if ((await file.stat()).isFile) return file;
    file.close();
  } catch (error) {
    throw new BackupError(`cannot read ${path}: ${messageOf(error)}`);
  }
  throw new BackupError(`${path} is not a file`);
}

async function take(file: Deno.FsFile, bytes: number, path: string): Promise<Uint8Array> {
  const content = new Uint8Array(bytes);
  for (let at = 0; at < bytes;) {
    const read = await file.read(content.subarray(at));
    if (read === null) throw new BackupError(`${path} is incomplete: it ends within an entry`);
    at += read;
  }
  return content;
}

async function atEnd(file: Deno.FsFile): Promise<boolean> {
  return await file.read(new Uint8Array(1)) === null;
}

function damaged(path: string, what: string): BackupError {
  return new BackupError(`${path} is damaged: ${what}`);
}

/** Text of a part of a table. */
export async function unpacked(path: string, { name, content }: Member): Promise<Uint8Array> {
  try {
    return await gunzip(content);
  } catch (error) {
    throw damaged(path, `${name}: ${messageOf(error)}`);
  }
}

/** Number of rows that end in a piece of the text format of COPY. */
export function countRows(piece: Uint8Array): number {
  let rows = 0;
  for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

/** Reads the whole file and compares it with its manifest, which it returns. @throws BackupError */
export async function inspect(path: string, onRead: OnRead): Promise<Manifest> {
  const inside = new Map<string, { sha256: string; bytes: number }>();
  const tables = new Tables(path);
  let manifest: Manifest | null = null;
  for await (const member of members(path, onRead)) {
    const { name, content } = member;
    if (manifest !== null) throw damaged(path, `unexpected ${name}`);
    if (name === HEAD_NAME) requireFormat(path, content);
    else if (name === MANIFEST_NAME) manifest = parsed(path, name, content, Manifest);
    else if (filePlace(name) !== null) {
      inside.set(name, { sha256: sha256Hex(content), bytes: content.length });
    } else await tables.add(member);
  }
  if (manifest === null) throw damaged(path, `${MANIFEST_NAME} is missing`);
  if (inside.size !== manifest.files.length) throw damaged(path, "it has other files than its manifest");
  for (const { name, sha256 } of manifest.files) {
    if (inside.get(name)?.sha256 !== sha256) throw damaged(path, `${name} does not match its checksum`);
  }
  tables.compare(manifest);
  return manifest;
}

/** The tables of the archive, in their order. */
class Tables {
  readonly #found: { name: string; parts: number; rows: number; bytes: number; sha256: string }[] = [];
  #current: { name: string; parts: number; rows: number; bytes: number; hash: Sha256 } | null = null;

  constructor(private readonly path: string) {}

  async add(member: Member): Promise<void> {
    const table = /^database\/([^/]+)\//.exec(member.name)?.[1];
    if (this.#current !== null && this.#current.name !== table) this.#end();
    if (table === undefined) throw damaged(this.path, `unexpected ${member.name}`);
    this.#current ??= { name: table, parts: 0, rows: 0, bytes: 0, hash: new Sha256() };
    if (member.name !== partName(table, this.#current.parts)) {
      throw damaged(this.path, `unexpected ${member.name}`);
    }
    const text = await unpacked(this.path, member);
    this.#current.parts++;
    this.#current.rows += countRows(text);
    this.#current.bytes += text.length;
    this.#current.hash.update(text);
  }

  #end(): void {
    if (this.#current === null) return;
    const { hash, ...table } = this.#current;
    this.#found.push({ ...table, sha256: hash.hex() });
    this.#current = null;
  }

  /** @throws BackupError if they are not those of the manifest */
  compare({ database }: Manifest): void {
    this.#end();
    const stated = database.tables.filter(({ parts }) => parts > 0);
    if (stated.map(({ name }) => name).join() !== this.#found.map(({ name }) => name).join()) {
      throw damaged(this.path, "it has other tables than its manifest");
    }
    stated.forEach(({ name, parts, rows, bytes, sha256 }, at) => {
      const found = this.#found[at]!;
      const isSame = found.parts === parts && found.rows === rows && found.bytes === bytes;
      if (!isSame || found.sha256 !== sha256) {
        throw damaged(this.path, `the table ${name} does not match its checksum`);
      }
    });
  }
}

function requireFormat(path: string, content: Uint8Array): void {
  const { format, program } = parsed(path, HEAD_NAME, content, Head);
  if (format > FORMAT) {
    throw new BackupError(
      `${path} was made by a newer version of ndr (${program}): install that version first`,
    );
  }
}

function parsed<T>(
  path: string,
  name: string,
  content: Uint8Array,
  schema: { parse(value: unknown): T },
): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(content)));
  } catch {
    throw damaged(path, `${name} cannot be read`);
  }
}
