// `ndr telemetry` as an administrator runs it: the real program on its own database, with any connection
// elsewhere failing.

import assert from "node:assert/strict";
import { Heartbeat } from "../../../src/contract/telemetry/heartbeat.ts";
import { readTelemetry } from "../../../src/store/telemetry/telemetry-log.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { Installation, onBoth, onOne, RIGHTS, serverOf } from "../../support/telemetry/telemetry-command.ts";
import { INSTALL_ID } from "../../support/telemetry/telemetry.ts";
import { findProgram, transportTest } from "../../support/transport/transport-programs.ts";
import { programArgs } from "../../support/program.ts";
import { startUp } from "../../support/up.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const ZEROS = `ins_${"0".repeat(32)}`;

onBoth(
  "ndr telemetry show prints the payload that would be sent next; no connection opened, nothing written",
  async (own) => {
    await own.migrated();
    await own.writeId();
    const before = own.files();
    const { code, stdout, stderr } = await own.run(["show"]);
    assert.deepEqual([code, stderr], [
      0,
      `ndr telemetry show: the service sends it to ${own.origin} once a day, at 11:17 UTC\n`,
    ]);
    const payload = Heartbeat.parse(JSON.parse(stdout));
    const { install_id, plan, tenant_count, source_kinds, product_version } = payload;
    const { version } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
    assert.deepEqual([install_id, plan, tenant_count, source_kinds, product_version], [
      INSTALL_ID,
      "free",
      1,
      ["zeek"],
      version,
    ]);
    assert.equal(stdout, `${JSON.stringify(payload, null, 2)}\n`);
    const text = await own.run(["show", "--json"]);
    const { sent_at: _, ...rest } = JSON.parse(text.stdout);
    assert.equal(
      text.stdout,
      `${JSON.stringify(JSON.parse(text.stdout))}\n`,
      "the text that would be sent, on one line",
    );
    assert.deepEqual({ ...rest, sent_at: payload.sent_at }, payload);
    assert.deepEqual(own.files(), before);
    assert.deepEqual(await own.log(), []);
  },
);

onOne("ndr telemetry send --dry-run builds, checks and records it; no connection opened", async (own) => {
  await own.migrated();
  await own.writeId();
  const { code, stdout, stderr } = await own.run(["send", "--dry-run"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /dry run: both guards passed; recorded\n$/);
  const payload = Heartbeat.parse(JSON.parse(stdout));
  assert.deepEqual(await own.log(), [{
    kind: "heartbeat",
    outcome: "dry_run",
    install_id: INSTALL_ID,
    origin: own.origin,
    payload: JSON.stringify(payload),
    failure: null,
  }]);
  const sender = { installId: INSTALL_ID, origin: own.origin, licenseKeyIdHash: null };
  const view = await own.withDatabase((db) => db.shared((tx) => readTelemetry(tx, sender)));
  assert.deepEqual(
    [view.lastPayload, view.lastSentAt],
    [JSON.stringify(payload), null],
    "the last payload, not a send",
  );
  const json = await own.run(["send", "--dry-run", "--json"]);
  const report = JSON.parse(json.stdout);
  assert.deepEqual([json.code, report.violations, report.recorded, report.payload.install_id], [
    0,
    [],
    true,
    INSTALL_ID,
  ]);
});

onOne(
  "a violation is shown with its field, exit status 1; nothing of the payload is printed or recorded",
  async (own) => {
    await own.migrated();
    await own.writeId();
    own.entry = ["test/support/telemetry/ndr-of-version.ts", "10.66.77.1"];
    for (const args of [["show"], ["show", "--json"], ["send", "--dry-run"]]) {
      const { code, stdout, stderr } = await own.run(args);
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      for (const field of ["product_version", "bundle_version"]) {
        assert.match(stderr, new RegExp(`the fields guard refuses it: ${field}: expected`));
        assert.match(stderr, new RegExp(`the patterns guard refuses it: ${field}: .* an IPv4 address`));
      }
      // The receiver's address is printed, and its port may contain any digits.
      assert.ok(!stderr.replaceAll(own.origin, "").includes("66"), stderr);
    }
    const json = await own.run(["send", "--dry-run", "--json"]);
    const { payload, violations } = JSON.parse(json.stdout);
    assert.deepEqual([json.code, payload, violations.length], [1, null, 4]);
    const rows = await own.log();
    assert.deepEqual(rows.map(({ outcome, payload }) => [outcome, payload]), [["dry_run", null], [
      "dry_run",
      null,
    ]]);
    assert.match(String(rows[0]!.failure), /^not sent: product_version: expected/);
  },
);

onOne("there is no live send command: send without --dry-run is refused with the reason", async (own) => {
  await own.migrated();
  await own.writeId();
  for (const args of [["send"], ["send", "--json"]]) {
    const { code, stdout, stderr } = await own.run(args);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /there is no live send: the service sends by itself, once a day\. --dry-run/);
  }
  for (const args of [["send", "--live"], ["send", "now"], ["push"]]) {
    assert.equal((await own.run(args)).code, 1);
  }
  assert.deepEqual(await own.log(), []);
  for (const args of [["--help"], ["show", "--help"], ["send", "--help"]]) {
    const { code, stdout } = await own.run(args);
    assert.equal(code, 0);
    assert.ok(stdout.split("\n").every((line) => line.length <= 120), args.join(" "));
  }
});

onOne(
  "off, without a server and before the first start: the payload is shown, nothing is recorded, no install-id is created",
  async (own) => {
    await own.migrated();
    const before = own.files();
    const cases: [Record<string, string>, RegExp, RegExp][] = [
      [
        { NDR_TELEMETRY: "off" },
        /NDR_TELEMETRY is off: nothing is sent/,
        /nothing is sent, so there is no record/,
      ],
      [
        { NDR_TELEMETRY_URL: "" },
        /names no registration server: nothing is sent/,
        /nothing is sent, so there is no record/,
      ],
      [{}, /install-id is created when the service starts/, /has never been started with this server/],
    ];
    for (const [env, note, reason] of cases) {
      const shown = await own.run(["show"], env);
      assert.deepEqual([shown.code, Heartbeat.parse(JSON.parse(shown.stdout)).install_id], [0, ZEROS]);
      assert.match(shown.stderr, note);
      const dry = await own.run(["send", "--dry-run"], env);
      assert.equal(dry.code, 0);
      assert.match(dry.stderr, /both guards passed; not recorded: /);
      assert.match(dry.stderr, reason);
    }
    assert.deepEqual(own.files(), before);
    assert.deepEqual(await own.log(), []);
  },
);

Deno.test("a malformed install-id is reported and left alone; an unreadable database is reported in plain text", async () => {
  await Installation.with(null, async (own) => {
    const nothing = await own.run(["show"]);
    assert.deepEqual([nothing.code, nothing.stdout], [1, ""]);
    assert.match(nothing.stderr, /there is no embedded database in/);
    await own.withDatabase(() => Promise.resolve());
    assert.match((await own.run(["show"])).stderr, /older than the program: start ndr core/);
    await own.migrated();
    await own.writeId("ins_of-this-machine");
    for (const args of [["show"], ["send", "--dry-run"]]) {
      const { code, stdout, stderr } = await own.run(args);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /nothing would be sent: .*install-id is malformed/);
    }
    assert.equal(await Deno.readTextFile(`${own.folder}/install-id`), "ins_of-this-machine\n");
    await own.writeId();
    await own.withDatabase(async () => {
      const { code, stdout, stderr } = await own.run(["show"]);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(
        stderr,
        /the service runs, has its embedded database open, and leaves no counts.*Stop the service to see it/,
      );
    });
    await Deno.writeTextFile(`${own.folder}/sources.yaml`, "sources: [{ sensor_id: edge }]\n");
    assert.match((await own.run(["show"])).stderr, /sources\.yaml:1/);
    assert.match((await own.run(["show"], { NDR_DATABASE_URL: "" })).stderr, /sources\.yaml:1/);
  });
});

Deno.test("after ndr up has stopped, its state folder is enough", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-up-" });
  try {
    await (await startUp({ stateDir, sample: false })).stop();
    const command = new Deno.Command(Deno.execPath(), {
      args: [...await programArgs([...RIGHTS, "--deny-net", "--no-prompt"]), "telemetry", "show"],
      cwd: ROOT,
      env: {
        NDR_STATE_DIR: stateDir,
        NDR_CONFIG_DIR: `${stateDir}/etc`,
        NDR_DATABASE_URL: "",
        NDR_TELEMETRY: "off",
      },
    });
    const { code, stdout, stderr } = await command.output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const { tenant_count, source_kinds } = Heartbeat.parse(JSON.parse(new TextDecoder().decode(stdout)));
    assert.deepEqual([tenant_count, source_kinds], [2, ["netflow", "suricata", "zeek", "unbound"]]);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

await transportTest(
  "show and send --dry-run make no system calls that connect anywhere but to the database",
  { programs: ["strace"], also: () => Promise.resolve(POSTGRES_URL === "" ? "PostgreSQL" : null) },
  async () => {
    const strace = (await findProgram("strace"))!;
    const { url, drop } = await freshPostgres();
    for (const databaseUrl of [url, null]) {
      await Installation.with(databaseUrl, async (own) => {
        await own.migrated();
        await own.writeId();
        const trace = `${own.folder}/trace`;
        const port = serverOf(own.databaseUrl)?.match(/^[^:]+:(\d+)$/)?.[1] ?? "none";
        own.program = [
          strace,
          "-f",
          "-qq",
          "-e",
          "trace=connect,sendto,sendmsg,sendmmsg",
          "-o",
          trace,
          Deno.execPath(),
        ];
        for (const args of [["show"], ["send", "--dry-run"]]) {
          assert.equal((await own.run(args)).code, 0);
          const calls = (await Deno.readTextFile(trace)).split("\n").filter((line) =>
            line.includes("AF_INET")
          );
          const others = calls.filter((line) => !line.includes(`htons(${port})`));
          assert.deepEqual(others, []);
          const traced = await Deno.readTextFile(trace);
          if (databaseUrl !== null) {
            assert.match(traced, /connect\(/, "the trace shows the database connection");
          }
        }
      });
    }
    await drop();
  },
);
