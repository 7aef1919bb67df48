// One run of a replay: where to start, what to send next, what has been acknowledged.

import { type Batch, batches, type BatchLimits, type Position } from "./batch.ts";
import type { ReplayDependencies, ReplayOptions, ReplayProgress, ReplayResult } from "./types.ts";
import { mergeByTime, type MergeSource } from "./merge.ts";
import { RecordCursor, type Recording, type ReplayRecord } from "./recording.ts";
import { RejectionReport } from "./rejections.ts";
import { SkipReport } from "./skips.ts";
import { replayIdentity, StateFile } from "./state.ts";
import { type Refused, Transport, type Wait } from "./transport.ts";
import { pause } from "../../kit/threads/pause.ts";

const REQUEST_TIMEOUT_MS = 60_000;

/** The result as far as the run knows it: files without records are not opened by it. */
type RunResult = Omit<ReplayResult, "filesWithoutRecords">;

export class Run {
  readonly #options: ReplayOptions;
  readonly #dependencies: ReplayDependencies;
  readonly #recordings: Recording[];
  readonly #now: () => number;
  readonly #signal: AbortSignal;
  readonly #skips = new SkipReport();
  readonly #rejections = new RejectionReport();
  readonly #damaged = new Map<string, string>();
  readonly #kinds = new Map<string, number>();
  readonly #counts = { accepted: 0, duplicates: 0, rejected: 0 };
  #positions: Position[];
  #shiftSeconds = 0;
  #state: StateFile | null = null;
  #resumed = false;

  constructor(options: ReplayOptions, dependencies: ReplayDependencies, recordings: Recording[]) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#recordings = recordings;
    this.#now = dependencies.now ?? Date.now;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#positions = recordings.map(() => ({ items: 0, bytes: 0 }));
  }

  async run(url: URL, limits: BatchLimits): Promise<RunResult> {
    await this.#prepare(url);
    return this.#signal.aborted ? this.#result("interrupted", null) : await this.#send(url, limits);
  }

  /** Determines the start and the shift. */
  async #prepare(url: URL): Promise<void> {
    const { token, kind = null, shiftToNow = false } = this.#options;
    const paths = this.#recordings.map(({ path }) => path);
    const identity = replayIdentity({ url: url.href, token, kind, shiftToNow, paths });
    const path = this.#options.stateFile?.(identity) ?? null;
    this.#state = path === null ? null : new StateFile(path, identity);
    if (await this.#resume()) return;
    if (shiftToNow) await this.#chooseShift();
    if (this.#signal.aborted) {
      // A shift chosen from half of the records must not be kept.
      this.#state = null;
      return;
    }
    // Saved before the first batch: a run that ends between sending and saving must not choose another shift.
    await this.#save();
  }

  async #send(url: URL, limits: BatchLimits): Promise<RunResult> {
    const transport = new Transport({
      url,
      token: this.#options.token,
      gzip: this.#options.gzip ?? false,
      timeoutMs: REQUEST_TIMEOUT_MS,
      now: this.#now,
      random: this.#dependencies.random ?? Math.random,
      sleep: this.#dependencies.sleep ?? pause,
      onWait: (wait) => this.#report("sending", wait),
    });
    const source = batches(mergeByTime(this.#sources()), limits);
    try {
      this.#report("sending", null);
      let next = await source.next();
      while (!next.done) {
        if (this.#signal.aborted) return this.#result("interrupted", null);
        const batch = next.value;
        // Prepares the next batch while this one is sent.
        const [delivery, following] = await Promise.all([
          transport.deliver(batch, this.#signal),
          source.next(),
        ]);
        if (delivery.type === "interrupted") return this.#result("interrupted", null);
        if (delivery.type === "refused") return this.#result("refused", delivery);
        await this.#acknowledge(batch, delivery);
        next = following;
      }
      await this.#state?.remove();
      // Items skipped after the last record are done too.
      this.#positions.forEach((position, source) => position.bytes = this.#recordings[source]!.size);
      this.#report("sending", null);
      return this.#result("complete", null);
    } finally {
      await source.return();
    }
  }

  async #resume(): Promise<boolean> {
    if (this.#state === null || this.#options.resume === false) return false;
    const earlier = await this.#state.load(this.#recordings);
    if (earlier === null) return false;
    if ("changed" in earlier) {
      this.#notice(`${earlier.changed} changed since the replay stopped: starting over`);
      return false;
    }
    this.#positions = earlier.positions;
    this.#shiftSeconds = earlier.shiftSeconds;
    this.#resumed = earlier.positions.some(({ items }) => items > 0);
    return true;
  }

  /** Reads all files once for the time at which the recording ends; it becomes now. */
  async #chooseShift(): Promise<void> {
    let end = Number.NEGATIVE_INFINITY;
    for (const [source, recording] of this.#recordings.entries()) {
      const before = this.#recordings.slice(0, source).reduce((sum, { size }) => sum + size, 0);
      const cursor = this.#quietCursor(source, 0);
      let count = 0;
      for (let record = await cursor.next(); record !== null; record = await cursor.next()) {
        end = Math.max(end, record.writtenMicros ?? end);
        if (count++ % 1000 === 0) this.#report("scanning", null, before + record.offset);
        if (this.#signal.aborted) break;
      }
      await cursor.close();
      this.#report("scanning", null, before + recording.size);
    }
    // Whole seconds keep the digits of fractions. Rounded down: no time lies in the future.
    if (Number.isFinite(end)) this.#shiftSeconds = Math.floor((this.#now() * 1000 - end) / 1e6);
  }

  #sources(): MergeSource[] {
    return this.#recordings.map((recording, source) => {
      const passed = this.#positions[source]!.items;
      const onDamage = (message: string) => this.#damaged.set(recording.file, message);
      const options = { source, passed, shiftSeconds: this.#shiftSeconds, skips: this.#skips, onDamage };
      return {
        open: () => new RecordCursor(recording, options),
        peek: () => this.#quietCursor(source, this.#shiftSeconds),
        fromStart: passed === 0,
      };
    });
  }

  #quietCursor(source: number, shiftSeconds: number): RecordCursor {
    const options = { source, passed: 0, shiftSeconds, skips: new SkipReport(), onDamage: () => {} };
    return new RecordCursor(this.#recordings[source]!, options);
  }

  async #acknowledge(
    batch: Batch,
    counts: { accepted: number; duplicates: number; rejected: number },
  ): Promise<void> {
    this.#counts.accepted += counts.accepted;
    this.#counts.duplicates += counts.duplicates;
    this.#counts.rejected += counts.rejected;
    if (counts.rejected > 0) this.#rejections.add(batch.records.map((record) => this.#located(record)));
    for (const [kind, lines] of batch.kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + lines);
    for (const [source, position] of batch.reached) this.#positions[source] = position;
    await this.#save();
    this.#report("sending", null);
  }

  #located({ bytes, kind, source, item }: ReplayRecord) {
    return { bytes, kind, place: `${this.#recordings[source]!.file}:${item}` };
  }

  async #save(): Promise<void> {
    await this.#state?.save(this.#recordings, {
      shiftSeconds: this.#shiftSeconds,
      positions: this.#positions,
    });
  }

  #report(phase: ReplayProgress["phase"], waiting: Wait | null, scanned?: number): void {
    const { accepted, duplicates, rejected } = this.#counts;
    this.#dependencies.onProgress?.({
      phase,
      bytes: scanned ?? this.#positions.reduce((sum, { bytes }) => sum + bytes, 0),
      totalBytes: this.#recordings.reduce((sum, { size }) => sum + size, 0),
      records: accepted + duplicates + rejected,
      accepted,
      duplicates,
      rejected,
      skipped: this.#skips.total,
      waiting,
    });
  }

  #notice(text: string): void {
    this.#dependencies.onNotice?.(text);
  }

  #result(outcome: ReplayResult["outcome"], refusal: Refused | null): RunResult {
    return {
      outcome,
      refusal,
      ...this.#counts,
      rejections: this.#rejections.listed,
      rejectedAlerts: this.#rejections.alerts,
      kinds: Object.fromEntries([...this.#kinds].sort(([a], [b]) => a < b ? -1 : 1)),
      skipped: this.#skips.list(),
      damaged: [...this.#damaged].map(([file, message]) => ({ file, message })),
      resumed: this.#resumed,
      shiftSeconds: this.#shiftSeconds,
      stateFile: outcome === "complete" ? null : this.#state?.path ?? null,
    };
  }
}
