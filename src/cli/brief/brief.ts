// `ndr brief`: prints the brief of a day, from the running core or, if there is none, from the database.

import process from "node:process";
import { Command, Option } from "commander";
import { defaultSite, readSites } from "../../config/sites.ts";
import { readSources } from "../../config/sources.ts";
import { readEnvironment } from "../../config/environment.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { BriefQuery, type DailyBrief } from "../../contract/brief/brief.ts";
import { composeBrief } from "../../domain/brief/compose.ts";
import { dayAt, shiftDay } from "../../domain/brief/day.ts";
import { briefDocument } from "../../domain/brief/document.ts";
import { briefText } from "../../domain/brief/text.ts";
import { stringifyJson } from "../../kit/json/json.ts";
import { briefFacts } from "../../store/brief/facts.ts";
import { explain, openExisting } from "../existing-database.ts";
import { installedInput } from "../../config/installed-input.ts";
import { databaseUrl, hasDatabaseUrl } from "../installed.ts";
import { coreApi, CoreUnreachable } from "../search/core-api.ts";
import { searchInstallation } from "../search/installation.ts";

const FORMATS = ["text", "html", "json"] as const;

interface Flags {
  date?: string;
  tenant?: string;
  format: typeof FORMATS[number];
}

const HELP = `
One day of the site: what changed, what is new and open, what waits for a decision, devices seen for the first time,
traffic against the day before, noisy detectors, suppressions that expire, and the hours in which each sensor delivered
records. It is built from recorded data without a model, and sends nothing.

The day is one of the site's calendar (time_zone in sites.yaml, else UTC). Without --date it is the brief of yesterday;
that of today is the brief so far. The HTML document needs nothing else and prints on two pages of A4.

The running core answers, found as ndr search finds it. If it does not run, the database of NDR_DATABASE_URL is read
instead. Run this as the service's user, or in the folder where ndr up runs.

Exit status: 0; 1 if the brief could not be made.

Examples:
  sudo -u ndr ndr brief                                        yesterday
  sudo -u ndr ndr brief --date 2026-01-30 --tenant branch
  sudo -u ndr ndr brief --format html > brief.html             to open and print
`;

/** The subcommand; sets the process's exit status. */
export function briefCommand(): Command {
  return new Command("brief")
    .description("print the daily brief of a site")
    .showHelpAfterError("(see ndr brief --help)")
    .option("--date <date>", "the day, such as 2026-01-30 (default: yesterday)")
    .option("--tenant <id>", "the tenant; needed if there are several")
    .addOption(new Option("--format <format>", "of the output").choices(FORMATS).default("text"))
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run({ date, tenant, format }: Flags): Promise<number> {
  try {
    const parsed = BriefQuery.safeParse({ date });
    if (!parsed.success) return failed(`--date ${date}: expected a day such as 2026-01-30`);
    const brief = await askOrRead(date, tenant);
    process.stdout.write(
      format === "text"
        ? briefText(brief)
        : format === "html"
        ? briefDocument(brief)
        : `${stringifyJson(brief)}\n`,
    );
    return 0;
  } catch (error) {
    return failed(explain(error));
  }
}

async function askOrRead(date: string | undefined, tenant: string | undefined): Promise<DailyBrief> {
  const installation = searchInstallation();
  const tenantId = tenantOf(tenant, installation.tenantIds);
  const call = coreApi(installation, tenantId, { subject: "ndr brief", role: "reader" });
  try {
    return (await call("getDailyBrief", { query: { date } })).data;
  } catch (error) {
    if (!(error instanceof CoreUnreachable) || !hasDatabaseUrl()) throw error;
    return await readBrief(tenantId, date);
  }
}

/** @throws DatabaseInputError without a database, DatabaseInUse while the service has an embedded one open */
async function readBrief(tenantId: string, asked: string | undefined): Promise<DailyBrief> {
  const input = installedInput();
  const faults = new Faults();
  const { configDir } = readEnvironment(input, faults);
  const sites = readSites(input, configDir, faults) ?? [];
  const sources = readSources(input, configDir, faults) ?? [];
  faults.throwIfAny();
  const { site } = sites.find((one) => one.tenantId === tenantId) ?? defaultSite(tenantId);
  const now = Date.now() * 1000;
  const today = dayAt(now, site.time_zone);
  const date = asked ?? shiftDay(today, -1);
  if (date > today) {
    throw new RangeError(`date: expected a day that has begun: today is ${today} in ${site.time_zone}`);
  }
  const db = await openExisting(databaseUrl());
  try {
    const subject = {
      date,
      siteName: site.display_name,
      zone: site.time_zone,
      sensorIds: sources.filter((one) => one.source.tenantId === tenantId).map((one) => one.source.sensorId),
      now,
    };
    return composeBrief(await db.tenant(tenantId, (tx) => briefFacts(tx, tenantId, subject)));
  } finally {
    await db.close();
  }
}

function tenantOf(given: string | undefined, known: readonly string[]): string {
  const names = known.join(", ") || "none";
  if (given !== undefined) {
    if (known.includes(given)) return given;
    throw new RangeError(`there is no tenant ${given}; there are: ${names}`);
  }
  if (known.length === 1) return known[0]!;
  throw new RangeError(`choose a tenant with --tenant; there are: ${names}`);
}

function failed(message: string): number {
  for (const line of message.split("\n")) process.stderr.write(`ndr brief: ${line}\n`);
  return 1;
}
