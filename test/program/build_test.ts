// `make build`: the same files of the same commit in every folder, without a complaint; and the program that it makes.

import assert from "node:assert/strict";
import { walkFiles } from "../support/files.ts";
import { startUp } from "../support/up.ts";
import { driveService } from "./blackbox.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const LINES = [
  "Building the dashboard",
  "Compiling dist/ndr",
  "Cannot fetch Deno's base binary (denort): making a bundle with the deno runtime in dist/lib instead",
];
/** Bytes of the modules that `ndr --version` loads; 0.5 s are enough for 20 times as many. */
const MOST_BYTES = 400_000;

/** A copy of the checkout, below `dist` so that the packages can be linked. */
async function copyCheckout(folder: string): Promise<void> {
  const script = `set -e; mkdir "$0"; git ls-files -z --cached --others --exclude-standard |
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\\0" "$file"; done' sh | tar -c --null -T - | tar -x -C "$0"
    cp -al node_modules "$0"; [ ! -e .tools ] || { mkdir "$0/.tools"; cp -l .tools/deno-* "$0/.tools"; }`;
  const { success, stderr } = await new Deno.Command("sh", { args: ["-c", script, folder], cwd: ROOT })
    .output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

async function build(folder: string): Promise<void> {
  await copyCheckout(folder);
  const { success, stdout, stderr } = await new Deno.Command("make", {
    args: ["--old-file=node_modules/.installed", "build", `COMMIT=${COMMIT}`],
    cwd: folder,
    env: { NO_COLOR: "1", MAKEFLAGS: "", MAKELEVEL: "" },
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.ok(success, decode(stderr));
  assert.equal(decode(stderr), "");
  const said = decode(stdout).trim().split("\n");
  assert.deepEqual(said, LINES.slice(0, said.length));
}

/** SHA-256 of each file below `dist`. */
async function digests(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const path of walkFiles(`${folder}/dist`)) {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
    found.set(path.slice(folder.length + 1), new Uint8Array(digest).toHex());
  }
  return found;
}

async function ndr(program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(program, { args }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout);
}

/** Size of a module of the bundle and of what it loads at once. */
async function loadedBytes(folder: string, name: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(name)) return 0;
  seen.add(name);
  const text = await Deno.readTextFile(`${folder}/${name}`);
  let bytes = text.length;
  for (const [, other] of text.matchAll(/^(?:import|\} from|export .* from) ?"\.\/([^"]+\.js)";$/gm)) {
    bytes += await loadedBytes(folder, other!, seen);
  }
  return bytes;
}

Deno.test("two builds of one commit in two folders are identical, and the program works", async (t) => {
  const parent = await Deno.makeTempDir({ dir: `${ROOT}dist`, prefix: "build-" });
  const [one, other] = [`${parent}/one`, `${parent}/another-folder`];
  const program = `${one}/dist/ndr`;
  try {
    await build(one);
    await build(other);
    await t.step("identical", async () => {
      const first = await digests(one);
      assert.ok(first.size > 100, `${first.size} files`);
      assert.deepEqual(first, await digests(other));
    });
    await t.step("ndr version", async () => {
      assert.equal(await ndr(program, "--version"), "0.1.0\n");
      assert.match(
        await ndr(program, "version"),
        new RegExp(`^ndr 0\\.1\\.0\ncommit ${COMMIT}\nbundle 0\\.1\\.0-\\d+\n$`),
      );
    });
    await t.step("each command loads by itself", async () => {
      const names = [...(await ndr(program, "--help")).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
        .filter((name) => name !== "help");
      assert.ok(names.includes("core") && names.includes("setup"), names.join(" "));
      // Alone: another command's modules may hide what its own lack.
      for (const name of names) {
        assert.match(await ndr(program, name, "--help"), new RegExp(`^Usage: ndr ${name}`));
      }
    });
    await t.step("ndr --version loads little", async () => {
      // The compiled form has its modules inside.
      const lib = await Deno.stat(`${one}/dist/lib`).then(() => `${one}/dist/lib`, () => null);
      const bytes = lib === null ? 1 : await loadedBytes(lib, "main.js");
      assert.ok(bytes > 0 && bytes < MOST_BYTES, `${bytes} bytes`);
    });
    await t.step("every documented operation, on an embedded database that it creates", async () => {
      const rates = { NDR_SESSION_RATE: "10000", NDR_ADDRESS_RATE: "10000", NDR_SIGN_IN_RATE: "10000" };
      const up = await startUp({ program, emptyDatabase: true, sample: false, env: rates });
      try {
        await driveService(up.baseUrl, up.coreUrl, up.sources);
      } finally {
        await up.stop();
      }
    });
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
