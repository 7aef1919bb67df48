// Understanding a batch needs nothing but the batch: it has threads of its own. One question is one batch.

import { answerWith } from "../kit/thread-answer.ts";
import type { StoredSample } from "../store/capture-samples.ts";
import type { PendingBatch } from "../store/pending.ts";
import { type PackedRecords, packRecords } from "./packed-records.ts";
import { understandBatch } from "./understand.ts";

export interface PackedUnderstanding {
  records: PackedRecords;
  samples: StoredSample[];
}

answerWith((batch: PendingBatch): PackedUnderstanding => {
  const { records, samples } = understandBatch(batch);
  return { records: packRecords(records), samples };
});
