// `ndr setup`: sets what a new installation needs, checks it, and undoes it.

import process from "node:process";
import { Command, InvalidArgumentError } from "commander";
import { DEFAULT_CONFIG_DIR } from "../config/environment.ts";
import { explain } from "./existing-database.ts";
import { runSetup, type SetupFlags, undoSetup } from "./setup/run.ts";
import { processTerminal } from "./setup/terminal.ts";

const HELP = `
It asks for the address of the dashboard, the OIDC provider with its client, the first administrator and the networks of
the site, checks each answer, asks the provider (discovery, client id and secret), and shows what changes. Enter keeps
what is set. After a yes it edits ndr.env, access.yaml and sites.yaml in place: comments and everything else stay. The
new configuration is read as the services read it at their start; only then the files are replaced. Run again, it
changes nothing that is right.

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
    --administrator groups=ndr-admins --networks 10.0.0.0/8,2001:db8:20::/48
  sudo ndr setup --undo
`;

/** The subcommand; sets the process's exit status. */
export function setupCommand(): Command {
  return new Command("setup")
    .description("set up this installation: sign-in, first administrator, networks")
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
    .option("--undo", "restore what the last run wrote")
    .option("--root <folder>", "set up an installation below this folder", rootFolder, "")
    .addHelpText("after", HELP)
    .action(async (flags: SetupFlags & { undo?: boolean }) => {
      const say = (line: string) => void process.stdout.write(`${line}\n`);
      const fail = (line: string) => void process.stderr.write(`ndr setup: ${line}\n`);
      const configDir = Deno.env.get("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
      const io = { say, fail, env: (name: string) => Deno.env.get(name), configDir };
      try {
        const isDone = flags.undo
          ? undoSetup(flags, io)
          : await runSetup(flags, { ...io, terminal: flags.nonInteractive ? null : processTerminal() });
        process.exitCode = isDone ? 0 : 1;
      } catch (error) {
        const why = error instanceof Deno.errors.PermissionDenied
          ? `${error.message}. Run it as root: sudo ndr setup`
          : explain(error);
        why.split("\n").forEach(fail);
        process.exitCode = 1;
      }
    });
}

function rootFolder(text: string): string {
  if (!text.startsWith("/")) throw new InvalidArgumentError("expected an absolute path");
  return text.replace(/\/+$/, "");
}
