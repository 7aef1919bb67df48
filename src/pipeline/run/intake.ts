import type { Database } from "../../store/engine/database.ts";
import type { StoredSample } from "../../store/health/capture-samples.ts";
import type { ParsedBatch } from "../../store/record/parsed-batch.ts";
import { type PendingBatch, pendingBatches, type RoundSize } from "../../store/record/pending.ts";
import { Handoff, type TenantHandoff } from "./handoff.ts";
import { unpackRecords } from "./packed-records.ts";
import { headOf, parseBatch } from "./parse-batch.ts";
import type { ParsedRecord } from "./parsed-record.ts";
import { TimeSlice, yieldToEventLoop } from "./time-slice.ts";

/**
 * Maximum size of a round: large enough to spread the cost of what changes once per round (devices, detector states),
 * small enough to bound its memory. Only a backlog produces rounds this large.
 */
const ROUND_SIZE: RoundSize = { batches: 256, records: 8_000 };
/**
 * The first round of a backlog has this fraction of the maximum, and each further one is at most twice as large as the
 * one before. So the database has work early, and the oldest records become visible soon.
 */
const FIRST_SHARE = 8;

/** Parses a stored batch, possibly in another thread; see `parseBatch`. */
export type Parse = (batch: PendingBatch) => Promise<Uint8Array>;

/** Consecutive batches and their records. */
interface Taken {
  batches: number;
  /** Number of the last batch. */
  last: number;
  records: ParsedRecord[];
  samples: StoredSample[];
}

interface IntakeOptions {
  size?: RoundSize;
  /** Parses in this thread by default. */
  parse?: Parse;
  /** Whether to read the next batches while a full round is processed. */
  ahead?: boolean;
  /** Parsed batches that need not be read; none by default. */
  handoff?: TenantHandoff;
}

/** Reads a tenant's batches in order. */
export class Intake {
  #ahead: { after: number; batches: Promise<ParsedBatch[]> } | null = null;
  readonly #largest: RoundSize;
  #size: RoundSize;
  readonly #handoff: TenantHandoff;

  constructor(
    private readonly db: Database,
    private readonly tenantId: string,
    private readonly options: IntakeOptions = {},
  ) {
    this.#largest = options.size ?? ROUND_SIZE;
    this.#size = firstOf(this.#largest);
    this.#handoff = options.handoff ?? new Handoff().of(tenantId);
  }

  /** The batches after this one; null if there are none yet. */
  async after(batchNo: number): Promise<Taken | null> {
    const batches = await this.#find(batchNo);
    const records = batches.reduce((sum, batch) => sum + batch.records, 0);
    const full = batches.length >= this.#size.batches || records >= this.#size.records;
    this.#size = nextOf(records, this.#largest);
    if (batches.length === 0) return null;
    if (full && this.options.ahead) this.#readAhead(batches.at(-1)!.head.batchNo);
    return await unpack(batches);
  }

  async #find(batchNo: number): Promise<ParsedBatch[]> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const handedOff = this.#handoff.take(batchNo, this.#size);
    if (handedOff.length > 0) return handedOff;
    const read = ahead?.after === batchNo ? await ahead.batches : [];
    return read.length > 0 ? read : await this.#read(batchNo);
  }

  /** A full round means a backlog: other threads can read the next round meanwhile. */
  #readAhead(after: number): void {
    if (this.#handoff.missingAfter(after) === 0) return;
    const read = this.#read(after);
    // A failure is reported where the result is used.
    read.catch(() => {});
    this.#ahead = { after, batches: read };
  }

  /** Reads up to the first batch that need not be read. */
  async #read(batchNo: number): Promise<ParsedBatch[]> {
    const { parse = parseHere } = this.options;
    const size = {
      ...this.#size,
      batches: Math.min(this.#size.batches, this.#handoff.missingAfter(batchNo)),
    };
    const batches = await this.db.tenant(
      this.tenantId,
      (tx) => pendingBatches(tx, this.tenantId, batchNo, size),
    );
    return await Promise.all(batches.map(async (batch) => ({
      head: headOf(batch),
      records: batch.accepted,
      parsed: await parse(batch),
    })));
  }
}

function firstOf({ batches, records }: RoundSize): RoundSize {
  return { batches, records: Math.ceil(records / FIRST_SHARE) };
}

/** Size after a round of `records`: twice as large, so that a steady load is not cut into small rounds. */
function nextOf(records: number, largest: RoundSize): RoundSize {
  const least = firstOf(largest).records;
  return { ...largest, records: Math.min(Math.max(2 * records, least), largest.records) };
}

/** Unpacks records just before they are processed: as objects they take ten times the memory. */
async function unpack(batches: readonly ParsedBatch[]): Promise<Taken> {
  const slice = new TimeSlice();
  const records: ParsedRecord[] = [];
  const samples: StoredSample[] = [];
  for (const { head, parsed } of batches) {
    const batch = unpackRecords(parsed, head);
    for (const record of batch.records) records.push(record);
    for (const sample of batch.samples) samples.push(sample);
    if (slice.over) await slice.yield();
  }
  return { batches: batches.length, last: batches.at(-1)!.head.batchNo, records, samples };
}

async function parseHere(batch: PendingBatch): Promise<Uint8Array> {
  await yieldToEventLoop();
  return parseBatch(batch);
}
