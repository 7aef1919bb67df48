// Which test files reach which modules.

import { walkFiles } from "../files.ts";
import { readGraph } from "../rules/module-graph.ts";

const MODULE = /\.tsx?$/;
const TEST = /[_.]test\.tsx?$/;
/** A module or an entry program in a string, as workers and child processes are started. */
const NAMED_MODULE = /["'`]((?:\.{1,2}\/)*[\w./-]+\.tsx?)["'`]/g;

export function isTest(path: string): boolean {
  return TEST.test(path);
}

/** The modules below `src` and `test` with `main.ts`, relative to `root`. */
export async function listModules(root: string): Promise<string[]> {
  const found = ["main.ts"];
  for (const folder of ["src", "test"]) {
    for await (const path of walkFiles(`${root}/${folder}`)) {
      if (MODULE.test(path)) found.push(path.slice(root.length + 1));
    }
  }
  return found.sort();
}

/**
 * The modules of the repository and who uses whom at run time: by import, or by naming the other in a string, as a worker
 * or a child process does. Paths are relative to the repository.
 */
export class Reach {
  readonly #users = new Map<string, Set<string>>();
  readonly #sources: ReadonlyMap<string, string>;

  constructor(sources: ReadonlyMap<string, string>, imports: Iterable<{ from: string; to: string }>) {
    this.#sources = sources;
    for (const { from, to } of imports) this.#add(from, to);
    for (const [from, source] of sources) {
      for (const [, named] of source.matchAll(NAMED_MODULE)) {
        for (const to of [resolve(from, named!), named!]) {
          if (sources.has(to) && to !== from) this.#add(from, to);
        }
      }
    }
  }

  static async read(root: string, modules: readonly string[]): Promise<Reach> {
    const sources = new Map<string, string>();
    for (const path of modules) sources.set(path, await Deno.readTextFile(`${root}/${path}`));
    const imports = await readGraph(root, modules.map((path) => `${root}/${path}`));
    return new Reach(sources, imports.filter(({ typeOnly }) => !typeOnly));
  }

  #add(from: string, to: string): void {
    const users = this.#users.get(to) ?? new Set<string>();
    this.#users.set(to, users.add(from));
  }

  /** The modules that reach one of these (packages as `npm:name`), with the number of steps; the given ones have 0. */
  from(targets: Iterable<string>): Map<string, number> {
    const distances = new Map([...targets].map((path) => [path, 0]));
    for (const [path, distance] of distances) {
      for (const user of this.#users.get(path) ?? []) {
        if (!distances.has(user)) distances.set(user, distance + 1);
      }
    }
    return distances;
  }

  /**
   * The tests that reach one of the files, with the number of steps, nearest first. Any other file than a module counts
   * through the modules that name it.
   */
  tests(files: readonly string[]): [path: string, distance: number][] {
    const distances = this.from(
      files.flatMap((file) => this.#sources.has(file) ? [file] : this.naming(file)),
    );
    return [...distances].filter(([path]) => isTest(path)).sort(([, near], [, far]) => near - far);
  }

  /** The modules that name a data file or, if none does, the closest of its folders that any module names. */
  naming(file: string): string[] {
    const parts = file.split("/");
    for (let end = parts.length; end > 0; end--) {
      const name = parts[end - 1]!;
      // A name such as `data` says nothing without the one before it.
      const wanted = end === parts.length ? name : parts.slice(Math.max(0, end - 2), end).join("/");
      const found = [...this.#sources].filter(([, source]) => source.includes(wanted)).map(([path]) => path);
      if (found.length > 0) return found;
    }
    return [];
  }
}

function resolve(from: string, named: string): string {
  return new URL(named, `file:///${from}`).pathname.slice(1);
}
