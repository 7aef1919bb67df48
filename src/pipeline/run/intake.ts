import type { StoredSample } from "../../store/health/capture-samples.ts";
import type { Database } from "../../store/engine/database.ts";
import { type PackedUnderstood, unpackUnderstood } from "../../store/record/packed-records.ts";
import { type PendingBatch, pendingBatches, type RoundSize } from "../../store/record/pending.ts";
import type { Understood } from "../../store/record/understood.ts";
import { type HandedBatches, HandOver } from "./handoff.ts";
import { type Look, Turns } from "./turns.ts";
import { headOf, understandBatch } from "./understand.ts";

/**
 * What is taken up together: enough to spread the cost of what changes once a round (devices, detectors' memories), little
 * enough to bound its memory. Only a backlog makes rounds this large.
 */
const ROUND_SIZE: RoundSize = { batches: 256, records: 8_000 };
/**
 * A backlog's first round has an eighth of that, and each one is followed by one at most twice as large: so the database has
 * work early, and what waited longest is visible soon.
 */
const FIRST_SHARE = 8;

/** Where a batch is understood; see `understandBatch`. */
export type Understand = (batch: PendingBatch) => Promise<Uint8Array>;

/** Batches that follow one another, and what their records say. */
export interface Taken {
  batches: number;
  /** Number of the last batch. */
  last: number;
  records: Understood[];
  samples: StoredSample[];
}

interface IntakeOptions {
  size?: RoundSize;
  /** In this thread where nothing is given. */
  understand?: Understand;
  /** Whether to read what comes next before anybody asks. */
  ahead?: boolean;
  /** What need not be read; nothing where nothing is given. */
  handed?: HandedBatches;
  /** How others get their turn while this is at work. */
  look?: Look;
}

/** Reads a tenant's batches in their order. */
export class Intake {
  #ahead: { after: number; batches: Promise<PackedUnderstood[]> } | null = null;
  readonly #largest: RoundSize;
  #size: RoundSize;
  readonly #handed: HandedBatches;

  constructor(
    private readonly db: Database,
    private readonly tenantId: string,
    private readonly options: IntakeOptions = {},
  ) {
    this.#largest = options.size ?? ROUND_SIZE;
    this.#size = firstOf(this.#largest);
    this.#handed = options.handed ?? new HandOver().of(tenantId);
  }

  /** The batches after this one; null where there are none yet. */
  async after(batchNo: number): Promise<Taken | null> {
    const batches = await this.#find(batchNo);
    const records = batches.reduce((sum, batch) => sum + batch.records, 0);
    const full = batches.length >= this.#size.batches || records >= this.#size.records;
    this.#size = nextOf(records, this.#largest);
    if (batches.length === 0) return null;
    if (full && this.options.ahead) this.#readAhead(batches.at(-1)!.head.batchNo);
    return await unpack(batches, new Turns(this.options.look));
  }

  async #find(batchNo: number): Promise<PackedUnderstood[]> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const handed = this.#handed.take(batchNo, this.#size);
    if (handed.length > 0) return handed;
    const read = ahead?.after === batchNo ? await ahead.batches : [];
    return read.length > 0 ? read : await this.#read(batchNo);
  }

  /** While a full round is worked on, others can read the next one: there is no end of it yet. */
  #readAhead(after: number): void {
    if (this.#handed.missingAfter(after) === 0) return;
    const read = this.#read(after);
    // A failure shows where the result is used.
    read.catch(() => {});
    this.#ahead = { after, batches: read };
  }

  /** Reads up to the first one that need not be read. */
  async #read(batchNo: number): Promise<PackedUnderstood[]> {
    const { understand = understandHere } = this.options;
    const size = {
      ...this.#size,
      batches: Math.min(this.#size.batches, this.#handed.missingAfter(batchNo)),
    };
    const batches = await this.db.tenant(
      this.tenantId,
      (tx) => pendingBatches(tx, this.tenantId, batchNo, size),
    );
    return await Promise.all(batches.map(async (batch) => ({
      head: headOf(batch),
      records: batch.accepted,
      understood: await understand(batch),
    })));
  }
}

function firstOf({ batches, records }: RoundSize): RoundSize {
  return { batches, records: Math.ceil(records / FIRST_SHARE) };
}

/** After a round of so many records: what comes at a steady pace is not cut into small ones now and then. */
function nextOf(records: number, largest: RoundSize): RoundSize {
  const least = firstOf(largest).records;
  return { ...largest, records: Math.min(Math.max(2 * records, least), largest.records) };
}

/** As objects the records take ten times the memory, and all of it is the collector's: not before they are worked on. */
async function unpack(batches: readonly PackedUnderstood[], turns: Turns): Promise<Taken> {
  const records: Understood[] = [];
  const samples: StoredSample[] = [];
  for (const { head, understood } of batches) {
    const batch = unpackUnderstood(understood, head);
    for (const record of batch.records) records.push(record);
    for (const sample of batch.samples) samples.push(sample);
    if (turns.due) await turns.next();
  }
  return { batches: batches.length, last: batches.at(-1)!.head.batchNo, records, samples };
}

async function understandHere(batch: PendingBatch): Promise<Uint8Array> {
  await new Turns().next();
  return understandBatch(batch);
}
