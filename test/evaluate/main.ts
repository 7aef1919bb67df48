// `make evaluate`: replays labelled captures through ingest and pipeline, and prints detections, misses and
// false alarms. README.md describes the labels.

import { parseArgs } from "node:util";
import { ConfigError } from "../../src/config/yaml/faults.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { type CaptureSet, capturesOf, OWN_CAPTURES } from "./captures.ts";
import { writeResults } from "./documentation.ts";
import { asMarkdown, asText } from "./report.ts";
import { totalsOf } from "./tables.ts";
import { evaluateInWorkers } from "./workers.ts";

const HELP = `make evaluate ARGS="[OPTION]... [FOLDER]..."

Replays captures, each as a tenant of its own: those of the folders (a folder with a labels.yaml, or folders of such), or else
the captures that the project keeps and those that it generates. Exits with 1 if a scenario is missed that the records can
show, or if a benign capture has more false incidents of severity medium or higher than one, or than one per 100
device-days; with 2 if something cannot be read.

  --kept            only the captures that the project keeps as files
  --generated       only the captures that are generated while they are replayed
  --long            generate the long form: pages as many as people open, and attacks with three seeds (about 20 minutes)
  --only NAME       only the captures whose name contains this; may be repeated
  --all             list every incident of every capture
  --json            print everything as JSON
  --markdown FILE   also write the tables to this file; of a page that has results, only these are replaced`;

function readOptions() {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      kept: { type: "boolean", default: false },
      generated: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      markdown: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { kept, generated, long } = values;
  const both = kept === generated;
  const set: CaptureSet = positionals.length > 0 ? { folders: positionals, generated: null } : {
    folders: both || kept ? [OWN_CAPTURES] : [],
    generated: both || generated ? long ? "long" : "short" : null,
  };
  return { ...values, set };
}

async function main(): Promise<number> {
  const { only, all, json, markdown, help, set } = readOptions();
  if (help) {
    console.log(HELP);
    return 0;
  }
  const names = (await capturesOf(set)).map(({ name }) => name)
    .filter((name) => only === undefined || only.some((part) => name.includes(part)));
  if (names.length === 0) throw new Error("no capture has such a name");
  const outcomes = await evaluateInWorkers(set, names, (line) => console.error(line));
  const totals = totalsOf(outcomes);
  console.log(json ? JSON.stringify({ totals, captures: outcomes }, null, 2) : asText(outcomes, { all }));
  if (markdown !== undefined) await writeResults(markdown, asMarkdown(outcomes, { all }));
  return totals.shortfalls.length === 0 ? 0 : 1;
}

try {
  Deno.exitCode = await main();
} catch (error) {
  // Errors in labels have complete messages; other errors are printed with their stack.
  const known = error instanceof ConfigError || error instanceof TypeError;
  console.error(known ? messageOf(error) : error);
  Deno.exitCode = 2;
}
