// The evaluation of the project's captures, which must find what they contain and nothing else; and its
// command.

import assert from "node:assert/strict";
import { OWN_CAPTURES, readCaptures } from "../../evaluate/captures.ts";
import { OWN_PAGE, readResults } from "../../evaluate/documentation.ts";
import { evaluate } from "../../evaluate/evaluate.ts";
import type { CaptureOutcome } from "../../evaluate/judge.ts";
import { asMarkdown } from "../../evaluate/report.ts";
import { totalsOf } from "../../evaluate/tables.ts";
import { freshDatabase } from "../../support/database.ts";

const MAIN = new URL("../../evaluate/main.ts", import.meta.url).pathname;

let outcomes: CaptureOutcome[] | null = null;
async function ownOutcomes(): Promise<CaptureOutcome[]> {
  if (outcomes !== null) return outcomes;
  const db = await freshDatabase();
  try {
    return outcomes = await evaluate(db, await readCaptures([OWN_CAPTURES]));
  } finally {
    await db.close();
  }
}

Deno.test("every scenario that records can show is found, and benign captures stay quiet", async () => {
  const { shortfalls, visible, benignCaptures } = totalsOf(await ownOutcomes());
  assert.deepEqual(shortfalls, []);
  assert.ok(visible > 0 && benignCaptures > 0);
});

Deno.test("the documentation contains the results of the evaluation", async () => {
  const results = asMarkdown(await ownOutcomes(), { all: false });
  assert.equal(
    await readResults(OWN_PAGE),
    results,
    'rewrite them: make evaluate ARGS="--markdown test/evaluate/README.md"',
  );
});

const LABELS = `title: A beacon
origin: [{ from: somewhere, licence: MIT }]
sensors: [{ sensor_id: zeek, files: [{ file: conn.log, shift_seconds: 86400 }] }]
verdict: malicious
scenarios:
  - id: http-beacon
    text: It posts every 55 s.
    technique: T1071.001
    how_known: inferred
    detectors: [beacon]
    device: 172.16.253.129
    peer: 188.173.32.149
`;

async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = new Deno.Command(Deno.execPath(), { args: ["run", "-A", MAIN, ...args], stdin: "null" });
  const { code, stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("an external folder is evaluated; missed findings and misspelt keys set the exit status", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-evaluate-" });
  try {
    const labels = `${folder}/mine/labels.yaml`;
    await Deno.mkdir(`${folder}/mine`);
    await Deno.copyFile(`${OWN_CAPTURES}/../sample/brobeat/conn.log`, `${folder}/mine/conn.log`);

    await Deno.writeTextFile(labels, LABELS);
    const page = `${folder}/page.md`;
    const found = await command("--json", "--markdown", page, folder);
    assert.equal(found.code, 0, found.stderr);
    const { totals, captures } = JSON.parse(found.stdout);
    assert.deepEqual([totals.visible, totals.found, captures[0].name], [1, 1, "mine"]);
    assert.match((await readResults(page))!, /^\| beacon \| mine \| http-beacon \(high\) \|/m);

    await Deno.writeTextFile(labels, LABELS.replace("188.173.32.149", "192.0.2.1"));
    const missed = await command(folder);
    assert.equal(missed.code, 1, missed.stderr);
    assert.match(missed.stdout, /^FALLS SHORT {2}mine: http-beacon is missed$/m);

    await Deno.writeTextFile(labels, LABELS.replace("T1071.001", "beacon"));
    const refused = await command(folder);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /mine\/labels\.yaml:8:16: scenarios\[0\]\.technique: expected a technique/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
