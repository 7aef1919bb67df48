// The results in a page of documentation, between two comments, which also keep the formatter away from the tables.

const BEGIN = "<!-- deno-fmt-ignore-start -->\n";
const END = "<!-- deno-fmt-ignore-end -->\n";

/** The page that holds the results of the project's own captures. */
export const OWN_PAGE = new URL("README.md", import.meta.url).pathname;

/** Replaces the results of a page, or writes a page of nothing else where there is none. */
export async function writeResults(path: string, results: string): Promise<void> {
  const page = await read(path);
  const place = page === null ? null : placeOf(page);
  if (page !== null && place === null) throw new TypeError(`${path}: expected ${BEGIN.trim()} in this file`);
  const text = place ? page!.slice(0, place.start) + results + page!.slice(place.end) : BEGIN + results + END;
  await Deno.writeTextFile(path, text);
}

/** Null where the page holds none. */
export async function readResults(path: string): Promise<string | null> {
  const page = await read(path);
  const place = page === null ? null : placeOf(page);
  return place ? page!.slice(place.start, place.end) : null;
}

function placeOf(page: string): { start: number; end: number } | null {
  const start = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  return start < 0 || end < start ? null : { start: start + BEGIN.length, end };
}

async function read(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
