import assert from "node:assert/strict";
import { firstRecords } from "./first-records.ts";

/** Runs it with a clock that moves with each poll; `receipts` by poll. */
async function waited(receipts: (Record<string, string> | Error)[], seconds = 3) {
  const said: string[] = [];
  const shown: string[] = [];
  let time = 0;
  let poll = 0;
  const result = await firstRecords({
    sensorIds: ["suricata", "zeek"],
    receipts: () => {
      const now = receipts[Math.min(poll++, receipts.length - 1)]!;
      return now instanceof Error ? Promise.reject(now) : Promise.resolve(new Map(Object.entries(now)));
    },
    since: Date.parse("2026-01-02T03:04:05Z"),
    seconds,
    progress: (line) => void shown.push(line),
    say: (line) => void said.push(line),
    delay: (ms) => {
      time += ms;
      return Promise.resolve();
    },
    now: () => time,
  });
  return { ...result, said, shown, poll };
}

const OLD = "2026-01-02T03:04:04Z";
const NEW = "2026-01-02T03:04:06Z";

Deno.test("each sensor's first record is reported once, and older ones do not count", async () => {
  const { silent, said, shown, poll } = await waited([
    new Error("not ready"),
    { suricata: OLD },
    { suricata: NEW },
    { suricata: NEW, zeek: NEW },
  ]);
  assert.deepEqual([silent, poll], [[], 4]);
  assert.deepEqual(said, ["suricata: the first record arrived", "zeek: the first record arrived"]);
  assert.equal(shown[0], "Waiting for the first record of suricata, zeek: 0 of 3 s");
  assert.equal(shown.at(-2), "Waiting for the first record of zeek: 2 of 3 s");
  assert.equal(shown.at(-1), "");
});

Deno.test("waiting ends, and names the silent sensors and why the core could not be asked", async () => {
  const ended = await waited([{ zeek: NEW }, new Error("no answer")], 2);
  assert.deepEqual([ended.silent, ended.fault, ended.poll], [["suricata"], "no answer", 3]);
});
