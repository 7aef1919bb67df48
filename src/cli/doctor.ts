// `ndr doctor`: examines an installation.

import process from "node:process";
import { Command } from "commander";
import { messageOf } from "../kit/errors.ts";
import type { LicenseKeys } from "../telemetry/license-keys.ts";
import { findingLines } from "./doctor/finding.ts";
import { examine, userName } from "./doctor/run.ts";

const HELP = `
Checks the configuration, who can read its files, the database (reachable, version, rights, connections, settings,
schema), disk space, the clock, the certificate of NDR_PUBLIC_URL, the OIDC provider, whether core and web answer, what
the core's health says, and each sensor's last record. Nothing is changed. The provider is asked to redeem a code that
does not exist, which shows whether it knows the client; its log has that request as refused. Each finding is pass, warn, fail or skip; below each warn and
fail is the command that mends it. ndr-administration(7) explains the checks.

It runs as the user who calls it, and says so. Whether the services can read a file is judged by its owner and mode, for
their users. A database that only the service's user may open is skipped for another caller, and so is an embedded one
that the service has open.

Exit status: 0 if nothing failed, otherwise 1.

Examples:
  sudo -u ndr ndr doctor
  sudo -u ndr ndr doctor --json | jq '.findings[] | select(.status == "fail")'
`;

/** The subcommand; sets the process's exit status and never exits itself. `keys`: accepted issuers of licences. */
export function doctorCommand(keys: LicenseKeys): Command {
  return new Command("doctor")
    .description("examine this installation, and say how to mend what is wrong")
    .option("--json", "one JSON object")
    .addHelpText("after", HELP)
    .action(async ({ json }: { json?: boolean }) => {
      try {
        const { findings, user } = await examine(keys, { exists });
        const failed = findings.some(({ status }) => status === "fail");
        const caller = userName(Deno.uid() ?? -1);
        const lines = json
          ? [JSON.stringify({ failed, user: caller, service_user: user.name, findings })]
          : [`This runs as ${caller}; ndr-core runs as ${user.name}.`, "", ...findingLines(findings)];
        process.stdout.write(lines.map((line) => `${line}\n`).join(""));
        process.exitCode = failed ? 1 : 0;
      } catch (error) {
        process.stderr.write(`ndr doctor: ${messageOf(error)}\n`);
        process.exitCode = 1;
      }
    });
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
