import assert from "node:assert/strict";
import { pageWithRows } from "./queries.ts";

/** Asks for a list whose server answers with these pages in turn; gives what was asked, too. */
async function ask(pages: { data: string[]; next_cursor: string | null }[]) {
  const real = globalThis.fetch;
  const cursors: (string | null)[] = [];
  globalThis.fetch = (input) => {
    cursors.push(new URL(String(input), "http://ndr.example").searchParams.get("cursor"));
    const page = pages[Math.min(cursors.length, pages.length) - 1];
    return Promise.resolve(new Response(JSON.stringify(page)));
  };
  try {
    const asked = { limit: 100, service: "rare" };
    const page = await pageWithRows<string>("/api/v1/flows", asked, new AbortController().signal);
    return { page, cursors };
  } finally {
    globalThis.fetch = real;
  }
}

Deno.test("an empty page with a cursor is no end: the next ones are asked for until there are rows", async () => {
  const { page, cursors } = await ask([
    { data: [], next_cursor: "a" },
    { data: [], next_cursor: "b" },
    { data: ["flow"], next_cursor: "c" },
  ]);
  assert.deepEqual(page, { data: ["flow"], next_cursor: "c" });
  assert.deepEqual(cursors, [null, "a", "b"]);
});

Deno.test("what has rows or is at its end is asked for once", async () => {
  for (const one of [{ data: ["flow"], next_cursor: "a" }, { data: [], next_cursor: null }]) {
    assert.equal((await ask([one])).cursors.length, 1);
  }
});

Deno.test("a list that stays empty is not asked for for ever, and is still not at its end", async () => {
  const { page, cursors } = await ask([{ data: [], next_cursor: "again" }]);
  assert.deepEqual(page, { data: [], next_cursor: "again" });
  assert.equal(cursors.length, 31);
});
