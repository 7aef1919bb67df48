// Reads a body in a worker. Parsing, identifying and packing are most of the ingest's work and need no
// database.

import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import { type PackerFactory, parseBody } from "./parse-body.ts";

export interface ReadQuestion {
  body: Uint8Array;
  source: Source;
  /** Whether the batch should also carry the parsed records. */
  parse: boolean;
}

/** A rejection travels between threads as its parts. */
export type ReadAnswer =
  | { batch: PackedBatch }
  | { refused: Pick<ApiError, "code" | "message" | "details" | "status"> };

export async function answerRead(
  { body, source, parse }: ReadQuestion,
  newPacker: PackerFactory,
): Promise<ReadAnswer> {
  try {
    return { batch: await parseBody(body, source, parse ? newPacker : null) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, status } = error;
    return { refused: { code, message, details, status } };
  }
}
