// `ndr search`: asks the running core for flows, devices and incidents.

import process from "node:process";
import { Command, Option } from "commander";
import { RESULT_KINDS, type ResultKind } from "../contract/filter/tree.ts";
import { MAX_EXPORTED_ROWS } from "../contract/search/export.ts";
import { messageOf } from "../kit/errors.ts";
import { isZone } from "../kit/zone.ts";
import { numberOfLines } from "./options.ts";
import { coreApi, Refused } from "./search/core-api.ts";
import { faultLines } from "./search/fault-lines.ts";
import { searchInstallation } from "./search/installation.ts";
import { QuestionError, type Remarks, search } from "./search/run.ts";
import { tenantOf } from "./search/tenant.ts";
import { type Format, FORMATS } from "./search/writer.ts";
import { printable } from "./table.ts";

interface Flags {
  tenant?: string;
  kind?: ResultKind;
  natural?: boolean;
  field?: boolean;
  from?: string;
  to?: string;
  zone: string;
  limit: number;
  format: Format;
}

/** Exit statuses, as grep has them. */
const FOUND = 0;
const NOTHING_FOUND = 1;
const FAILED = 2;

const HELP = `
The query is plain English or the search language, and several words need no quotes unless the shell would take a
character in them (* > < ( ) & | ; " ! #). What cannot be read is an error that shows where; nothing is ignored. How the
query was understood is printed to standard error, in the search language. The Help page "Search" of the dashboard
has all fields and operators.

Without a time in the query or --from, flows of the last 24 hours are searched, and devices and incidents of all times.
Times: -2h, today, yesterday, monday, last-week, 2026-11-01, 2026-11-01T14:00, 2026-11-01T13:00:00Z; those without an
offset are meant, and tables are shown, in --zone. The newest row comes first. JSON, NDJSON and CSV have all that the
API shows; a table has the most important columns and is cut at the width of the terminal.

The running core answers, with either database. Its address and key are those of NDR_CORE_LISTEN and
NDR_SERVICE_KEY_FILE, from the environment or from ndr.env in NDR_CONFIG_DIR (/etc/ndr), so run this as the service's
user. In the folder where ndr up runs, or with its NDR_STATE_DIR, it asks that one.

Exit status: 0 if something was found, 1 if nothing was, 2 after an error.

Examples:
  ndr search who talked to 198.51.100.7 yesterday
  ndr search which devices contacted Russia this week
  ndr search top talkers today
  ndr search open incidents of high severity or higher
  ndr search 10.1.4.7                                      everything of an address in the last 24 hours
  ndr search 'src.ip:10.1 dst.port>=1024 -service:dns'     the search language
  ndr search 'server_name:*.example.com' --from -7d        a name with its subdomains, in a week
  ndr search --kind devices -owner:*                       devices without an owner
  ndr search 'bytes>1GB' --limit 5000 --format csv > large.csv
  ndr search 'alert:*' --from monday --format ndjson | jq -r .src.ip | sort | uniq -c
`;

/** The subcommand; sets the process's exit status. */
export function searchCommand(): Command {
  return new Command("search")
    .description("search flows, devices and incidents, in plain English or the search language")
    .showHelpAfterError("(see ndr search --help)")
    .argument("[query...]", "what to search for; all rows without one")
    .option("--tenant <id>", "the tenant to search; needed if there are several")
    .addOption(
      new Option("--kind <kind>", "what to search for, if the query does not say").choices(RESULT_KINDS),
    )
    .addOption(new Option("--natural", "the query is plain English").conflicts("field"))
    .option("--field", "the query is in the search language (default: whichever it can be read as)")
    .option("--from <time>", "start of the time window")
    .option("--to <time>", "end of the time window (default: now); with --from")
    .option("--zone <zone>", "IANA time zone, such as Europe/Berlin (default: this host's)", hostZone())
    .option("--limit <n>", "at most this many rows, the newest ones", numberOfLines(MAX_EXPORTED_ROWS), 100)
    .addOption(new Option("--format <format>", "of the result").choices(FORMATS).default("table"))
    .addHelpText("after", HELP)
    // Excluded conditions begin with a dash (-service:dns); what begins with two is checked below.
    .allowUnknownOption()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : FAILED))
    .action(async (words: string[], flags: Flags) => {
      process.exitCode = await run(words, flags);
    });
}

async function run(words: readonly string[], flags: Flags): Promise<number> {
  const query = words.join(" ");
  const remarks = new StandardError();
  try {
    checkFlags(words, flags);
    const installation = searchInstallation();
    const call = coreApi(installation, tenantOf(flags.tenant, installation.tenantIds));
    const { kind, zone, limit, format, from, to } = flags;
    const mode = flags.natural ? "natural" : flags.field ? "field" : "auto";
    const window = from === undefined ? null : { from, to: to ?? "now" };
    const output = {
      write,
      format,
      zone,
      columns: process.stdout.isTTY ? process.stdout.columns ?? null : null,
    };
    const found = await search(call, { query, mode, kind, zone, window, limit }, output, remarks);
    return found > 0 ? FOUND : NOTHING_FOUND;
  } catch (error) {
    // The reader of the pipe has closed it.
    if (error instanceof Deno.errors.BrokenPipe) return FOUND;
    const lines = error instanceof Refused ? faultLines(query, error) : messageOf(error).split("\n");
    remarks.note(`ndr search: ${lines.join("\n")}`);
    return FAILED;
  } finally {
    remarks.clear();
  }
}

function checkFlags(words: readonly string[], { zone, from, to }: Flags): void {
  const option = words.find((word) => /^--[a-z]/.test(word));
  if (option !== undefined) {
    throw new QuestionError(
      `unknown option ${option}; see ndr search --help. To search for it, put it in quotes within the query`,
    );
  }
  if (!isZone(zone)) {
    throw new QuestionError(`--zone ${zone}: expected an IANA time zone such as Europe/Berlin`);
  }
  if (to !== undefined && from === undefined) throw new QuestionError("--to needs --from");
}

function hostZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const encoder = new TextEncoder();

/** Throws `BrokenPipe` when the reader has gone. */
function write(text: string): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** Remarks on standard error; progress only on a terminal, on a line that is drawn again. */
class StandardError implements Remarks {
  #isDrawn = false;

  note(text: string): void {
    this.clear();
    process.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
  }

  progress(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\x1b[K${text}`);
    this.#isDrawn = true;
  }

  clear(): void {
    if (this.#isDrawn) process.stderr.write("\r\x1b[K");
    this.#isDrawn = false;
  }
}
