// `ndr config`: checks the configuration of this machine.

import process from "node:process";
import { Command } from "commander";
import { formatFault } from "../config/yaml/faults.ts";
import { messageOf } from "../kit/errors.ts";
import { plural } from "../kit/text.ts";
import type { LicenseKeys } from "../telemetry/license-keys.ts";
import { checkConfig, configSummary, serviceInput, summaryLine } from "./config/check.ts";

const CHECK_HELP = `
Reads the environment and every file of NDR_CONFIG_DIR (/etc/ndr) as ndr core and ndr web do at their start: sources,
sites, access, inventory, response, connectors, indicator lists, GeoIP databases and the licence. Variables that this
shell lacks are taken from ndr.env there, or from --env-file. It opens no connection and changes nothing. Run it as
the service's user, which may read the secrets.

It prints each fault with file, line and what is expected, or one line of what is configured. A list or a GeoIP database
that cannot be read and a licence that cannot be used are faults too, although the services start without them. A variable
of ndr.env that no setting has is named, too: its name may be spelled wrong.

Exit status: 0 if there is no fault, otherwise 1.

Examples:
  sudo -u ndr ndr config check
  sudo -u ndr ndr config check --env-file /root/new.env
  sudo -u ndr ndr config check --json | jq .faults
`;

interface Flags {
  envFile?: string;
  json?: boolean;
}

/** The subcommand; sets the process's exit status and never exits itself. `keys`: accepted issuers of licences. */
export function configCommand(keys: LicenseKeys): Command {
  const config = new Command("config")
    .description("check the configuration of this machine")
    .showHelpAfterError("(see ndr config --help)");
  config.command("check")
    .description("read all configuration as a start does, and list its faults")
    .option("--env-file <path>", "file with the services' variables instead of ndr.env")
    .option("--json", "one JSON object")
    .addHelpText("after", CHECK_HELP)
    .action(async (flags: Flags) => {
      try {
        process.exitCode = await check(keys, flags) ? 0 : 1;
      } catch (error) {
        say(messageOf(error));
        process.exitCode = 1;
      }
    });
  return config;
}

async function check(
  keys: LicenseKeys,
  { envFile = null, json }: { envFile?: string | null; json?: boolean },
) {
  const checked = await checkConfig({ input: serviceInput(envFile), envFile, keys });
  const { configDir, faults } = checked;
  const notes = checked.notes.map(({ message }) => message);
  const summary = configSummary(checked);
  const valid = faults.length === 0 && summary !== null;
  if (json) {
    print(JSON.stringify({ valid, config_dir: configDir, faults, notes, summary }));
    return valid;
  }
  for (const fault of faults) print(formatFault(fault));
  for (const note of notes) say(note);
  if (valid) print(summaryLine(configDir, summary));
  else say(`${configDir} has ${plural(faults.length, "fault")}`);
  return valid;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Remarks are not part of the result. */
function say(text: string): void {
  for (const line of text.split("\n")) process.stderr.write(`ndr config check: ${line}\n`);
}
