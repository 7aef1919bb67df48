// What searches can be summed up by.

import type { FieldName } from "./fields.ts";
import type { ResultKind } from "./tree.ts";

/** Fields that rows can be grouped by. A row with several values counts in the group of each. */
export const GROUP_FIELDS = {
  flows: [
    "ip",
    "src.ip",
    "dst.ip",
    "device",
    "src.port",
    "dst.port",
    "proto",
    "service",
    "country",
    "src.country",
    "dst.country",
    "asn",
    "src.asn",
    "dst.asn",
    "vlan",
    "direction",
    "source",
    "sensor",
    "server_name",
    "dns.query",
    "dns.answer",
    "dns.type",
    "dns.rcode",
    "tls.version",
    "ja3",
    "ja3s",
    "ja4",
    "ja4s",
    "certificate",
    "http.host",
    "http.method",
    "http.status",
    "user_agent",
    "user",
    "logon",
    "alert",
    "alert.category",
    "anomaly",
  ],
  devices: ["device.type", "owner", "tag", "device.vlan"],
  incidents: ["severity", "status", "detector", "technique", "assignee", "device"],
} as const satisfies Record<ResultKind, readonly FieldName[]>;

export type GroupField<K extends ResultKind = ResultKind> = (typeof GROUP_FIELDS)[K][number];

/** What is added up: `devices` counts different devices at the ends. Devices and incidents are counted only. */
export const MEASURES = ["count", "bytes", "packets", "src.bytes", "dst.bytes", "devices"] as const;
export type Measure = (typeof MEASURES)[number];

/** What questions can ask to rank or to add up by. */
export const RANKING_MEASURES = [
  "bytes",
  "packets",
  "src.bytes",
  "dst.bytes",
  "count",
] as const satisfies Measure[];
export type RankingMeasure = (typeof RANKING_MEASURES)[number];
export const RANKING_BUCKETS = ["1h", "1d"] as const;
export type RankingBucket = (typeof RANKING_BUCKETS)[number];

export const AGGREGATE_LIMITS = {
  /** Fields to group by: enough for a signature and the pair of addresses. */
  fields: 3,
  /** Groups returned; the others are one remainder. */
  groups: 100,
  /** Buckets of time. */
  buckets: 500,
} as const;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Sizes of time buckets that a chart labels well, in microseconds. */
const BUCKET_SIZES = [
  ...[1, 5, 10, 30].map((count) => count * SECOND),
  ...[1, 5, 10, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 7, 30, 365].map((count) => count * DAY),
];

/**
 * The size (microseconds) of the smallest buckets of which at most `most` cover the window, at least `atLeast`
 * long. Buckets begin at multiples of their size, so the first and the last may lie partly outside the window.
 */
export function bucketSize(
  { from, to }: { from: number; to: number },
  { most = AGGREGATE_LIMITS.buckets, atLeast = 0 }: { most?: number; atLeast?: number } = {},
): number {
  const fits = (size: number) => Math.ceil(to / size) - Math.floor(from / size) <= most;
  const size = BUCKET_SIZES.find((each) => each >= atLeast && fits(each));
  if (size !== undefined) return size;
  // Windows of centuries.
  const wanted = Math.max(atLeast, (to - from) / Math.max(1, most - 1));
  return Math.ceil(wanted / (365 * DAY)) * 365 * DAY;
}
