import assert from "node:assert/strict";
import { ThreadLost, Threads } from "./threads.ts";

/** A thread that doubles numbers, fails on negative ones and crashes on zero. */
const PROGRAM = new URL(
  `data:application/typescript,${
    encodeURIComponent(`
      import { answerWith } from ${JSON.stringify(new URL("./thread-answer.ts", import.meta.url).href)};
      answerWith((n: number) => {
        if (n === 0) setTimeout(() => { throw new Error("dead"); });
        if (n < 0) throw new RangeError("negative");
        return n === 0 ? new Promise(() => {}) : n * 2;
      });`)
  }`,
);

async function withThreads(count: number, body: (threads: Threads<number, number>) => Promise<void>) {
  const threads = new Threads<number, number>(PROGRAM, count);
  try {
    await body(threads);
  } finally {
    threads.close();
  }
}

Deno.test("threads: every question gets its own answer", async () => {
  await withThreads(2, async (threads) => {
    const numbers = Array.from({ length: 50 }, (_, n) => n + 1);
    assert.deepEqual(await Promise.all(numbers.map((n) => threads.ask(n))), numbers.map((n) => n * 2));
  });
});

Deno.test("threads: an error in the thread is thrown here, and the thread continues", async () => {
  await withThreads(1, async (threads) => {
    await assert.rejects(threads.ask(-1), { message: "negative" });
    assert.equal(await threads.ask(4), 8);
  });
});

Deno.test("threads: a crash rejects pending questions, and the next question starts a new thread", async () => {
  await withThreads(1, async (threads) => {
    await assert.rejects(threads.ask(0), ThreadLost);
    assert.equal(await threads.ask(4), 8);
  });
});

Deno.test("threads: closing rejects pending questions", async () => {
  const threads = new Threads<number, number>(PROGRAM, 1);
  const asked = threads.ask(1);
  threads.close();
  await assert.rejects(asked, ThreadLost);
});
