import assert from "node:assert/strict";
import { pageWithRows } from "./queries.ts";

/** Requests a list whose server answers with these pages in turn; returns the requests too. */
async function ask(pages: { data: string[]; next_cursor: string | null }[]) {
  const real = globalThis.fetch;
  const cursors: (string | null)[] = [];
  globalThis.fetch = (input) => {
    cursors.push(new URL(String(input), "http://ndr.example").searchParams.get("cursor"));
    const page = pages[Math.min(cursors.length, pages.length) - 1];
    return Promise.resolve(new Response(JSON.stringify(page)));
  };
  try {
    const page = await pageWithRows("listFlows", { query: { limit: 100, service: "rare" } });
    return { page, cursors };
  } finally {
    globalThis.fetch = real;
  }
}

Deno.test("an empty page with a cursor is not the end: the next pages are read until there are rows", async () => {
  const { page, cursors } = await ask([
    { data: [], next_cursor: "a" },
    { data: [], next_cursor: "b" },
    { data: ["flow"], next_cursor: "c" },
  ]);
  assert.deepEqual(page, { data: ["flow"], next_cursor: "c" });
  assert.deepEqual(cursors, [null, "a", "b"]);
});

Deno.test("a page with rows, or without a cursor, is read once", async () => {
  for (const one of [{ data: ["flow"], next_cursor: "a" }, { data: [], next_cursor: null }]) {
    assert.equal((await ask([one])).cursors.length, 1);
  }
});

Deno.test("a list that stays empty is read up to a bound and keeps its cursor", async () => {
  const { page, cursors } = await ask([{ data: [], next_cursor: "again" }]);
  assert.deepEqual(page, { data: [], next_cursor: "again" });
  assert.equal(cursors.length, 31);
});
