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

/** An empty database. */
const NOTHING = {
  tenant: (_tenant: string, work: (tx: Tx) => unknown) =>
    work({ rows: () => Promise.resolve([]), run: () => Promise.resolve(0) }),
} as unknown as Database;

Deno.test("state cache: states changed by the current round are not evicted", async () => {
  const states = new StateCache(() => 3_000);
  states.begin(0);
  for (let key = 0; key < 10; key++) states.lookup(LISTS, `${key}`);
  await states.load(NOTHING, "main");
  states.end(1);

  states.begin(1);
  states.lookup(LISTS, "3").save([7]);
  // The round before is committed while this one is prepared.
  states.committed(1);
  assert.deepEqual(states.lookup(LISTS, "3").state, [7]);
  assert.ok(states.bytes < 4_000, "the others are evicted");
  const { journal, flushed } = states.end(2);
  assert.deepEqual(unpackStates(journal!).map(({ state }) => [...state]), [[7]]);
  assert.deepEqual(flushed, [], "the others are unchanged");
});

Deno.test("state cache: a read that clear() overtakes does not count as reading the journal", async () => {
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
  const states = new StateCache();
  states.begin(0);
  states.lookup(LISTS, "1");
  let read = () => {};
  wait = new Promise((resolve) => read = resolve);
  const loading = states.load(db, "main");
  states.clear();
  states.begin(0);
  states.lookup(LISTS, "1");
  read();
  await loading;
  assert.equal(looks, 1);
  await states.load(db, "main");
  assert.equal(looks, 2, "a round may have been written since");
});
