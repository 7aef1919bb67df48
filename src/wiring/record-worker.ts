// The program of the threads that work on records: one question is a body to read or a stored batch to understand. Both
// need the same code, so one sort of thread has it compiled once.

import { answerRead, type ReadAnswer, type ReadQuestion } from "../ingest/read-answer.ts";
import { goWithOthers } from "../kit/threads/priority.ts";
import { answerWith } from "../kit/threads/thread-answer.ts";
import { understandBatch } from "../pipeline/run/understand.ts";
import type { PendingBatch } from "../store/record/pending.ts";

export type RecordQuestion = { read: ReadQuestion } | { understand: PendingBatch };
export type RecordAnswer = { read: ReadAnswer } | { understood: Uint8Array };

// What they read ahead can wait; the thread that puts it to use goes first.
goWithOthers();

answerWith(async (question: RecordQuestion): Promise<RecordAnswer> =>
  "read" in question
    ? { read: await answerRead(question.read) }
    : { understood: understandBatch(question.understand) }
);
