// `ndr search` as an administrator types it: the real program asks a running one, with the sample captures.

import assert from "node:assert/strict";
import { callNdr, type Ran, runNdr } from "../../support/command.ts";
import { POSTGRES_URL } from "../../support/database.ts";
import { exists } from "../../support/files.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { SAMPLE_SECONDS, startUp } from "../../support/up.ts";

/** Questions of a morning's triage, and what a line of the answer looks like. */
const QUESTIONS: [question: string, answer: RegExp][] = [
  [
    "open incidents of high severity or higher",
    /^\S+ \S+ +(?:high|critical) .*172\.16\.253\.129.*beaconing/m,
  ],
  ["who is beaconing?", /172\.16\.253\.129/],
  ["what did 172.16.253.129 do in the last 2 days", /172\.16\.253\.129:\d+ +188\.173\.32\.149:91 /],
  ["who talked to 188.173.32.149", /172\.16\.253\.129/],
  ["which devices have the most incidents", /^(?:\d+\.){3}\d+ +[1-9]\d*$/m],
  ["malware incidents in the last 7 days", /Malware traffic of 10\.10\.3\.73 \(ET CNC\)/],
  ["dns lookups that failed in the last 2 days, by device", /^Training machine +[1-9]\d*$/m],
  ["top talkers in the last 2 days", /^10\.77\.0\.14 +[\d.]+ MB$/m],
  ["new devices in the last 7 days", /^\S+ \S+ +10\.10\.4\.50 /m],
  ["connections longer than an hour in the last 2 days", /38\.229\.70\.33:9001 /],
];

async function withSample(
  options: Parameters<typeof startUp>[0],
  work: (ask: (...args: string[]) => Promise<Ran>) => Promise<void>,
): Promise<void> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-search-" });
  const up = await startUp({ ...options, stateDir });
  try {
    await waitFor(() => exists(`${stateDir}/sample-loaded`), () => up.output(), SAMPLE_SECONDS);
    const env = { NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc`, TZ: "UTC" };
    const ask = (...args: string[]) => runNdr(["search", ...args], env);
    // Records are acknowledged before they are interpreted.
    let last = "";
    await waitFor(
      async () => {
        const { code, stdout, stderr } = await ask("--tenant", "main", "detector:beacon");
        last = stdout + stderr;
        return code === 0;
      },
      () => last,
      SAMPLE_SECONDS,
    );
    await work(ask);
  } finally {
    await up.stop();
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function assertAnswers(ask: (...args: string[]) => Promise<Ran>): Promise<void> {
  for (const [question, answer] of QUESTIONS) {
    let last: Ran | null = null;
    // The day's records are processed after they were acknowledged.
    await waitFor(
      async () => {
        last = await ask("--tenant", "main", ...question.split(" "));
        return last.code === 0 && answer.test(last.stdout);
      },
      () => `${question}: ${last?.stderr}${last?.stdout}`,
      SAMPLE_SECONDS,
    );
    assert.doesNotMatch(last!.stderr, /not understood/i, question);
  }
}

Deno.test("ndr search: ten questions of a morning's triage are answered by typing them", async () => {
  await withSample({}, async (ask) => {
    await assertAnswers(ask);

    const table = await ask(
      "--tenant",
      "main",
      "dst.ip:188.173.32.149",
      "-service:dns",
      "--zone",
      "Asia/Tokyo",
    );
    assert.match(
      table.stdout,
      /^START +SOURCE +DESTINATION +COUNTRY +PROTO +SERVICE +SENT +RECEIVED +NAME\n2/,
    );
    assert.equal(
      table.stderr.split("\n")[0],
      "flows: dst.ip:188.173.32.149 -service:dns, times in Asia/Tokyo",
    );

    const json = JSON.parse(
      (await ask("--tenant", "main", "incidents", "--format", "json", "--limit", "2")).stdout,
    );
    assert.deepEqual([json.result_kind, json.interpretation, json.data.length, json.more], [
      "incidents",
      "natural",
      2,
      true,
    ]);

    // More than one page of the API.
    const lines = await ask("--tenant", "main", "--from", "-2d", "--limit", "700", "--format", "ndjson");
    const flows = lines.stdout.trimEnd().split("\n").map((line) => JSON.parse(line).flow_id);
    assert.equal(flows.length, new Set(flows).size);
    assert.ok(flows.length > 500, `${flows.length} flows`);

    const csv = await ask("--tenant", "main", "--kind", "devices", "--format", "csv", "--limit", "3");
    assert.equal(csv.stdout.trimEnd().split("\r\n").length, 4);
    assert.match(csv.stdout, /^device_id,display_name,/);

    const nothing = await ask("--tenant", "main", "dst.ip:192.0.2.99");
    assert.deepEqual([nothing.code, nothing.stdout], [1, ""]);
    assert.match(nothing.stderr, /no flows found from 2/);

    const wrong = await ask("--tenant", "main", "srcc.ip:10.1", "dst.port:http");
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    const errors = wrong.stderr.split("\n");
    assert.match(errors[0]!, /^ndr search: .*`srcc\.ip`/);
    assert.deepEqual(errors.slice(1, 3), ["  srcc.ip:10.1 dst.port:http", "  ^^^^^^^"]);
    assert.match(wrong.stderr, /did you mean: src\.ip:10\.1/);

    const declined = await ask("--tenant", "main", "--natural", "flibber the gonk");
    assert.equal(declined.code, 2);
    assert.match(declined.stderr, /a question that works: /);

    const foreign = await ask("--tenant", "other", "flows");
    assert.deepEqual([foreign.code, foreign.stderr], [
      2,
      "ndr search: there is no tenant other; there are: branch, main\n",
    ]);
    assert.match((await ask("flows")).stderr, /choose a tenant with --tenant/);
    assert.equal((await ask("--tenant", "main", "--formt", "csv", "flows")).code, 2);
    assert.equal((await ask("--tenant", "main", "--format", "xml")).code, 2);
    assert.equal((await ask("--tenant", "main", "--to", "now")).code, 2);
  });
});

Deno.test({
  name: "ndr search: the same answers with PostgreSQL",
  ignore: POSTGRES_URL === "",
  fn: () => withSample({ ownDatabase: true }, assertAnswers),
});

Deno.test("ndr search: without a core it says which one it asked, and with what is missing", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-search-" });
  try {
    const unknown = await callNdr(["search", "flows"], { NDR_CONFIG_DIR: folder, NDR_STATE_DIR: folder });
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /NDR_SERVICE_KEY_FILE: expected to be set/);
    await Deno.writeTextFile(`${folder}/service.key`, "k".repeat(43));
    await Deno.writeTextFile(
      `${folder}/sources.yaml`,
      "sources:\n  - sensor_id: z\n    tenant_id: main\n    allowed_kinds: [zeek.conn]\n    trust: packet\n    token_env: Z\n",
    );
    const stopped = await callNdr(["search", "flows"], {
      NDR_CONFIG_DIR: folder,
      NDR_SERVICE_KEY_FILE: `${folder}/service.key`,
      // Nothing can listen there.
      NDR_CORE_LISTEN: "127.0.0.1:1",
      Z: "0123456789abcdef",
    });
    assert.equal(stopped.code, 2);
    assert.match(
      stopped.stderr,
      /^ndr search: the core at http:\/\/127\.0\.0\.1:1 cannot be asked: is it running/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
