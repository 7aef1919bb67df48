// What detectors remember is in the journal, in the table and in memory at once: whatever fails, starts anew or cleans up in
// between, a state that is read is the newest one.

import assert from "node:assert/strict";
import type { StateType } from "../../../src/domain/detect/kernel/detector.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { type MemoryChanges, settleJournal, writeMemories } from "../../../src/store/detector/journal.ts";
import { memoryKeyHash, readMemories } from "../../../src/store/detector/memory.ts";
import { advanceCursor } from "../../../src/store/record/pending.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabase } from "../../support/database.ts";

/** How often a key was kept, and some bytes besides. */
const COUNTS: StateType<number> = {
  id: 9_997,
  name: "counts",
  keepDays: 1,
  maxBytes: 8,
  empty: () => 0,
  encode: (count) => Uint8Array.of(count >> 8, count & 255, ...new Uint8Array(90)),
  decode: (bytes) => bytes[0]! << 8 | bytes[1]!,
  size: () => 100,
};
const KEYS = 120;
const ROUNDS = 300;
/** A third of the keys, and a journal of some rounds. */
const BYTES = 9_000;

/** A repeatable source of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

class Failure extends Error {}

/** Writes a round, and fails in the end or is run again where it is told to. */
async function apply(
  db: Database,
  before: number,
  changes: MemoryChanges,
  ending: "commits" | "fails" | "is run again",
): Promise<void> {
  let runs = 0;
  await db.tenant("main", async (tx) => {
    const cursor = { longestFlow: 0, historySince: null, latestEnd: null };
    await advanceCursor(tx, "main", { batchNo: before, ...cursor }, { batchNo: changes.batchNo, ...cursor });
    await writeMemories(tx, "main", changes);
    runs++;
    if (ending === "fails") throw new Failure();
    if (ending === "is run again" && runs === 1) throw Object.assign(new Error("again"), { code: "40001" });
  });
}

async function journalBytes(db: Database): Promise<number> {
  const [row] = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ bytes: number }>(
        sql`select coalesce(sum(length(body)), 0)::int as bytes from detector_journal`,
      ),
  );
  return row!.bytes;
}

testDatabase("what was kept last is what is read, whatever happens in between", async (db) => {
  await registerTenants(db, ["main"]);
  const random = randomFrom(2_026);
  let memories = new StateCache(() => BYTES);
  let committed = { at: 0, counts: new Map<string, number>() };
  let latest = committed;
  const seen = { fails: 0, starts: 0, settled: 0, trimmed: 0, shrunk: 0 };

  /** A round after the latest one: reads some keys and changes most of them. */
  async function prepare(): Promise<MemoryChanges> {
    memories.begin(latest.at);
    const counts = new Map(latest.counts);
    const slots = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
      // Some are met all the time, most seldom.
      const key = `${Math.floor(random() ** 3 * KEYS)}`;
      return { key, slot: memories.need(COUNTS, key) };
    });
    await memories.load(db, "main");
    for (const { key, slot } of slots) {
      assert.equal(slot.state, counts.get(key) ?? 0, `key ${key} after batch ${latest.at}`);
      if (random() < 0.2) continue;
      counts.set(key, slot.state + 1);
      slot.save(slot.state + 1);
    }
    const changes = memories.end(latest.at + 1 + Math.floor(random() * 3));
    latest = { at: changes.batchNo, counts };
    if (changes.settled.length > 0) seen.settled++;
    if (changes.trimmed !== null) seen.trimmed++;
    return changes;
  }

  let round = await prepare();
  let known = latest;
  for (let n = 0; n < ROUNDS; n++) {
    // The next round is prepared before this one is written, or after.
    const early = random() < 0.7;
    const next = early ? await prepare() : null;
    const fails = random() < 0.05;
    const again = random() < 0.1;
    const ending = fails ? "fails" : again ? "is run again" : "commits";
    try {
      await apply(db, committed.at, round, ending);
      committed = known;
      const before = memories.bytes;
      memories.committed(committed.at);
      if (memories.bytes < before) seen.shrunk++;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      seen.fails++;
      memories.clear();
      latest = committed;
    }
    assert.ok(await journalBytes(db) < BYTES, "rows of the journal go");
    if (random() < 0.1) await db.tenant("main", (tx) => settleJournal(tx, "main"));
    if (random() < 0.04) {
      seen.starts++;
      memories = new StateCache(() => BYTES);
      latest = committed;
    }
    round = next !== null && latest !== committed ? next : await prepare();
    known = latest;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 5, `${what}: ${count}`);

  await db.tenant("main", async (tx) => {
    await settleJournal(tx, "main");
    assert.deepEqual(await tx.rows(sql`select 1 from detector_journal`), []);
    const keys = [...committed.counts.keys()].map((key) => ({ key, keyHash: memoryKeyHash(key) }));
    const rows = await readMemories(tx, "main", keys.map(({ keyHash }) => ({ memory: COUNTS.id, keyHash })));
    const stored = new Map(rows.map(({ keyHash, state }) => [keyHash, COUNTS.decode(state)]));
    assert.deepEqual(
      keys.map(({ key, keyHash }) => [key, stored.get(keyHash)]),
      [...committed.counts].map(([key, count]) => [key, count]),
    );
  });
});
