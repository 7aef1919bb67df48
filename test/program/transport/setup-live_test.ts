// From a fresh installation with Suricata's file growing to its first record: `ndr setup`, the real core, the real syslog-ng.

import assert from "node:assert/strict";
import type { Programs } from "../../../src/cli/setup/requests.ts";
import { runSetup, type SetupFlags, type SetupIo } from "../../../src/cli/setup/run.ts";
import { programArgs } from "../../support/program.ts";
import { append } from "../../support/transport/transport-files.ts";
import { movedSyslogNg, withMachine } from "../../support/transport/machine.ts";
import {
  delay,
  freePort,
  type Program,
  programPath,
  runProgram,
  startProgram,
  transportTest,
  waitFor,
} from "../../support/transport/transport-programs.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

await transportTest(
  "ndr setup connects Suricata and sees its first record",
  { programs: ["syslog-ng"] },
  () =>
    withMachine(["/usr/sbin/syslog-ng"], async (root) => {
      const eve = `${root}/var/log/suricata/eve.json`;
      await Deno.mkdir(`${root}/var/log/suricata`, { recursive: true });
      const listen = `127.0.0.1:${await freePort()}`;
      await append(`${root}/etc/ndr/ndr.env`, [`NDR_CORE_LISTEN=${listen}`]);

      const syslogNg = await programPath("syslog-ng");
      let core: Deno.ChildProcess | null = null;
      let transport: Program | null = null;
      const programs: Programs = async (request) => {
        const changes = {
          "http://127.0.0.1:8081": `http://${listen}`,
          '"/var/lib/syslog-ng"': `"${root}/moved"`,
        };
        if (request === "check syslog-ng") {
          await runProgram(syslogNg, ["--syntax-only", ...await movedSyslogNg(root, changes)]);
        } else if (request === "reload-or-restart ndr-core") core?.kill("SIGHUP");
        else if (request === "restart syslog-ng") {
          transport = startProgram(syslogNg, [
            "--foreground",
            "--stderr",
            ...await movedSyslogNg(root, changes),
          ]);
        } else assert.equal(request, "restart ndr.target");
        return { isDone: true, output: "" };
      };
      const lines: string[] = [];
      const say = (line: string) => void lines.push(line);
      const setUp = (more: Partial<SetupFlags>) => {
        const io: SetupIo = {
          terminal: null,
          say,
          fail: say,
          env: (name) => name === "NDR_OIDC_CLIENT_SECRET" ? "a secret of the client" : undefined,
          configDir: "/etc/ndr",
          programs,
          progress: () => {},
        };
        return runSetup({
          publicUrl: "https://ndr.example.org",
          issuer: "https://login.example.org",
          clientId: "ndr",
          administrator: "groups=soc",
          providerCheck: false,
          nonInteractive: true,
          sensor: [],
          wait: 90,
          restart: true,
          root,
          ...more,
        }, io);
      };

      let isGrowing = true;
      let output = "";
      let reading: Promise<unknown> = Promise.resolve();
      const growing = (async () => {
        for (let number = 1; isGrowing; number++) {
          const time = new Date().toISOString().replace("Z", "000+0000");
          await append(eve, [
            `{"timestamp":"${time}","flow_id":${number},"event_type":"flow","src_ip":"10.0.0.5","src_port":50123,` +
            `"dest_ip":"192.0.2.10","dest_port":443,"proto":"TCP","flow":{"bytes_toserver":1024,"bytes_toclient":8192}}`,
          ]);
          await delay(500);
        }
      })();
      try {
        assert.ok(await setUp({}), lines.join("\n"));
        const secrets = `${root}/etc/ndr/secrets`;
        const tokens = ["zeek", "suricata", "netflow", "unbound"].map((name) =>
          [`NDR_TOKEN_${name.toUpperCase()}_FILE`, `${secrets}/${name}.token`] as const
        );
        core = new Deno.Command(Deno.execPath(), {
          args: [...await programArgs(), "core"],
          cwd: ROOT,
          env: {
            ...Object.fromEntries(tokens),
            NDR_CORE_LISTEN: listen,
            NDR_CONFIG_DIR: `${root}/etc/ndr`,
            NDR_STATE_DIR: `${root}/state`,
            NDR_DATABASE_URL: `embedded:${root}/database`,
            NDR_SERVICE_KEY_FILE: `${secrets}/service.key`,
            NDR_TELEMETRY: "off",
          },
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        reading = Promise.all([core.stdout, core.stderr].map(async (stream) => {
          for await (const part of stream.pipeThrough(new TextDecoderStream())) output += part;
        }));
        await waitFor(() => output.includes('"ready"'), () => output, 120);

        assert.ok(await setUp({ sensor: [`suricata=${eve}`] }), lines.join("\n"));
        assert.deepEqual(
          lines.slice(-4),
          [
            "syslog-ng --syntax-only: done",
            "systemctl reload-or-restart ndr-core: done",
            "systemctl restart syslog-ng: done",
            "suricata: the first record arrived",
          ],
          `${lines.join("\n")}\n${output.slice(-2000)}\n${(transport as Program | null)?.output()}`,
        );
      } finally {
        isGrowing = false;
        await growing;
        await (transport as Program | null)?.stop();
        core?.kill("SIGTERM");
        await core?.status;
        await reading;
      }
    }),
);
