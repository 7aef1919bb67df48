// Understanding a stored batch needs nothing but the batch: it has threads of its own. One question is one batch.

import { answerWith } from "../kit/thread-answer.ts";
import { packRead } from "../store/packed-records.ts";
import type { PendingBatch } from "../store/pending.ts";
import { readStored } from "./understand.ts";

answerWith((batch: PendingBatch): Uint8Array => packRead(readStored(batch)));
