// `ndr connectors`: shows, tests and resets the instances of connectors.yaml.

import process from "node:process";
import { Command } from "commander";
import { stringifyJson } from "../kit/json/json.ts";
import type { Database } from "../store/engine/database.ts";
import { DatabaseInUse } from "../store/engine/pglite/pglite.ts";
import { installedConnectors, instanceNamed } from "./connectors/installed.ts";
import { connectorTable, listed } from "./connectors/list.ts";
import { liveLines, liveResult, sendTest } from "./connectors/live.ts";
import { recordedStates, serviceRuns } from "./connectors/read.ts";
import { resetCursor } from "./connectors/reset.ts";
import { checkedInstance, summaryLines } from "./connectors/summary.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl } from "./installed.ts";

/** Prints a remark that is not part of the result. */
type Say = (text: string) => void;

interface Flags {
  json?: boolean;
  live?: boolean;
}

const INSTALLATION = `
The configuration is connectors.yaml in NDR_CONFIG_DIR (/etc/ndr), with the environment and, as a fallback, ndr.env
there. So run this as the service's user.`;

const LIST_HELP = `${INSTALLATION}

STATE is the last one that the service recorded, with the failure class for error: unknown, ok, error, disabled.
BOOKMARK is the number of the last settled event of the tenant's log, PENDING counts waiting events. "-" is unknown:
the service has not started with the instance yet, or has its embedded database open; the dashboard's Health page has
it then.
"removed" is an instance that connectors.yaml no longer has and that the service serves until its restart.

Exit status: 0, also if states are unknown; 1 if the configuration has a fault or the database is unreachable.

Examples:
  sudo -u ndr ndr connectors list
  sudo -u ndr ndr connectors list --json | jq -r 'select(.recorded.state == "error") | .instance'
`;

const TEST_HELP = `${INSTALLATION}

Without --live it reads the configuration and the key file, shows the settings, and opens no connection. With --live
it also sends one event of type test, as the service would, but once and whether or not connectors are enabled; the
database is not needed. Failures are reported as one of these classes, with the next step:

  auth  forbidden  tls  unreachable  timeout  rate_limited  rejected  unexpected_shape

Exit status: 0 if the configuration is valid and, with --live, the receiver acknowledged; otherwise 1.

Examples:
  sudo -u ndr ndr connectors test soc
  sudo -u ndr ndr connectors test soc --live
  sudo -u ndr ndr connectors test soc --live --json | jq -r .live.failure_class
`;

const RESET_HELP = `
Afterwards the service delivers the whole log of the instance's tenant again, in order: seven days or 10,000 events.
Events beyond max_pending are dropped, the oldest first, and types and severities that the instance filters out are
skipped. Receivers recognise repeats by their id.
${INSTALLATION}

It refuses while the service runs: stop the service, reset, start it again.

Exit status: 0 if the bookmark was set, otherwise 1.

Example:
  sudo systemctl stop ndr-core
  sudo -u ndr ndr connectors reset-cursor soc
  sudo systemctl start ndr-core
`;

/**
 * The subcommands; they set the process's exit status and never exit themselves. `version` is sent to
 * receivers.
 */
export function connectorsCommand(version: string): Command {
  const connectors = new Command("connectors")
    .description("manage connectors: webhooks to other systems")
    .showHelpAfterError("(see ndr connectors --help)");
  connectors.command("list")
    .description("list the instances and their state")
    .option("--json", "one JSON object per line instead of a table")
    .addHelpText("after", LIST_HELP)
    .action((flags: Flags) => concluding("list", (say) => list(flags, say)));
  connectors.command("test")
    .description("check the configuration of an instance; with --live, send its receiver a test event")
    .argument("<instance>", "its name in connectors.yaml")
    .option("--live", "send an event of type test")
    .option("--json", "one JSON object")
    .addHelpText("after", TEST_HELP)
    .action((instance: string, flags: Flags) =>
      concluding("test", (say) => test(instance, version, flags, say))
    );
  connectors.command("reset-cursor")
    .description("deliver the whole log again; stop the service first")
    .argument("<instance>", "its name in connectors.yaml")
    .addHelpText("after", RESET_HELP)
    .action((instance: string) => concluding("reset-cursor", (say) => reset(instance, say)));
  return connectors;
}

async function list(flags: Flags, say: Say): Promise<boolean> {
  const { environment, file, connectors } = installedConnectors();
  const { states, note } = await recorded();
  const lines = listed(connectors, states);
  if (lines.length === 0) say(`no connectors: ${file} has none`);
  else if (!environment.connectorsEnabled) {
    say("connectors are switched off: NDR_CONNECTORS_ENABLED is not true");
  }
  if (note !== null) say(note);
  const columns = process.stdout.isTTY ? process.stdout.columns ?? null : null;
  if (flags.json) print(lines.map((line) => stringifyJson(line)));
  else if (lines.length > 0) print(connectorTable(lines, columns));
  return true;
}

/** What the service recorded, as far as it can be read, and a note for the reader. */
async function recorded(): Promise<
  { states: Awaited<ReturnType<typeof recordedStates>> | null; note: string | null }
> {
  let db: Database | null = null;
  try {
    db = await openExisting(databaseUrl());
    const states = await recordedStates(db);
    return {
      states,
      note: await serviceRuns(db) ? null : "the service is stopped; this is its last recorded state",
    };
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    const note =
      "the service runs and has its embedded database open: state, bookmark, pending and last success are unknown " +
      "here; see the dashboard's Health page or GET /api/v1/health";
    return { states: null, note };
  } finally {
    await db?.close();
  }
}

async function test(name: string, version: string, flags: Flags, say: Say): Promise<boolean> {
  const installed = installedConnectors();
  const instance = instanceNamed(installed, name);
  const checked = checkedInstance(instance, installed.environment.connectorsEnabled);
  if (!flags.live) {
    const lines = [
      ...summaryLines(checked),
      "The configuration is valid. No connection was opened; --live opens one.",
    ];
    print(flags.json ? [stringifyJson(checked)] : lines);
    return true;
  }
  const live = liveResult(await sendTest(instance, version));
  if (flags.json) print([stringifyJson({ ...checked, live })]);
  else if (live.acknowledged) print(liveLines(name, live));
  else for (const line of liveLines(name, live)) say(line);
  return live.acknowledged;
}

async function reset(name: string, say: Say): Promise<boolean> {
  const { tenantId, instance, webhook: { maxPending } } = instanceNamed(installedConnectors(), name);
  let db: Database | null = null;
  try {
    db = await openExisting(databaseUrl());
    const kept = await resetCursor(db, tenantId, instance);
    print([
      `${instance}: the bookmark is before the oldest event; the log of tenant ${tenantId} has ${kept}.`,
    ]);
    if (kept > maxPending) {
      say(
        `max_pending of ${instance} is ${maxPending}: of the events that it wants, only the newest ${maxPending} will be sent ` +
          "again. To send all of them, raise it, up to 10000, before you start the service",
      );
    }
    return true;
  } finally {
    await db?.close();
  }
}

/** Runs a subcommand and reports whatever it throws. */
async function concluding(name: string, work: (say: Say) => Promise<boolean>): Promise<void> {
  const say = (text: string) => void process.stderr.write(`ndr connectors ${name}: ${text}\n`);
  try {
    process.exitCode = await work(say) ? 0 : 1;
  } catch (error) {
    explain(error).split("\n").forEach(say);
    process.exitCode = 1;
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
