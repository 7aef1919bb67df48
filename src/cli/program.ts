import { Command } from "commander";
import type { LicenseKeys } from "../telemetry/license-keys.ts";
import { auditCommand } from "./audit.ts";
import { connectorsCommand } from "./connectors.ts";
import { licenseCommand } from "./license.ts";
import { recordsCommand } from "./records.ts";
import { replayCommand } from "./replay.ts";
import { searchCommand } from "./search.ts";
import { CORE_HELP, WEB_HELP } from "./settings-help.ts";
import { telemetryCommand } from "./telemetry.ts";

/** The long-running subcommands, which main.ts wires. */
interface Services {
  core(): Promise<void>;
  web(): Promise<void>;
  up(): Promise<void>;
}

/** The `ndr` command line. `licenseKeys`: accepted issuers of licences. */
export function createProgram(version: string, services: Services, licenseKeys: LicenseKeys): Command {
  const program = new Command("ndr")
    .description("Network detection and response: sensor records in, incidents with their evidence out.")
    .version(version, "--version", "print the version")
    .showHelpAfterError("(see ndr --help)");
  program.command("core")
    .description("run the core: ingest, pipeline and API, on loopback")
    .addHelpText("after", CORE_HELP)
    .action(() => services.core());
  program.command("web")
    .description("run the web layer: sign-in, dashboard and the public API, on loopback behind a proxy")
    .addHelpText("after", WEB_HELP)
    .action(() => services.web());
  program.command("up")
    .description(
      "run everything in one process for evaluation, with a development sign-in and sample records",
    )
    .addHelpText(
      "after",
      `
State (database, tokens, up.json) is kept in NDR_STATE_DIR, ./.state by default. It plays recorded traffic of four
sensors with times shifted to the present: a day at once, then each record when it is due. Restarted, it sends what
was due meanwhile, at most a day. NDR_UP_SAMPLE=off starts empty.
NDR_DATABASE_URL=postgres://… uses a PostgreSQL server instead of the embedded database. Anybody who can reach the
loopback address can sign in: this is for evaluation and development only.`,
    )
    .action(() => services.up());
  program.addCommand(replayCommand());
  program.addCommand(searchCommand());
  program.addCommand(recordsCommand());
  program.addCommand(auditCommand());
  program.addCommand(connectorsCommand(version));
  program.addCommand(licenseCommand(licenseKeys));
  program.addCommand(telemetryCommand({ version, licenseKeys }));
  return program;
}
