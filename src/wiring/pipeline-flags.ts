const INGEST_BUSY = 0;
const MAY_WRITE = 1;
/** Index of the first tenant's flag. */
const WANTED = 2;

/** Flags that the main thread and the pipeline's worker share without messages. */
export class PipelineFlags {
  readonly #flags: Int32Array;
  readonly #indexes: ReadonlyMap<string, number>;

  /** @param tenantIds The same on both sides, in the same order. */
  constructor(readonly memory: SharedArrayBuffer, tenantIds: Iterable<string>) {
    this.#flags = new Int32Array(memory);
    this.#indexes = new Map([...tenantIds].map((tenantId, at) => [tenantId, WANTED + at]));
  }

  static create(tenantIds: readonly string[]): PipelineFlags {
    const bytes = (WANTED + tenantIds.length) * Int32Array.BYTES_PER_ELEMENT;
    return new PipelineFlags(new SharedArrayBuffer(bytes), tenantIds);
  }

  /** True while senders wait for ingest. */
  get ingestBusy(): boolean {
    return this.#get(INGEST_BUSY);
  }

  set ingestBusy(busy: boolean) {
    this.#set(INGEST_BUSY, busy);
  }

  /** False while nothing should be written, as on a full disk. */
  get mayWrite(): boolean {
    return this.#get(MAY_WRITE);
  }

  set mayWrite(may: boolean) {
    this.#set(MAY_WRITE, may);
  }

  /** Whether ingest should also hand the tenant's parsed batches to the pipeline. */
  isWanted(tenantId: string): boolean {
    const index = this.#indexes.get(tenantId);
    return index !== undefined && this.#get(index);
  }

  setWanted(tenantId: string, wanted: boolean): void {
    this.#set(this.#indexes.get(tenantId)!, wanted);
  }

  #get(index: number): boolean {
    return Atomics.load(this.#flags, index) === 1;
  }

  #set(index: number, value: boolean): void {
    Atomics.store(this.#flags, index, value ? 1 : 0);
  }
}
