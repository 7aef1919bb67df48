import assert from "node:assert/strict";
import type { DiskSpace } from "../../domain/health/disk.ts";
import type { Logger } from "../../observe/log.ts";
import { DiskGuard } from "./disk-guard.ts";

const GIB = 1024 ** 3;
const SECOND = 1_000_000;

/** A guard on a simulated disk of 100 GiB, with its log messages. */
function guard(directory: string | null = "/data") {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const disk: { free: number | null; now: number; probes: number } = { free: 90, now: 0, probes: 0 };
  const probe = (): DiskSpace | null => {
    disk.probes++;
    return disk.free === null ? null : { size: 100 * GIB, free: disk.free * GIB };
  };
  const created = new DiskGuard({ directory, probe, clock: { now: () => disk.now }, logger });
  return { disk, logged, guard: created };
}

Deno.test("the guard warns, stops ingest, resumes it, and logs each transition once", () => {
  const { disk, logged, guard: it } = guard();
  const after = (free: number) => {
    disk.free = free;
    disk.now += SECOND;
    return [it.isOpen(), it.facts().state];
  };
  assert.deepEqual([90, 4, 3, 0.5, 0, 1.1, 2, 90].map(after), [
    [true, "ok"],
    [true, "low"],
    [true, "low"],
    [false, "full"],
    [false, "full"],
    [false, "full"],
    [true, "low"],
    [true, "ok"],
  ]);
  assert.deepEqual(logged, [
    "disk nearly full",
    "disk full, ingest stopped",
    "disk has space again, ingest resumed",
    "disk has enough space again",
  ]);
});

Deno.test("a measurement is cached for 100 ms and renewed after the clock was set back", () => {
  const { disk, guard: it } = guard();
  for (let i = 0; i < 100; i++) it.isOpen();
  assert.equal(disk.probes, 1);
  disk.now += SECOND / 10;
  it.isOpen();
  disk.now -= 3600 * SECOND;
  it.isOpen();
  assert.equal(disk.probes, 3);
});

Deno.test("an unmeasurable disk does not stop ingest", () => {
  const { disk, guard: it } = guard();
  disk.free = 0;
  assert.equal(it.isOpen(), false);
  disk.free = null;
  disk.now += SECOND;
  assert.equal(it.isOpen(), true);
  assert.deepEqual(it.facts(), { directory: "/data", space: null, state: "ok", refused: false });
  const elsewhere = guard(null);
  assert.equal(elsewhere.guard.isOpen(), true);
  assert.equal(elsewhere.disk.probes, 0);
});

Deno.test("after a failed write, one attempt is allowed every 5 s until a commit succeeds", () => {
  const { disk, logged, guard: it } = guard(null);
  it.writeFailed();
  assert.deepEqual([it.isOpen(), it.facts().refused], [false, true]);
  disk.now += 5 * SECOND;
  assert.deepEqual([it.isOpen(), it.facts().refused], [true, true], "one attempt, state still failed");
  it.writeFailed();
  assert.equal(it.isOpen(), false);
  disk.now += 5 * SECOND;
  it.committed();
  assert.deepEqual([it.isOpen(), it.facts().refused], [true, false]);
  it.committed();
  assert.deepEqual(logged, [
    "database disk full, ingest stopped",
    "database has space again, ingest resumed",
  ]);
});

Deno.test("a write failure is forgotten after 90 s without another one", () => {
  const { disk, guard: it } = guard(null);
  it.writeFailed();
  disk.now += 90 * SECOND;
  assert.equal(it.facts().refused, false);
});
