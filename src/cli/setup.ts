// `ndr setup`: sets what a new installation needs, checks it, and undoes it.

import process from "node:process";
import { Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_CONFIG_DIR } from "../config/environment.ts";
import { explain } from "./existing-database.ts";
import { launcherPrograms } from "./setup/requests.ts";
import { runSetup, type SetupFlags, undoSetup } from "./setup/run.ts";
import { processTerminal } from "./setup/terminal.ts";

const HELP = `
It asks for the address of the dashboard, the OIDC provider with its client, the first administrator and the networks of
the site, checks each answer, asks the provider (discovery, client id and secret), and shows what changes. Enter keeps
what is set. After a yes it edits ndr.env, access.yaml and sites.yaml in place: comments and everything else stay. The
new configuration is read as the services read it at their start; only then the files are replaced. Run again, it
changes nothing that is right.

It looks for Suricata, Zeek, Unbound, nfacctd and softflowd on this machine and offers to connect each: it enables the
sensor with a token of its own and installs the transport, syslog-ng (see ndr-sensors(7)). An existing file of the
transport stays, except for token and path. The program's own syntax check reads the result; if it refuses, everything is
restored. Then the services that are concerned are reloaded, or restarted if a reload is not enough, and it waits for the
first record of each sensor.

With --non-interactive nothing is asked. Settings come from the options, else from the environment variables NDR_PUBLIC_URL,
NDR_OIDC_ISSUER, NDR_OIDC_CLIENT_ID and NDR_OIDC_CLIENT_SECRET (or NDR_OIDC_CLIENT_SECRET_FILE), else from ndr.env.

The former files stay beside the new ones as *.before-setup. --undo restores what the last run wrote; a file that was
changed since is left alone, and named.

Exit status: 0 if everything is set; 1 if a setting is missing or wrong, the provider cannot be used, a file was left
alone by --undo, or the answer was no.

Examples:
  sudo ndr setup
  sudo NDR_OIDC_CLIENT_SECRET_FILE=/root/client.secret ndr setup --non-interactive \\
    --public-url https://ndr.example.org --issuer https://login.example.org --client-id ndr \\
    --administrator groups=ndr-admins --networks 10.0.0.0/8,2001:db8:20::/48 --sensors all
  sudo ndr setup --non-interactive --sensor suricata=/srv/suricata/eve.json --sensor softflowd=eth1
  sudo ndr setup --undo
`;

/** The subcommand; sets the process's exit status. */
export function setupCommand(): Command {
  return new Command("setup")
    .description("set up this installation: sign-in, first administrator, networks, sensors")
    .option("--public-url <url>", "address of the dashboard for browsers")
    .option("--issuer <url>", "issuer URL of the OIDC provider")
    .option("--client-id <id>", "client identifier at the provider")
    .option("--client-secret-file <path>", "file that holds the client's secret")
    .option(
      "--administrator <claim=value>",
      "who administers: groups=<group>, sub=<subject>, or another claim",
    )
    .option("--networks <cidrs>", "networks of the site, separated by commas")
    .option("--tenant <id>", "the tenant to set up; by default the first of sites.yaml, else main")
    .option("--no-provider-check", "do not ask the provider")
    .option("--non-interactive", "ask nothing; take the settings from options and environment")
    .option(
      "--sensor <kind[=place]>",
      "connect suricata, zeek, netflow, unbound or softflowd; may be repeated",
      more,
    )
    .addOption(
      new Option("--sensors <which>", "connect all sensors that are found here, or ask for none").choices([
        "all",
        "none",
      ]),
    )
    .option(
      "--wait <time>",
      "wait so long for first records, such as 60s or 5m; 0 does not wait",
      seconds,
      60,
    )
    .option("--no-restart", "check and restart nothing; print the commands")
    .option("--undo", "restore what the last run wrote")
    .option("--root <folder>", "set up an installation below this folder", rootFolder)
    .addHelpText("after", HELP)
    .action(
      async (
        given: Partial<SetupFlags> & Pick<SetupFlags, "providerCheck" | "wait" | "restart"> & {
          undo?: boolean;
        },
      ) => {
        const flags = { sensor: [], root: "", ...given };
        const say = (line: string) => void process.stdout.write(`${line}\n`);
        const fail = (line: string) => void process.stderr.write(`ndr setup: ${line}\n`);
        const configDir = Deno.env.get("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
        const requests = Deno.env.get("NDR_SETUP_REQUESTS");
        const programs = requests ? launcherPrograms(requests) : null;
        const io = { say, fail, env: (name: string) => Deno.env.get(name), configDir, programs };
        const terminal = flags.nonInteractive ? null : processTerminal();
        try {
          const isDone = flags.undo
            ? await undoSetup(flags, io)
            : await runSetup(flags, { ...io, terminal, progress });
          process.exitCode = isDone ? 0 : 1;
        } catch (error) {
          const why = error instanceof Deno.errors.PermissionDenied
            ? `${error.message}. Run it as root: sudo ndr setup`
            : explain(error);
          why.split("\n").forEach(fail);
          process.exitCode = 1;
        }
      },
    );
}

function rootFolder(text: string): string {
  if (!text.startsWith("/")) throw new InvalidArgumentError("expected an absolute path");
  return text.replace(/\/+$/, "");
}

function more(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function seconds(text: string): number {
  const [, number, unit] = /^(\d{1,4})([sm]?)$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("expected a time such as 60s or 5m");
  return Number(number) * (unit === "m" ? 60 : 1);
}

/** Only a terminal can replace a line. */
function progress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
}
