// `ndr analyst`: replays runs of the language model against closed incidents, and prints the ledger.

import process from "node:process";
import { Command } from "commander";
import { messageOf } from "../../kit/errors.ts";
import { ledgerDay, ledgerRows } from "../../store/analyst/ledger.ts";
import { listTenants } from "../../store/engine/tenants.ts";
import {
  type Candidate,
  candidates,
  conclusion,
  costsOf,
  endsBacktest,
  replay,
  type Replayed,
} from "./backtest.ts";
import { explain, openExisting } from "../existing-database.ts";
import { databaseUrl } from "../installed.ts";
import { numberOfLines } from "../options.ts";
import { type Call, coreApi } from "../search/core-api.ts";
import { searchInstallation } from "../search/installation.ts";
import { isConfirmed, processTerminal } from "../setup/terminal.ts";
import { textTable } from "../table.ts";

const MAX_INCIDENTS = 200;
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

const BACKTEST_HELP = `
Runs the language model of analyst.yaml on incidents that people have closed with a comment, the newest first, and shows
what it says next to what they decided: resolved is a finding that was real, false_positive one that was not. The model
sees neither the status nor the comments. Use it before you trust the model, and after a change of provider or model.

Each run is a usual analyst run: it is queued at the running core, paid from the tenant's daily budget, and kept with the
incident. The cost is shown first: the usual one and the most that it can be. Nothing is sent without --yes or a yes.

The core is found as ndr search finds it. Run this as the service's user, or in the folder where ndr up runs.

Exit status: 0; 1 if nothing could be replayed, or not all of it.

Examples:
  sudo -u ndr ndr analyst backtest --dry-run        what it would cost
  sudo -u ndr ndr analyst backtest --limit 50 --yes
`;

const BUDGET_HELP = `
What analyst runs have cost in micro-USD (a million is one dollar), for each tenant, UTC day and provider. "Reserved" on a
day that has ended is the worst case of calls whose cost is unknown; it counts as used. Entries are kept for 400 days.

The database is that of NDR_DATABASE_URL, from the environment or from ndr.env in NDR_CONFIG_DIR (/etc/ndr), so run this
as the service's user. An embedded database cannot be read while the service runs; see analyst_budget_microusd of
/metrics then.

Exit status: 0, also if nothing was found; 1 if the ledger could not be read.
`;

interface BacktestFlags {
  tenant?: string;
  limit: number;
  dryRun?: boolean;
  yes?: boolean;
}

/** The subcommand; sets the process's exit status. */
export function analystCommand(): Command {
  const backtest = new Command("backtest")
    .description("replay analyst runs against closed incidents: agreement and cost")
    .showHelpAfterError("(see ndr analyst backtest --help)")
    .option("--tenant <id>", "the tenant; needed if there are several")
    .option("--limit <n>", "at most this many incidents, the newest ones", numberOfLines(MAX_INCIDENTS), 20)
    .option("--dry-run", "show what it would cost, and send nothing")
    .option("--yes", "do not ask before spending")
    .addHelpText("after", BACKTEST_HELP)
    .action(async (flags: BacktestFlags) => {
      process.exitCode = await reporting(() => runBacktest(flags));
    });
  const budget = new Command("budget")
    .description("print what analyst runs have cost")
    .showHelpAfterError("(see ndr analyst budget --help)")
    .option("--tenant <id>", "only this tenant")
    .option("--days <n>", "so many UTC days, up to today", numberOfLines(MAX_DAYS), 7)
    .addHelpText("after", BUDGET_HELP)
    .action(async (flags: { tenant?: string; days: number }) => {
      process.exitCode = await reporting(() => printBudget(flags));
    });
  return new Command("analyst").description("check the language model that reads incidents, and its budget")
    .addCommand(backtest).addCommand(budget);
}

async function reporting(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    for (const line of explain(error).split("\n")) process.stderr.write(`ndr analyst: ${line}\n`);
    return 1;
  }
}

async function runBacktest(flags: BacktestFlags): Promise<number> {
  const installation = searchInstallation();
  const tenantId = tenantOf(flags.tenant, installation.tenantIds);
  const call = coreApi(installation, tenantId, { subject: "ndr analyst backtest", role: "analyst" });
  const found = await candidates(call, flags.limit);
  if (found.length === 0) {
    throw new Error("no incident was closed with a comment: close some in the dashboard first");
  }
  const { usual, worst } = costsOf(found);
  const { model, budget } = found[0]!.preview;
  const left = Math.max(0, budget.limit_microusd - budget.reserved_microusd - budget.spent_microusd);
  say(`${found.length} closed incidents, model ${model.model} of provider ${model.provider}.`);
  say(`Usual cost: ${usual} micro-USD; at most ${worst}. Left of today's budget: ${left}.`);
  if (flags.dryRun) return 0;
  if (!flags.yes) {
    const terminal = processTerminal();
    if (terminal === null) {
      throw new Error("nothing was sent: expected --yes without a terminal to confirm on");
    }
    if (!await isConfirmed(terminal, "Send them now?")) return 1;
  }
  const replayed = await replayAll(call, found);
  for (
    const line of textTable(
      [HEADINGS, ...replayed.map(cellsOf)],
      process.stdout.isTTY ? process.stdout.columns : null,
    )
  ) {
    say(line);
  }
  for (const line of conclusion(replayed)) say(line);
  return replayed.length === found.length && replayed.every(({ agreement }) => agreement !== null) ? 0 : 1;
}

/** One after another; a refusal that would meet the next one too ends it. */
async function replayAll(call: Call, found: readonly Candidate[]): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for (const candidate of found) {
    try {
      replayed.push(await replay(call, candidate));
    } catch (error) {
      process.stderr.write(`${candidate.incident.title}: ${messageOf(error)}\n`);
      if (endsBacktest(error)) break;
    }
  }
  return replayed;
}

const HEADINGS = ["INCIDENT", "PEOPLE", "MODEL", "CONFIDENCE", "RESULT", "MICRO-USD", "COMMENT"];

function cellsOf({ candidate: { incident, comment }, run, agreement }: Replayed): string[] {
  return [
    incident.title,
    incident.status,
    run.answer?.assessment ?? run.error?.code ?? run.state,
    run.answer === null ? "" : `${Math.round(100 * run.answer.confidence)} %`,
    agreement ?? "failed",
    run.cost.spent_microusd === null ? "unknown" : String(run.cost.spent_microusd),
    comment,
  ];
}

async function printBudget({ tenant, days }: { tenant?: string; days: number }): Promise<number> {
  const db = await openExisting(databaseUrl());
  try {
    const tenants = tenant === undefined ? await listTenants(db) : [tenant];
    const rows: string[][] = [];
    for (const tenantId of tenants) {
      const found = await db.tenant(tenantId, async (tx) => {
        const to = await ledgerDay(tx);
        const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
        return await ledgerRows(tx, tenantId, { from, to });
      });
      for (const { day, provider, reserved, spent } of found) {
        rows.push([day, tenantId, provider, String(reserved), String(spent)]);
      }
    }
    if (rows.length === 0) {
      process.stderr.write("no analyst run has cost anything on these days\n");
      return 0;
    }
    for (const line of textTable([["DAY", "TENANT", "PROVIDER", "RESERVED", "SPENT"], ...rows], null)) {
      say(line);
    }
    return 0;
  } finally {
    await db.close();
  }
}

function tenantOf(given: string | undefined, known: readonly string[]): string {
  const names = known.join(", ") || "none";
  if (given !== undefined) {
    if (known.includes(given)) return given;
    throw new Error(`--tenant ${given}: expected one of ${names}`);
  }
  if (known.length === 1) return known[0]!;
  throw new Error(`expected --tenant with one of ${names}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
