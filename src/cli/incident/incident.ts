// `ndr incident`: takes an incident out of the running core.

import process from "node:process";
import { Command, Option } from "commander";
import { CASE_FORMATS, type CaseFormat, TLP_LABELS, type TlpLabel } from "../../contract/incident/case.ts";
import { messageOf } from "../../kit/errors.ts";
import { saveIncident } from "./export.ts";
import { printable } from "../table.ts";

interface Flags {
  tenant?: string;
  format: CaseFormat;
  tlp?: TlpLabel;
  output?: string;
}

const HELP = `
Formats:
  html       a report to read, print and archive, in one file
  markdown   the report for a ticket or a wiki
  json       the whole case for programs
  stix       a STIX 2.1 bundle for MISP, OpenCTI and others
  navigator  its techniques as a layer of the ATT&CK Navigator
  records    the raw records behind its evidence, one JSON object per line

The file has the newest 500 records of the evidence; if the incident has more, or a file of raw records is not complete,
standard error says so. The Help page "Incident export" of the dashboard describes each format. The incident's identifier
is in the address of its page, and in the output of ndr search --kind incidents --format json.

The running core answers, as for ndr search: run this as the service's user, or in the folder where ndr up runs.

Exit status: 0 if the file is complete, 1 if it lacks records, 2 after an error.

Examples:
  ndr incident export 0190b2c3-0000-7000-8000-000000000001 --format html --output incident.html
  ndr incident export 0190b2c3-0000-7000-8000-000000000001 --format stix --tlp amber | jq '.objects | length'
`;

/** The subcommand; sets the process's exit status. */
export function incidentCommand(): Command {
  return new Command("incident")
    .description("export an incident as a report, a case file or its raw records")
    .showHelpAfterError("(see ndr incident --help)")
    .addCommand(exportCommand());
}

function exportCommand(): Command {
  return new Command("export")
    .description("write an incident to a file or to standard output")
    .showHelpAfterError("(see ndr incident export --help)")
    .argument("<id>", "the identifier of the incident")
    .addOption(new Option("--format <format>", "of the file").choices(CASE_FORMATS).default("json"))
    .addOption(new Option("--tlp <label>", "mark the file with a TLP label").choices(TLP_LABELS))
    .option("--output <file>", "the file to write, which must not exist (default: standard output)")
    .option("--tenant <id>", "the tenant of the incident; needed if there are several")
    .addHelpText("after", HELP)
    .action(async (id: string, flags: Flags) => {
      process.exitCode = await run(id, flags);
    });
}

async function run(id: string, flags: Flags): Promise<number> {
  try {
    const { note } = await saveIncident(id, flags);
    if (note === null) return 0;
    process.stderr.write(`ndr incident export: ${note}\n`);
    return 1;
  } catch (error) {
    // The reader of the pipe has closed it.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    for (const line of messageOf(error).split("\n")) {
      process.stderr.write(`ndr incident export: ${printable(line)}\n`);
    }
    return 2;
  }
}
