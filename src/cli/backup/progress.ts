import process from "node:process";
import { inUnits, size } from "../../kit/text.ts";

const REDRAW_MS = 200;
const LINE_EVERY_MS = 10_000;

/** Prints on standard error how far a copy is: on a terminal a line that is drawn again, otherwise a line from time to time. */
export class CopyProgress {
  #bytes = 0;
  #rows = 0;
  #shownAt = performance.now();
  #isDrawn = false;

  /** `total`: bytes, if known. */
  constructor(private readonly doing: string, private readonly total: number | null = null) {}

  add(bytes: number, rows = 0): void {
    this.#bytes += bytes;
    this.#rows += rows;
    const every = process.stderr.isTTY ? REDRAW_MS : LINE_EVERY_MS;
    if (performance.now() - this.#shownAt < every) return;
    this.#shownAt = performance.now();
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${this.#text()}` : `${this.#text()}\n`);
    this.#isDrawn = process.stderr.isTTY;
  }

  /** Removes the line. */
  end(): void {
    if (this.#isDrawn) process.stderr.write("\r\x1b[K");
    this.#isDrawn = false;
  }

  #text(): string {
    const share = this.total === null ? "" : ` of ${size(this.total)}`;
    const rows = this.#rows === 0 ? "" : `, ${inUnits(this.#rows, ["", "k", "M", "G"], " ").trim()} rows`;
    return `${this.doing}: ${size(this.#bytes)}${share}${rows}`;
  }
}
