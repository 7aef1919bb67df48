import process from "node:process";
import { Command } from "commander";
import type { Build } from "../config/build.ts";
import type { ProgramBuild } from "./program-build.ts";

/** The long-running subcommands, which main.ts wires. */
interface Services {
  core(): Promise<void>;
  web(): Promise<void>;
  up(): Promise<void>;
}

/** The commands, in the order of the help. */
const COMMANDS: Readonly<Record<string, (build: ProgramBuild, services: Services) => Promise<Command>>> = {
  async core(_, services) {
    const { CORE_HELP } = await import("./settings-help.ts");
    return new Command("core")
      .description("run the core: ingest, pipeline and API, on loopback")
      .addHelpText("after", CORE_HELP)
      .action(() => services.core());
  },
  async web(_, services) {
    const { WEB_HELP } = await import("./settings-help.ts");
    return new Command("web")
      .description("run the web layer: sign-in, dashboard and the public API, on loopback behind a proxy")
      .addHelpText("after", WEB_HELP)
      .action(() => services.web());
  },
  setup: async () => (await import("./setup.ts")).setupCommand(),
  up: (_, services) => Promise.resolve(upCommand(services)),
  config: async ({ licenseKeys }) => (await import("./config.ts")).configCommand(licenseKeys),
  sources: async () => (await import("./sources.ts")).sourcesCommand(),
  users: async () => (await import("./users.ts")).usersCommand(),
  migrate: async () => (await import("./migrate.ts")).migrateCommand(),
  doctor: async ({ licenseKeys }) => (await import("./doctor.ts")).doctorCommand(licenseKeys),
  replay: async () => (await import("./replay.ts")).replayCommand(),
  search: async () => (await import("./search.ts")).searchCommand(),
  brief: async () => (await import("./brief/brief.ts")).briefCommand(),
  incident: async () => (await import("./incident/incident.ts")).incidentCommand(),
  records: async () => (await import("./records.ts")).recordsCommand(),
  analyst: async () => (await import("./analyst/command.ts")).analystCommand(),
  audit: async () => (await import("./audit.ts")).auditCommand(),
  connectors: async ({ version }) => (await import("./connectors.ts")).connectorsCommand(version),
  backup: async ({ version }) => (await import("./backup.ts")).backupCommand(version),
  restore: async () => (await import("./restore.ts")).restoreCommand(),
  license: async ({ licenseKeys }) => (await import("./license.ts")).licenseCommand(licenseKeys),
  telemetry: async (build) => (await import("./telemetry.ts")).telemetryCommand(build),
  async completion(build, services) {
    const { completionCommand } = await import("./completion.ts");
    return completionCommand(() => createProgram([], build, services));
  },
  version: (build) => Promise.resolve(versionCommand(build)),
};

/** The `ndr` command line. Loads only the command that `args` name, all of them for the help. */
export async function createProgram(
  args: readonly string[],
  build: ProgramBuild,
  services: Services,
): Promise<Command> {
  const program = new Command("ndr")
    .description("Network detection and response: sensor records in, incidents with their evidence out.")
    .version(build.version, "--version", "print the version")
    .showHelpAfterError("(see ndr --help)");
  const [first = ""] = args;
  const names = first === "--version" ? [] : first in COMMANDS ? [first] : Object.keys(COMMANDS);
  // Extends zod, which schemas of every command use. Chunks of a bundle may run in another order than their modules, so
  // this one runs before all of them.
  if (names.length > 0) await import("@hono/zod-openapi");
  for (const name of names) program.addCommand(await COMMANDS[name]!(build, services));
  return program;
}

function upCommand(services: Services): Command {
  return new Command("up")
    .description(
      "run everything in one process for evaluation, with a development sign-in and sample records",
    )
    .addHelpText(
      "after",
      `
State (database, tokens, up.json) is kept in NDR_STATE_DIR, ./.state by default. It plays recorded traffic of four
sensors with times shifted to the present: a day at once, then each record when it is due. Restarted, it sends what
was due meanwhile, at most a day. NDR_UP_SAMPLE=off starts empty.
NDR_DATABASE_URL=postgres://… uses a PostgreSQL server instead of the embedded database. Anybody who can reach the
loopback address can sign in: this is for evaluation and development only.`,
    )
    .action(() => services.up());
}

function versionCommand({ version, bundleVersion, commit }: Build): Command {
  return new Command("version")
    .description("print version, commit and bundle version")
    .option("--json", "as one JSON object")
    .action(({ json }: { json?: boolean }) => {
      const lines = [
        `ndr ${version}`,
        `commit ${commit ?? "unknown: a checkout"}`,
        `bundle ${bundleVersion}`,
      ];
      const text = json
        ? JSON.stringify({ version, commit, bundle_version: bundleVersion })
        : lines.join("\n");
      process.stdout.write(`${text}\n`);
    });
}
