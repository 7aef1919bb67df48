/// <reference lib="deno.worker" />
// Reading a body (parsing, identities, packing) is most of the ingest's work, and none of the database's: it has
// threads of its own. One message is one body.

import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/errors.ts";
import type { PackedBatch } from "../store/packed-batch.ts";
import { readBody } from "./batch.ts";

export interface ReadRequest {
  id: number;
  body: Uint8Array;
  source: Source;
}

/** An error is taken apart to travel between threads. */
export interface Refusal {
  code: ApiError["code"];
  message: string;
  details: ApiError["details"];
  status: number;
}

export type ReadAnswer =
  & { id: number }
  & (
    | { batch: PackedBatch }
    | { refused: Refusal }
    | { failed: unknown }
  );

self.onmessage = async (event: MessageEvent<ReadRequest>) => {
  const { id, body, source } = event.data;
  let answer: ReadAnswer;
  try {
    answer = { id, batch: await readBody(body, source) };
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, message, details, status } = error;
      answer = { id, refused: { code, message, details, status } };
    } else answer = { id, failed: error };
  }
  self.postMessage(answer);
};
