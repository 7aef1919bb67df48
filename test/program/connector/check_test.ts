// `ndr connectors test` without --live, without a database.

import assert from "node:assert/strict";
import { FAILURE_CLASSES } from "../../../src/contract/connector/connector.ts";
import { callNdr } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { answer } from "../../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../../support/connector/hostile-receiver.ts";
import { WEBHOOK_KEY, writeConnectors } from "../../support/connector/connectors-file.ts";

Deno.test("ndr connectors test checks the configuration: secret, url, fingerprint, key length; and shows no secret", () =>
  inFolder(async (folder) => {
    await writeConnectors(folder, [
      { instance: "soc", url: "https://receiver.example/hook?key=visible", config: { max_pending: 10 } },
      {
        instance: "new",
        url: "http://127.0.0.1:9/hook",
        tenant: "branch",
        config: { events: "test", timeout: "2s" },
      },
    ]);
    await Deno.writeTextFile(`${folder}/ndr.env`, "NDR_CONNECTORS_ENABLED=true\n");
    const connectors = (...args: string[]) => callNdr(["connectors", ...args], { NDR_CONFIG_DIR: folder });

    const { code, stdout, stderr } = await runNdr(["connectors", "test", "soc"], { NDR_CONFIG_DIR: folder });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^soc: webhook of tenant main\n {2}receiver +https:\/\/receiver\.example\n/);
    assert.match(stdout, new RegExp(`^  key +${WEBHOOK_KEY.length} bytes$`, "m"));
    assert.match(stdout, /^ {2}max_pending +10$/m);
    assert.match(stdout, /^ {2}switched on +yes$/m);
    assert.match(stdout, /^The configuration is valid\. No connection was opened; --live opens one\.$/m);
    const json = await connectors("test", "new", "--json");
    assert.deepEqual(JSON.parse(json.stdout), {
      tenant_id: "branch",
      instance: "new",
      connector: "webhook",
      enabled: true,
      connectors_enabled: true,
      receiver: "http://127.0.0.1:9",
      tls: "none",
      tls_fingerprint_sha256: null,
      key_bytes: WEBHOOK_KEY.length,
      events: ["test"],
      min_severity: null,
      timeout: 2,
      retry_delay: 1,
      max_pending: 1000,
      public_url: null,
    });
    assert.ok(!`${stdout}${json.stdout}`.includes(WEBHOOK_KEY) && !stdout.includes("visible"));

    await Deno.writeTextFile(`${folder}/soc.key`, "fifteen-charact");
    await Deno.remove(`${folder}/new.key`);
    for (const args of [["test", "soc"], ["test", "soc", "--live"], ["list"], ["reset-cursor", "soc"]]) {
      const faulty = await connectors(...args);
      assert.deepEqual([faulty.code, faulty.stdout], [1, ""], args.join(" "));
      assert.match(faulty.stderr, /the configuration has 2 faults:/);
      assert.match(faulty.stderr, /connectors\.yaml:\d+:\d+: .*at least 16 bytes in .*\/soc\.key, got 15\n/);
      assert.match(faulty.stderr, /connectors\.yaml:\d+:\d+: .*\/new\.key: it does not exist\n/);
      assert.ok(!faulty.stderr.includes("fifteen-charact"));
    }
  }));

Deno.test("ndr connectors test opens no connection without --live", () =>
  inFolder(async (folder) => {
    const receiver = await HostileReceiver.start(answer(204));
    try {
      await writeConnectors(folder, [{ instance: "soc", url: receiver.url() }]);
      const run = (...flags: string[]) =>
        callNdr(["connectors", "test", "soc", ...flags], { NDR_CONFIG_DIR: folder });
      assert.equal((await run()).code, 0);
      assert.equal(receiver.connections, 0);
      assert.equal((await run("--live")).code, 0);
      assert.equal(receiver.connections, 1, "a connection would have been noticed");
    } finally {
      await receiver.close();
    }
  }));

Deno.test("ndr connectors without connectors or without a database reports it", () =>
  inFolder(async (folder) => {
    const connectors = (...args: string[]) => callNdr(["connectors", ...args], { NDR_CONFIG_DIR: folder });
    const none = await connectors("test", "soc");
    assert.equal(none.code, 1);
    assert.match(none.stderr, /there is no instance soc in .*connectors\.yaml; it has none/);
    const missing = await connectors("list");
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /NDR_DATABASE_URL: expected to be set/);
    const help = await connectors("test", "--help");
    assert.match(help.stdout, new RegExp(FAILURE_CLASSES.join("  ")));
    assert.match((await callNdr(["core", "--help"], {})).stdout, /NDR_CONNECTORS_ENABLED .*connectors\.yaml/);
  }));

Deno.test({
  name:
    "run ndr connectors reset-cursor as the service user: an embedded database of another user is not touched",
  // Only root can change a folder's owner.
  ignore: Deno.uid() !== 0,
  fn: () =>
    inFolder(async (folder) => {
      await writeConnectors(folder, [{ instance: "soc", url: "https://receiver.example/hook" }]);
      await Deno.mkdir(`${folder}/database`);
      await Deno.chown(`${folder}/database`, 65_534, 65_534);
      const env = { NDR_CONFIG_DIR: folder, NDR_DATABASE_URL: `embedded:${folder}/database` };
      for (const args of [["connectors", "reset-cursor", "soc"], ["connectors", "list"], ["audit"]]) {
        const { code, stderr } = await callNdr(args, env);
        assert.equal(code, 1);
        assert.match(stderr, /belongs to user 65534: run this as that user, for example with sudo -u ndr/);
      }
      assert.deepEqual([...Deno.readDirSync(`${folder}/database`)], []);
    }),
});

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-connectors-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
