// What the browser loads for the first page, measured in the built dashboard.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { exists } from "../support/files.ts";

const DIST = new URL("../../dist/dashboard", import.meta.url).pathname;
const MOST_BYTES = 260 * 1024;
/** Fonts are compressed already. */
const COMPRESSED = /\.woff2$/;

const built = await exists(`${DIST}/index.html`);

/** A file's name without the hash of its content. */
const plain = (path: string) => path.replace(/^assets\//, "").replace(/-[\w-]{8}(\.\w+)$/, "$1");

async function sizeOf(path: string): Promise<number> {
  const bytes = await Deno.readFile(`${DIST}/${path}`);
  return COMPRESSED.test(path) ? bytes.length : gzipSync(bytes).length;
}

/** The paths of a file and of the modules that it imports statically. */
async function closure(path: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  if (!path.endsWith(".js")) return found;
  const text = await Deno.readTextFile(`${DIST}/${path}`);
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) {
    await closure(`assets/${name}`, found);
  }
  return found;
}

Deno.test({
  name: "the first page loads at most 260 KB",
  ignore: !built,
  fn: async (t) => {
    const html = await Deno.readTextFile(`${DIST}/index.html`);
    const assets = await Array.fromAsync(Deno.readDir(`${DIST}/assets`), ({ name }) => `assets/${name}`);
    const named = (name: string) => {
      const path = assets.find((path) => plain(path) === name);
      assert.ok(path, `expected ${name} in ${DIST}/assets`);
      return path;
    };

    const ofEveryPage = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path!);
    await t.step("every page loads one script, one style sheet and one font", () => {
      assert.deepEqual(ofEveryPage.map(plain).sort(), [
        "favicon.svg",
        "index.css",
        "inter-latin-wght-normal.woff2",
        "rolldown-runtime.js",
        "shell.js",
        "theme.js",
      ]);
    });

    await t.step("with the overview, its charts and the font that is at most 260 KB", async () => {
      const first = new Set(["index.html"]);
      const roots = [
        ...ofEveryPage,
        named("overview.js"),
        named("time-plot.js"),
        named("inter-latin-wght-normal.woff2"),
      ];
      for (const path of roots) await closure(path, first);
      const sizes = await Promise.all([...first].map(async (path) => ({ path, bytes: await sizeOf(path) })));
      const sum = sizes.reduce((total, { bytes }) => total + bytes, 0);
      const list = sizes.sort((a, b) => b.bytes - a.bytes).map(({ path, bytes }) =>
        `${bytes} ${plain(path)}`
      );
      assert.ok(sum <= MOST_BYTES, `${sum} bytes: ${list.join(", ")}`);
      const names = [...first].map(plain);
      for (const large of ["common.js", "forms.js", "data-grid.js", "map.js", "globe.js"]) {
        named(large);
        assert.ok(!names.includes(large), `${large} is loaded when it is first needed`);
      }
    });
  },
});
