import { Buffer } from "node:buffer";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { type BlockRecord, decodeRecords, payloadBytes } from "./block.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampArray } from "../engine/literals.ts";
import { prepared, sql } from "../engine/sql.ts";

export interface RawLocation {
  received_at: number;
  block_id: number | bigint;
  position: number;
}

export interface StoredRaw {
  kind: RecordKind;
  /** Hex. */
  eventId: string;
  observedAtText: string;
  /** Exact JSON text, or its beginning. */
  payload: string;
  /** Size of the whole payload, in UTF-8 bytes. */
  payloadBytes: number;
  truncated: boolean;
}

/** Blocks in memory at once: each may take megabytes, and a flow's records may be in hundreds of them. */
const BLOCKS_AT_ONCE = 4;

/**
 * The records at these locations, in order; null if the block has been dropped. Payloads above
 * `maxPayloadBytes` are cut as each block is decompressed, so at most one block is held whole.
 */
export async function readRaw(
  tx: Tx,
  tenantId: string,
  places: readonly RawLocation[],
  maxPayloadBytes = Infinity,
): Promise<(StoredRaw | null)[]> {
  const byBlock = new Map<string, number[]>();
  for (const [index, place] of places.entries()) {
    const key = blockKey(place);
    const same = byBlock.get(key);
    if (same) same.push(index);
    else byBlock.set(key, [index]);
  }
  const found = new Array<StoredRaw | null>(places.length).fill(null);
  const wanted = [...byBlock.values()].map((indexes) => places[indexes[0]!]!);
  for (let next = 0; next < wanted.length; next += BLOCKS_AT_ONCE) {
    const rows = await readBlocks(tx, tenantId, wanted.slice(next, next + BLOCKS_AT_ONCE));
    for (const row of rows) {
      const indexes = byBlock.get(blockKey(row))!;
      const records = decodeRecords(row.body, indexes.map((index) => places[index]!.position));
      for (const index of indexes) {
        found[index] = toStoredRaw(records.get(places[index]!.position)!, maxPayloadBytes);
      }
    }
  }
  return found;
}

/** Bytes `from` to before `from + size` of a payload, and the payload's size; null if the block has been dropped. */
export async function readPayloadPart(
  tx: Tx,
  tenantId: string,
  place: RawLocation,
  { from, size }: { from: number; size: number },
): Promise<{ part: Uint8Array<ArrayBuffer>; payloadBytes: number } | null> {
  const [block] = await readBlocks(tx, tenantId, [place]);
  if (block === undefined) return null;
  const payload = payloadBytes(block.body, place.position);
  // A copy: a view would hold on to the whole block.
  return { part: payload.slice(from, from + size), payloadBytes: payload.length };
}

type BlockPlace = Pick<RawLocation, "received_at" | "block_id">;

function blockKey(place: BlockPlace): string {
  return `${place.received_at} ${place.block_id}`;
}

function readBlocks(
  tx: Tx,
  tenantId: string,
  places: readonly BlockPlace[],
): Promise<(BlockPlace & { body: Uint8Array })[]> {
  const receivedAt = timestampArray(places.map((place) => place.received_at));
  const blockIds = plainArray(places.map((place) => place.block_id));
  return tx.rows(prepared(
    "raw_blocks",
    sql`
    select b.received_at, b.block_id, b.body
    from unnest(${receivedAt}::timestamptz[], ${blockIds}::bigint[]) as u (received_at, block_id)
    join raw_block b on b.tenant_id = ${tenantId} and b.received_at = u.received_at and b.block_id = u.block_id`,
  ));
}

function toStoredRaw(record: BlockRecord, maxPayloadBytes: number): StoredRaw {
  const payloadBytes = Buffer.byteLength(record.payload);
  const truncated = payloadBytes > maxPayloadBytes;
  return {
    kind: record.kind,
    eventId: Buffer.from(record.eventId).toString("hex"),
    observedAtText: record.observedAtText,
    payload: truncated ? firstBytes(record.payload, maxPayloadBytes) : record.payload,
    payloadBytes,
    truncated,
  };
}

/** The first characters of `text` that fit into `bytes` of UTF-8; a copy, which does not hold on to `text`. */
export function firstBytes(text: string, bytes: number): string {
  // A streaming decoder keeps back a character that the cut divides.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
