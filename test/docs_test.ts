// The documentation: generated pages are current, links resolve, the README stays short, and configuration examples are valid.

import assert from "node:assert/strict";
import { parse } from "@std/yaml";
import { exists, walkFiles } from "./support/files.ts";
import { type GeneratedBlock, withBlock } from "./support/docs/markdown.ts";
import { stalePages } from "./support/docs/generate.ts";

const ROOT = new URL("../", import.meta.url);
const MAX_README_LINES = 250;

/** The text of each page, by path in the repository. */
const pages = new Map<string, string>();
pages.set("README.md", await Deno.readTextFile(new URL("README.md", ROOT)));
for await (const path of walkFiles(new URL("src", ROOT).pathname)) {
  if (path.endsWith(".md")) pages.set(path.slice(ROOT.pathname.length), await Deno.readTextFile(path));
}

Deno.test("docs: generated pages are current", async () => {
  assert.deepEqual(await stalePages(), []);
});

Deno.test("docs: a generated block replaces only the text between its markers", () => {
  const block: GeneratedBlock = { path: "a.md", name: "x", render: () => "new" };
  const page = "before\n<!-- generated: x -->\nold\n<!-- end: x -->\nafter\n";
  assert.equal(
    withBlock(page, block, "new"),
    "before\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nafter\n",
  );
  assert.throws(() => withBlock("no markers", block, "new"), /a\.md: expected the markers/);
});

Deno.test("docs: the README has at most 250 lines", () => {
  const lines = pages.get("README.md")!.trimEnd().split("\n").length;
  assert.ok(lines <= MAX_README_LINES, `${lines} lines, at most ${MAX_README_LINES}`);
});

Deno.test("docs: every link leads to a file, and every anchor to a heading", async () => {
  const broken: string[] = [];
  for (const [path, text] of pages) {
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target!)) continue;
      const [file, anchor] = target!.split("#");
      const linked = file === "" ? new URL(path, ROOT) : new URL(file!, new URL(path, ROOT));
      const content = await Deno.readTextFile(linked).catch(() =>
        Deno.stat(linked).then(() => "", () => null)
      );
      if (content === null) broken.push(`${path}: ${target}`);
      else if (anchor && !anchorsOf(content).has(anchor)) broken.push(`${path}: ${target} (no such heading)`);
    }
  }
  assert.deepEqual(broken, []);
});

Deno.test("docs: every path of the repository that a page names exists", async () => {
  const missing: string[] = [];
  let count = 0;
  for (const [page, text] of pages) {
    for (const [, path] of text.matchAll(/`((?:src|test|migrations|debian|systemd)\/[\w./-]*)`/g)) {
      count++;
      if (!(await exists(new URL(path!, ROOT).pathname))) missing.push(`${page}: ${path}`);
    }
  }
  assert.ok(count > 50, `${count} paths`);
  assert.deepEqual(missing, []);
});

Deno.test("docs: each defended threat names the tests that attempt it", async () => {
  const page = pages.get("src/docs/security-model.md")!;
  const rows = page.split("\n").filter((line) => line.startsWith("|")).slice(2);
  assert.ok(rows.length >= 15, `${rows.length} threats`);
  for (const row of rows) {
    const [threat, answer, tests] = row.split("|").slice(1, -1).map((cell) => cell.trim());
    assert.ok(threat && answer, row);
    const paths = Array.from(tests!.matchAll(/`([^`]+)`/g), ([, path]) => path!);
    assert.ok(paths.length > 0, row);
    for (const path of paths) {
      assert.match(path, /^(src|test)\/.+_test\.ts$/);
      assert.match(await Deno.readTextFile(new URL(path, ROOT)), /\b(?:\w*test\w*|refuses)\(/i, path);
    }
  }
});

/** Anchors of a page's headings, as GitHub derives them. */
function anchorsOf(page: string): Set<string> {
  const headings = page.matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(
      headings,
      ([, text]) => text!.toLowerCase().replaceAll(/[^\w\s-]/g, "").trim().replaceAll(" ", "-"),
    ),
  );
}

Deno.test("docs: every page is linked from the index", () => {
  const index = pages.get("src/docs/index.md")!;
  const unlinked = [...pages.keys()].filter((path) =>
    path.startsWith("src/docs/") && path !== "src/docs/index.md" &&
    !index.includes(`(${path.slice("src/docs/".length)})`)
  );
  assert.deepEqual(unlinked, []);
});

Deno.test("docs: YAML examples parse", () => {
  let count = 0;
  for (const [path, text] of pages) {
    for (const [, example] of text.matchAll(/^```yaml\n(.*?)^```$/gms)) {
      assert.doesNotThrow(() => parse(example!), path);
      count++;
    }
  }
  assert.ok(count > 2);
});
