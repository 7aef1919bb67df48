// `make evaluate`: replays labelled captures through ingest and pipeline, and prints detections, misses and
// false alarms. README.md describes the labels.

import { parseArgs } from "node:util";
import { ConfigError } from "../../src/config/yaml/faults.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { freshPglite } from "../support/database.ts";
import { OWN_CAPTURES, readCaptures } from "./captures.ts";
import { evaluate } from "./evaluate.ts";
import { writeResults } from "./documentation.ts";
import { asMarkdown, asText } from "./report.ts";
import { totalsOf } from "./tables.ts";

const HELP = `make evaluate ARGS="[OPTION]... [FOLDER]..."

Replays every capture of the folders (a folder with a labels.yaml, or folders of such), or the project's own ones, each as a
tenant of its own. Exits with 1 where a scenario is missed that the records can show, or where a benign capture has more
than one false incident of severity medium or higher; with 2 where something cannot be read.

  --only NAME       only the captures whose name contains this; may be repeated
  --all             list every incident of every capture
  --json            print everything as JSON
  --markdown FILE   also write the tables to this file; of a page that has results, only these are replaced`;

function readOptions() {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      only: { type: "string", multiple: true },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      markdown: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  return { ...values, folders: positionals.length > 0 ? positionals : [OWN_CAPTURES] };
}

async function main(): Promise<number> {
  const { only, all, json, markdown, help, folders } = readOptions();
  if (help) {
    console.log(HELP);
    return 0;
  }
  const captures = (await readCaptures(folders))
    .filter(({ name }) => only === undefined || only.some((part) => name.includes(part)));
  if (captures.length === 0) throw new Error("no capture has such a name");
  const db = await freshPglite();
  try {
    const outcomes = await evaluate(db, captures, (line) => console.error(line));
    const totals = totalsOf(outcomes);
    console.log(json ? JSON.stringify({ totals, captures: outcomes }, null, 2) : asText(outcomes, { all }));
    if (markdown !== undefined) await writeResults(markdown, asMarkdown(outcomes, { all }));
    return totals.shortfalls.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}

try {
  Deno.exitCode = await main();
} catch (error) {
  // Errors in labels have complete messages; other errors are printed with their stack.
  const known = error instanceof ConfigError || error instanceof TypeError;
  console.error(known ? messageOf(error) : error);
  Deno.exitCode = 2;
}
