import assert from "node:assert/strict";
import { ThreadLost, Threads } from "./threads.ts";

/** A thread that doubles numbers, fails for negative ones and dies of zero. */
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

Deno.test("every question has its own answer", async () => {
  await withThreads(2, async (threads) => {
    const numbers = Array.from({ length: 50 }, (_, n) => n + 1);
    assert.deepEqual(await Promise.all(numbers.map((n) => threads.ask(n))), numbers.map((n) => n * 2));
  });
});

Deno.test("what the thread throws is thrown here, and it goes on", async () => {
  await withThreads(1, async (threads) => {
    await assert.rejects(threads.ask(-1), { message: "negative" });
    assert.equal(await threads.ask(4), 8);
  });
});

Deno.test("a thread that dies fails what it was asked, and the next question starts another", async () => {
  await withThreads(1, async (threads) => {
    await assert.rejects(threads.ask(0), ThreadLost);
    assert.equal(await threads.ask(4), 8);
  });
});

Deno.test("what is under way when all is closed is rejected", async () => {
  const threads = new Threads<number, number>(PROGRAM, 1);
  const asked = threads.ask(1);
  threads.close();
  await assert.rejects(asked, ThreadLost);
});
