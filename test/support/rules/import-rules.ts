// Import rules: the table of the design, applied to a module graph. The graph comes from `readGraph`, or from
// a test of these rules.

/** One import. Paths are relative to the repository; packages are `npm:name` and `node:name`. */
export interface Import {
  from: string;
  to: string;
  /** Erased at run time. */
  typeOnly: boolean;
  /** The specifier as written in the source. */
  written: string;
}

const WORKER = ["contract", "domain", "store", "config", "observe"];

/** In addition to `kit`, which everyone may import, and the folder itself. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  contract: [],
  domain: ["contract"],
  config: ["contract"],
  observe: ["config", "contract"],
  store: ["contract", "domain"],
  // These never import each other: they communicate through the database.
  ingest: WORKER,
  pipeline: WORKER,
  connectors: WORKER,
  telemetry: WORKER,
  analyst: WORKER,
  core: WORKER,
  web: ["contract", "config", "observe"],
  dev: ["contract", "config", "observe"],
  cli: [...WORKER, "ingest", "pipeline", "connectors", "telemetry", "analyst"],
  dashboard: ["contract"],
  // Started by main.ts, the only importer; wired by hand.
  wiring: [...WORKER, "ingest", "pipeline", "connectors", "telemetry", "analyst", "core", "web", "dev"],
};

/**
 * The shared rooms of the dashboard and what they may import beside themselves; `app` may import every room, all others
 * may import the shared ones. So nouns know each other only through `entity`.
 */
const SHARED_ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  ui: ["base"],
  search: ["base", "ui"],
  entity: ["base", "ui", "search"],
};

/** Packages restricted to some folders; all other packages are unrestricted. */
const PACKAGES: readonly { packages: RegExp; folders: readonly string[] }[] = [
  { packages: /^npm:(pg|@electric-sql\/pglite)$/, folders: ["store"] },
  { packages: /^npm:oidc-provider$/, folders: ["dev"] },
  { packages: /^npm:(react|react-dom|vite|@vitejs\/.+|@tanstack\/.+)$/, folders: ["dashboard"] },
];
const TEST_PACKAGES =
  /^(npm:(fast-check|playwright-core|@axe-core\/playwright)|node:(assert|assert\/strict|test))$/;

/** External packages allowed in the pure folder: computations and data shapes. */
const PURE_PACKAGES = ["npm:zod", "npm:tldts"];

/** Violations in a graph, one line each; empty when it follows the rules. */
export function importFaults(imports: readonly Import[]): string[] {
  const faults: string[] = [];
  for (const edge of imports) {
    const reason = faultOf(edge);
    if (reason) faults.push(`${edge.from} imports ${edge.to}: ${reason}`);
  }
  return faults;
}

function faultOf(edge: Import): string | null {
  const { from, to } = edge;
  const folder = folderOf(from);
  const isTest = /_test\.tsx?$/.test(from);
  if (/^(npm|jsr|https?):/.test(edge.written)) {
    return "a package is named in deno.json and imported by its name";
  }
  if (/^(npm|node):/.test(to)) return packageFault(folder, to, isTest);
  if (/^[a-z]+:/.test(to)) return "only files of the repository and the packages of deno.json are imported";

  if (/_test\.tsx?$/.test(to)) return "a test is not a module for others";
  if (folder === "main.ts") return to.startsWith("src/") || to === "deno.json" ? null : "it wires src only";
  const allowed = MAY_IMPORT[folder];
  if (!allowed) return `${folder} is not a folder of the design`;
  if (to.startsWith("migrations/")) return folder === "store" ? null : "migrations belong to store";
  if (to === "src/store/engine/sql.ts" && folder !== "store") return "SQL may occur only in store";
  if (isTest && to.startsWith("test/support/")) return null;
  if (!to.startsWith("src/")) return "src imports nothing from outside of src";

  const target = folderOf(to);
  const [ours, theirs] = [detectorOf(from), detectorOf(to)];
  if (!isTest && ours !== theirs && theirs !== null && theirs !== "kernel" && ours !== null) {
    return "a detector imports the kernel, never another detector";
  }
  if (folder === "dashboard" && target === folder) return roomFault(roomOf(from), roomOf(to));
  if (
    from.startsWith("src/store/engine/") && to.startsWith("src/store/") && !to.startsWith("src/store/engine/")
  ) {
    return "the engine of store knows no noun";
  }
  if (!isTest && from.startsWith("src/core/graph/") && to.startsWith("src/core/handlers/")) {
    return "the graphs of core know no handler";
  }
  if (target === folder || target === "kit") return null;
  if (!allowed.includes(target)) return `${folder} may import ${["kit", ...allowed].join(", ")}`;
  if (folder === "dashboard" && !edge.typeOnly && !to.startsWith("src/contract/filter/")) {
    return "dashboard imports types of contract, and at run time only contract/filter";
  }
  if (roomOf(from) === "ui" && to !== "src/contract/record/kinds.ts") return "ui knows no noun";
  return null;
}

function packageFault(folder: string, name: string, isTest: boolean): string | null {
  if (TEST_PACKAGES.test(name)) return isTest ? null : "only tests may import it";
  if (folder === "domain" && !isTest && !PURE_PACKAGES.includes(name)) {
    return `domain is pure and may import ${PURE_PACKAGES.join(", ")}`;
  }
  for (const { packages, folders } of PACKAGES) {
    if (packages.test(name) && !folders.includes(folder)) return `only ${folders.join(", ")} may import it`;
  }
  return null;
}

function roomFault(from: string, to: string): string | null {
  if (from === to || from === "app") return null;
  const allowed = SHARED_ROOMS[from] ?? Object.keys(SHARED_ROOMS);
  return allowed.includes(to) ? null : `${from} may import ${allowed.join(", ") || "no other room"}`;
}

/** The folder below `src/dashboard` that contains the path; empty for another path. */
function roomOf(path: string): string {
  return /^src\/dashboard\/([^/]+)\//.exec(path)?.[1] ?? "";
}

/** The detector folder in `src/domain/detect` that contains the path; null elsewhere. */
function detectorOf(path: string): string | null {
  return /^src\/domain\/detect\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Groups of modules in an import cycle, type imports included; each group is sorted. */
export function importCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) {
    const known = targets.get(from);
    if (known) known.push(to);
    else targets.set(from, [to]);
  }
  // Tarjan's strongly connected components.
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (module: string): number => {
    const own = order.size;
    order.set(module, own);
    let low = own;
    stack.push(module);
    for (const target of targets.get(module) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target)!);
    }
    if (low === own) {
      const members = stack.splice(stack.indexOf(module));
      if (members.length > 1 || targets.get(module)?.includes(module)) cycles.push(members.sort());
    }
    return low;
  };
  for (const module of targets.keys()) if (!order.has(module)) visit(module);
  return cycles;
}

/** The `src` folder that contains the path, or the path itself. */
export function folderOf(path: string): string {
  const [first, second, third] = path.split("/");
  return first === "src" && third !== undefined ? second! : path;
}
