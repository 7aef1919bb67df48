// How the service follows lists that are added, changed and removed in the configuration folders.

import assert from "node:assert/strict";
import { IntelWatch } from "../../../src/core/jobs/intel/intel-watch.ts";
import { silentLogger } from "../../../src/observe/log.ts";

async function withWatch(test: (watch: IntelWatch, dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  // Polls only when the test triggers it.
  const watch = new IntelWatch({ configDir: dir, every: 3_600_000 }, silentLogger);
  try {
    await test(watch, dir);
  } finally {
    await watch.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("without a folder there are no lists, known at once", async () => {
  await withWatch(async (watch) => {
    assert.equal(watch.current(), null);
    await watch.poll();
    assert.deepEqual([watch.current()?.size, watch.current()?.digest], [0, ""]);
    assert.deepEqual(watch.facts(), { lists: [], unreadable: [], failure: null, databases: [] });
  });
});

Deno.test("a list written piece by piece is read once it is stable", async () => {
  await withWatch(async (watch, dir) => {
    await watch.poll();
    const before = watch.current();
    await Deno.mkdir(`${dir}/intel`);
    const file = `${dir}/intel/feed.txt`;
    await Deno.writeTextFile(file, "198.51.100.1\n");
    await watch.poll();
    assert.equal(watch.current(), before);
    await Deno.writeTextFile(file, "198.51.100.2\n", { append: true });
    await watch.poll();
    assert.equal(watch.current(), before);
    await watch.poll();
    const after = watch.current();
    assert.equal(after?.size, 2);
    await watch.poll();
    assert.equal(watch.current(), after, "unchanged lists are not read again");
    await Deno.remove(file);
    await watch.poll();
    await watch.poll();
    assert.equal(watch.current()?.size, 0);
  });
});

Deno.test("lists present at the start are read at once, in consecutive polls", async () => {
  await withWatch(async (watch, dir) => {
    await Deno.mkdir(`${dir}/intel`);
    await Deno.writeTextFile(`${dir}/intel/feed.txt`, "198.51.100.1\n");
    const polls = [watch.poll(), watch.poll()];
    assert.equal(watch.current(), null);
    await Promise.all(polls);
    assert.equal(watch.current()?.size, 1);
    assert.deepEqual(watch.facts().lists.map(({ name, indicators }) => [name, indicators]), [[
      "feed.txt",
      1,
    ]]);
  });
});
