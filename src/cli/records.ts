// `ndr records`: prints unparsed records and rejected lines, from the database on the appliance or a running `ndr up`.

import process from "node:process";
import { Command, Option } from "commander";
import { FAILED_STATUSES, type FailedStatus } from "../contract/record/failed-record.ts";
import {
  EVIDENCE_SOURCES,
  type EvidenceSource,
  kindsMatching,
  RECORD_KINDS,
  type RecordKind,
} from "../contract/record/kinds.ts";
import { stringifyJson } from "../kit/json/json.ts";
import { formatMicros } from "../kit/time.ts";
import type { Database } from "../store/engine/database.ts";
import { explain, openExisting } from "./existing-database.ts";
import { databaseUrl, hasDatabaseUrl } from "./installed.ts";
import { numberOfLines, type SpanFlags, spanOf, withSpan } from "./options.ts";
import { askFailed, readFailed } from "./records/read.ts";
import { upInstallation } from "./search/installation.ts";
import { recordTable, tableCells } from "./records/table.ts";

interface Flags extends SpanFlags {
  tenant?: string;
  status?: FailedStatus;
  sensor?: string;
  source?: EvidenceSource;
  kind?: RecordKind;
  limit: number;
  json?: boolean;
}

const MAX_LIMIT = 10_000;

const HELP = `
Prints the records behind the counters "unparsed" and "rejected" of the health report, with the reason and the raw text:
unparsed records lack what their kind needs, rejected lines are no records. All tenants, unless --tenant selects one. The
newest line comes last. A line that was sent again is shown once, with its first receipt. Records older than the retention
(NDR_RETENTION_DAYS) are gone.

Times are those of receipt: RFC 3339 (2026-01-31T07:15:00Z) or ages: 90m, 24h, 7d. A rejected line has a kind only if one
could be read from it; --source and --kind leave the others out. The table cuts the raw text after 200 characters; --json
has its first 64 KiB, with its whole size in raw_bytes.

The database is that of NDR_DATABASE_URL, from the environment or from ndr.env in NDR_CONFIG_DIR (/etc/ndr), so run this
as the service's user. An embedded database cannot be read while the service runs; use the API or the dashboard's page
Failed records then. Without NDR_DATABASE_URL, in the folder where ndr up runs or with its NDR_STATE_DIR, the running ndr
up is asked.

Exit status: 0, also if nothing was found; 1 if the records could not be read.

Examples:
  sudo -u ndr ndr records                                      the last 24 hours
  sudo -u ndr ndr records --status rejected --since 7d         a week of lines that are no records
  sudo -u ndr ndr records --sensor zeek-1 --json | jq -r .raw  for another program
  ndr records                                                  of the ndr up that runs in this folder
  NDR_DATABASE_URL=embedded:$NDR_STATE_DIR/database ndr records   of ndr up, after it has stopped
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function recordsCommand(): Command {
  return withSpan(new Command("records"))
    .description("print unparsed records and rejected lines, with reason and raw text")
    .showHelpAfterError("(see ndr records --help)")
    .option("--tenant <id>", "only this tenant")
    .addOption(new Option("--status <status>", "only one of the two").choices(FAILED_STATUSES))
    .option("--sensor <id>", "only records of this sensor, by its sensor_id in sources.yaml")
    .addOption(new Option("--source <source>", "only kinds of this source").choices(EVIDENCE_SOURCES))
    .addOption(new Option("--kind <kind>", "only this record kind, such as zeek.conn").choices(RECORD_KINDS))
    .option("--limit <n>", "at most this many records, the newest ones", numberOfLines(MAX_LIMIT), 100)
    .option("--json", "one JSON object per line instead of a table")
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run(flags: Flags): Promise<number> {
  const window = spanOf(flags);
  if (window === null) return failed("--since must be earlier than --until");
  const filter = {
    status: flags.status,
    window,
    sensorId: flags.sensor,
    kinds: kindsMatching(flags),
  };
  let db: Database | null = null;
  try {
    const up = hasDatabaseUrl() ? null : upInstallation();
    if (up === null) db = await openExisting(databaseUrl());
    const records = db === null
      ? await askFailed(up!, flags.tenant ?? null, queryOf(flags, window), flags.limit)
      : readFailed(db, flags.tenant ?? null, filter, flags.limit);
    const cells: string[][] = [];
    let found = 0;
    for await (const record of records) {
      found++;
      if (flags.json) process.stdout.write(`${stringifyJson(record)}\n`);
      else cells.push(tableCells(record));
    }
    const columns = process.stdout.isTTY ? process.stdout.columns ?? null : null;
    if (cells.length > 0) {
      process.stdout.write(recordTable(cells, columns).map((line) => `${line}\n`).join(""));
    } else if (found === 0 && !flags.json) process.stderr.write("no records found\n");
    return 0;
  } catch (error) {
    return failed(explain(error));
  } finally {
    await db?.close();
  }
}

function queryOf({ status, sensor, source, kind }: Flags, { from, to }: { from: number; to: number }) {
  return { status, sensor_id: sensor, source, kind, from: formatMicros(from), to: formatMicros(to) };
}

function failed(message: string): number {
  for (const line of message.split("\n")) process.stderr.write(`ndr records: ${line}\n`);
  return 1;
}
