// The results in a documentation page, between two comments that also exempt the tables from the formatter.

const BEGIN = "<!-- deno-fmt-ignore-start -->\n";
const END = "<!-- deno-fmt-ignore-end -->\n";

/** The page with the results of the project's own captures. */
export const OWN_PAGE = new URL("README.md", import.meta.url).pathname;

/** Replaces the results in a page; a missing page is created. */
export async function writeResults(path: string, results: string): Promise<void> {
  const page = await read(path);
  const place = page === null ? null : placeOf(page);
  if (page !== null && place === null) throw new TypeError(`${path}: expected ${BEGIN.trim()} in this file`);
  const text = place ? page!.slice(0, place.start) + results + page!.slice(place.end) : BEGIN + results + END;
  await Deno.writeTextFile(path, text);
}

/** Null if the page has no results. */
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
