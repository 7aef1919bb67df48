import type { Import } from "./import-rules.ts";

interface Resolved {
  specifier?: string;
  error?: string;
}

interface DenoInfo {
  modules: {
    specifier: string;
    dependencies?: { specifier: string; code?: Resolved; type?: Resolved }[];
  }[];
}

/**
 * Every import of the given files (absolute paths) and of their dependencies inside `root`, type imports
 * included, as reported by `deno info --json`. Throws on an import that cannot be resolved.
 */
export async function readGraph(root: string, files: readonly string[]): Promise<Import[]> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-graph-" });
  try {
    // One run over a module that imports all files is faster than one run per file.
    const entry = `${folder}/all.ts`;
    await Deno.writeTextFile(entry, files.map((file) => `import ${JSON.stringify(urlOf(file))};\n`).join(""));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", `${root}/deno.json`, entry],
      cwd: root,
      env: { NO_COLOR: "1" },
    }).output();
    if (!success) throw new Error(`deno info: ${new TextDecoder().decode(stderr)}`);
    return importsOf(JSON.parse(new TextDecoder().decode(stdout)) as DenoInfo, `${urlOf(root)}/`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function importsOf(info: DenoInfo, base: string): Import[] {
  const imports: Import[] = [];
  for (const module of info.modules) {
    if (!module.specifier.startsWith(base)) continue;
    const from = module.specifier.slice(base.length);
    if (from.startsWith("node_modules/")) continue;
    for (const { specifier: written, code, type } of module.dependencies ?? []) {
      const to = code?.specifier ?? type?.specifier;
      if (!to) throw new Error(`${from} imports "${written}": ${code?.error ?? type?.error}`);
      imports.push({ from, to: nameOf(to, base), typeOnly: code === undefined, written });
    }
  }
  return imports;
}

function nameOf(specifier: string, base: string): string {
  if (specifier.startsWith(base)) return specifier.slice(base.length);
  // npm:name@1.2.3/path and npm:/name@1.2.3/path are both the package `name`.
  return specifier.replace(/^npm:\/?(@[^/]+\/[^@/]+|[^@/]+).*$/, "npm:$1");
}

function urlOf(path: string): string {
  return new URL(`file://${path}`).href;
}
