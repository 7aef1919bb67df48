import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { replay } from "../../../src/cli/replay/engine.ts";
import { ReplayInputError } from "../../../src/cli/replay/errors.ts";
import type { ReplayDependencies, ReplayOptions, ReplayResult } from "../../../src/cli/replay/types.ts";
import { type Received, TestIngest, TOKEN } from "./replay-ingest.ts";

const DATA = new URL("../../data/replay/", import.meta.url).pathname;
const CONN = join(DATA, "conn.log");
const DNS = join(DATA, "dns.ndjson");

interface Setting {
  ingest: TestIngest;
  folder: string;
  /** Waits requested by the replay, milliseconds; none is real. */
  waits: number[];
  run(options?: Partial<ReplayOptions>, dependencies?: ReplayDependencies): Promise<ReplayResult>;
}

/** A test with its own ingest and folder; waits return immediately. */
function test(name: string, body: (setting: Setting) => Promise<void>): void {
  Deno.test(`replay: ${name}`, async () => {
    const ingest = new TestIngest();
    await ingest.start();
    const folder = await Deno.makeTempDir();
    const waits: number[] = [];
    const sleep = (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    };
    try {
      await body({
        ingest,
        folder,
        waits,
        run: (options, dependencies) =>
          replay({ files: [CONN], url: ingest.url, token: TOKEN, ...options }, {
            sleep,
            random: () => 0.5,
            ...dependencies,
          }),
      });
    } finally {
      await ingest.stop();
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function linesOf(file: string): Promise<string[]> {
  return (await Deno.readTextFile(file)).split("\n").filter((line) => line.trim() !== "");
}

function times(records: Received[]): number[] {
  return records.map(({ observed_at }) => Date.parse(observed_at));
}

function ascending(values: number[]): boolean {
  return values.every((value, i) => i === 0 || values[i - 1]! <= value);
}

test("payloads are sent with the bytes of the file", async ({ ingest, run }) => {
  const result = await run({ files: [DNS] });
  assert.equal(result.outcome, "complete");
  assert.equal(result.accepted, 40);
  assert.deepEqual(result.kinds, { "zeek.dns": 40 });
  for (const [i, line] of (await linesOf(DNS)).entries()) {
    assert.ok(ingest.lines[i]!.endsWith(`"payload":${line}}`), line);
  }
  assert.equal(ingest.records[0]!.observed_at.slice(0, 19), "2022-08-07T10:46:41");
});

test("a Zeek TSV log becomes typed objects", async ({ ingest, run }) => {
  const result = await run();
  assert.deepEqual([result.accepted, result.skipped], [40, []]);
  assert.ok(
    ingest.lines[0]!.endsWith(
      '"payload":{"ts":1692161622.036086,"uid":"Cnsu5m395zFmE9ikp4","id.orig_h":"192.168.1.41",' +
        '"id.orig_p":52605,"id.resp_h":"192.168.1.4","id.resp_p":53,"proto":"udp","service":"dns",' +
        '"conn_state":"SHR","local_orig":true,"local_resp":true,"missed_bytes":0,"history":"^d","orig_pkts":0,' +
        '"orig_ip_bytes":0,"resp_pkts":1,"resp_ip_bytes":62}}',
    ),
    ingest.lines[0]!,
  );
});

test("several files are sent in time order", async ({ ingest, run }) => {
  const names = [
    "conn.log",
    "eve-alerts.json",
    "dns.ndjson",
    "saitama-conn.ndjson.gz",
    "goflow2-readme-sflow5.json",
  ];
  const result = await run({ files: names.map((name) => join(DATA, name)), batchLines: 7 });
  assert.deepEqual(result.kinds, { "netflow.flow": 1, "suricata.alert": 3, "zeek.conn": 70, "zeek.dns": 40 });
  // Real logs are only roughly sorted; records that are sorted within each file must come out sorted.
  const saitama = ingest.records.filter(({ payload }) => payload["id.orig_h"] === "192.168.1.112");
  assert.equal(saitama.length, 70);
  assert.ok(ascending(times(saitama)));
  // 2017, then 2022 alternating between two files, then 2023.
  const kinds = ingest.records.map(({ kind }) => kind);
  const runs = kinds.filter((kind, i) => kind !== kinds[i - 1]);
  assert.equal(runs[0], "suricata.alert");
  assert.ok(runs.filter((kind) => kind === "zeek.dns").length > 10);
  assert.deepEqual(
    ingest.records.slice(74).map(({ observed_at }) => observed_at.slice(0, 4)),
    Array(40).fill("2023"),
  );
  assert.equal(ingest.records.length, 114);
  const flow = ingest.lines.find((line) => line.includes("netflow.flow"))!;
  assert.ok(flow.includes('"time_flow_start_ns": 1681583295157626000'), flow);
});

test("more files than can be kept open are merged just as well", async ({ ingest, run, folder }) => {
  const lines = await linesOf(DNS);
  const files: string[] = [];
  for (let i = 0; i < 90; i++) {
    files.push(join(folder, `dns.${i}.log`));
    await Deno.writeTextFile(files[i]!, i < 40 ? lines[39 - i]! + "\n" : "");
  }
  files.push(join(DATA, "kerberos.log"));
  const result = await run({ files });
  assert.equal(result.accepted, 40);
  assert.deepEqual(result.skipped.map(({ count }) => count), [3]);
  assert.ok(ascending(times(ingest.records)));
});

test("unsendable records are skipped, counted and located", async ({ run }) => {
  const names = ["kerberos.log", "eve-broken.ndjson", "corelight.ndjson"];
  const result = await run({ files: names.map((name) => join(DATA, name)) });
  assert.deepEqual(result.kinds, {
    "suricata.alert": 5,
    "suricata.dns": 4,
    "suricata.http": 1,
    "zeek.conn": 1,
    "zeek.dns": 1,
  });
  const skips = Object.fromEntries(
    result.skipped.map(({ reason, count, examples }) => [reason, [count, ...examples]]),
  );
  assert.deepEqual(skips, {
    "not a JSON object": [4, "eve-broken.ndjson:1", "eve-broken.ndjson:4", "eve-broken.ndjson:5"],
    "suricata.dns without a source time": [1, "eve-broken.ndjson:2"],
    'Zeek log "kerberos" is not a supported kind': [
      3,
      "kerberos.log:9",
      "kerberos.log:10",
      "kerberos.log:11",
    ],
    'EVE type "fileinfo" is not a supported kind': [1, "eve-broken.ndjson:10"],
    "Zeek record without _path": [1, "corelight.ndjson:1"],
    'Zeek log "_0_0_2" is not a supported kind': [1, "corelight.ndjson:2"],
    'Zeek log "conn_long" is not a supported kind': [1, "corelight.ndjson:4"],
    'Zeek log "corelight_metrics_bro" is not a supported kind': [1, "corelight.ndjson:5"],
  });
});

test("files without records in a day folder of zeekctl are skipped and named", async ({ ingest, run, folder }) => {
  const summary = join(folder, "conn-summary.00:00:00-01:00:00.log.gz");
  const stdout = join(folder, "stdout.log");
  const text =
    ">== Total === 2020-04-30-00-00-02 - 2020-04-30-00-59-58\n   - Connections 12.0 - Payload 23.0k -\n";
  await Deno.writeFile(summary, gzipSync(text));
  await Deno.writeTextFile(stdout, "max memory size (kbytes, -m) unlimited\n");
  const notices: string[] = [];
  const result = await run({ files: [summary, DNS, stdout] }, { onNotice: (notice) => notices.push(notice) });
  assert.equal(result.outcome, "complete");
  assert.equal(ingest.records.length, 40);
  assert.deepEqual(result.filesWithoutRecords, [summary, stdout]);
  assert.deepEqual(notices, [summary, stdout].map((file) => `${file}: skipped, it contains no records`));
  await assert.rejects(run({ files: [summary, stdout] }), (error: Error) => {
    assert.deepEqual(error.message.match(/not a recording/g)?.length, 2);
    return true;
  });
});

test("envelopes are sent unchanged, malformed ones too", async ({ ingest, run, folder }) => {
  const file = join(folder, "envelopes.ndjson");
  const good =
    ' {"payload": {"ts":1.50}, "extra":1, "kind":"zeek.conn", "observed_at":"2020-01-06T00:00:00+01:00"}';
  await Deno.writeTextFile(file, `{"broken\n\n${good}\n{"kind":"zeek.conn","payload":{}}\n`);
  const result = await run({ files: [file] });
  assert.deepEqual([result.accepted, result.rejected, result.skipped], [2, 1, []]);
  assert.deepEqual(ingest.lines, [good, '{"kind":"zeek.conn","payload":{}}']);
  await assert.rejects(run({ files: [file], kind: "zeek.conn" }), /omit --kind/);
});

test("the kind can be given for files that do not state it", async ({ ingest, run, folder }) => {
  const file = join(folder, "export.json");
  await Deno.copyFile(DNS, file);
  await assert.rejects(run({ files: [file] }), /export\.json: looks like a Zeek JSON log.*--kind/s);
  assert.equal((await run({ files: [file], kind: "zeek.dns" })).accepted, 40);
  assert.equal(ingest.records[0]!.kind, "zeek.dns");
});

test("files that are not recordings are all named, and nothing is sent", async ({ ingest, run, folder }) => {
  const text = join(folder, "notes.txt");
  const capture = join(folder, "a.pcap");
  const other = join(folder, "other.json");
  await Deno.writeTextFile(text, "hello\n");
  await Deno.writeFile(capture, new Uint8Array([0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]));
  await Deno.writeTextFile(other, '{"name":1}\n');
  await assert.rejects(run({ files: [CONN, text, capture, other, folder, "missing.log", CONN] }), (error) => {
    assert.ok(error instanceof ReplayInputError);
    for (
      const part of [
        text,
        `${capture}: this is a packet capture`,
        "the keys: name",
        "is a folder",
        "missing.log: cannot be read",
        "is given twice",
      ]
    ) {
      assert.ok(error.message.includes(part), part);
    }
    return true;
  });
  assert.equal(ingest.requests.length, 0);
});

test("batches stay within lines and bytes, and can be compressed", async ({ ingest, run }) => {
  await run({ batchLines: 15 });
  assert.deepEqual(ingest.requests.map(({ lines }) => lines), [15, 15, 10]);
  ingest.requests.length = 0;
  const result = await run({ batchBytes: 2000, gzip: true });
  assert.deepEqual([result.accepted, result.duplicates], [0, 40]);
  assert.ok(ingest.requests.length > 5);
  assert.ok(ingest.requests.every(({ bytes, encoding }) => bytes <= 2000 && encoding === "gzip"));
});

test("503, 429, a 500 and lost connections are retried", async ({ ingest, run, waits }) => {
  ingest.faults.push({ status: 503 }, { status: 503 }, "drop", { status: 500 }, {
    status: 503,
    headers: { "retry-after": "30" },
  });
  const reasons: string[] = [];
  const result = await run({}, {
    onProgress: ({ waiting }) => {
      if (waiting !== null && reasons.at(-1) !== waiting.reason) reasons.push(waiting.reason);
    },
  });
  assert.deepEqual([result.outcome, result.accepted], ["complete", 40]);
  // Half of 1, 2, 4, 8 s; Retry-After is a floor, and 8 s is below it.
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 30_000]);
  assert.deepEqual(reasons, ["answered 503", "connection reset", "answered 500", "answered 503"]);
});

test("waits grow to a minute and are reset by a success", async ({ ingest, run, waits }) => {
  for (let i = 0; i < 9; i++) ingest.faults.push({ status: 429, headers: { "retry-after": "1" } });
  await run({ batchLines: 20 });
  assert.deepEqual(waits, [1000, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  ingest.faults.push({ status: 503 });
  await run({ batchLines: 20 });
  assert.equal(waits.at(-1), 500);
});

test("Retry-After may be a date", async ({ ingest, run, waits }) => {
  const now = Date.UTC(2026, 0, 1);
  ingest.faults.push({ status: 429, headers: { "retry-after": new Date(now + 90_000).toUTCString() } });
  await run({}, { now: () => now, sleep: (ms) => Promise.resolve(void waits.push(ms)) });
  assert.deepEqual(waits, [90_000]);
});

test("the replay waits for an ingest that is not up yet", async () => {
  const probe = new TestIngest();
  await probe.start();
  const url = probe.url;
  await probe.stop();
  const late = new TestIngest();
  const reasons: string[] = [];
  let sleeps = 0;
  const sleep = async () => {
    if (++sleeps === 3) await late.start(Number(new URL(url).port));
  };
  const onProgress: ReplayDependencies["onProgress"] = ({ waiting }) => {
    if (waiting !== null) reasons.push(waiting.reason);
  };
  const result = await replay({ files: [CONN], url, token: TOKEN }, { sleep, onProgress });
  assert.equal(result.accepted, 40);
  assert.equal(reasons.length, 3);
  assert.match(reasons[0]!, /^connection refused$/);
  await late.stop();
});

test("a batch that was committed but not acknowledged is sent again and duplicates nothing", async ({ ingest, run }) => {
  ingest.faults.push("drop after commit");
  const result = await run({ batchLines: 20 });
  assert.deepEqual([result.accepted, result.duplicates], [20, 20]);
  assert.equal(ingest.lines.length, 40);
});

test("401, 403, 413, 422 and others stop with instructions", async ({ ingest, run }) => {
  const cases: [number, RegExp][] = [
    [401, /does not know this token/],
    [403, /zeek\.conn.*allowed_kinds/],
    [413, /40 lines has \d+ bytes.*--batch-bytes/],
    [422, /40 lines.*--batch-lines/],
    [404, /core's address/],
    [302, /core's address/],
  ];
  for (const [status, advice] of cases) {
    ingest.requests.length = 0;
    ingest.faults.push({
      status,
      body: '{"error":{"message":"No\\u001b[31m."}}',
      headers: { location: "/" },
    });
    const result = await run();
    assert.equal(result.outcome, "refused");
    assert.equal(result.refusal?.status, status);
    assert.equal(result.refusal?.message, "No [31m.");
    assert.match(result.refusal!.advice, advice);
    assert.equal(ingest.requests.length, 1);
  }
  ingest.faults.push({ status: 200, body: "<html>" });
  const result = await run();
  assert.equal(result.outcome, "refused");
  assert.match(result.refusal!.message, /not an acknowledgement/);
});

test("after a refusal the same call resumes with the unacknowledged records", async ({ ingest, run, folder }) => {
  const file = join(folder, "state", "resume.json");
  const options = { files: [CONN, DNS], batchLines: 8, stateFile: () => file };
  ingest.allowedKinds = new Set(["zeek.dns"]);
  const first = await run(options);
  assert.deepEqual([first.outcome, first.accepted, first.stateFile], ["refused", 40, file]);
  const state = await Deno.readTextFile(file);
  assert.ok(!state.includes(TOKEN));
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);

  ingest.allowedKinds = null;
  const second = await run(options);
  assert.deepEqual([second.outcome, second.resumed], ["complete", true]);
  assert.deepEqual([second.accepted, second.duplicates], [40, 0]);
  await assert.rejects(Deno.stat(file), Deno.errors.NotFound);

  // Everything is acknowledged: there is nothing to resume, and the call starts over.
  const third = await run(options);
  assert.deepEqual([third.resumed, third.duplicates], [false, 80]);
});

test("interrupted anywhere and resumed, every record arrives once", async ({ ingest, run, folder }) => {
  const files = [CONN, DNS, join(DATA, "saitama-conn.ndjson.gz"), join(DATA, "eve-alerts.json")];
  const options = { files, stateFile: () => join(folder, "resume.json"), shiftToNow: true };
  let runs = 0;
  let shift: number | null = null;
  for (let outcome = ""; outcome !== "complete"; runs++) {
    const stop = new AbortController();
    const batchLines = 3 + runs;
    const result = await run({ ...options, batchLines, signal: stop.signal }, {
      // The time differs in every run; the shift must not.
      now: () => Date.UTC(2030, 0, 1, runs),
      onProgress: ({ records }) => records > 0 && stop.abort(),
    });
    assert.equal(result.duplicates, 0);
    assert.equal(result.shiftSeconds, shift ??= result.shiftSeconds);
    outcome = result.outcome;
  }
  assert.ok(runs > 8);
  assert.equal(ingest.lines.length, 113);
  const undisturbed = new TestIngest();
  await undisturbed.start();
  await run({ ...options, url: undisturbed.url, stateFile: () => null }, {
    now: () => Date.UTC(2030, 0, 1, 0),
  });
  assert.deepEqual(ingest.lines, undisturbed.lines);
  await undisturbed.stop();
});

test("an interrupted wait ends at once, and the batch is not lost", async ({ ingest, run, folder }) => {
  const stop = new AbortController();
  const options = { stateFile: () => join(folder, "resume.json") };
  ingest.faults.push({ status: 503, headers: { "retry-after": "3600" } });
  const began = Date.now();
  const result = await run({ ...options, signal: stop.signal }, {
    sleep: undefined,
    onProgress: ({ waiting }) => waiting !== null && setTimeout(() => stop.abort(), 20),
  });
  assert.equal(result.outcome, "interrupted");
  assert.ok(Date.now() - began < 5000);
  assert.equal((await run(options)).accepted, 40);
});

test("a resume file of another replay is refused, a changed recording starts over", async ({ ingest, run, folder }) => {
  const file = join(folder, "conn.log");
  const stateFile = () => join(folder, "resume.json");
  await Deno.copyFile(CONN, file);
  ingest.faults.push({ status: 401 });
  await run({ files: [file], stateFile });
  await assert.rejects(run({ files: [file], stateFile, token: "another" }), /resume file of another replay/);
  await assert.rejects(run({ files: [file, DNS], stateFile }), /resume file of another replay/);

  // A log that has grown is the same log.
  await Deno.writeTextFile(file, "\n", { append: true });
  const notices: string[] = [];
  const onNotice = (text: string) => notices.push(text);
  ingest.faults.push({ status: 401 });
  await run({ files: [file], stateFile }, { onNotice });
  assert.deepEqual(notices, []);
  await Deno.writeTextFile(file, (await Deno.readTextFile(CONN)).replace("2023-08-16", "2023-08-17"));
  const result = await run({ files: [file], stateFile }, { onNotice });
  assert.deepEqual([result.outcome, result.resumed, notices.length], ["complete", false, 1]);

  await Deno.writeTextFile(stateFile(), "my notes");
  await assert.rejects(run({ stateFile }), /is not a resume file/);
  assert.equal(await Deno.readTextFile(stateFile()), "my notes");
});

test("--shift-to-now moves all files by the same whole seconds", async ({ ingest, run }) => {
  const now = Date.UTC(2031, 4, 5, 6, 7, 8, 900);
  const files = [DNS, join(DATA, "saitama-conn.ndjson.gz"), CONN, join(DATA, "eve-alerts.json")];
  const result = await run({ files, shiftToNow: true }, { now: () => now });
  const plain = new TestIngest();
  await plain.start();
  await run({ files, url: plain.url });
  await plain.stop();
  assert.equal(ingest.lines.length, plain.lines.length);
  for (const [i, record] of ingest.records.entries()) {
    const before = plain.records[i]!;
    assert.equal(times([record])[0]! - times([before])[0]!, result.shiftSeconds * 1000);
    assert.equal(record.observed_at.slice(20), before.observed_at.slice(20));
    if (record.kind === "suricata.alert") {
      const [after, was] = [record, before].map(({ payload }) => (payload.flow as { start: string }).start);
      assert.equal(Date.parse(after!) - Date.parse(was!), result.shiftSeconds * 1000);
      assert.equal(after!.slice(19), was!.slice(19));
    } else {
      const [after, was] = [ingest, plain].map(({ lines }) => /"ts":(\d+)(\.\d+)/.exec(lines[i]!)!);
      assert.equal(Number(after![1]) - Number(was![1]), result.shiftSeconds);
      assert.equal(after![2], was![2]);
    }
  }
  // The recording ends now, with the end of its last connection and nothing in the future.
  const ends = ingest.records.map(({ observed_at, kind, payload }) => {
    const duration = kind === "zeek.conn" ? Number(payload.duration ?? 0) : 0;
    return Date.parse(observed_at) + duration * 1000;
  });
  const latest = Math.max(...ends);
  assert.ok(latest <= now && latest > now - 1001, `${now - latest}`);
});

test("a broken gzip file is sent up to the fault, which is reported", async ({ run, folder }) => {
  const file = join(folder, "dns.ndjson.gz");
  const whole = gzipSync(await Deno.readFile(DNS));
  await Deno.writeFile(file, whole.subarray(0, whole.length - 30));
  const result = await run({ files: [file, CONN] });
  assert.equal(result.outcome, "complete");
  assert.ok(result.kinds["zeek.dns"]! > 30);
  assert.equal(result.kinds["zeek.conn"], 40);
  assert.deepEqual(result.damaged.map(({ file }) => file), [file]);
  assert.match(result.damaged[0]!.message, /broken gzip/);
});

test("progress runs to the end of the files", async ({ run }) => {
  const shares: number[] = [];
  await run({
    files: [join(DATA, "kerberos.log"), join(DATA, "saitama-conn.ndjson.gz"), CONN],
    batchLines: 5,
  }, {
    onProgress: ({ bytes, totalBytes }) => shares.push(bytes / totalBytes),
  });
  assert.ok(ascending(shares));
  assert.equal(shares.at(-1), 1);
});

test("addresses and tokens that would leak or never work are refused", async ({ run }) => {
  const urls = [
    "http://192.0.2.1:8081",
    "127.0.0.1:8081",
    "ftp://127.0.0.1",
    "http://a:b@127.0.0.1",
    "http://127.0.0.1/?a=1",
  ];
  for (const url of urls) await assert.rejects(run({ url }), ReplayInputError, url);
  for (const token of ["", "two words", "line\nbreak"]) {
    await assert.rejects(run({ token }), ReplayInputError, token);
  }
  await assert.rejects(run({ batchLines: 1001 }), ReplayInputError);
  await assert.rejects(run({ batchBytes: 0 }), ReplayInputError);
  await assert.rejects(run({ files: [] }), ReplayInputError);
});
