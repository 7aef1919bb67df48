// All checks, in the order in which a fault of one explains those of the next.

import { DEFAULT_CONFIG_DIR } from "../../config/environment.ts";
import { listSources, SOURCES_FILE } from "../../config/sources.ts";
import { Faults, formatFault } from "../../config/yaml/faults.ts";
import { type ConfigInput, readText } from "../../config/yaml/input.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Database } from "../../store/engine/database.ts";
import { DatabaseInUse } from "../../store/engine/pglite/pglite.ts";
import type { LicenseKeys } from "../../telemetry/license-keys.ts";
import { checkConfig, type CheckedConfig, configSummary, summaryLine } from "../config/check.ts";
import { DatabaseInputError, explain, openExisting } from "../existing-database.ts";
import { installedInput } from "../../config/installed-input.ts";
import { checkCore, checkHealth, checkSensors } from "./core.ts";
import { checkDatabase, reportFault } from "./database.ts";
import { Check, type Finding } from "./finding.ts";
import { checkClock, checkDisk } from "./machine.ts";
import { checkCertificate, checkProvider, checkWeb } from "./network.ts";
import { checkPermissions, type Installed, type ServiceUser } from "./permissions.ts";

/** The parts of the machine that tests replace. */
export interface Machine {
  exists(path: string): boolean;
}

interface Examination {
  findings: Finding[];
  /** Of ndr core. */
  user: ServiceUser;
}

export async function examine(keys: LicenseKeys, machine: Machine): Promise<Examination> {
  const read = new Set<string>();
  const input = recording(installedInput(), read);
  const configDir = input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
  const user = serviceUser(input.env("NDR_STATE_DIR") || "/var/lib/ndr");
  const installed: Installed = {
    input,
    configDir,
    user,
    ownWebUser: machine.exists("/lib/systemd/system/ndr-web.service"),
  };
  const checked = await checkConfig({ input, envFile: null, keys });
  const checks: Check[] = [];
  const examined = async (name: string, work: (check: Check) => void | Promise<void>) => {
    const check = new Check(name);
    checks.push(check);
    try {
      await work(check);
    } catch (error) {
      // The other checks still say something.
      check.fail(`the check itself failed: ${messageOf(error)}`, `ndr doctor --help`);
    }
  };

  await examined("configuration", (check) => configurationFindings(check, checked));
  await examined("permissions", (check) => checkPermissions(check, installed, secretFiles(installed, read)));
  await withDatabase(checked, user, async (db, readable, opening) => {
    checks.push(opening);
    const { core } = checked;
    if (core !== null) {
      const { databaseUrl, stateDir } = core.environment;
      await examined(
        "disk",
        (check) => checkDisk(check, db, { databaseUrl: databaseUrl.reveal(), stateDir }),
      );
    }
    await examined("clock", (check) => checkClock(check, readable ? db : null, machine.exists));
  });
  await examined("certificate", (check) => {
    const publicUrl = checked.web?.environment.publicUrl;
    return publicUrl === undefined ? check.skip(WEB_UNSET) : checkCertificate(check, publicUrl);
  });
  await examined(
    "sign-in",
    (check) => checked.web === null ? check.skip(WEB_UNSET) : checkProvider(check, checked.web.environment),
  );
  await examined("services", async (check) => {
    const { core } = checked;
    if (core === null) return check.skip(CONFIGURATION_FIRST);
    const sources = core.sources.map(({ source }) => source);
    const tenantIds = new Set([
      ...core.sites.map(({ tenantId }) => tenantId),
      ...sources.map(({ tenantId }) => tenantId),
    ]);
    const reports = await checkCore(check, input, tenantIds);
    const { host, port } = core.environment.webListen;
    if (checked.web !== null) {
      await checkWeb(check, host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);
    }
    if (reports !== null) await examined("health", (health) => checkHealth(health, reports));
    await examined("sensors", (sensors) => checkSensors(sensors, input, sources, reports));
  });
  return { findings: checks.flatMap(({ findings }) => findings), user };
}

const CONFIGURATION_FIRST = "needs a configuration without faults";
const WEB_UNSET = "the sign-in is not set up, or its configuration has faults";

function configurationFindings(check: Check, checked: CheckedConfig): void {
  for (const fault of checked.faults) {
    const file = fault.file.startsWith("/") ? fault.file : `${checked.configDir}/ndr.env`;
    check.fail(formatFault(fault), `sudoedit ${file}`);
  }
  for (const { message, file } of checked.notes) {
    check.warn(message, file === null ? "sudo ndr setup" : `sudoedit ${file}`);
  }
  const summary = configSummary(checked);
  if (checked.faults.length === 0 && summary !== null) check.pass(summaryLine(checked.configDir, summary));
}

/** As `input`, and adds every file that is read to `read`. */
function recording(input: ConfigInput, read: Set<string>): ConfigInput {
  return {
    ...input,
    readFile: (path) => {
      read.add(path);
      return input.readFile(path);
    },
  };
}

/** Files of tokens and keys: what the configuration was read from beside its YAML files, and tokens of disabled sensors. */
function secretFiles({ input, configDir }: Installed, read: ReadonlySet<string>): string[] {
  const path = `${configDir}/${SOURCES_FILE}`;
  const text = readText(input, path, new Faults());
  const sources = text === null ? [] : listSources(text, path, new Faults());
  return [
    ...[...read].filter((one) => !one.endsWith(".yaml")),
    ...sources.flatMap(({ tokenEnv }) => input.env(`${tokenEnv}_FILE`) ?? []),
  ];
}

/** Runs `work` with the database, null if it cannot be opened, whether its tables can be read, and the check of it. */
async function withDatabase(
  { core }: CheckedConfig,
  user: ServiceUser,
  work: (db: Database | null, readable: boolean, check: Check) => Promise<void>,
): Promise<void> {
  const check = new Check("database");
  let db: Database | null = null;
  let readable = false;
  try {
    if (core === null) check.skip(CONFIGURATION_FIRST);
    else {
      db = await openExisting(core.environment.databaseUrl.reveal());
      readable = await checkDatabase(check, db);
    }
  } catch (error) {
    if (error instanceof DatabaseInUse) check.skip("the service has the embedded database open");
    else if (Deno.uid() !== user.uid && isForeign(error)) {
      check.skip(`only ${user.name} may open it: sudo -u ${user.name} ndr doctor`);
      // A server refuses with the first query only.
      await db?.close();
      db = null;
    } else reportFault(check, error, core?.environment.databaseUrl.reveal() ?? "");
  }
  try {
    await work(db, readable, check);
  } finally {
    await db?.close();
  }
}

/** Whether the database refuses this user of the machine, as it may: its files, or a server's peer authentication. */
function isForeign(error: unknown): boolean {
  return error instanceof DatabaseInputError || /peer authentication failed/i.test(explain(error));
}

/** The owner of the state folder, which the core writes to. */
function serviceUser(stateDir: string): ServiceUser {
  let owner: { uid: number | null; gid: number | null };
  try {
    owner = Deno.statSync(stateDir);
  } catch {
    owner = { uid: Deno.uid(), gid: Deno.gid() };
  }
  const [uid, gid] = [owner.uid ?? 0, owner.gid ?? 0];
  return { name: userName(uid), uid, gid };
}

export function userName(uid: number): string {
  try {
    const entry = Deno.readTextFileSync("/etc/passwd").split("\n").find((line) =>
      line.split(":")[2] === String(uid)
    );
    return entry?.split(":")[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}
