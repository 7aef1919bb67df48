// Program of the threads that work on records: a question is a body to read or a stored batch to parse. Both need the same
// code, so one kind of thread compiles it once. Parsing, identifying and packing are most of the ingest's work and need no
// database.

import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { parseBody } from "../ingest/parse-body.ts";
import { answerWith } from "../kit/threads/thread-answer.ts";
import { RecordPacker } from "../pipeline/run/packed-records.ts";
import { parseBatch } from "../pipeline/run/parse-batch.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";

interface ReadQuestion {
  body: Uint8Array;
  source: Source;
  /** Whether the batch should also carry the parsed records. */
  parse: boolean;
}

export type RecordQuestion = { read: ReadQuestion } | { parse: PendingBatch };

/** A refused body travels between threads as the parts of its error. */
export type RecordAnswer =
  | { batch: PackedBatch }
  | { refused: Pick<ApiError, "code" | "message" | "details" | "status"> }
  | { parsed: Uint8Array };

const newPacker = (sensorId: string, capacity: number) => new RecordPacker(sensorId, capacity);

answerWith(async (question: RecordQuestion): Promise<RecordAnswer> =>
  "read" in question ? await answerRead(question.read) : { parsed: parseBatch(question.parse) }
);

async function answerRead({ body, source, parse }: ReadQuestion): Promise<RecordAnswer> {
  try {
    return { batch: await parseBody(body, source, parse ? newPacker : null) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, status } = error;
    return { refused: { code, message, details, status } };
  }
}
