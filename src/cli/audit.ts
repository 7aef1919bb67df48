// `ndr audit`: prints the audit log, from the database on the appliance or from the running core.

import process from "node:process";
import { Command, Option } from "commander";
import { AUDIT_OUTCOMES, type AuditOutcome } from "../contract/session/audit.ts";
import { stringifyJson } from "../kit/json/json.ts";
import { messageOf } from "../kit/errors.ts";
import type { Database } from "../store/engine/database.ts";
import { DatabaseInUse } from "../store/engine/pglite/pglite.ts";
import type { AuditFilter } from "../store/session/audit.ts";
import { askAudit, type FoundEntry, readAudit } from "./audit/read.ts";
import { auditTable } from "./audit/table.ts";
import { DatabaseInputError, explain, openExisting } from "./existing-database.ts";
import { databaseUrl, hasDatabaseUrl } from "./installed.ts";
import { type SearchInstallation, searchInstallation, upInstallation } from "./search/installation.ts";
import { numberOfLines, type SpanFlags, spanOf, withSpan } from "./options.ts";

interface Flags extends SpanFlags {
  tenant?: string;
  subject?: string;
  operation?: string;
  target?: string;
  outcome?: AuditOutcome;
  limit: number;
  json?: boolean;
}

const MAX_LIMIT = 100_000;

const HELP = `
Prints writes through the API, requests refused for lack of rights, reports of executors, sign-ins and ends of sessions,
of all tenants unless --tenant selects one; also sign-ins that gave access to nothing, which no tenant's administrator
can see. The newest line comes last.

Times are RFC 3339 (2026-01-31T07:15:00Z) or ages: 90m, 24h, 7d. An operation is an operation id of the API
(patchIncident), or signIn, signOut, sessionReplaced, accessWithdrawn, sessionEvicted, sessionRevoked,
providerSignOut, providerRefused, accessChanged, sessionExpired, reportOutcome.

The database is that of NDR_DATABASE_URL, from the environment or from ndr.env in NDR_CONFIG_DIR (/etc/ndr), so run this
as the service's user. In the folder where ndr up runs, or with its NDR_STATE_DIR, it asks that one, and so it asks the
running core that has an embedded database open; sign-ins that gave access to nothing are missing then.

Exit status: 0, also if nothing was found; 1 if the database could not be read.

Examples:
  sudo -u ndr ndr audit                                    the last 24 hours
  sudo -u ndr ndr audit --since 7d --operation signIn      a week of sign-ins
  sudo -u ndr ndr audit --subject ada --json | jq .        for another program
  ndr audit                                                where ndr up runs
  NDR_DATABASE_URL=embedded:$NDR_STATE_DIR/database ndr audit   of ndr up, after it has stopped
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function auditCommand(): Command {
  return withSpan(new Command("audit"))
    .description("print the audit log: writes, refusals, sign-ins")
    .showHelpAfterError("(see ndr audit --help)")
    .option("--tenant <id>", "only this tenant")
    .option("--subject <subject>", "only this person, by the identity provider's subject")
    .option("--operation <id>", "only this operation")
    .option("--target <id>", "only entries about this object")
    .addOption(
      new Option("--outcome <outcome>", "only changes, or only refusals").choices(
        AUDIT_OUTCOMES,
      ),
    )
    .option("--limit <n>", "at most this many entries, the newest ones", numberOfLines(MAX_LIMIT), 100)
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
    window,
    subject: flags.subject,
    operation: flags.operation,
    targetId: flags.target,
    outcome: flags.outcome,
  };
  try {
    const entries = await auditEntries(flags.tenant ?? null, filter, flags.limit);
    const columns = process.stdout.isTTY ? process.stdout.columns ?? null : null;
    const lines = flags.json ? entries.map((entry) => stringifyJson(entry)) : auditTable(entries, columns);
    if (entries.length === 0 && !flags.json) process.stderr.write("no entries found\n");
    else process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return 0;
  } catch (error) {
    return failed(explain(error));
  }
}

/** From the database, or from the core that has it open. */
async function auditEntries(
  tenantId: string | null,
  filter: AuditFilter,
  limit: number,
): Promise<FoundEntry[]> {
  const up = hasDatabaseUrl() ? null : upInstallation();
  if (up !== null) return await askAudit(up, tenantId, filter, limit);
  let db: Database | null = null;
  try {
    db = await openExisting(databaseUrl());
    return await readAudit(db, tenantId, filter, limit);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    return await askAudit(installationOf(error), tenantId, filter, limit);
  } finally {
    await db?.close();
  }
}

/** The core that has the database open. */
function installationOf(inUse: DatabaseInUse): SearchInstallation {
  try {
    return searchInstallation();
  } catch (error) {
    throw new DatabaseInputError(`${messageOf(inUse)}, and it cannot be asked: ${messageOf(error)}`);
  }
}

function failed(message: string): number {
  for (const line of message.split("\n")) process.stderr.write(`ndr audit: ${line}\n`);
  return 1;
}
