// Detector states are in the journal, in the table and in memory at once: whatever fails, restarts or is cleaned up in
// between, the newest state is read.

import assert from "node:assert/strict";
import type { StateType } from "../../../src/domain/detect/kernel/detector.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { flushJournal, type StateChanges, writeStateChanges } from "../../../src/store/detector/journal.ts";
import { readStates, stateKeyHash } from "../../../src/store/detector/state.ts";
import { advanceCursor } from "../../../src/store/record/pending.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabase } from "../../support/database.ts";

/** A count per key, padded with some bytes. */
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
/** Room for a third of the keys and a journal of some rounds. */
const BYTES = 9_000;

/** A repeatable source of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

class Failure extends Error {}

/** Writes a round; the transaction commits, fails at its end, or is retried once. */
async function apply(
  db: Database,
  before: number,
  changes: StateChanges,
  ending: "commits" | "fails" | "is retried",
): Promise<void> {
  let runs = 0;
  await db.tenant("main", async (tx) => {
    const cursor = { longestFlow: 0, historySince: null, latestEnd: null };
    await advanceCursor(tx, "main", { batchNo: before, ...cursor }, { batchNo: changes.batchNo, ...cursor });
    await writeStateChanges(tx, "main", changes);
    runs++;
    if (ending === "fails") throw new Failure();
    if (ending === "is retried" && runs === 1) throw Object.assign(new Error("again"), { code: "40001" });
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

testDatabase("the state saved last is the state that is read", async (db) => {
  await registerTenants(db, ["main"]);
  const random = randomFrom(2_026);
  let states = new StateCache(() => BYTES);
  let committed = { at: 0, counts: new Map<string, number>() };
  let latest = committed;
  const seen = { fails: 0, starts: 0, flushed: 0, trimmed: 0, shrunk: 0 };

  /** Prepares a round after the latest one: reads some keys and changes most of them. */
  async function prepare(): Promise<StateChanges> {
    states.begin(latest.at);
    const counts = new Map(latest.counts);
    const entries = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
      // Some keys are used in most rounds, most of them rarely.
      const key = `${Math.floor(random() ** 3 * KEYS)}`;
      return { key, entry: states.lookup(COUNTS, key) };
    });
    await states.load(db, "main");
    for (const { key, entry } of entries) {
      assert.equal(entry.state, counts.get(key) ?? 0, `key ${key} after batch ${latest.at}`);
      if (random() < 0.2) continue;
      counts.set(key, entry.state + 1);
      entry.save(entry.state + 1);
    }
    const changes = states.end(latest.at + 1 + Math.floor(random() * 3));
    latest = { at: changes.batchNo, counts };
    if (changes.flushed.length > 0) seen.flushed++;
    if (changes.trimmed !== null) seen.trimmed++;
    return changes;
  }

  let round = await prepare();
  let known = latest;
  for (let n = 0; n < ROUNDS; n++) {
    // The next round is prepared before or after this one is written.
    const early = random() < 0.7;
    const next = early ? await prepare() : null;
    const fails = random() < 0.05;
    const again = random() < 0.1;
    const ending = fails ? "fails" : again ? "is retried" : "commits";
    try {
      await apply(db, committed.at, round, ending);
      committed = known;
      const before = states.bytes;
      states.committed(committed.at);
      if (states.bytes < before) seen.shrunk++;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      seen.fails++;
      states.clear();
      latest = committed;
    }
    assert.ok(await journalBytes(db) < BYTES, "the journal is trimmed");
    if (random() < 0.1) await db.tenant("main", (tx) => flushJournal(tx, "main"));
    if (random() < 0.04) {
      seen.starts++;
      states = new StateCache(() => BYTES);
      latest = committed;
    }
    round = next !== null && latest !== committed ? next : await prepare();
    known = latest;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 5, `${what}: ${count}`);

  await db.tenant("main", async (tx) => {
    await flushJournal(tx, "main");
    assert.deepEqual(await tx.rows(sql`select 1 from detector_journal`), []);
    const keys = [...committed.counts.keys()].map((key) => ({ key, keyHash: stateKeyHash(key) }));
    const rows = await readStates(tx, "main", keys.map(({ keyHash }) => ({ typeId: COUNTS.id, keyHash })));
    const stored = new Map(rows.map(({ keyHash, state }) => [keyHash, COUNTS.decode(state)]));
    assert.deepEqual(
      keys.map(({ key, keyHash }) => [key, stored.get(keyHash)]),
      [...committed.counts].map(([key, count]) => [key, count]),
    );
  });
});
