// `make docs` writes the reference documentation; `--check` compares only, and fails if a page is out of
// date.

import { BLOCKS, PAGES } from "./references.ts";
import { type GeneratedBlock, type GeneratedPage, withBlock } from "./markdown.ts";

const ROOT = new URL("../../../", import.meta.url);

/**
 * The rendered text of each page with generated content, by path. Reads hand-written parts from the checkout.
 */
async function renderPages(
  pages: readonly GeneratedPage[] = PAGES,
  blocks: readonly GeneratedBlock[] = BLOCKS,
): Promise<Map<string, string>> {
  const rendered = new Map(pages.map((page) => [page.path, page.render()]));
  for (const block of blocks) {
    const page = rendered.get(block.path) ?? await Deno.readTextFile(new URL(block.path, ROOT));
    rendered.set(block.path, withBlock(page, block, block.render()));
  }
  return new Map(
    await Promise.all([...rendered].map(async ([path, text]) => [path, await formatted(text)] as const)),
  );
}

/** Pages that differ from what the code generates. */
export async function stalePages(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of await renderPages()) {
    const current = await Deno.readTextFile(new URL(path, ROOT)).catch(() => null);
    if (current !== text) stale.push(path);
  }
  return stale;
}

/** Formatted by `deno fmt`, as `make check` requires. */
async function formatted(markdown: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--ext=md", "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(markdown));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("deno fmt failed on a generated page");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  if (Deno.args.includes("--check")) {
    const stale = await stalePages();
    for (const path of stale) console.error(`${path} is out of date: run make docs`);
    if (stale.length > 0) Deno.exit(1);
  } else {
    for (const [path, text] of await renderPages()) {
      await Deno.writeTextFile(new URL(path, ROOT), text);
      console.log(path);
    }
  }
}
