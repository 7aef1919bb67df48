import type { Condition } from "../../../contract/filter/tree.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import type { Window } from "../../base/time/range.ts";

const MINUTE = 60_000;
/** What is shown before and after a record. */
export const AROUND_MINUTES = 15;

/** An end of a record. */
export interface AroundEnd {
  ip: string;
  device_id: string | null;
}

/** The span around a record, also of one before 1970. */
export function aroundWindow(at: string): Window {
  const middle = Date.parse(at);
  const shift = (minutes: number) => new Date(middle + minutes * MINUTE).toISOString();
  return { from: shift(-AROUND_MINUTES), to: shift(AROUND_MINUTES) };
}

/** What finds the traffic of an end, at all its addresses if it is a device; null if the end is not stated. */
export function endCondition({ ip, device_id }: AroundEnd): Condition | null {
  if (device_id !== null) return { field: "device.id", op: "matches", value: device_id };
  return isUnstatedIp(ip) ? null : { field: "ip", op: "matches", value: ip };
}

/** What finds the traffic between two ends, whichever opened it; null unless both are stated and differ. */
export function pairCondition(one: AroundEnd, other: AroundEnd): Condition | null {
  if (one.ip === other.ip || isUnstatedIp(one.ip) || isUnstatedIp(other.ip)) return null;
  return { all: [one, other].map(({ ip }) => ({ field: "ip", op: "matches", value: ip } as const)) };
}
