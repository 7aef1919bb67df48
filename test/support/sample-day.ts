// The day of the sample, loaded once per run. Programs that only look at it start on a copy.

import pg from "pg";
import { sha256Hex } from "../../src/kit/hash.ts";
import { copyOfFilled, type OwnDatabase } from "./database.ts";
import { walkFiles } from "./files.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
/** What the day and what becomes of it depend on, for a server that is kept between runs. */
const SOURCES = ["src", "test/data"];
/** What a program that continues the sample must know: its keys, the tokens of its sensors, and how far it got. */
const STATE_FILES = ["service.key", "tokens.json", "sample.json", "sample-loaded", "sample-reviewed"];
/** A program that starts on an older day would have much to catch up with. */
const AGE_MS = 2 * 3_600_000;

/**
 * A database with the day of the sample, and its state in the folder `stateDir`. The first call of a run loads both with
 * `load`, which must stop its program. On PostgreSQL only.
 */
export async function loadedDay(
  stateDir: string,
  load: (stateDir: string, databaseUrl: string) => Promise<void>,
): Promise<OwnDatabase> {
  const { comment, ...database } = await copyOfFilled("ndr_sample", await version(), async (url) => {
    const folder = await Deno.makeTempDir({ prefix: "ndr-sample-" });
    try {
      await load(folder, url);
      await analyse(url);
      return JSON.stringify(await readState(folder));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
  await Deno.mkdir(stateDir, { recursive: true });
  for (const [name, text] of Object.entries<string>(JSON.parse(comment))) {
    await Deno.writeTextFile(`${stateDir}/${name}`, text, { mode: 0o600 });
  }
  return database;
}

/** A copy counts no changes, so it would keep the statistics of whatever moment the server last took them. */
async function analyse(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum analyze").finally(() => client.end());
}

/** Differs when sources or records have changed, and after a while. */
async function version(): Promise<string> {
  const facts: string[] = [];
  for (const folder of SOURCES) {
    for await (const path of walkFiles(`${ROOT}${folder}`)) {
      const { size, mtime } = await Deno.stat(path);
      facts.push(`${path} ${size} ${mtime?.getTime()}`);
    }
  }
  return `${sha256Hex(facts.sort().join("\n")).slice(0, 12)}_${Math.floor(Date.now() / AGE_MS)}`;
}

async function readState(folder: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of STATE_FILES) state[name] = await Deno.readTextFile(`${folder}/${name}`);
  return state;
}
