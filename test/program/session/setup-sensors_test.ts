// `ndr setup` with sensors on the machine: found, connected, checked by the real syslog-ng, undone.

import assert from "node:assert/strict";
import { runSetup, type SetupFlags, type SetupIo, undoSetup } from "../../../src/cli/setup/run.ts";
import type { Programs } from "../../../src/cli/setup/requests.ts";
import { SetupFiles } from "../../../src/cli/setup/files.ts";
import { findSensors } from "../../../src/cli/setup/sensors.ts";
import { walkFiles } from "../../support/files.ts";
import { movedSyslogNg, TRANSPORT, withMachine } from "../../support/transport/machine.ts";
import { findProgram, runProgram } from "../../support/transport/transport-programs.ts";

const DEBIAN = new URL("../../../debian/", import.meta.url).pathname;
const SUBJECTS = {
  publicUrl: "https://ndr.example.org",
  issuer: "https://login.example.org",
  clientId: "ndr",
  administrator: "groups=ndr-admins",
};

async function contents(root: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const path of walkFiles(root)) texts[path.slice(root.length)] = await Deno.readTextFile(path);
  return texts;
}

interface Outcome {
  isDone: boolean;
  lines: string[];
  requests: string[];
}

/** Checks with the real syslog-ng, if it is here; restarts nothing. */
function programsOf(root: string, requests: string[], isChecked: boolean): Programs {
  return async (request) => {
    requests.push(request);
    if (request !== "check syslog-ng" || !isChecked) return { isDone: true, output: "" };
    const args = ["--syntax-only", ...await movedSyslogNg(root)];
    try {
      return { isDone: true, output: await runProgram("/usr/sbin/syslog-ng", args) };
    } catch (error) {
      return { isDone: false, output: (error as Error).message };
    } finally {
      await Deno.remove(`${root}/moved`, { recursive: true });
    }
  };
}

async function setUp(
  root: string,
  flags: Partial<SetupFlags>,
  more: Partial<SetupIo> = {},
): Promise<Outcome> {
  const lines: string[] = [];
  const requests: string[] = [];
  const say = (line: string) => void lines.push(line);
  const isChecked = await findProgram("syslog-ng") !== null;
  const io: SetupIo = {
    terminal: null,
    say,
    fail: say,
    env: (name) => name === "NDR_OIDC_CLIENT_SECRET" ? "a secret of the client" : undefined,
    configDir: "/etc/ndr",
    programs: programsOf(root, requests, isChecked),
    progress: () => {},
    ...more,
  };
  const all: SetupFlags = {
    ...SUBJECTS,
    providerCheck: false,
    nonInteractive: true,
    sensor: [],
    wait: 0,
    restart: true,
    root,
    ...flags,
  };
  return { isDone: await runSetup(all, io), lines, requests };
}

async function undo(root: string): Promise<Outcome> {
  const lines: string[] = [];
  const requests: string[] = [];
  const say = (line: string) => void lines.push(line);
  const programs: Programs = (request) => {
    requests.push(request);
    return Promise.resolve({ isDone: true, output: "" });
  };
  const io = { say, fail: say, env: () => undefined, configDir: "/etc/ndr", programs };
  return { isDone: await undoSetup({ root, restart: true }, io), lines, requests };
}

const ALL = [
  "/usr/sbin/syslog-ng",
  "/var/log/suricata/eve.json",
  "/opt/zeek/logs/current/conn.log",
  "/usr/sbin/nfacctd",
  "/usr/sbin/unbound",
  "/usr/sbin/softflowd",
];

Deno.test("ndr setup: connects every sensor that it finds, once, and undoes it", () =>
  withMachine(ALL, async (root) => {
    // What Debian's package pmacct installs.
    await Deno.mkdir(`${root}/etc/pmacct`);
    await Deno.writeTextFile(`${root}/etc/pmacct/nfacctd.conf`, "! Debian's\n");
    const before = await contents(root);
    const first = await setUp(root, { sensors: "all", sensor: ["softflowd=eth1"] });
    assert.ok(first.isDone, first.lines.join("\n"));
    assert.deepEqual(first.requests, [
      "check syslog-ng",
      "check unbound",
      "restart ndr.target",
      "restart syslog-ng",
      "restart unbound",
      "restart nfacctd",
      "restart softflowd@ndr",
    ]);
    const after = await contents(root);
    assert.ok(!/^ +enabled: false$/m.test(after["/etc/ndr/sources.yaml"]!));
    for (const sensor of ["suricata", "zeek", "netflow", "unbound"]) {
      const line = `@define ndr-token-${sensor} "the-token-of-the-sensor-${sensor}"`;
      assert.ok(after["/etc/syslog-ng/ndr/tokens.conf"]!.includes(line), sensor);
    }
    assert.equal((await Deno.stat(`${root}/etc/syslog-ng/ndr/tokens.conf`)).mode! & 0o777, 0o600);
    for (
      const [path, from] of [
        ["/etc/syslog-ng/conf.d/ndr.conf", "syslog-ng/ndr.conf"],
        ["/etc/syslog-ng/ndr/settings.conf", "syslog-ng/settings.conf"],
        ["/etc/syslog-ng/ndr/enabled/eve.conf", "syslog-ng/ndr.d/eve.conf"],
        ["/etc/syslog-ng/ndr/enabled/zeek.conf", "syslog-ng/ndr.d/zeek.conf"],
        ["/etc/unbound/unbound.conf.d/ndr-log.conf", "unbound/ndr-log.conf"],
        ["/etc/pmacct/nfacctd.conf", "pmacct/nfacctd.conf"],
        ["/etc/logrotate.d/ndr-transport", "logrotate"],
        ["/etc/softflowd/ndr.conf", "softflowd/ndr.conf"],
      ] as const
    ) assert.equal(after[path], after[`${TRANSPORT}/${from}`], path);
    assert.equal(after["/etc/default/nfacctd"], "NFACCTD_CONF=/etc/pmacct/nfacctd.conf\n");
    assert.ok((await Deno.stat(`${root}/var/spool/ndr/netflow`)).isDirectory);

    const again = await setUp(root, { sensors: "all", sensor: ["softflowd=eth1"] });
    assert.deepEqual(again.lines, ["Everything is set already; nothing was written."]);
    assert.deepEqual(again.requests, []);
    assert.deepEqual(await contents(root), after);

    const undone = await undo(root);
    assert.ok(undone.isDone, undone.lines.join("\n"));
    assert.ok(
      undone.requests.includes("restart syslog-ng") && undone.requests.includes("restart ndr.target"),
    );
    assert.deepEqual(await contents(root), before);
  }));

Deno.test("ndr setup: restarts the services only for what a reload does not apply", () =>
  withMachine(["/usr/sbin/syslog-ng"], async (root) => {
    const requestsOf = async (flags: Partial<SetupFlags>) => {
      const { isDone, lines, requests } = await setUp(root, flags);
      assert.ok(isDone, lines.join("\n"));
      return requests;
    };
    assert.deepEqual(await requestsOf({}), ["restart ndr.target"]);
    assert.deepEqual(await requestsOf({ networks: "10.0.0.0/8" }), [
      "reload-or-restart ndr-core",
      "reload-or-restart ndr-web",
    ]);
    const administrator = "groups=others";
    assert.deepEqual(await requestsOf({ administrator }), ["reload-or-restart ndr-web"]);
    const publicUrl = "https://other.example.org";
    assert.deepEqual(await requestsOf({ administrator, publicUrl }), ["restart ndr.target"]);
    const branch = { administrator, publicUrl, tenant: "branch", networks: "10.9.0.0/16" };
    assert.deepEqual(await requestsOf(branch), ["restart ndr.target"]);
    assert.deepEqual(await requestsOf(branch), []);
  }));

Deno.test("ndr setup: connects one sensor at another place, and leaves the rest to the administrator", () =>
  withMachine(["/usr/sbin/syslog-ng"], async (root) => {
    await setUp(root, {});
    await Deno.mkdir(`${root}/etc/syslog-ng/ndr`, { recursive: true });
    const mine = (await Deno.readTextFile(`${DEBIAN}transport/syslog-ng/settings.conf`))
      .replace('"5"', '"9" # slower');
    await Deno.writeTextFile(`${root}/etc/syslog-ng/ndr/settings.conf`, mine);
    const { isDone, lines, requests } = await setUp(root, { sensor: ["suricata=/srv/suricata/eve.json"] });
    assert.ok(isDone, lines.join("\n"));
    assert.deepEqual(requests, ["check syslog-ng", "reload-or-restart ndr-core", "restart syslog-ng"]);
    assert.equal(
      await Deno.readTextFile(`${root}/etc/syslog-ng/ndr/settings.conf`),
      mine.replace("/var/log/suricata/eve.json", "/srv/suricata/eve.json"),
    );
    const tokens = await Deno.readTextFile(`${root}/etc/syslog-ng/ndr/tokens.conf`);
    assert.match(tokens, /ndr-token-zeek "replace-with-the-token-of-this-sensor"/);
    const sources = await Deno.readTextFile(`${root}/etc/ndr/sources.yaml`);
    assert.equal(sources.match(/^ +enabled: false$/gm)?.length, 3);
  }));

Deno.test("ndr setup: restores everything when syslog-ng refuses the configuration", async () => {
  if (await findProgram("syslog-ng") === null) return;
  await withMachine(ALL, async (root) => {
    await Deno.mkdir(`${root}/etc/syslog-ng/ndr`, { recursive: true });
    const settings = await Deno.readTextFile(`${DEBIAN}transport/syslog-ng/settings.conf`);
    await Deno.writeTextFile(`${root}/etc/syslog-ng/ndr/settings.conf`, `${settings}\nnonsense(\n`);
    const before = await contents(root);
    const { isDone, lines, requests } = await setUp(root, { sensor: ["suricata"] });
    assert.equal(isDone, false);
    assert.deepEqual(requests, ["check syslog-ng"]);
    assert.ok(lines.includes("syslog-ng --syntax-only failed:"), lines.join("\n"));
    assert.equal(lines.at(-1), "Everything was restored, and nothing was restarted.");
    assert.deepEqual(await contents(root), before);
  });
});

Deno.test("ndr setup: says what a sensor needs, and writes nothing without it", async () => {
  await withMachine(["/var/log/suricata/eve.json"], async (root) => {
    const before = await contents(root);
    for (
      const [sensor, why] of [
        ["suricata", /syslog-ng is not installed: apt-get install syslog-ng-core syslog-ng-mod-http/],
        ["snort", /--sensor: expected one of suricata, zeek, netflow, unbound, softflowd, got "snort"/],
        ["softflowd", /--sensor: expected softflowd and its network interface, such as softflowd=eth1/],
        ["zeek=logs", /--sensor: expected an absolute path after zeek=/],
      ] as const
    ) {
      const { isDone, lines } = await setUp(root, { sensor: [sensor] });
      assert.equal(isDone, false);
      assert.match(lines.join("\n"), why);
      assert.deepEqual(await contents(root), before);
    }
  });
});

Deno.test("ndr setup: asks for each sensor that it finds, names the commands, and waits for records", () =>
  withMachine(ALL, async (root) => {
    const answers = ["", "", "", "", "", "", "", "no", "no", "no", "", "yes"];
    const shown: string[] = [];
    const say = (line: string) => void shown.push(line);
    const terminal = {
      say,
      ask: (question: string) => {
        shown.push(question);
        return Promise.resolve(answers.shift() ?? null);
      },
    };
    const asked = await setUp(root, {}, { terminal, programs: null, say, fail: say });
    assert.ok(asked.isDone, shown.join("\n"));
    assert.ok(
      shown.includes("Connect suricata (/var/log/suricata/eve.json, growing)? [yes]: "),
      shown.join("\n"),
    );
    assert.ok(
      shown.includes(
        "Connect unbound (/usr/sbin/unbound; /var/lib/unbound/ndr.log, does not exist yet)? [yes]: ",
      ),
    );
    assert.equal(
      shown.at(-1),
      "Next, as root: syslog-ng --syntax-only && systemctl restart ndr.target && systemctl restart syslog-ng",
    );

    let polls = 0;
    const arrived = await setUp(root, { sensor: ["zeek"], wait: 30 }, {
      receipts: () => Promise.resolve(new Map(polls++ === 0 ? [] : [["zeek", new Date().toISOString()]])),
    });
    assert.equal(arrived.lines.at(-1), "zeek: the first record arrived");
    const silent = await setUp(root, { sensor: ["unbound"], wait: 1 }, {
      receipts: () => Promise.resolve(new Map()),
    });
    assert.ok(silent.isDone);
    assert.deepEqual(silent.lines.slice(-2), [
      "no record of unbound arrived within 1 s",
      "Look at: journalctl -u syslog-ng -n 20; syslog-ng-ctl stats | grep d_ndr; sudo -u ndr ndr sources list",
    ]);
  }));

Deno.test("ndr setup: finds Suricata's file in its configuration, and Zeek's own format", () =>
  withMachine(["/usr/bin/suricata", "/opt/zeek/logs/current/conn.log"], async (root) => {
    await Deno.writeTextFile(`${root}/opt/zeek/logs/current/conn.log`, "#separator \\x09\n");
    await Deno.mkdir(`${root}/etc/suricata`);
    const suricata = async (eve: string) => {
      await Deno.writeTextFile(
        `${root}/etc/suricata/suricata.yaml`,
        `%YAML 1.1\n---\ndefault-log-dir: /srv/suricata/\noutputs:\n  - fast:\n      enabled: yes\n` +
          `      filename: fast.log\n  - eve-log:\n      enabled: yes\n      filetype: regular\n      filename: ${eve}\n` +
          `  - stats:\n      filename: stats.log\n`,
      );
      return findSensors(new SetupFiles(root, "/etc/ndr"), "/etc/ndr");
    };
    const [found, zeek] = await suricata("events.json");
    assert.equal(found?.place, "/srv/suricata/events.json");
    assert.equal(found?.about, "/usr/bin/suricata; /srv/suricata/events.json, does not exist yet");
    assert.match(zeek!.about, /current, growing in Zeek's own format, which the core rejects: @load policy/);
    assert.equal((await suricata(`"/data/eve.json" # here`))[0]?.place, "/data/eve.json");
    assert.equal((await suricata("")).at(0)?.place, "/var/log/suricata/eve.json");
  }));
