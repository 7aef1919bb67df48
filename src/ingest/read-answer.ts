// Reading a body (parsing, identities, packing) is most of the ingest's work, and none of the database's: it can be done
// in another thread. This is what that one does.

import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import { type PackerFactory, readBody } from "./batch.ts";

export interface ReadQuestion {
  body: Uint8Array;
  source: Source;
  /** Whether the batch should also carry the parsed records. */
  parse: boolean;
}

/** A refusal is taken apart to travel between threads. */
export type ReadAnswer =
  | { batch: PackedBatch }
  | { refused: Pick<ApiError, "code" | "message" | "details" | "status"> };

export async function answerRead(
  { body, source, parse }: ReadQuestion,
  newPacker: PackerFactory,
): Promise<ReadAnswer> {
  try {
    return { batch: await readBody(body, source, parse ? newPacker : null) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, status } = error;
    return { refused: { code, message, details, status } };
  }
}
