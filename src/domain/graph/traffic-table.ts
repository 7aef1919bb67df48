import type { Count } from "../record/observation.ts";
import { Counts, resized } from "./counts.ts";
import { type PairTraffic, plus, type Traffic } from "./traffic.ts";

const FIRST_CAPACITY = 256;

/** Services of the entries of a table; an entry and a service may come several times. */
class ServiceTable {
  size = 0;
  /** The same place in each list is one row. */
  entry = new Int32Array(FIRST_CAPACITY);
  service = new Int32Array(FIRST_CAPACITY);
  flows = new Float64Array(FIRST_CAPACITY);

  constructor(readonly names: readonly string[]) {}

  add(entry: number, service: number, flows: number): void {
    const row = this.size++;
    if (row === this.entry.length) {
      this.entry = resized(this.entry, 2 * row);
      this.service = resized(this.service, 2 * row);
      this.flows = resized(this.flows, 2 * row);
    }
    this.entry[row] = entry;
    this.service[row] = service;
    this.flows[row] = flows;
  }

  copy(): ServiceTable {
    const copy = new ServiceTable(this.names);
    copy.size = this.size;
    copy.entry = this.entry.slice();
    copy.service = this.service.slice();
    copy.flows = this.flows.slice();
    return copy;
  }
}

/**
 * Traffic between pairs of numbered ends, in columns: a graph adds up hundreds of thousands of them, which takes many
 * times as long with an object for each. Columns may be longer than the table.
 */
export class TrafficTable {
  size = 0;
  low: Int32Array;
  high: Int32Array;
  bytesUp: Counts;
  bytesDown: Counts;
  packets: Counts;
  flows: Float64Array;
  firstSeen: Float64Array;
  lastSeen: Float64Array;
  /** 1 if an indicator matched: see `markTraffic`. */
  intel: Uint8Array;
  services: ServiceTable;

  /** @param capacity Entries for which there is room at first. */
  constructor(serviceNames: readonly string[], capacity = FIRST_CAPACITY) {
    this.low = new Int32Array(capacity);
    this.high = new Int32Array(capacity);
    this.bytesUp = new Counts(capacity);
    this.bytesDown = new Counts(capacity);
    this.packets = new Counts(capacity);
    this.flows = new Float64Array(capacity);
    this.firstSeen = new Float64Array(capacity);
    this.lastSeen = new Float64Array(capacity);
    this.intel = new Uint8Array(capacity);
    this.services = new ServiceTable(serviceNames);
  }

  /** Appends an entry without traffic and returns its number. */
  open(low: number, high: number): number {
    const at = this.size++;
    if (at >= this.low.length) this.#grow(Math.max(FIRST_CAPACITY, 2 * at));
    this.low[at] = low;
    this.high[at] = high;
    this.firstSeen[at] = Infinity;
    this.lastSeen[at] = -Infinity;
    return at;
  }

  #grow(capacity: number): void {
    this.low = resized(this.low, capacity);
    this.high = resized(this.high, capacity);
    for (const counts of [this.bytesUp, this.bytesDown, this.packets]) counts.resize(capacity);
    this.flows = resized(this.flows, capacity);
    this.firstSeen = resized(this.firstSeen, capacity);
    this.lastSeen = resized(this.lastSeen, capacity);
    this.intel = resized(this.intel, capacity);
  }

  /** Adds the traffic of an entry of another table, where `turned` says that its two ends are in the other order. */
  add(at: number, from: TrafficTable, entry: number, turned: boolean): void {
    this.bytesUp.addFrom(at, turned ? from.bytesDown : from.bytesUp, entry);
    this.bytesDown.addFrom(at, turned ? from.bytesUp : from.bytesDown, entry);
    this.packets.addFrom(at, from.packets, entry);
    this.flows[at]! += from.flows[entry]!;
    this.firstSeen[at] = Math.min(this.firstSeen[at]!, from.firstSeen[entry]!);
    this.lastSeen[at] = Math.max(this.lastSeen[at]!, from.lastSeen[entry]!);
    this.intel[at]! |= from.intel[entry]!;
  }

  addService(entry: number, service: number, flows: number): void {
    this.services.add(entry, service, flows);
  }

  bytes(at: number): Count {
    return plus(this.bytesUp.get(at), this.bytesDown.get(at));
  }

  traffic(at: number): Traffic {
    return {
      bytesUp: this.bytesUp.get(at),
      bytesDown: this.bytesDown.get(at),
      packets: this.packets.get(at),
      flows: this.flows[at]!,
      firstSeen: this.firstSeen[at]!,
      lastSeen: this.lastSeen[at]!,
    };
  }

  copy(): TrafficTable {
    const copy = new TrafficTable(this.services.names, 0);
    copy.size = this.size;
    copy.low = this.low.slice();
    copy.high = this.high.slice();
    copy.bytesUp = this.bytesUp.copy();
    copy.bytesDown = this.bytesDown.copy();
    copy.packets = this.packets.copy();
    copy.flows = this.flows.slice();
    copy.firstSeen = this.firstSeen.slice();
    copy.lastSeen = this.lastSeen.slice();
    copy.intel = this.intel.slice();
    copy.services = this.services.copy();
    return copy;
  }
}

/** Traffic of pairs of addresses, each of which is one entry. */
export interface AddressTraffic {
  addresses: readonly string[];
  /** Its ends are places in `addresses`. */
  table: TrafficTable;
}

/**
 * The same as a table; a pair may come several times.
 *
 * @param byService Each pair has one service or none, and each of them is an entry.
 */
export function addressTraffic(pairs: readonly PairTraffic[], byService = false): AddressTraffic {
  const addresses = new Numbered();
  const services = new Numbered();
  const table = new TrafficTable(services.texts);
  const known = new Map<string, number>();
  for (const pair of pairs) {
    const turned = pair.low > pair.high;
    const [low, high] = turned ? [pair.high, pair.low] : [pair.low, pair.high];
    const key = byService ? `${low} ${high} ${[...pair.services.keys()].join()}` : `${low} ${high}`;
    let entry = known.get(key);
    if (entry === undefined) known.set(key, entry = table.open(addresses.of(low), addresses.of(high)));
    const [up, down] = turned ? [pair.bytesDown, pair.bytesUp] : [pair.bytesUp, pair.bytesDown];
    table.bytesUp.add(entry, up);
    table.bytesDown.add(entry, down);
    table.packets.add(entry, pair.packets);
    table.flows[entry]! += pair.flows;
    table.firstSeen[entry] = Math.min(table.firstSeen[entry]!, pair.firstSeen);
    table.lastSeen[entry] = Math.max(table.lastSeen[entry]!, pair.lastSeen);
    if (pair.intel) table.intel[entry] = 1;
    for (const [service, flows] of pair.services) table.addService(entry, services.of(service), flows);
  }
  return { addresses: addresses.texts, table };
}

/** Numbers texts in the order in which they were first seen. */
export class Numbered {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      this.#numbers.set(text, number = this.texts.length);
      this.texts.push(text);
    }
    return number;
  }
}
