import assert from "node:assert/strict";
import type { StateType } from "../../domain/detect/kernel/detector.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { unpackStates } from "../../store/detector/journal.ts";
import { StateCache } from "./state-cache.ts";

/** Lists of numbers. */
const LISTS: StateType<number[]> = {
  id: 9_998,
  name: "lists",
  keepDays: 1,
  maxBytes: 1000,
  empty: () => [],
  encode: (state) => Uint8Array.from(state),
  decode: (bytes) => [...bytes],
  size: () => 1000,
};

/** A database in which nothing stands. */
const NOTHING = {
  tenant: (_tenant: string, work: (tx: Tx) => unknown) =>
    work({ rows: () => Promise.resolve([]), run: () => Promise.resolve(0) }),
} as unknown as Database;

Deno.test("memories: what the round under way has changed stays, however little may be kept", async () => {
  const memories = new StateCache(() => 3_000);
  memories.begin(0);
  for (let key = 0; key < 10; key++) memories.need(LISTS, `${key}`);
  await memories.load(NOTHING, "main");
  memories.end(1);

  memories.begin(1);
  memories.need(LISTS, "3").save([7]);
  // The round before is committed while this one is being prepared.
  memories.committed(1);
  assert.deepEqual(memories.need(LISTS, "3").state, [7]);
  assert.ok(memories.bytes < 4_000, "the others are let go");
  const { journal, settled } = memories.end(2);
  assert.deepEqual(unpackStates(journal!).map(({ state }) => [...state]), [[7]]);
  assert.deepEqual(settled, [], "nobody has changed the others");
});

Deno.test("memories: what was being read when all was forgotten says nothing of the journal", async () => {
  let looks = 0;
  let wait = Promise.resolve();
  const db = {
    tenant: async (_tenant: string, work: (tx: Tx) => unknown) => {
      await wait;
      return await work({
        rows: ({ strings }) => {
          if (strings[0]!.includes("from detector_journal")) looks++;
          return Promise.resolve([]);
        },
        run: () => Promise.resolve(0),
      });
    },
  } as unknown as Database;
  const memories = new StateCache();
  memories.begin(0);
  memories.need(LISTS, "1");
  let read = () => {};
  wait = new Promise((resolve) => read = resolve);
  const loading = memories.load(db, "main");
  memories.clear();
  memories.begin(0);
  memories.need(LISTS, "1");
  read();
  await loading;
  assert.equal(looks, 1);
  await memories.load(db, "main");
  assert.equal(looks, 2, "a round has been written since, perhaps");
});
