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

/** The last value of each bucket but the open last one. */
const DEVICES = [10, 50, 200, 1000];
const ERRORS = [0, 10, 100, 1000];

/** No counter need count any further. */
export const COUNTED = 1001;

export function deviceBucket(devices: number): DeviceBucket {
  return DEVICE_BUCKETS[placeOf(devices, DEVICES)]!;
}

export function errorBucket(errors: number): ErrorBucket {
  return ERROR_BUCKETS[placeOf(errors, ERRORS)]!;
}

/** Each bucket begins where the one before it ends; just 90 days are not more than 90 days. */
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
