import assert from "node:assert/strict";
import { callNdr } from "../../test/support/command.ts";
import { withInstallation } from "../../test/support/config/installation.ts";
import { RECORD_KINDS } from "../contract/record/kinds.ts";
import { kindsText, SENSOR_KINDS } from "./sources/kinds.ts";
import { sourceTable } from "./sources/list.ts";
import {
  rotationCommands,
  TRANSPORT_FOLDER,
  transportCommands,
  transportOf,
  withToken,
} from "./sources/transport.ts";

const TRANSPORT = new URL("../../debian/transport/", import.meta.url);

Deno.test("ndr sources list: every entry with where its token is; unknown records do not fail it", () =>
  withInstallation(async ({ folder, env, edit, lineOf }) => {
    await edit("sources.yaml", "    enabled: false\n", "");
    const { code, stdout, stderr } = await callNdr(["sources", "list"], env);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^ndr sources list: the last records are unknown: there is no embedded database in /,
    );
    const [header, ...lines] = stdout.trimEnd().split("\n");
    assert.match(header!, /^SENSOR +TENANT +ENABLED +KINDS +LAST RECORD \(UTC\) +TOKEN$/);
    assert.deepEqual(lines.map((line) => line.split(/ {2,}/)), [
      ["suricata", "main", "yes", "suricata (10)", "-", `${folder}/secrets/suricata.token`],
      ["zeek", "main", "no", "zeek (7)", "-", `${folder}/secrets/zeek.token`],
      ["netflow", "main", "no", "netflow.flow", "-", `${folder}/secrets/netflow.token`],
      ["unbound", "main", "no", "unbound.query", "-", `${folder}/secrets/unbound.token`],
    ]);
    const json = await callNdr(["sources", "list", "--json"], env);
    assert.deepEqual(JSON.parse(json.stdout.split("\n")[2]!), {
      sensor_id: "netflow",
      tenant_id: "main",
      enabled: false,
      trust: "exporter",
      allowed_kinds: ["netflow.flow"],
      expected_exporters: null,
      token_env: "NDR_TOKEN_NETFLOW",
      token_file: `${folder}/secrets/netflow.token`,
      last_record_at: null,
    });

    await edit("sources.yaml", "trust: packet", "trust: blind");
    const faulty = await callNdr(["sources", "list"], env);
    assert.deepEqual([faulty.code, faulty.stdout], [1, ""]);
    const line = await lineOf("sources.yaml", "blind");
    assert.match(faulty.stderr, new RegExp(`sources\\.yaml:${line}:\\d+: sources\\[0\\]\\.trust: expected `));
  }));

Deno.test("ndr sources list: the table fits 100 columns", () => {
  const lines = sourceTable([{
    sensor_id: "suricata-headquarters",
    tenant_id: "headquarters",
    enabled: true,
    trust: "packet",
    allowed_kinds: [...RECORD_KINDS].filter((kind) => /suricata|zeek/.test(kind)),
    expected_exporters: null,
    token_env: "NDR_TOKEN_X",
    token_file: "/etc/ndr/secrets/hq.token",
    last_record_at: "2026-03-01T12:00:00.123Z",
  }], 100);
  for (const line of lines) assert.ok(line.length <= 100, line);
  assert.match(lines[1]!, / {2}2026-03-01 12:00:00 {2}/);
  assert.equal(kindsText(["zeek.conn", "zeek.dns", "unbound.query"]), "zeek (2), unbound.query");
});

Deno.test("ndr sources add: a new sensor with its own token, and nothing else changes", () =>
  withInstallation(async ({ folder, env, read }) => {
    const before = { sources: await read("sources.yaml"), environment: await read("ndr.env") };
    const { code, stdout, stderr } = await callNdr(
      ["sources", "add", "zeek-2", "--tenant", "branch"],
      env,
    );
    assert.deepEqual([code, stderr], [0, ""]);
    const sources = await read("sources.yaml");
    assert.ok(sources.startsWith(before.sources), "comments and order stay");
    assert.equal(
      sources.slice(before.sources.length),
      "  - { sensor_id: zeek-2, tenant_id: branch, token_env: NDR_TOKEN_ZEEK_2, trust: packet, allowed_kinds: [" +
        "zeek.conn, zeek.dns, zeek.ssl, zeek.http, zeek.ssh, zeek.stats, zeek.capture_loss] }\n",
    );
    assert.equal(
      await read("ndr.env"),
      `${before.environment}NDR_TOKEN_ZEEK_2_FILE=${folder}/secrets/zeek-2.token\n`,
    );
    const token = await read("secrets/zeek-2.token");
    assert.match(token, /^[0-9a-f]{48}$/);
    const [made, other] = await Promise.all(
      ["zeek-2", "zeek"].map((name) => Deno.stat(`${folder}/secrets/${name}.token`)),
    );
    assert.equal(made!.mode! & 0o777, 0o600);
    assert.deepEqual([made!.uid, made!.gid], [other!.uid, other!.gid]);
    assert.equal((await Deno.stat(`${folder}/ndr.env`)).mode! & 0o777, 0o600);
    assert.match(
      stdout,
      new RegExp(`^zeek-2 is added in tenant branch; its token is in ${folder}/secrets/zeek-2\\.token\n`),
    );
    assert.match(stdout, /^ {2}systemctl reload ndr-core$/m);
    assert.ok(!stdout.includes(token), "the token is not shown");
    const check = await callNdr(["config", "check", "--json"], env);
    assert.deepEqual(JSON.parse(check.stdout).summary.sensors, { branch: 1 });

    const again = await callNdr(["sources", "add", "zeek-2"], env);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /the sensor zeek-2 is in \S+sources\.yaml already/);
    assert.equal(await read("sources.yaml"), sources);
  }));

Deno.test("ndr sources add: a disabled sensor is enabled with its own token", () =>
  withInstallation(async ({ env, read }) => {
    const before = { sources: await read("sources.yaml"), token: await read("secrets/zeek.token") };
    const { code, stdout } = await callNdr(["sources", "add", "zeek"], env);
    assert.equal(code, 0);
    assert.match(stdout, /^zeek is enabled in tenant main; /);
    const [suricata, zeek] = before.sources.split("  - sensor_id: zeek\n");
    assert.equal(
      await read("sources.yaml"),
      `${suricata}  - sensor_id: zeek\n${zeek!.replace("    enabled: false\n", "")}`,
    );
    assert.equal(await read("secrets/zeek.token"), before.token);
  }));

Deno.test("ndr sources add: nothing is written if the result would be faulty or the kind is unknown", () =>
  withInstallation(async ({ folder, env, edit, read }) => {
    const untouched = async (args: string[], reason: RegExp) => {
      const before = [await read("sources.yaml"), await read("ndr.env")];
      const { code, stdout, stderr } = await callNdr(["sources", "add", ...args], env);
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      assert.match(stderr, reason);
      assert.deepEqual([await read("sources.yaml"), await read("ndr.env")], before);
      const tokens = [...Deno.readDirSync(`${folder}/secrets`)].filter(({ name }) => name.endsWith(".token"));
      assert.equal(tokens.length, 4);
    };
    await untouched(["probe"], /expected --kind: what is probe, suricata, zeek, netflow, unbound\?/);
    await untouched(["a b", "--kind", "zeek"], /sensor_id: expected 1 to 64 letters/);
    await untouched(
      ["z", "--kind", "zeek", "--exporter", "192.0.2.1"],
      /expected only where allowed_kinds has netflow/,
    );
    await untouched(["z", "--kind", "zeek", "--tenant", "a b"], /tenant_id: expected 1 to 64 letters/);
    await edit("sources.yaml", "trust: packet", "trust: blind");
    await untouched(["zeek-2"], /sources\[0\]\.trust: expected /);
  }));

Deno.test("ndr sources rotate: a new token with the owner and mode of the old one", () =>
  withInstallation(async ({ folder, env, read, edit }) => {
    const before = await read("secrets/zeek.token");
    const { code, stdout } = await callNdr(["sources", "rotate", "zeek"], env);
    assert.equal(code, 0);
    const after = await read("secrets/zeek.token");
    assert.notEqual(after, before);
    assert.match(after, /^[0-9a-f]{48}$/);
    assert.equal((await Deno.stat(`${folder}/secrets/zeek.token`)).mode! & 0o777, 0o600);
    assert.match(stdout, /^The transport still has the old one, in \/etc\/syslog-ng\/ndr\/tokens\.conf /m);
    assert.ok(!stdout.includes(after));
    const none = await callNdr(["sources", "rotate", "probe"], env);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /there is no sensor probe in .*; there are: suricata, zeek, netflow, unbound/);
    const file = `NDR_TOKEN_ZEEK_FILE=${folder}/secrets/zeek.token`;
    await edit("ndr.env", file, "NDR_TOKEN_ZEEK=a-token-in-the-environment");
    for (const args of [["rotate", "zeek"], ["add", "zeek"]]) {
      const direct = await callNdr(["sources", ...args], env);
      assert.deepEqual([direct.code, direct.stdout], [1, ""]);
      assert.match(direct.stderr, /put it into (one|a file), and name that in NDR_TOKEN_ZEEK_FILE/);
    }
  }));

Deno.test("the printed transport is that of debian/transport, and its commands set the token", async () => {
  const shipped = await Deno.readTextFile(new URL("syslog-ng/tokens.conf", TRANSPORT));
  const examples = await Deno.readTextFile(new URL("../ndr.examples", TRANSPORT));
  assert.match(examples, /^debian\/transport$/m, `${TRANSPORT_FOLDER} is where the package puts it`);
  const folder = await Deno.makeTempDir();
  try {
    for (const kind of SENSOR_KINDS) {
      const { define, tokens, files } = transportOf(kind);
      for (const { from } of files) assert.ok((await Deno.stat(new URL(from, TRANSPORT))).isFile, from);
      assert.match(shipped, new RegExp(`^@define ${define} `, "m"));
      const expected = withToken(shipped, { define }, "0123456789abcdef0123");
      assert.notEqual(expected, shipped);
      await Deno.writeTextFile(`${folder}/tokens.conf`, shipped);
      await Deno.writeTextFile(`${folder}/a.token`, "0123456789abcdef0123\n");
      const [set] = rotationCommands(kind, `${folder}/a.token`);
      assert.ok(transportCommands(kind, `${folder}/a.token`).includes(set!));
      const { success } = await new Deno.Command("sh", {
        args: ["-euc", set!.replaceAll(tokens, `${folder}/tokens.conf`)],
      }).output();
      assert.ok(success, String(set));
      assert.equal(await Deno.readTextFile(`${folder}/tokens.conf`), expected);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
