import type {
  SendHistory,
  SendKind,
  SendOutcome,
  SendRecord,
  Versions,
} from "../../../src/domain/telemetry/heartbeat/schedule.ts";

interface Entry extends Versions {
  kind: SendKind | "baseline";
  at: number;
  slot: number;
  outcome: SendOutcome;
}

/** In-memory send history of one installation with one server and one licence. */
export class Ledger {
  #registered = false;
  #newestAt = 0;
  #newest: Versions | null = null;
  #baselineSlot: number | null = null;
  /** Since the newest baseline, by slot. */
  readonly #sends = new Map<number, SendRecord[]>();

  add({ kind, slot, ...rest }: Entry): void {
    const { at, outcome, product, bundle } = rest;
    this.#newestAt = at;
    if (kind === "registration" && outcome === "sent") this.#registered = true;
    if (kind === "heartbeat" || kind === "baseline") this.#newest = { product, bundle };
    if (kind === "baseline") {
      this.#baselineSlot = slot;
      this.#sends.clear();
    } else {
      this.#sends.set(slot, [...this.#sends.get(slot) ?? [], { kind, ...rest }]);
    }
  }

  history(slot: number): SendHistory | null {
    if (this.#newest === null || this.#baselineSlot === null) return null;
    return {
      registered: this.#registered,
      newestAt: this.#newestAt,
      newest: this.#newest,
      baselineSlot: this.#baselineSlot,
      sends: this.#sends.get(slot) ?? [],
    };
  }
}
