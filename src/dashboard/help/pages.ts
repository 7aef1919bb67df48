// The administrator documentation, one lazily loaded chunk per page.

interface MetaWithGlob {
  glob(pattern: string, options: { query: string; import: string }): Record<string, () => Promise<string>>;
}

declare global {
  interface ImportMeta extends MetaWithGlob {}
}

const LOADERS = import.meta.glob("../../docs/*.md", { query: "?raw", import: "default" });

const NAME = /([^/]+)\.md$/;
/** The contents page. */
export const CONTENTS = "index";

export const PAGE_NAMES: readonly string[] = Object.keys(LOADERS).flatMap((path) =>
  NAME.exec(path)?.[1] ?? []
)
  .sort();

/** The Markdown of a page; null if there is no such page. */
export async function loadPage(name: string): Promise<string | null> {
  const found = Object.entries(LOADERS).find(([path]) => NAME.exec(path)?.[1] === name);
  return found === undefined ? null : await found[1]();
}
