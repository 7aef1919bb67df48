// Shows the progress of a replay: one redrawn line on a terminal, else a line every few seconds.

import { span } from "../../kit/text.ts";
import type { ReplayProgress } from "./types.ts";
import type { Wait } from "./transport.ts";

interface ProgressScreen {
  write: (text: string) => void;
  /** Columns of the terminal; `null` if the output is not one (a file, a pipe, a journal). */
  columns: number | null;
  /** Unix time, milliseconds. */
  now: () => number;
}

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR_WIDTH = 24;
const CLEAR = "\r\x1b[K";

export class ProgressDisplay {
  readonly #screen: ProgressScreen;
  #started: number;
  #first: ReplayProgress | null = null;
  #last: ReplayProgress | null = null;
  #drawn = Number.NEGATIVE_INFINITY;
  #onScreen = false;

  constructor(screen: ProgressScreen) {
    this.#screen = screen;
    this.#started = screen.now();
  }

  update(progress: ReplayProgress): void {
    const now = this.#screen.now();
    // The rate starts with sending: without scanning and without what an earlier run sent.
    if (this.#first?.phase !== progress.phase) {
      this.#first = progress;
      this.#started = now;
    }
    const stalled = progress.waiting !== null && this.#last?.waiting?.reason !== progress.waiting.reason;
    this.#last = progress;
    const terminal = this.#screen.columns !== null;
    if (!stalled && now - this.#drawn < (terminal ? REDRAW_MS : LINE_EVERY_MS)) return;
    this.#drawn = now;
    this.#draw(progress, now);
  }

  /** Prints a remark on its own line. */
  note(text: string): void {
    this.#screen.write((this.#onScreen ? CLEAR : "") + text + "\n");
    this.#onScreen = false;
  }

  /** Draws the last state and ends the line. */
  finish(): void {
    if (this.#last !== null && this.#screen.columns !== null) this.#draw(this.#last, this.#screen.now());
    if (this.#onScreen) this.#screen.write("\n");
    this.#onScreen = false;
  }

  #draw(progress: ReplayProgress, now: number): void {
    const text = progressLine(progress, {
      bytesBefore: this.#first?.bytes ?? 0,
      elapsedMs: now - this.#started,
      bar: this.#screen.columns !== null,
    });
    if (this.#screen.columns === null) return this.#screen.write(text + "\n");
    this.#screen.write(CLEAR + [...text].slice(0, this.#screen.columns - 1).join(""));
    this.#onScreen = true;
  }
}

/** `bytesBefore`: what an earlier run had sent; excluded from rate and remaining time. */
export function progressLine(
  progress: ReplayProgress,
  view: { bytesBefore: number; elapsedMs: number; bar: boolean },
): string {
  const { bytes, totalBytes, waiting } = progress;
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const bar = view.bar ? `[${barOf(share)}] ` : "";
  if (progress.phase === "scanning") return `${bar}${percent}  reading record times`;
  if (waiting !== null) return `${bar}${percent}  ${waitingLine(waiting)}`;

  const counts = [`${count(progress.accepted)} accepted`];
  if (progress.duplicates > 0) counts.push(`${count(progress.duplicates)} duplicates`);
  if (progress.rejected > 0) counts.push(`${count(progress.rejected)} rejected`);
  if (progress.skipped > 0) counts.push(`${count(progress.skipped)} skipped`);
  const line = `${bar}${percent}  ${counts.join(", ")}`;
  const seconds = view.elapsedMs / 1000;
  if (seconds < 0.5 || progress.records === 0) return line;
  const rate = `${count(Math.round(progress.records / seconds))} records/s`;
  const done = bytes - view.bytesBefore;
  if (share === 1 || done <= 0) return `${line}  ${rate}`;
  return `${line}  ${rate}, ${span((view.elapsedMs * (totalBytes - bytes)) / done)} left`;
}

/** `waiting 3 s (attempt 2): connection refused` */
export function waitingLine({ delayMs, attempt, reason }: Wait): string {
  return `waiting ${span(delayMs)} (attempt ${attempt}): ${reason}`;
}

function barOf(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return "#".repeat(filled) + "-".repeat(BAR_WIDTH - filled);
}

/** `1,234,567` */
export function count(value: number): string {
  return value.toLocaleString("en-GB");
}
