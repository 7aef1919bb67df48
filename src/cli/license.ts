// `ndr license`: shows the licence of this machine.

import process from "node:process";
import { Command } from "commander";
import { readEnvironment } from "../config/environment.ts";
import { Faults } from "../config/yaml/faults.ts";
import { DEFAULT_REGISTRATION_ORIGIN } from "../contract/telemetry/registration.ts";
import { messageOf } from "../kit/errors.ts";
import { installedLicense } from "../telemetry/installed-license.ts";
import type { LicenseKeys } from "../telemetry/license-keys.ts";
import { installedInput } from "../config/installed-input.ts";
import { licenseLines, shownLicense } from "./license-summary.ts";

const SHOW_HELP = `
The licence is license.jwt in NDR_CONFIG_DIR (/etc/ndr). It is verified offline with keys that are built in. A renewal
by the registration server is in NDR_STATE_DIR (/var/lib/ndr), with the latest time that is known to have passed:
setting the clock back does not extend the licence. So run this as the service's user.

  off       no licence file: the free plan, which has everything in this release
  valid     until it expires
  grace     for 72 hours after that; nothing changes yet
  expired   Pro modules are read-only; ingest continues and nothing is lost
  invalid   neither the file nor a renewal can be used; the message states why

A new file is used from the next start of the service, or at once with SIGHUP.

Exit status: 0 if the state is off, valid or grace; 1 if it is expired or invalid.

Examples:
  sudo -u ndr ndr license show
  sudo -u ndr ndr license show --json | jq -r .expires_at
  sudo systemctl kill -s HUP ndr-core          after license.jwt was replaced
`;

/** The subcommand; sets the process's exit status and never exits itself. `keys`: accepted issuers. */
export function licenseCommand(keys: LicenseKeys): Command {
  const license = new Command("license")
    .description("show the licence of this machine")
    .showHelpAfterError("(see ndr license --help)");
  license.command("show")
    .description("show state, plan, seats and expiry of the licence on this machine")
    .option("--json", "one JSON object")
    .addHelpText("after", SHOW_HELP)
    .action(async (flags: { json?: boolean }) => {
      try {
        process.exitCode = await show(keys, flags.json ?? false) ? 0 : 1;
      } catch (error) {
        say(messageOf(error));
        process.exitCode = 1;
      }
    });
  return license;
}

async function show(keys: LicenseKeys, asJson: boolean): Promise<boolean> {
  const faults = new Faults();
  const { configDir, stateDir, telemetry, telemetryUrl } = readEnvironment(installedInput(), faults);
  faults.throwIfAny();
  const renews = telemetry && (telemetryUrl ?? DEFAULT_REGISTRATION_ORIGIN) !== null;
  const standing = await installedLicense(
    { places: { configDir, stateDir }, keys, renews },
    Date.now() * 1000,
  );
  const shown = shownLicense(standing);
  const lines = asJson ? [JSON.stringify(shown)] : licenseLines(shown);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  if (shown.message !== null) say(shown.message);
  return shown.state !== "expired" && shown.state !== "invalid";
}

/** Warnings are not part of the result. */
function say(text: string): void {
  for (const line of text.split("\n")) process.stderr.write(`ndr license show: ${line}\n`);
}
