import assert from "node:assert/strict";
import { COUNT_LIMIT, deviceBucket, errorBucket, uptimeBucket } from "./buckets.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

Deno.test("each device bucket ends where the next one begins", () => {
  const cases: [number, string][] = [
    [0, "0-10"],
    [10, "0-10"],
    [11, "11-50"],
    [50, "11-50"],
    [51, "51-200"],
    [200, "51-200"],
    [201, "201-1000"],
    [1000, "201-1000"],
    [1001, ">1000"],
    [10_000_000, ">1000"],
  ];
  for (const [devices, bucket] of cases) assert.equal(deviceBucket(devices), bucket, `${devices}`);
});

Deno.test("each ingest error bucket ends where the next one begins", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [1, "1-10"],
    [10, "1-10"],
    [11, "11-100"],
    [100, "11-100"],
    [101, "101-1000"],
    [1000, "101-1000"],
    [1001, ">1000"],
  ];
  for (const [errors, bucket] of cases) assert.equal(errorBucket(errors), bucket, `${errors}`);
});

Deno.test("each uptime bucket begins where the previous one ends", () => {
  const cases: [number, string][] = [
    [0, "<1h"],
    [HOUR - 1, "<1h"],
    [HOUR, "1-24h"],
    [DAY - 1, "1-24h"],
    [DAY, "1-7d"],
    [7 * DAY - 1, "1-7d"],
    [7 * DAY, "7-30d"],
    [30 * DAY, "30-90d"],
    [90 * DAY, "30-90d"],
    [90 * DAY + 1, ">90d"],
  ];
  for (const [seconds, bucket] of cases) assert.equal(uptimeBucket(seconds), bucket, `${seconds}`);
});

Deno.test("counting may stop where the last bucket begins", () => {
  assert.equal(deviceBucket(COUNT_LIMIT), ">1000");
  assert.equal(errorBucket(COUNT_LIMIT), ">1000");
});
