// `ndr search` as an administrator types it: it asks a running program with the day of the sample. With the embedded
// database: sample_test.ts.

import assert from "node:assert/strict";
import { callNdr } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { assertMorningAnswers } from "../../support/search/morning.ts";
import { startUp } from "../../support/up.ts";

async function withSample(work: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-search-" });
  const up = await startUp({ sample: "loaded", stateDir });
  try {
    await work({ NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc`, TZ: "UTC" });
  } finally {
    await up.stop();
    await Deno.remove(stateDir, { recursive: true });
  }
}

Deno.test("ndr search: ten questions of a morning's triage are answered by typing them", async () => {
  await withSample(async (env) => {
    const ask = (...args: string[]) => callNdr(["search", ...args], env);
    await assertMorningAnswers(ask);
    const alone = await runNdr(["search", "--tenant", "main", "detector:beacon"], env);
    assert.equal(alone.code, 0, alone.stderr);
    assert.match(alone.stdout, /172\.16\.253\.129/);

    // The brief of the same program, in each form.
    const today = new Date().toISOString().slice(0, 10);
    const brief = (...args: string[]) =>
      callNdr(["brief", "--tenant", "main", "--date", today, ...args], env);
    const text = await brief();
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^Daily brief: Headquarters \(sample\)\n.*, UTC, so far\n/);
    assert.match(text.stdout, /\n {2}main-zeek +\d+ +\d+ +\d+\n/);
    assert.equal(JSON.parse((await brief("--format", "json")).stdout).delivery, "local_only");
    assert.match((await brief("--format", "html")).stdout, /^<!doctype html>/);
    const refused = await callNdr(["brief", "--tenant", "main", "--date", "2999-01-01"], env);
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /^ndr brief: date: expected a day that has begun: today is /);

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

    await assertExports(json.data[0].id, env);

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

    // The only entries of a program that nobody has signed in to: what the sample reviewed.
    const audit = await callNdr(["audit", "--json", "--limit", "1000"], env);
    assert.equal(audit.code, 0, audit.stderr);
    const entries = audit.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.ok(entries.length > 1, audit.stdout);
    assert.ok(entries.every(({ tenant_id, at, operation }) => tenant_id && at && operation), audit.stdout);
    assert.deepEqual(entries.map(({ at }) => at), entries.map(({ at }) => at).toSorted());
    const newest = await callNdr(
      ["audit", "--json", "--limit", "1", "--tenant", entries.at(-1).tenant_id],
      env,
    );
    assert.deepEqual(JSON.parse(newest.stdout), entries.at(-1));

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

/** `ndr incident export`: each format to a file or to standard output, and why not. */
async function assertExports(id: string, env: Record<string, string>): Promise<void> {
  const take = (...args: string[]) => callNdr(["incident", "export", ...args], env);
  const bundle = JSON.parse(
    (await take(id, "--tenant", "main", "--format", "stix", "--tlp", "amber")).stdout,
  );
  assert.deepEqual([bundle.type, bundle.objects[0].name], ["bundle", "TLP:AMBER"]);
  const lines = (await take(id, "--tenant", "main", "--format", "records")).stdout.trimEnd().split("\n");
  assert.ok(lines.every((line) => typeof JSON.parse(line).payload === "object"));
  const path = `${env.NDR_STATE_DIR}/report.html`;
  const saved = await take(id, "--tenant", "main", "--format", "html", "--output", path);
  assert.deepEqual([saved.code, saved.stdout, saved.stderr], [0, "", ""]);
  assert.match(await Deno.readTextFile(path), /^<!doctype html>/);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  const again = await take(id, "--tenant", "main", "--output", path);
  assert.deepEqual([again.code, again.stderr.includes(`${path} exists already`)], [2, true]);
  const missing = await take("nope", "--tenant", "main", "--output", `${path}.2`);
  assert.deepEqual([missing.code, missing.stderr], [
    2,
    "ndr incident export: there is no incident nope in the tenant main\n",
  ]);
  assert.deepEqual((await take(id, "--tenant", "branch")).code, 2);
}

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
