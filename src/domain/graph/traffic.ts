import type { FlowState } from "../flow/flow.ts";
import type { Count, Micros } from "../record/observation.ts";

/** The interval of the rollups. */
export const MINUTE: Micros = 60_000_000;

/** Traffic between two addresses. */
export interface Traffic {
  /** From the lower to the higher address in code point order, and back. */
  bytesUp: Count;
  bytesDown: Count;
  packets: Count;
  flows: number;
  firstSeen: Micros;
  lastSeen: Micros;
}

/** Traffic between two addresses in a window. */
export interface PairTraffic extends Traffic {
  low: string;
  high: string;
  /** Flows of each service; flows without one are not listed. */
  services: ReadonlyMap<string, number>;
  /** Whether an indicator matched; absent before `markTraffic`. */
  intel?: boolean;
}

/** What a round changes in the traffic of one minute, pair and service. Counters may be negative. */
export interface TrafficChange extends Traffic {
  minute: Micros;
  low: string;
  high: string;
  service: string | null;
}

/** Flows as a round leaves them, with those that it updated as they were before. */
interface ChangedFlows {
  created: readonly FlowState[];
  updated: readonly FlowState[];
  before: readonly FlowState[];
}

/**
 * The largest counter of one flow that counts. Only a faulty sensor reports more than a pebibyte, and sums of it would
 * not fit the columns of the store.
 */
export const MAX_FLOW_COUNT = 2 ** 50;

/**
 * What a round changes. A flow counts in the minute of its anchor, between its two addresses, neither of which ever
 * changes; all else about it may, so an updated flow takes back what it added before. Batches may therefore be
 * divided into rounds in any way.
 */
export function trafficChanges({ created, updated, before }: ChangedFlows): TrafficChange[] {
  const fold = new ChangeFold();
  for (const flow of created) fold.add(flow, 1);
  for (const [at, flow] of updated.entries()) {
    const former = before[at]!;
    if (hasSameTraffic(flow, former)) continue;
    fold.add(former, -1);
    fold.add(flow, 1);
  }
  return fold.changes;
}

function hasSameTraffic(a: FlowState, b: FlowState): boolean {
  const [x, y] = [a.counters, b.counters];
  return a.start === b.start && a.end === b.end && a.service === b.service && a.src.ip === b.src.ip &&
    x.srcToDst.bytes === y.srcToDst.bytes && x.dstToSrc.bytes === y.dstToSrc.bytes &&
    x.srcToDst.packets === y.srcToDst.packets && x.dstToSrc.packets === y.dstToSrc.packets;
}

class ChangeFold {
  readonly changes: TrafficChange[] = [];
  readonly #known = new Map<string, TrafficChange>();

  /** Adds what a flow counts, or with the sign -1 takes it back. */
  add({ anchor, src, dst, service, start, end, counters }: FlowState, sign: 1 | -1): void {
    const change = this.#of(anchor, src.ip, dst.ip, service, start, end);
    const { srcToDst, dstToSrc } = counters;
    const [up, down] = src.ip <= dst.ip ? [srcToDst, dstToSrc] : [dstToSrc, srcToDst];
    change.bytesUp = plus(change.bytesUp, counted(up.bytes, sign));
    change.bytesDown = plus(change.bytesDown, counted(down.bytes, sign));
    change.packets = plus(change.packets, counted(up.packets, sign));
    change.packets = plus(change.packets, counted(down.packets, sign));
    change.flows += sign;
    // Both only grow, so what a flow took back lies within what it adds.
    change.firstSeen = Math.min(change.firstSeen, start);
    change.lastSeen = Math.max(change.lastSeen, end);
  }

  #of(
    anchor: Micros,
    a: string,
    b: string,
    service: string | null,
    firstSeen: Micros,
    lastSeen: Micros,
  ): TrafficChange {
    const minute = minuteOf(anchor);
    const [low, high] = a <= b ? [a, b] : [b, a];
    const key = `${minute} ${low} ${high} ${service ?? ""}`;
    let change = this.#known.get(key);
    if (change !== undefined) return change;
    const none = { bytesUp: 0, bytesDown: 0, packets: 0, flows: 0 };
    change = { minute, low, high, service, ...none, firstSeen, lastSeen };
    this.#known.set(key, change);
    this.changes.push(change);
    return change;
  }
}

export function minuteOf(at: Micros): Micros {
  return Math.floor(at / MINUTE) * MINUTE;
}

export function endOfMinute(at: Micros): Micros {
  return Math.ceil(at / MINUTE) * MINUTE;
}

function counted(count: Count | null, sign: 1 | -1): number {
  return count === null ? 0 : sign * Math.min(MAX_FLOW_COUNT, Number(count));
}

/** The exact sum: a bigint only beyond what a number holds. */
export function plus(a: Count, b: Count): Count {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const exact = BigInt(a) + BigInt(b);
  const sum = Number(exact);
  return Number.isSafeInteger(sum) ? sum : exact;
}

/** The exact difference. */
export function minus(a: Count, b: Count): Count {
  return plus(a, typeof b === "number" ? -b : -b);
}

/** Adds the traffic of `more` to `sum`, in place, where `turned` says that its two ends are in the other order. */
export function addTraffic(sum: Traffic, more: Traffic, turned = false): void {
  sum.bytesUp = plus(sum.bytesUp, turned ? more.bytesDown : more.bytesUp);
  sum.bytesDown = plus(sum.bytesDown, turned ? more.bytesUp : more.bytesDown);
  sum.packets = plus(sum.packets, more.packets);
  sum.flows += more.flows;
  sum.firstSeen = Math.min(sum.firstSeen, more.firstSeen);
  sum.lastSeen = Math.max(sum.lastSeen, more.lastSeen);
}
