// What a backup contains, and how its file is laid out: a tar archive with, in this order,
//
//     ndr-backup.json                  what made it: read first, so that any version explains what it cannot restore
//     configuration/…, state/…         files, with their modes
//     database/<table>/<part>.gz       rows in the text format of COPY, compressed; parts may end within a row
//     manifest.json                    every table and file with its size and SHA-256
//     sha256                           of all bytes before its own header

import { z } from "zod";

/** Raised when an older program could no longer read the file. */
export const FORMAT = 1;

export const HEAD_NAME = "ndr-backup.json";
export const MANIFEST_NAME = "manifest.json";
export const SUM_NAME = "sha256";

export const Head = z.object({
  format: z.number().int(),
  /** Version of the program that made it. */
  program: z.string(),
  created_at: z.string(),
});
export type Head = z.infer<typeof Head>;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

export const Manifest = z.object({
  program: z.string(),
  created_at: z.string(),
  database: z.object({
    engine: z.enum(["postgres", "pglite"]),
    /** Version of PostgreSQL. */
    server: z.string(),
    migrations: z.array(z.object({ version: count, name: z.string(), checksum: sha256 })),
    sequences: z.array(z.object({ name, last: z.string().regex(/^-?\d{1,19}$/), is_called: z.boolean() })),
    tables: z.array(z.object({
      name,
      parent: name.nullable(),
      columns: z.array(name),
      parts: count,
      rows: count,
      /** Of the text, uncompressed. */
      bytes: count,
      sha256,
    })),
  }),
  files: z.array(z.object({ name: z.string(), bytes: count, sha256 })),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest["database"]["tables"][number];

/** Name of a part, from 0. */
export function partName(table: string, part: number): string {
  return `database/${table}/${String(part + 1).padStart(6, "0")}.gz`;
}

/** The folders of the archive with files of the installation. */
const FILE_FOLDERS = ["configuration", "state"] as const;
export type FileFolder = (typeof FILE_FOLDERS)[number];

/** The folder and the path in it of a file; null if the name is no such file's. */
export function filePlace(archived: string): { folder: FileFolder; path: string } | null {
  const [first, ...steps] = archived.split("/");
  const folder = FILE_FOLDERS.find((known) => known === first);
  const isPlain = steps.length > 0 && steps.every((step) => step !== "" && step !== "." && step !== "..");
  return folder === undefined || !isPlain ? null : { folder, path: steps.join("/") };
}
