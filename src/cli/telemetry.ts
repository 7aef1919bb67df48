// `ndr telemetry`: shows what this installation would send to its registration server, without sending it.

import process from "node:process";
import { Command } from "commander";
import { violationText } from "../domain/telemetry/heartbeat/check.ts";
import { DatabaseInUse } from "../store/engine/pglite/pglite.ts";
import { installedLicense } from "../telemetry/installed-license.ts";
import { explain } from "./existing-database.ts";
import { type NextHeartbeat, nextHeartbeat, unrecorded } from "./telemetry/heartbeat.ts";
import type { ProgramBuild } from "./program-build.ts";
import { telemetryInstallation } from "./telemetry/installation.ts";
import { type HeartbeatSource, openSource } from "./telemetry/source.ts";

interface Flags {
  json?: boolean;
  dryRun?: boolean;
}

/** Prints a remark that is not part of the result. */
type Say = (text: string) => void;

const INSTALLATION = `
No connection is opened, except to the database of NDR_DATABASE_URL. The configuration is the service's: the environment
and, as a fallback, ndr.env in NDR_CONFIG_DIR (/etc/ndr), so run this as the service's user. While the service runs with
an embedded database, its counts come from a file in NDR_STATE_DIR, at most a minute old.`;

const SHOW_HELP = `
The payload is built as the service builds it, and both guards check it. It is printed to standard output as JSON, notes
to standard error; --json prints the exact text that would be sent. Nothing is written.
${INSTALLATION}

Exit status: 0; 1 if a guard refuses the payload (the fields are named, their content is not printed) or it cannot be
built.

Examples:
  sudo -u ndr ndr telemetry show
  sudo -u ndr ndr telemetry show --json | wc -c
  NDR_STATE_DIR=.state ndr telemetry show      of ndr up
`;

const SEND_HELP = `
With --dry-run the payload is built, checked and recorded as not sent; the health report then shows it as the last one.
Only the service sends, once a day. An installation that sends nothing (NDR_TELEMETRY=off, or no NDR_TELEMETRY_URL)
keeps no record of sends: there the payload is only built and checked.
${INSTALLATION}

Exit status: 0 if both guards passed; 1 if one refused it (the fields are named), if it cannot be built, and without
--dry-run.

Examples:
  sudo -u ndr ndr telemetry send --dry-run
  sudo -u ndr ndr telemetry send --dry-run --json | jq .violations
`;

const NO_LIVE_SEND =
  "there is no live send: the service sends by itself, once a day. --dry-run builds the payload, checks and records it, " +
  "and opens no connection";

/** The subcommand; sets the process's exit status and never exits itself. */
export function telemetryCommand(build: ProgramBuild): Command {
  const telemetry = new Command("telemetry")
    .description("show and check the daily heartbeat; never sends anything")
    .showHelpAfterError("(see ndr telemetry --help)");
  telemetry.command("show")
    .description("print the payload that would be sent next")
    .option("--json", "the exact text, on one line")
    .addHelpText("after", SHOW_HELP)
    .action((flags: Flags) => concluding("show", (say) => show(build, flags, say)));
  telemetry.command("send")
    .description("build, check and record the payload; requires --dry-run")
    .option("--dry-run", "open no connection")
    .option("--json", "the payload, the guards' findings, and whether it was recorded, as one JSON object")
    .addHelpText("after", SEND_HELP)
    .action((flags: Flags) =>
      concluding("send", (say) => {
        if (flags.dryRun) return dryRun(build, flags, say);
        say(NO_LIVE_SEND);
        return Promise.resolve(false);
      })
    );
  return telemetry;
}

async function show(build: ProgramBuild, flags: Flags, say: Say): Promise<boolean> {
  return await withNext(build, (next) => {
    if (refused(next, say)) return Promise.resolve(false);
    print(flags.json ? next.text : JSON.stringify(next.payload, null, 2));
    for (const note of next.notes) say(note);
    return Promise.resolve(true);
  });
}

async function dryRun(build: ProgramBuild, flags: Flags, say: Say): Promise<boolean> {
  return await withNext(build, async (next, source) => {
    const reason = unrecorded(next) ??
      (await source.record(next, build) ? null : "the running service did not accept it");
    const isSound = !refused(next, say);
    if (flags.json) {
      const { payload, violations } = next;
      print(JSON.stringify({ payload: isSound ? payload : null, violations, recorded: reason === null }));
    } else if (isSound) print(JSON.stringify(next.payload, null, 2));
    for (const note of next.notes) say(note);
    const checked = isSound ? "both guards passed" : "it would not be sent";
    say(`dry run: ${checked}; ${reason === null ? "recorded" : `not recorded: ${reason}`}`);
    return isSound;
  });
}

/** Whether a guard refuses it. Only the fields are named: their content may be what must not be revealed. */
function refused({ violations }: NextHeartbeat, say: Say): boolean {
  for (const violation of violations) {
    say(`the ${violation.guard} guard refuses it: ${violationText(violation)}`);
  }
  return violations.length > 0;
}

async function withNext(
  build: ProgramBuild,
  work: (next: NextHeartbeat, source: HeartbeatSource) => Promise<boolean>,
): Promise<boolean> {
  const installation = telemetryInstallation();
  const { configDir, stateDir } = installation.environment;
  const now = Date.now() * 1000;
  const source = await openSource(installation, now);
  try {
    const { plan } = await installedLicense({
      places: { configDir, stateDir },
      keys: build.licenseKeys,
      renews: false,
    }, now);
    const next = await nextHeartbeat(installation, source.tenants, build, plan, now);
    if (source.note !== null) next.notes.push(source.note);
    return await work(next, source);
  } finally {
    await source.close();
  }
}

const IN_USE =
  "the service runs, has its embedded database open, and leaves no counts while it sends nothing (NDR_TELEMETRY=off): " +
  "the payload cannot be built. Stop the service to see it";

/** Runs a subcommand and reports whatever it throws. */
async function concluding(name: string, work: (say: Say) => Promise<boolean>): Promise<void> {
  const say = (text: string) => void process.stderr.write(`ndr telemetry ${name}: ${text}\n`);
  try {
    process.exitCode = await work(say) ? 0 : 1;
  } catch (error) {
    (error instanceof DatabaseInUse ? IN_USE : explain(error)).split("\n").forEach(say);
    process.exitCode = 1;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
