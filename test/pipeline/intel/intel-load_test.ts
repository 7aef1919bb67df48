// Threat intelligence lists in a folder, read by the core's reader thread.
import assert from "node:assert/strict";
import { loadIntel } from "../../../src/core/jobs/intel/load-intel.ts";

const LINES = 100_000;

async function withLists(
  lists: Record<string, string>,
  test: (configDir: string) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${dir}/intel`);
    for (const [name, text] of Object.entries(lists)) await Deno.writeTextFile(`${dir}/intel/${name}`, text);
    await test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("the lists of a folder become one set; errors are reported by file and line", async () => {
  await withLists({
    "b.csv": "# ja3_md5,Listingreason\ne7d705a3286e19ea42f587b344ee6865,Dridex\n",
    "a.txt": "evil.example\n10.0.0.1\n198.51.100.0/24 # Mirai\n",
    "feed.json": "{}",
  }, async (dir) => {
    const { set, lists, faults } = await loadIntel(dir);
    assert.equal(set.size, 3);
    assert.equal(set.matchDomain("www.evil.example")?.list, "a.txt");
    assert.equal(set.matchIp("198.51.100.7")?.description, "Mirai");
    assert.equal(set.matchJa3("e7d705a3286e19ea42f587b344ee6865")?.description, "Dridex");
    assert.deepEqual(lists, [
      {
        name: "a.txt",
        indicators: 2,
        skipped: 0,
        faulty: 1,
        faults: [{ file: "a.txt", line: 2, message: "expected a public address, but 10.0.0.1 is private" }],
      },
      { name: "b.csv", indicators: 1, skipped: 0, faulty: 0, faults: [] },
    ]);
    assert.deepEqual(faults.map(({ file }) => file), [`${dir}/intel/feed.json`]);
  });
});

Deno.test("without lists the set is empty", async () => {
  const dir = await Deno.makeTempDir();
  const { set, lists, faults } = await loadIntel(dir);
  assert.deepEqual([set.size, lists, faults], [0, [], []]);
  await Deno.remove(dir);
});

Deno.test("while a long list is read, the waiting thread continues its work", async () => {
  const lines = Array.from({ length: LINES }, (_, at) => `host-${at}.evil${at % 977}.example`);
  await withLists({ "long.txt": lines.join("\n") }, async (dir) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const { set } = await loadIntel(dir);
    clearInterval(timer);
    assert.equal(set.size, LINES);
    assert.ok(ticks > 10, `${ticks} ticks`);
    assert.equal(set.matchDomain(lines.at(-1)!)?.indicator, lines.at(-1));
  });
});
