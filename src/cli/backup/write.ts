import { promisify } from "node:util";
import { constants, gzip as gzipCallback } from "node:zlib";
import { Sha256, sha256Hex } from "../../kit/hash.ts";
import { formatMicros } from "../../kit/time.ts";
import type { BulkDatabase } from "../../store/engine/bulk.ts";
import {
  readSnapshot,
  type SnapshotHead,
  type SnapshotReceiver,
} from "../../store/upkeep/backup/snapshot.ts";
import type { StoredTable } from "../../store/upkeep/backup/catalogue.ts";
import { countRows } from "./archive-reader.ts";
import { ArchiveWriter, BackupError } from "./archive-writer.ts";
import { addFiles, type Folders } from "./files.ts";
import {
  type BackedUpTable,
  FORMAT,
  type Head,
  HEAD_NAME,
  type Manifest,
  MANIFEST_NAME,
  partName,
} from "./manifest.ts";
import type { CopyProgress } from "./progress.ts";

const gzip = promisify(gzipCallback);

/** Text in one part, which is compressed and held in memory as a whole. */
const PART_BYTES = 4 * 1024 * 1024;

interface BackupRequest {
  path: string;
  /** Whether to replace a file. */
  force: boolean;
  folders: Folders;
  /** Version of this program. */
  program: string;
  progress: CopyProgress;
  /** Ends the backup; nothing is left of it. */
  signal: AbortSignal;
}

export interface Written {
  manifest: Manifest;
  /** Size of the file. */
  bytes: number;
}

/** Writes a backup of the database as it is at one moment, and of the files of the installation. */
export async function writeBackup(db: BulkDatabase, request: BackupRequest): Promise<Written> {
  const { path, force, signal } = request;
  if (!force && await Deno.lstat(path).catch(() => null) !== null) {
    throw new BackupError(`${path} exists: name another file, or replace it with --force`);
  }
  const archive = await ArchiveWriter.create(path);
  try {
    const manifest = await fill(archive, db, request);
    signal.throwIfAborted();
    await archive.finish();
    return { manifest, bytes: archive.bytes };
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

async function fill(archive: ArchiveWriter, db: BulkDatabase, request: BackupRequest): Promise<Manifest> {
  const receiver = new Receiver(archive, request);
  const sequences = await readSnapshot(db, receiver);
  const { takenAt, server, migrations } = receiver.head!;
  const manifest: Manifest = {
    program: request.program,
    created_at: formatMicros(takenAt),
    database: {
      engine: db.engine,
      server,
      migrations,
      sequences: sequences.map(({ name, last, isCalled }) => ({
        name,
        last: String(last),
        is_called: isCalled,
      })),
      tables: receiver.tables,
    },
    files: receiver.files,
  };
  await archive.add(MANIFEST_NAME, json(manifest));
  return manifest;
}

/** Adds what comes from the database to the archive. */
class Receiver implements SnapshotReceiver {
  head: SnapshotHead | null = null;
  readonly tables: BackedUpTable[] = [];
  files: Manifest["files"] = [];
  #text: Uint8Array[] = [];
  #textBytes = 0;
  #current = { parts: 0, rows: 0, bytes: 0, hash: new Sha256() };

  constructor(private readonly archive: ArchiveWriter, private readonly request: BackupRequest) {}

  async begin(head: SnapshotHead): Promise<void> {
    this.head = head;
    const { program, folders } = this.request;
    const first: Head = { format: FORMAT, program, created_at: formatMicros(head.takenAt) };
    await this.archive.add(HEAD_NAME, json(first));
    const added = await addFiles(this.archive, folders);
    this.files = added.map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: sha256Hex(content),
    }));
  }

  async rows(table: StoredTable, piece: Uint8Array): Promise<void> {
    this.request.signal.throwIfAborted();
    const rows = countRows(piece);
    this.#current.rows += rows;
    this.#current.bytes += piece.length;
    this.#current.hash.update(piece);
    this.#text.push(piece);
    this.#textBytes += piece.length;
    this.request.progress.add(piece.length, rows);
    if (this.#textBytes >= PART_BYTES) await this.#addPart(table);
  }

  async end(table: StoredTable): Promise<void> {
    if (this.#textBytes > 0) await this.#addPart(table);
    const { hash, ...counts } = this.#current;
    this.tables.push({ ...table, ...counts, sha256: hash.hex() });
    this.#current = { parts: 0, rows: 0, bytes: 0, hash: new Sha256() };
  }

  async #addPart({ name }: StoredTable): Promise<void> {
    // The bytes of records are compressed already; more effort saves little of them.
    const part = await gzip(joined(this.#text, this.#textBytes), { level: constants.Z_BEST_SPEED });
    this.#text = [];
    this.#textBytes = 0;
    await this.archive.add(partName(name, this.#current.parts++), part);
  }
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
