// `ndr sources`: lists the sensors of sources.yaml, adds one, and gives one a new token.

import process from "node:process";
import { Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_CONFIG_DIR } from "../config/environment.ts";
import { SOURCES_FILE } from "../config/sources.ts";
import { canonicalIp } from "../kit/net/ip.ts";
import { explain } from "./existing-database.ts";
import { installedInput } from "../config/installed-input.ts";
import { lastRecords } from "./last-records.ts";
import { place } from "./setup/files.ts";
import { listed, newToken, sourceAddition, SourceInputError, textOf, tokenFileOf } from "./sources/add.ts";
import { kindOf, SENSOR_KINDS, type SensorKind } from "./sources/kinds.ts";
import { shownSources, sourceTable } from "./sources/list.ts";
import { writeChanges } from "./sources/write.ts";
import { rotationCommands, transportCommands, transportOf } from "./sources/transport.ts";

const LIST_HELP = `
The sensors are those of sources.yaml in NDR_CONFIG_DIR (/etc/ndr). TOKEN is the file that holds the token, or the
variable. LAST RECORD is when the newest record arrived, from the database of NDR_DATABASE_URL; while the service has an
embedded one open, the core is asked. "-" is never or unknown. Run it as the service's user.

Exit status: 0, also if the last records are unknown; 1 if the file has a fault.

Examples:
  sudo -u ndr ndr sources list
  sudo -u ndr ndr sources list --json | jq -r 'select(.enabled) | .sensor_id'
`;

const ADD_HELP = `
Adds an entry at the end of sources.yaml in NDR_CONFIG_DIR (/etc/ndr), makes a token in a file beside the other tokens,
which only the service's user can read, and names that file in ndr.env. Comments, order and everything else stay. The
result is read as the core reads it before anything is written. A sensor that is there but disabled is enabled, with its
own token; one that is enabled is refused.

It prints the commands that install the transport (syslog-ng, from debian/transport) on this machine and give it the
token. A sensor on another machine needs the same there, and TLS to the appliance: see ndr-remote-sensors(7).

Exit status: 0 if the sensor was added or enabled, otherwise 1.

Examples:
  sudo ndr sources add suricata
  sudo ndr sources add zeek-2 --kind zeek --tenant branch
  sudo ndr sources add flows --kind netflow --exporter 192.0.2.1 --exporter 192.0.2.2
`;

const ROTATE_HELP = `
Replaces the token in its file at once; owner and mode stay. The core takes the new token, and refuses the old one, from
systemctl reload ndr-core on. Until the transport has the new one too, it keeps its records and tries again: nothing is
lost. It prints the commands.

Exit status: 0 if there is a new token, otherwise 1.

Example:
  sudo ndr sources rotate zeek
`;

const RELOAD = "systemctl reload ndr-core";

/** Prints a remark that is not part of the result. */
type Say = (text: string) => void;

/** The subcommands; they set the process's exit status and never exit themselves. */
export function sourcesCommand(): Command {
  const sources = new Command("sources")
    .description("list, add and change sensors")
    .showHelpAfterError("(see ndr sources --help)");
  sources.command("list")
    .description("list the sensors, their tokens' places and their last records")
    .option("--json", "one JSON object per line instead of a table")
    .addHelpText("after", LIST_HELP)
    .action((flags: { json?: boolean }) => concluding("list", (say) => list(flags, say)));
  sources.command("add")
    .description("add a sensor with a new token, and print how to connect it")
    .argument("<sensor>", "its name, unique on this installation")
    .addOption(
      new Option("--kind <kind>", "what it is; by default the kind of its name").choices(SENSOR_KINDS),
    )
    .option("--tenant <id>", "the tenant that its records belong to", "main")
    .option("--exporter <address>", "accept flows of this exporter only; may be repeated", exporters)
    .addHelpText("after", ADD_HELP)
    .action((sensor: string, flags: AddFlags) => concluding("add", () => add(sensor, flags)));
  sources.command("rotate")
    .description("give a sensor a new token")
    .argument("<sensor>", "its name in sources.yaml")
    .addHelpText("after", ROTATE_HELP)
    .action((sensor: string) => concluding("rotate", () => rotate(sensor)));
  return sources;
}

async function list({ json }: { json?: boolean }, say: Say): Promise<void> {
  const { input, entries, path } = registry();
  if (entries.length === 0) return say(`no sensors: ${path} has none`);
  const tenantIds = new Set(entries.map(({ source }) => source.tenantId));
  const records = await lastRecords(input, tenantIds);
  if (records.fault !== null) say(`the last records are unknown: ${records.fault}`);
  const shown = shownSources(input, entries, records);
  const columns = process.stdout.isTTY ? process.stdout.columns ?? null : null;
  print(json ? shown.map((one) => JSON.stringify(one)) : sourceTable(shown, columns));
}

interface AddFlags {
  kind?: SensorKind;
  tenant: string;
  exporter?: string[];
}

function add(sensorId: string, flags: AddFlags): void {
  const { input, entries } = registry();
  const present = entries.find(({ source }) => source.sensorId === sensorId);
  const kind = flags.kind ?? kindOf(present?.source.allowedKinds ?? []) ??
    SENSOR_KINDS.find((one) => sensorId === one || sensorId.startsWith(`${one}-`));
  if (kind === undefined) {
    throw new SourceInputError(`expected --kind: what is ${sensorId}, ${SENSOR_KINDS.join(", ")}?`);
  }
  const { changes, tokenFile, isEnabled } = sourceAddition(input, {
    sensorId,
    tenantId: flags.tenant,
    kind,
    exporters: flags.exporter ?? [],
  });
  writeChanges(changes);
  const tenantId = present?.source.tenantId ?? flags.tenant;
  print([
    `${sensorId} is ${isEnabled ? "enabled" : "added"} in tenant ${tenantId}; its token is in ${tokenFile}`,
    transportOf(kind).sensor,
    "",
    "Run as root:",
    ...[RELOAD, ...transportCommands(kind, tokenFile)].map((line) => `  ${line}`),
  ]);
}

function rotate(sensorId: string): void {
  const { input, entries, path } = registry();
  const entry = entries.find(({ source }) => source.sensorId === sensorId);
  if (entry === undefined) {
    const names = entries.map(({ source }) => source.sensorId).join(", ");
    throw new SourceInputError(`there is no sensor ${sensorId} in ${path}; there are: ${names || "none"}`);
  }
  const file = tokenFileOf(input, entry.tokenEnv);
  if (file === null) {
    throw new SourceInputError(
      `the token of ${sensorId} is not in a file: put it into one, and name that in ${entry.tokenEnv}_FILE`,
    );
  }
  place(file, new TextEncoder().encode(newToken()), Deno.statSync(file));
  const kind = kindOf(entry.source.allowedKinds);
  print([
    `${file} has a new token; the core accepts it, and no longer the old one, after: ${RELOAD}`,
    ...kind === null ? ["The transport still has the old one: replace it there too."] : [
      `The transport still has the old one, in ${transportOf(kind).tokens} (with rsyslog in ` +
      `/etc/ndr/transport/${kind}.token).`,
      "",
      "Run as root:",
      ...[RELOAD, ...rotationCommands(kind, file)].map((line) => `  ${line}`),
    ],
  ]);
}

/** @throws ConfigError with the faults of sources.yaml */
function registry() {
  const input = installedInput();
  const path = `${input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR}/${SOURCES_FILE}`;
  const text = textOf(input, path);
  return { input, path, entries: text === null ? [] : listed(text, path) };
}

function exporters(text: string, before: string[] = []): string[] {
  const address = canonicalIp(text);
  if (address === null) throw new InvalidArgumentError(`expected an address, got "${text}"`);
  return [...before, address];
}

/** Runs a subcommand and reports whatever it throws. */
async function concluding(name: string, work: (say: Say) => void | Promise<void>): Promise<void> {
  const say = (text: string) => void process.stderr.write(`ndr sources ${name}: ${text}\n`);
  try {
    await work(say);
  } catch (error) {
    const why = error instanceof Deno.errors.PermissionDenied
      ? `${error.message}. Run it as root: sudo ndr sources ${name}`
      : explain(error);
    why.split("\n").forEach(say);
    process.exitCode = 1;
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
