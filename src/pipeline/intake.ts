import type { StoredSample } from "../store/capture-samples.ts";
import type { Database } from "../store/database.ts";
import { type PendingBatch, pendingBatches, type RoundSize } from "../store/pending.ts";
import type { Understood, UnderstoodBatch } from "../store/understood.ts";
import { Turns } from "./turns.ts";
import { understandBatch } from "./understand.ts";

/**
 * What is taken up together: enough to spread the cost of what changes once a round (devices, detectors' memories), little
 * enough to bound its memory. Only a backlog makes rounds this large.
 */
const ROUND_SIZE: RoundSize = { batches: 256, records: 16_000 };

/** Where a batch is understood. */
export type Understand = (batch: PendingBatch) => Promise<UnderstoodBatch>;

/** Batches that follow one another, and what their records say. */
export interface Taken {
  batches: number;
  /** Number of the last batch. */
  last: number;
  records: Understood[];
  samples: StoredSample[];
}

export interface IntakeOptions {
  size?: RoundSize;
  /** In this thread where nothing is given. */
  understand?: Understand;
  /** Whether to read what comes next before anybody asks. */
  ahead?: boolean;
}

/** Reads a tenant's batches in their order. */
export class Intake {
  #ahead: { after: number; taken: Promise<Taken | null> } | null = null;

  constructor(
    private readonly db: Database,
    private readonly tenantId: string,
    private readonly options: IntakeOptions = {},
  ) {}

  /** The batches after this one; null where there are none yet. */
  async after(batchNo: number): Promise<Taken | null> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const taken = (ahead?.after === batchNo ? await ahead.taken : null) ?? await this.#read(batchNo);
    if (taken !== null && this.options.ahead) this.#readAhead(taken);
    return taken;
  }

  /** While these are worked on, others can read the next ones: as long as there is no end of them, at least. */
  #readAhead({ batches, last, records }: Taken): void {
    const { size = ROUND_SIZE } = this.options;
    if (batches < size.batches && records.length < size.records) return;
    const taken = this.#read(last);
    // A failure shows where the result is used.
    taken.catch(() => {});
    this.#ahead = { after: last, taken };
  }

  async #read(batchNo: number): Promise<Taken | null> {
    const { size = ROUND_SIZE, understand = understandHere } = this.options;
    const batches = await this.db.tenant(
      this.tenantId,
      (tx) => pendingBatches(tx, this.tenantId, batchNo, size),
    );
    if (batches.length === 0) return null;
    const records: Understood[] = [];
    const samples: StoredSample[] = [];
    for (const understood of await Promise.all(batches.map(understand))) {
      for (const record of understood.records) records.push(record);
      for (const sample of understood.samples) samples.push(sample);
    }
    return { batches: batches.length, last: batches.at(-1)!.batch_no, records, samples };
  }
}

async function understandHere(batch: PendingBatch): Promise<UnderstoodBatch> {
  await new Turns().next();
  return understandBatch(batch);
}
