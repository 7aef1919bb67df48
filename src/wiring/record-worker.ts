// Program of the threads that work on records: a request is a body to read or a stored batch to parse. Both need the same
// code, so one kind of thread compiles it once.

import { answerRead, type ReadAnswer, type ReadQuestion } from "../ingest/read-answer.ts";
import { answerWith } from "../kit/threads/thread-answer.ts";
import { RecordPacker } from "../pipeline/run/packed-records.ts";
import { parseBatch } from "../pipeline/run/parse-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";

export type RecordQuestion = { read: ReadQuestion } | { parse: PendingBatch };
export type RecordAnswer = { read: ReadAnswer } | { parsed: Uint8Array };

const newPacker = (sensorId: string, capacity: number) => new RecordPacker(sensorId, capacity);

answerWith(async (question: RecordQuestion): Promise<RecordAnswer> =>
  "read" in question
    ? { read: await answerRead(question.read, newPacker) }
    : { parsed: parseBatch(question.parse) }
);
