import assert from "node:assert/strict";
import type { DiskSpace } from "../../domain/health/disk.ts";
import type { Logger } from "../../observe/log.ts";
import { DiskGuard } from "./disk-guard.ts";

const GIB = 1024 ** 3;
const SECOND = 1_000_000;

/** A guard of a disk of 100 GiB that a test fills, and what it logged. */
function guard(directory: string | null = "/data") {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const disk: { free: number | null; now: number; looks: number } = { free: 90, now: 0, looks: 0 };
  const probe = (): DiskSpace | null => {
    disk.looks++;
    return disk.free === null ? null : { size: 100 * GIB, free: disk.free * GIB };
  };
  const made = new DiskGuard({ directory, probe, clock: { now: () => disk.now }, logger });
  return { disk, logged, guard: made };
}

Deno.test("it warns, stops, and lets go on when there is room, and says each once", () => {
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
    "the disk is nearly full",
    "the disk is full: ingest is stopped",
    "the disk has room again: ingest goes on",
    "the disk has enough room again",
  ]);
});

Deno.test("a look is good for a tenth of a second, also after the clock was set back", () => {
  const { disk, guard: it } = guard();
  for (let i = 0; i < 100; i++) it.isOpen();
  assert.equal(disk.looks, 1);
  disk.now += SECOND / 10;
  it.isOpen();
  disk.now -= 3600 * SECOND;
  it.isOpen();
  assert.equal(disk.looks, 3);
});

Deno.test("a disk that cannot be seen keeps nobody from working", () => {
  const { disk, guard: it } = guard();
  disk.free = 0;
  assert.equal(it.isOpen(), false);
  disk.free = null;
  disk.now += SECOND;
  assert.equal(it.isOpen(), true);
  assert.deepEqual(it.facts(), { directory: "/data", space: null, state: "ok", refused: false });
  const elsewhere = guard(null);
  assert.equal(elsewhere.guard.isOpen(), true);
  assert.equal(elsewhere.disk.looks, 0);
});

Deno.test("a database without room is tried every five seconds until it takes a batch", () => {
  const { disk, logged, guard: it } = guard(null);
  it.refused();
  assert.deepEqual([it.isOpen(), it.facts().refused], [false, true]);
  disk.now += 5 * SECOND;
  assert.deepEqual([it.isOpen(), it.facts().refused], [true, true], "one try, and still not well");
  it.refused();
  assert.equal(it.isOpen(), false);
  disk.now += 5 * SECOND;
  it.committed();
  assert.deepEqual([it.isOpen(), it.facts().refused], [true, false]);
  it.committed();
  assert.deepEqual(logged, [
    "the database has no room on its disk: ingest is stopped",
    "the database has room again: ingest goes on",
  ]);
});

Deno.test("a refusal is forgotten when nobody has been refused for long", () => {
  const { disk, guard: it } = guard(null);
  it.refused();
  disk.now += 90 * SECOND;
  assert.equal(it.facts().refused, false);
});
