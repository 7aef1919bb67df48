// Rules for file locations and names. Paths are relative to the repository.

const MAX_FILES = 25;

/** Folders are named after nouns, the same nouns on every floor. */
export const NOUNS = [
  "record",
  "flow",
  "device",
  "incident",
  "intel",
  "detector",
  "review",
  "health",
  "session",
  "connector",
  "telemetry",
  "graph",
  "search",
  "analyst",
  "brief",
];

/** Folders divided by noun, with the additional names allowed in each. */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  "src/contract": ["request", "openapi", "filter"],
  // `detect` holds the detectors themselves; `detector`, on other floors, what is stored about them.
  "src/domain": ["detect"],
  // `upkeep` is the roof of store: what concerns the tables of all nouns.
  "src/store": ["engine", "upkeep"],
  "src/core/handlers": [],
  "src/dashboard": ["app", "base", "ui", "api-docs", "public", "overview", "entity", "settings", "help"],
};

/** Folders with more source files than a reader can survey. Tests beside their module do not count. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (/_test\.tsx?$/.test(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) =>
    `${folder}: ${count} files`
  );
}

/** Folders on a floor that match none of its nouns. */
export function unknownRooms(paths: readonly string[]): string[] {
  const rooms = new Set<string>();
  for (const path of paths) {
    for (const [floor, others] of Object.entries(FLOORS)) {
      if (!path.startsWith(`${floor}/`)) continue;
      const [room, inside] = path.slice(floor.length + 1).split("/");
      if (inside !== undefined && !NOUNS.includes(room!) && !others.includes(room!)) {
        rooms.add(`${floor}/${room}`);
      }
    }
  }
  return [...rooms];
}

/** Files whose name is not kebab-case; `_test` is allowed as a suffix. */
export function oddNames(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return !/^[a-z0-9]+(-[a-z0-9]+)*(_test)?(\.[a-z0-9]+(-[a-z0-9]+)*)+$/.test(name);
  });
}
