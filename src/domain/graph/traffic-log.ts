import type { Micros } from "../record/observation.ts";
import { Counts, resized } from "./counts.ts";
import { NumberPairs } from "./number-pairs.ts";
import { MINUTE, type TrafficChange } from "./traffic.ts";
import { type AddressTraffic, Numbered, TrafficTable } from "./traffic-table.ts";

/** Bytes of the columns of a row. */
const ROW_BYTES = 60;
/** Bytes of a pair and service, and of an address, roughly. */
const KEY_BYTES = 32;
const ADDRESS_BYTES = 120;
const FIRST_CAPACITY = 1024;
const NO_SERVICE = "";

/**
 * The rollups of a tenant in memory, in the order of their batches: adds up the traffic of any window as any batch has
 * left it.
 */
export class TrafficLog {
  readonly #addresses = new Numbered();
  readonly #services = new Numbered();
  readonly #pairs = new NumberPairs();
  /** Pairs with a service. */
  readonly #keys = new NumberPairs();
  #size = 0;
  #columns = columnsOf(FIRST_CAPACITY);

  /** Rows of minutes before that are not in it. */
  constructor(readonly since: Micros) {
    // The number 0.
    this.#services.of(NO_SERVICE);
  }

  get rows(): number {
    return this.#size;
  }

  /** Bytes of memory, roughly. */
  get bytes(): number {
    return this.#columns.key.length * ROW_BYTES + this.#keys.size * 2 * KEY_BYTES +
      this.#addresses.texts.length * ADDRESS_BYTES;
  }

  /** Appends a row of a batch that is not before those of earlier calls. */
  append(change: TrafficChange, batchNo: number): void {
    if (change.minute < this.since) return;
    const { low: a, high: b } = change;
    const turned = a > b;
    const [low, high] = turned ? [b, a] : [a, b];
    const pair = this.#pairs.of(this.#addresses.of(low), this.#addresses.of(high));
    const key = this.#keys.of(pair, this.#services.of(change.service ?? NO_SERVICE));
    if (this.#size === this.#columns.key.length) this.#columns = grown(this.#columns);
    const at = this.#size++;
    const columns = this.#columns;
    columns.key[at] = key;
    columns.minute[at] = change.minute / MINUTE;
    columns.batchNo[at] = batchNo;
    columns.bytesUp.set(at, turned ? change.bytesDown : change.bytesUp);
    columns.bytesDown.set(at, turned ? change.bytesUp : change.bytesDown);
    columns.packets.set(at, change.packets);
    columns.flows[at] = change.flows;
    columns.firstSeen[at] = change.firstSeen;
    columns.lastSeen[at] = change.lastSeen;
  }

  /**
   * The traffic in a half-open window of whole minutes, as the batches up to `through` have left it: an entry for each
   * pair, or with `byService` for each pair and service.
   */
  sum({ from, to }: { from: Micros; to: Micros }, through: number, byService = false): AddressTraffic {
    const [first, end] = [from / MINUTE, to / MINUTE];
    const columns = this.#columns;
    const { key: keys, minute, batchNo, flows, firstSeen, lastSeen } = columns;
    const places = byService ? this.#keys.size : this.#pairs.size;
    const rows = new Int32Array(this.#size);
    let count = 0;
    for (let at = 0; at < this.#size && batchNo[at]! <= through; at++) {
      if (minute[at]! >= first && minute[at]! < end) rows[count++] = at;
    }
    const table = new TrafficTable(this.#services.texts, Math.min(count, places));
    /** Number of the entry of each pair or key plus one, and of the row of each pair and service. */
    const entries = new Int32Array(places);
    const serviceRows = new Int32Array(this.#keys.size);
    for (let index = 0; index < count; index++) {
      const at = rows[index]!;
      const key = keys[at]!;
      const pair = this.#keys.first(key);
      const place = byService ? key : pair;
      let entry = entries[place]! - 1;
      if (entry < 0) {
        entry = table.open(this.#pairs.first(pair), this.#pairs.second(pair));
        entries[place] = entry + 1;
      }
      table.bytesUp.addFrom(entry, columns.bytesUp, at);
      table.bytesDown.addFrom(entry, columns.bytesDown, at);
      table.packets.addFrom(entry, columns.packets, at);
      table.flows[entry]! += flows[at]!;
      table.firstSeen[entry] = Math.min(table.firstSeen[entry]!, firstSeen[at]!);
      table.lastSeen[entry] = Math.max(table.lastSeen[entry]!, lastSeen[at]!);
      const service = this.#keys.second(key);
      if (service === 0) continue;
      const row = serviceRows[key]! - 1;
      if (row >= 0) table.services.flows[row]! += flows[at]!;
      else {
        table.addService(entry, service, flows[at]!);
        serviceRows[key] = table.services.size;
      }
    }
    return { addresses: this.#addresses.texts, table };
  }

  /** The same without the minutes before `since`. */
  without(since: Micros): TrafficLog {
    const log = new TrafficLog(since);
    const columns = this.#columns;
    const { key: keys, minute, batchNo, flows, firstSeen, lastSeen } = columns;
    for (let at = 0; at < this.#size; at++) {
      const key = keys[at]!;
      const pair = this.#keys.first(key);
      const service = this.#keys.second(key);
      log.append({
        minute: minute[at]! * MINUTE,
        low: this.#addresses.texts[this.#pairs.first(pair)]!,
        high: this.#addresses.texts[this.#pairs.second(pair)]!,
        service: service === 0 ? null : this.#services.texts[service]!,
        bytesUp: columns.bytesUp.get(at),
        bytesDown: columns.bytesDown.get(at),
        packets: columns.packets.get(at),
        flows: flows[at]!,
        firstSeen: firstSeen[at]!,
        lastSeen: lastSeen[at]!,
      }, batchNo[at]!);
    }
    return log;
  }
}

function columnsOf(capacity: number) {
  return {
    key: new Int32Array(capacity),
    minute: new Int32Array(capacity),
    batchNo: new Float64Array(capacity),
    bytesUp: new Counts(capacity),
    bytesDown: new Counts(capacity),
    packets: new Counts(capacity),
    flows: new Int32Array(capacity),
    firstSeen: new Float64Array(capacity),
    lastSeen: new Float64Array(capacity),
  };
}

type Columns = ReturnType<typeof columnsOf>;

function grown(columns: Columns): Columns {
  const capacity = Math.ceil(columns.key.length * 1.5);
  for (const counts of [columns.bytesUp, columns.bytesDown, columns.packets]) counts.resize(capacity);
  return {
    ...columns,
    key: resized(columns.key, capacity),
    minute: resized(columns.minute, capacity),
    batchNo: resized(columns.batchNo, capacity),
    flows: resized(columns.flows, capacity),
    firstSeen: resized(columns.firstSeen, capacity),
    lastSeen: resized(columns.lastSeen, capacity),
  };
}
