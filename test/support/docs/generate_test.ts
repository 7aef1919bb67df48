import assert from "node:assert/strict";
import { outdated } from "./generate.ts";
import { GENERATORS } from "./generators.ts";

Deno.test("the generated documents are up to date", async () => {
  assert.deepEqual((await outdated(GENERATORS)).map(({ path }) => path), [], "run make docs");
});

Deno.test("a document that differs from what its generator makes is found", async () => {
  const root = await Deno.makeTempDir({ prefix: "ndr-docs-" });
  try {
    await Deno.writeTextFile(`${root}/same.md`, "same");
    await Deno.writeTextFile(`${root}/other.md`, "old");
    const found = await outdated([
      { path: "same.md", generate: () => "same" },
      { path: "other.md", generate: (current) => `${current} and new` },
      { path: "missing.md", generate: () => Promise.resolve("new") },
    ], root);
    assert.deepEqual(found, [
      { path: "other.md", content: "old and new" },
      { path: "missing.md", content: "new" },
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
