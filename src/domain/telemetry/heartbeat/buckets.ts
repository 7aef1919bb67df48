import {
  DEVICE_BUCKETS,
  type DeviceBucket,
  ERROR_BUCKETS,
  type ErrorBucket,
  UPTIME_BUCKETS,
  type UptimeBucket,
} from "../../../contract/telemetry/heartbeat.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Upper bound of each bucket, inclusive, except the open last one. */
const DEVICES = [10, 50, 200, 1000];
const ERRORS = [0, 10, 100, 1000];

/** Counting can stop here: the last bucket starts at this value. */
export const COUNT_LIMIT = 1001;

export function deviceBucket(devices: number): DeviceBucket {
  return DEVICE_BUCKETS[placeOf(devices, DEVICES)]!;
}

export function errorBucket(errors: number): ErrorBucket {
  return ERROR_BUCKETS[placeOf(errors, ERRORS)]!;
}

/** Each bucket starts where the previous one ends; exactly 90 days still belong to the second to last. */
export function uptimeBucket(seconds: number): UptimeBucket {
  if (seconds < HOUR) return UPTIME_BUCKETS[0];
  if (seconds < DAY) return UPTIME_BUCKETS[1];
  if (seconds < 7 * DAY) return UPTIME_BUCKETS[2];
  if (seconds < 30 * DAY) return UPTIME_BUCKETS[3];
  return seconds <= 90 * DAY ? UPTIME_BUCKETS[4] : UPTIME_BUCKETS[5];
}

function placeOf(count: number, ends: readonly number[]): number {
  const place = ends.findIndex((end) => count <= end);
  return place === -1 ? ends.length : place;
}
