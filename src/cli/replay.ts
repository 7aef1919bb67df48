// `ndr replay`: sends recorded sensor files to the ingest.

import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { Command, InvalidArgumentError, Option } from "commander";
import { MAX_INGEST_BYTES, MAX_INGEST_LINES } from "../contract/record/ingest.ts";
import { RECORD_KINDS, type RecordKind } from "../contract/record/kinds.ts";
import { messageOf } from "../kit/errors.ts";
import { replay } from "./replay/engine.ts";
import type { ReplayOptions, ReplayProgress, ReplayResult } from "./replay/types.ts";
import { ReplayInputError } from "./replay/errors.ts";
import type { Skip } from "./replay/skips.ts";
import { count, ProgressDisplay, waitingLine } from "./replay/progress.ts";
import { defaultStateFile } from "./replay/state.ts";
import { summaryOf } from "./replay/summary.ts";

interface Flags {
  url: string;
  tokenEnv: string;
  kind?: RecordKind;
  shiftToNow?: boolean;
  batchLines: number;
  batchBytes: number;
  gzip?: boolean;
  state?: string;
  resume: boolean;
  quiet?: boolean;
}

const HELP = `
Formats, detected by content, plain or gzip:
  ingest envelopes     one {"kind", "observed_at", "payload"} a line, sent as they are
  Zeek logs            JSON (kind from _path, @stream or the file name) and TSV (from #path)
  Suricata EVE         lines or a JSON array (kind from event_type)
  NetFlow              JSON of goflow2, pmacct or nfdump
  Unbound              query log as text, lines with a full date: Unbound's own (log-time-ascii: no, or
                       log-time-iso: yes), rsyslog's, journalctl -o short-iso-precise
Records of other kinds (zeek.kerberos, EVE stats, …) are skipped and counted, and so are files without any
record among others, such as conn-summary.log and stdout.log in a day folder of zeekctl.

Payloads go out with the bytes that the sensor wrote. Several files are sent as one stream in the order of
their times; within a file the order stays. --shift-to-now moves observed_at and the times inside the payloads
by the same whole seconds for all files, so that the recording ends now.

On 429, 503 and a failing connection the replay waits (full jitter, 1 s to 60 s, at least Retry-After) and goes
on. On 401, 403, 413 and 422 it stops and reports what to change. Stopped, by this or by Ctrl-C, the same command
goes on where it stopped, with the same shift: progress is kept in $NDR_STATE_DIR/replay,
$XDG_STATE_HOME/ndr or ~/.local/state/ndr until everything is acknowledged. Sending a record twice is
harmless.

The token decides whose sensor, and so whose tenant, the records belong to. It is read from the variable that
--token-env names, or from the file that the variable with _FILE behind its name names
(NDR_SOURCE_TOKEN_FILE=/path); \`ndr up\` writes its tokens to $NDR_STATE_DIR/up.json.

Rejected lines are listed with file, line number and reason; the service keeps them.

A line that cannot be read (cut off, not JSON) is not sent; its place is stated at the end.

Exit status: 0 everything accepted, 1 stopped, lines unreadable or rejected or nothing to send, 130 interrupted.

Examples:
  export NDR_SOURCE_TOKEN=…
  ndr replay conn.log dns.log                      two Zeek logs, merged by time
  ndr replay --shift-to-now 2020-04-30/*.log.gz    a day of rotated logs, as if it were today
  ndr replay --kind zeek.conn export.json          a Zeek log whose name does not say which
  ndr replay --kind unbound.query syslog.2.gz      the lookups in a log of many programs
  ndr replay --token-env SENSOR_2 eve.json         as another sensor
`;

/** The subcommand; sets the process's exit status and never exits itself. */
export function replayCommand(): Command {
  return new Command("replay")
    .description("send recorded sensor files to the ingest")
    .showHelpAfterError("(see ndr replay --help)")
    .argument(
      "<file...>",
      "recordings: ingest envelopes, Zeek logs, Suricata EVE, NetFlow JSON, Unbound logs",
    )
    .option("--url <url>", "address of the core", "http://127.0.0.1:8081")
    .option("--token-env <name>", "environment variable with the source token", "NDR_SOURCE_TOKEN")
    .addOption(
      new Option("--kind <kind>", "kind of all records, whatever the files say").choices(RECORD_KINDS),
    )
    .option("--shift-to-now", "shift all times so that the recording ends now")
    .option(
      "--batch-lines <n>",
      "records per request, at most 1000",
      numberUpTo(MAX_INGEST_LINES),
      MAX_INGEST_LINES,
    )
    .option(
      "--batch-bytes <n>",
      "bytes per request, at most 5 MiB",
      numberUpTo(MAX_INGEST_BYTES),
      4 * 1024 * 1024,
    )
    .option("--gzip", "compress request bodies")
    .option("--state <file>", "file for the progress")
    .option("--no-resume", "begin again, even if an earlier run was stopped")
    .option("--quiet", "print errors only")
    .addHelpText("after", HELP)
    .action(async (files: string[], flags: Flags) => {
      process.exitCode = await run(files, flags);
    });
}

async function run(files: string[], flags: Flags): Promise<number> {
  const stop = new AbortController();
  const display = new ProgressDisplay({
    write: (text) => process.stderr.write(text),
    columns: process.stderr.isTTY ? process.stderr.columns ?? 80 : null,
    now: Date.now,
  });
  const note = (text: string) => flags.quiet || display.note(text);
  const release = onStopSignal((signal) => {
    // The second signal does not wait for the ingest's answer.
    if (stop.signal.aborted) process.exit(130);
    note(`${signal}: stopping after the current request`);
    stop.abort();
  });
  const started = Date.now();
  try {
    const result = await replay({ ...optionsOf(files, flags, note), signal: stop.signal }, {
      onProgress: flags.quiet ? warnOfWaits() : (progress) => display.update(progress),
      onNotice: note,
    });
    if (!flags.quiet) {
      display.finish();
      process.stdout.write(summaryOf(result, Date.now() - started).join("\n") + "\n");
    }
    return conclude(result, flags);
  } catch (error) {
    if (!(error instanceof ReplayInputError)) throw error;
    display.finish();
    for (const line of error.message.split("\n")) say(line);
    return 1;
  } finally {
    release();
  }
}

/** Without progress output, waits are still reported. */
function warnOfWaits(): (progress: ReplayProgress) => void {
  let last: string | null = null;
  return ({ waiting }) => {
    if (waiting !== null && waiting.reason !== last) say(waitingLine(waiting));
    last = waiting?.reason ?? null;
  };
}

function say(text: string): void {
  process.stderr.write(`ndr replay: ${text}\n`);
}

function optionsOf(files: string[], flags: Flags, note: (text: string) => void): ReplayOptions {
  const { url, kind = null, shiftToNow, batchLines, batchBytes, gzip, resume } = flags;
  const token = readToken(flags.tokenEnv);
  const stateFile = (identity: string) => flags.state ?? usableStateFile(identity, note);
  return { files, url, token, kind, shiftToNow, batchLines, batchBytes, gzip, resume, stateFile };
}

function readToken(name: string): string {
  const value = process.env[name];
  if (value) return value;
  const file = process.env[`${name}_FILE`];
  if (!file) {
    throw new ReplayInputError(
      `${name} is not set: set it to the sensor's source token, or ${name}_FILE to the path of its file`,
    );
  }
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ReplayInputError(`${name}_FILE: cannot read ${file}: ${messageOf(error)}`);
  }
}

/** An unwritable default place is no reason to refuse a replay. */
function usableStateFile(identity: string, note: (text: string) => void): string | null {
  const path = defaultStateFile((name) => process.env[name], identity);
  if (path === null) return null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch (error) {
    note(`this replay cannot be resumed; choose a file with --state: ${messageOf(error)}`);
    return null;
  }
}

function conclude(result: ReplayResult, flags: Flags): number {
  if (result.rejected > 0) sayRejections(result, flags);
  const resumable = result.stateFile === null ? "" : " Then run the same command again to resume.";
  if (result.outcome === "refused" && result.refusal !== null) {
    const { status, message, advice } = result.refusal;
    say(`stopped, the ingest at ${flags.url} answered ${status}${message === "" ? "" : `: ${message}`}`);
    say(advice + resumable);
    return 1;
  }
  if (result.outcome === "interrupted") {
    say(
      result.stateFile === null
        ? "interrupted; no progress was saved"
        : `interrupted. Run the same command again to resume (progress in ${result.stateFile})`,
    );
    return 130;
  }
  for (const { file, message } of result.damaged) say(`${file}: ${message}`);
  const sent = result.accepted + result.duplicates + result.rejected;
  if (sent === 0 && !result.resumed) say("the files contain no record of a supported kind");
  const unreadable = result.skipped.filter((skip) => skip.unreadable);
  for (const skip of unreadable) say(unreadableLine(skip));
  const isIncomplete = result.damaged.length > 0 || unreadable.length > 0 || result.rejected > 0;
  return isIncomplete || (sent === 0 && !result.resumed) ? 1 : 0;
}

/** `2 lines could not be read and were not sent (not a JSON object): eve.json:3, eve.json:9` */
function unreadableLine({ reason, count: lines, examples }: Skip): string {
  const more = lines > examples.length ? ", …" : "";
  const what = lines === 1 ? "1 line" : `${count(lines)} lines`;
  return `${what} could not be read and ${lines === 1 ? "was" : "were"} not sent (${reason}): ${
    examples.join(", ")
  }${more}`;
}

/** With the lines themselves unless the summary lists them. */
function sayRejections(result: ReplayResult, { quiet }: Flags): void {
  say(rejectionLine(result));
  if (!quiet) return;
  for (const { place, reason } of result.rejections) say(`${place}: ${reason}`);
  const rest = result.rejected - result.rejections.length;
  if (rest > 0) say(`and ${count(rest)} more`);
}

function rejectionLine({ rejected, rejectedAlerts }: ReplayResult): string {
  const lines = `the ingest rejected ${count(rejected)} line${rejected === 1 ? "" : "s"}`;
  if (rejectedAlerts === 0) return lines;
  const alerts = `${count(rejectedAlerts)} SURICATA ALERT${rejectedAlerts === 1 ? "" : "S"}`;
  return `${lines}, WITH ${alerts} AMONG THEM`;
}

function onStopSignal(handle: (signal: NodeJS.Signals) => void): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, handle);
  return () => signals.forEach((signal) => process.off(signal, handle));
}

function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`);
    return value;
  };
}
