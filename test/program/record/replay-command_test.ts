import assert from "node:assert/strict";
import { join } from "node:path";
import { programArgs } from "../../support/program.ts";
import { TestIngest, TOKEN } from "../../pipeline/record/replay-ingest.ts";

const DATA = new URL("../../data/replay/", import.meta.url).pathname;
const PROGRAM = await programArgs();

interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** `ndr replay` as a separate process. */
function start(args: string[], env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...PROGRAM, "replay", ...args],
    env: { ...env, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function finish(child: Deno.ChildProcess): Promise<Finished> {
  const { code, stdout, stderr } = await child.output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

function test(name: string, body: (ingest: TestIngest, home: string) => Promise<void>): void {
  Deno.test(`ndr replay: ${name}`, async () => {
    const ingest = new TestIngest();
    await ingest.start();
    const home = await Deno.makeTempDir();
    try {
      await body(ingest, home);
    } finally {
      await ingest.stop();
      await Deno.remove(home, { recursive: true });
    }
  });
}

test("sends, shows progress and prints a summary", async (ingest, home) => {
  const files = ["conn.log", "eve-broken.ndjson"].map((name) => join(DATA, name));
  const env = { HOME: home, SENSOR: TOKEN };
  const result = await finish(start(["--url", ingest.url, "--token-env", "SENSOR", ...files], env));
  // The lines that cannot be read are an error, with their places.
  assert.equal(result.code, 1, result.stderr);
  const unreadable =
    /^ndr replay: 4 lines could not be read and were not sent \(not a JSON object\): eve-broken\.ndjson:1,/m;
  assert.match(result.stderr, unreadable);
  assert.match(result.stderr, /^\s*\d+% {2}\d+ accepted/m);
  assert.match(result.stdout, /^acknowledged +50 /m);
  assert.match(result.stdout, /^ {2}zeek\.conn +40$/m);
  assert.match(result.stdout, /^ {2}not a JSON object +4 {2}eve-broken\.ndjson:1/m);
  ingest.faults.push({ status: 503, body: "not yet" });
  const quiet = await finish(
    start(["--quiet", "--url", ingest.url, "--token-env", "SENSOR", ...files], env),
  );
  assert.deepEqual([quiet.code, quiet.stdout], [1, ""]);
  assert.match(quiet.stderr, /^ndr replay: waiting \d+ ms \(attempt 1\): answered 503: not yet\n/);
  assert.match(quiet.stderr, unreadable);
});

test("reports missing or wrong arguments", async (ingest, home) => {
  const file = join(DATA, "conn.log");
  const noToken = await finish(
    start([file], { HOME: home, NDR_SOURCE_TOKEN: "", NDR_SOURCE_TOKEN_FILE: "" }),
  );
  assert.equal(noToken.code, 1);
  assert.match(noToken.stderr, /^ndr replay: NDR_SOURCE_TOKEN is not set/m);
  const badKind = await finish(start(["--kind", "zeek.nothing", file], { HOME: home }));
  assert.notEqual(badKind.code, 0);
  assert.match(badKind.stderr, /zeek\.nothing.*zeek\.conn/);
  const badLines = await finish(start(["--batch-lines", "1001", file], { HOME: home }));
  assert.match(badLines.stderr, /from 1 to 1000/);
  const tokenFile = join(home, "token");
  await Deno.writeTextFile(tokenFile, `${TOKEN}\n`);
  const env = { HOME: home, NDR_SOURCE_TOKEN: "", NDR_SOURCE_TOKEN_FILE: tokenFile };
  const nothing = await finish(start(["--url", ingest.url, join(DATA, "kerberos.log")], env));
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /no record of a supported kind/);
});

test("stops on a refusal and resumes once it is fixed", async (ingest, home) => {
  const env = { HOME: home, XDG_STATE_HOME: "", NDR_STATE_DIR: "", NDR_SOURCE_TOKEN: TOKEN };
  const args = ["--url", ingest.url, "--batch-lines", "20", join(DATA, "conn.log"), join(DATA, "dns.ndjson")];
  ingest.allowedKinds = new Set(["zeek.dns"]);
  const refused = await finish(start(args, env));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /answered 403: The sensor may not send zeek\.conn\./);
  assert.match(refused.stderr, /allowed_kinds.*run the same command again/);
  assert.equal(ingest.lines.length, 40);
  ingest.allowedKinds = null;
  const mended = await finish(start(args, env));
  assert.equal(mended.code, 0, mended.stderr);
  assert.match(mended.stdout, /accepted +40\n +duplicates +0\n/);
  assert.deepEqual([...Deno.readDirSync(join(home, ".local/state/ndr"))], []);
});

test("Ctrl-C lets the current request finish, and prints how to resume", async (ingest, home) => {
  const env = { HOME: home, NDR_STATE_DIR: join(home, "state"), NDR_SOURCE_TOKEN: TOKEN };
  const args = ["--url", ingest.url, "--batch-lines", "15", join(DATA, "conn.log")];
  const answer = Promise.withResolvers<void>();
  ingest.faults.push({ hang: answer.promise });
  const child = start(args, env);
  const finished = finish(child);
  while (ingest.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  setTimeout(answer.resolve, 300);
  const interrupted = await finished;
  assert.equal(interrupted.code, 130);
  assert.match(interrupted.stderr, /SIGINT: stopping after the current request/);
  assert.match(interrupted.stderr, /interrupted\. Run the same command again/);
  assert.equal(ingest.lines.length, 15);
  const resumed = await finish(start(args, env));
  assert.equal(resumed.code, 0);
  assert.match(resumed.stdout, /accepted +25\n +duplicates +0\n/);
  assert.equal(ingest.lines.length, 40);
});
