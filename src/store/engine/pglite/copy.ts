// COPY of the embedded database, whose rows pass through a file in memory: `/dev/blob`. So a table is copied in parts.

import { type BulkTx, type CopiedTable, quoted, quotedColumns } from "../bulk.ts";
import type { OwnerTx } from "../database.ts";
import { sql } from "../sql.ts";
import type { PgliteInstance } from "./instance.ts";

const NEWLINE = 10;
const PAGE_BYTES = 8192;
/** Pages are added to the next part below this size of a part, and taken from it above four times as much. */
const SMALL_PART = 1024 * 1024;
/** A page may refer to a hundred large values that lie outside of it. */
const FIRST_PAGES = 2;
const MOST_PAGES = 512;

/** The copies of a transaction that runs on the instance. */
export function copies(instance: PgliteInstance, tx: OwnerTx): Pick<BulkTx, "copyOut" | "copyIn"> {
  const copy = async (text: string, data: Uint8Array | null = null) =>
    (await instance.ask({ op: "copy", text, data })).rows[0]!.data as Uint8Array | null;
  return {
    async copyOut(table, take) {
      const end = await pagesOf(tx, table);
      let pages = FIRST_PAGES;
      for (let at = 0; at < end;) {
        const range = `ctid >= '(${at},0)' and ctid < '(${at + pages},0)'`;
        const part = await copy(
          `copy (select ${quotedColumns(table)} from ${quoted(table.name)} where ${range}) to '/dev/blob'`,
        );
        at += pages;
        if (part === null) continue;
        if (part.length > 0) await take(part);
        if (part.length < SMALL_PART) pages = Math.min(pages * 2, MOST_PAGES);
        else if (part.length > 4 * SMALL_PART) pages = Math.max(1, pages >> 1);
      }
    },
    async copyIn(table, pieces) {
      const text = `copy ${quoted(table.name)} (${quotedColumns(table)}) from '/dev/blob'`;
      for await (const rows of wholeRows(pieces)) await copy(text, rows);
    },
  };
}

async function pagesOf(tx: OwnerTx, { name }: CopiedTable): Promise<number> {
  const [row] = await tx.rows<{ bytes: number }>(
    sql`select pg_relation_size(to_regclass(${quoted(name)})) as bytes`,
  );
  return Math.ceil(row!.bytes / PAGE_BYTES);
}

/** Cuts the pieces at the ends of rows. In this format a newline is always the end of a row. */
async function* wholeRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield joined([...rest, piece.subarray(0, end)]);
      rest = [];
    }
    if (end < piece.length) rest.push(piece.subarray(end));
  }
  if (rest.length > 0) yield joined(rest);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
