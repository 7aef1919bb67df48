import { formatFault } from "../../config/yaml/faults.ts";
import type { Resolve } from "../../config/resolve-receiver.ts";
import { reportedRecords } from "../last-records.ts";
import { SourceInputError } from "../sources/add.ts";
import { needsStart } from "./effect.ts";
import { backupOf, SetupFiles } from "./files.ts";
import { firstRecords, type Receipts } from "./first-records.ts";
import { providerFault } from "./provider.ts";
import { commandOf, type ProgramRequest, type Programs, requestsFor } from "./requests.ts";
import { type Connection, connection, findSensors, sensorAnswer, type WantedSensor } from "./sensors.ts";
import {
  administratorAnswer,
  faultsWith,
  networksAnswer,
  plannedChanges,
  type Present,
  presentSettings,
  serviceInput,
  type Settings,
  urlAnswer,
} from "./settings.ts";
import { askFor, isConfirmed, type Terminal } from "./terminal.ts";

export interface SetupFlags {
  publicUrl?: string;
  issuer?: string;
  clientId?: string;
  clientSecretFile?: string;
  administrator?: string;
  networks?: string;
  tenant?: string;
  providerCheck: boolean;
  nonInteractive?: boolean;
  /** `suricata`, `suricata=/var/log/suricata/eve.json`. */
  sensor: string[];
  sensors?: "all" | "none";
  /** For first records, in seconds. */
  wait: number;
  restart: boolean;
  root: string;
}

interface Surroundings {
  say(line: string): void;
  /** Says what is wrong. */
  fail(line: string): void;
  env(name: string): string | undefined;
  configDir: string;
  /** Null if none can be started: their commands are named instead. */
  programs: Programs | null;
}

export interface SetupIo extends Surroundings {
  /** Null if there is none, or nothing is to be asked. */
  terminal: Terminal | null;
  resolve?: Resolve;
  /** Shows a line that the next one replaces. */
  progress(line: string): void;
  /** By default from the core. */
  receipts?: Receipts;
}

/** Whether everything is set. */
export async function runSetup(flags: SetupFlags, io: SetupIo): Promise<boolean> {
  const { configDir, terminal, say, fail } = io;
  const files = new SetupFiles(flags.root, configDir);
  if (files.read(`${configDir}/ndr.env`) === null) {
    fail(`there is no ${configDir}/ndr.env: install the package ndr first`);
    return false;
  }
  if (terminal === null && !flags.nonInteractive) {
    fail("there is no terminal to ask at: see --non-interactive in ndr setup --help");
    return false;
  }
  const present = presentSettings(files, configDir, flags.tenant ?? null);
  const given = givenSettings(flags, io, present);
  const settings = terminal === null ? complete(given, fail) : await dialogue(terminal, given, flags, io);
  if (settings === null) return false;
  if (terminal === null && !await isProviderUsable(settings, flags, io, fail)) return false;

  const wanted = terminal === null || flags.sensors !== undefined || flags.sensor.length > 0
    ? givenSensors(files, flags, io)
    : await askedSensors(terminal, files, configDir);
  if (wanted === null) return false;
  const plan = planned(files, settings, wanted, io);
  if (plan === null) return false;
  const { changes } = plan;
  if (changes.length === 0) {
    say("Everything is set already; nothing was written.");
    return true;
  }
  say("This changes:");
  for (const { path, what } of changes) say(`  ${path}: ${what}`);
  const programs = flags.restart ? io.programs : null;
  const question = programs === null ? "Write it?" : "Write it, and make the services use it?";
  if (terminal !== null && !await isConfirmed(terminal, question)) {
    say("Nothing was written.");
    return false;
  }
  const requests = requestsFor(
    changes.map(({ path }) => path),
    configDir,
    needsStart(files, configDir, changes),
  );
  const since = Date.now();
  for (const folder of plan.folders) files.makeFolder(folder);
  files.write(changes);
  say("Written. The former files are beside them as *.before-setup; ndr setup --undo restores them.");
  if (changes.some(({ path }) => path === `${configDir}/ndr.env`)) {
    say(`At the provider, the client needs the redirect address ${settings.publicUrl}/auth/callback`);
    say(
      `Its logout ends sessions here at the back-channel address ${settings.publicUrl}/auth/backchannel-logout`,
    );
  }
  const isApplied = await apply(files, requests, { ...io, programs });
  if (isApplied && programs !== null && flags.wait > 0 && plan.sensorIds.length > 0) {
    await awaitRecords(files, settings.tenant, plan.sensorIds, since, flags, io);
  }
  return isApplied;
}

/** Settings and sensors together; null, with the faults reported, if the services would not start with them. */
function planned(
  files: SetupFiles,
  settings: Settings,
  wanted: readonly WantedSensor[],
  { configDir, fail }: Surroundings,
): Connection | null {
  try {
    const before = plannedChanges(files, configDir, settings);
    const plan = connection(files, configDir, before, wanted, settings.tenant);
    const faults = faultsWith(files, configDir, plan.changes);
    if (faults.length === 0) return plan;
    fail("with these settings the services would not start, so nothing was written:");
    for (const fault of faults) fail(`  ${formatFault(fault)}`);
  } catch (error) {
    if (!(error instanceof SourceInputError)) throw error;
    fail(error.message);
  }
  return null;
}

/** Null, with each fault reported, if one cannot be connected. */
function givenSensors(
  files: SetupFiles,
  { sensor, sensors }: SetupFlags,
  { configDir, fail }: Surroundings,
): WantedSensor[] | null {
  const answers = sensor.map(sensorAnswer);
  const faults = answers.flatMap((answer) => "fault" in answer ? answer.fault : []);
  for (const fault of faults) fail(`--sensor: ${fault}`);
  if (faults.length > 0) return null;
  const named = answers.flatMap((answer) => "value" in answer ? answer.value : []);
  if (sensors !== "all") return named;
  const found = findSensors(files, configDir).filter(({ kind }) => kind !== "softflowd");
  return [...named, ...found.filter(({ kind }) => named.every((one) => one.kind !== kind))];
}

/** Null if the answers end before the last question. */
async function askedSensors(
  terminal: Terminal,
  files: SetupFiles,
  configDir: string,
): Promise<WantedSensor[] | null> {
  const found = findSensors(files, configDir);
  if (found.length === 0) {
    terminal.say("No sensor was found on this machine; ndr sources add connects another one.");
  }
  const wanted: WantedSensor[] = [];
  for (const { kind, place, about, isConnected } of found) {
    if (isConnected) continue;
    if (kind !== "softflowd") {
      if (await isConfirmed(terminal, `Connect ${kind} (${about})?`)) wanted.push({ kind, place });
      continue;
    }
    const answer = await askFor<WantedSensor | "none">(
      terminal,
      `Network interface whose flows softflowd (${about}) exports to nfacctd, such as eth1; Enter: none`,
      (text) => text === "" ? { value: "none" } : sensorAnswer(`softflowd=${text}`),
    );
    if (answer === null) return null;
    if (answer !== "none") wanted.push(answer);
  }
  return wanted;
}

/** Checks what was written and reloads or restarts what it concerns; names the commands if no program can be started. */
async function apply(
  files: SetupFiles,
  requests: readonly ProgramRequest[],
  { say, fail, programs }: Surroundings,
): Promise<boolean> {
  if (programs === null) {
    if (requests.length > 0) say(`Next, as root: ${requests.map(commandOf).join(" && ")}`);
    return true;
  }
  let isApplied = true;
  for (const request of requests) {
    const { isDone, output } = await programs(request);
    if (isDone) {
      say(`${commandOf(request)}: done`);
      continue;
    }
    isApplied = false;
    fail(`${commandOf(request)} failed:`);
    for (const line of output.split("\n")) fail(`  ${line}`);
    if (request.startsWith("check ")) {
      files.undo();
      fail("Everything was restored, and nothing was restarted.");
      break;
    }
  }
  return isApplied;
}

async function awaitRecords(
  files: SetupFiles,
  tenant: string,
  sensorIds: readonly string[],
  since: number,
  { wait }: SetupFlags,
  { configDir, say, fail, progress, receipts = coreReceipts(files, configDir, tenant) }: SetupIo,
): Promise<void> {
  const { silent, fault } = await firstRecords({ sensorIds, receipts, since, seconds: wait, progress, say });
  if (silent.length === 0) return;
  fail(`no record of ${silent.join(", ")} arrived within ${wait} s${fault === null ? "" : `: ${fault}`}`);
  say(
    "Look at: journalctl -u syslog-ng -n 20; syslog-ng-ctl stats | grep d_ndr; sudo -u ndr ndr sources list",
  );
}

function coreReceipts(files: SetupFiles, configDir: string, tenant: string): Receipts {
  return async () =>
    (await reportedRecords(serviceInput(files, configDir), [tenant])).get(tenant) ?? new Map();
}

/** Whether every file that the last run wrote is as it was before. */
export async function undoSetup(
  { root, restart }: Pick<SetupFlags, "root" | "restart">,
  io: Surroundings,
): Promise<boolean> {
  const { configDir, say, fail } = io;
  const files = new SetupFiles(root, configDir);
  const undone = files.undo();
  if (undone === null) {
    fail("there is nothing to undo");
    return false;
  }
  for (const path of undone.restored) say(`${path}: restored`);
  for (const path of undone.removed) say(`${path}: removed`);
  for (const path of undone.left) {
    fail(
      `${path} was changed since and is left as it is; its former text, if it had one, is in ${
        backupOf(path)
      }`,
    );
  }
  const paths = [...undone.restored, ...undone.removed];
  // What was set may be gone: the web layer then has to stop.
  const requests = requestsFor(paths, configDir, paths.some((path) => !path.endsWith("/sources.yaml")));
  const isApplied = await apply(files, requests, { ...io, programs: restart ? io.programs : null });
  return isApplied && undone.left.length === 0;
}

/** From the options, else the environment, else what is set; null where nothing is. */
interface Given {
  publicUrl: string | null;
  issuer: string | null;
  clientId: string | null;
  clientSecret: string | null;
  administrator: string | null;
  networks: string | null;
  tenant: string;
}

function givenSettings(flags: SetupFlags, { env }: SetupIo, present: Present): Given {
  const secretFile = flags.clientSecretFile ?? env("NDR_OIDC_CLIENT_SECRET_FILE");
  const secret = secretFile ? Deno.readTextFileSync(secretFile).trim() : env("NDR_OIDC_CLIENT_SECRET");
  const { administrator } = present;
  return {
    publicUrl: flags.publicUrl ?? (env("NDR_PUBLIC_URL") || present.publicUrl),
    issuer: flags.issuer ?? (env("NDR_OIDC_ISSUER") || present.issuer),
    clientId: flags.clientId ?? (env("NDR_OIDC_CLIENT_ID") || present.clientId),
    clientSecret: secret || present.clientSecret,
    administrator: flags.administrator ?? (administrator && `${administrator.claim}=${administrator.value}`),
    networks: flags.networks ?? present.networks?.join(", ") ?? null,
    tenant: present.tenant,
  };
}

/** The given settings, checked; null, with each fault reported, if one is missing or wrong. */
function complete(given: Given, fail: (line: string) => void): Settings | null {
  const faults: string[] = [];
  const required = <T>(
    text: string | null,
    option: string,
    read: (text: string) => { value: T } | { fault: string },
  ): T | null => {
    const answer = text === null ? { fault: "expected to be given" } : read(text);
    if ("value" in answer) return answer.value;
    faults.push(`${option}: ${answer.fault}`);
    return null;
  };
  const settings = {
    publicUrl: required(given.publicUrl, "--public-url", (text) => urlAnswer("NDR_PUBLIC_URL", text)),
    issuer: required(given.issuer, "--issuer", (text) => urlAnswer("NDR_OIDC_ISSUER", text)),
    clientId: required(given.clientId, "--client-id", textAnswer),
    clientSecret: required(given.clientSecret, "--client-secret-file or NDR_OIDC_CLIENT_SECRET", textAnswer),
    administrator: required(given.administrator, "--administrator", administratorAnswer),
    tenant: given.tenant,
    networks: given.networks === null ? null : required(given.networks, "--networks", networksAnswer),
  };
  for (const fault of faults) fail(fault);
  return faults.length === 0 ? settings as Settings : null;
}

function textAnswer(text: string): { value: string } | { fault: string } {
  return text === "" ? { fault: "expected an answer" } : { value: text };
}

/** Null if the answers end before the last question. */
async function dialogue(
  terminal: Terminal,
  given: Given,
  flags: SetupFlags,
  io: SetupIo,
): Promise<Settings | null> {
  terminal.say("Enter keeps what stands in brackets. Nothing is written before you say yes.");
  terminal.say("");
  const ask = <T>(
    question: string,
    read: (text: string) => { value: T } | { fault: string },
    text: string | null,
    isSecret = false,
  ) => askFor(terminal, question, read, { text: text ?? "", isSecret });
  const publicUrl = await ask(
    "Address of the dashboard for browsers, such as https://ndr.example.org",
    (text) => urlAnswer("NDR_PUBLIC_URL", text),
    given.publicUrl,
  );
  if (publicUrl === null) return null;
  let { issuer, clientId, clientSecret } = given;
  while (true) {
    issuer = await ask(
      "Issuer URL of the OIDC provider",
      (text) => urlAnswer("NDR_OIDC_ISSUER", text),
      issuer,
    );
    if (issuer === null) return null;
    clientId = await ask("Client id at the provider", textAnswer, clientId);
    if (clientId === null) return null;
    clientSecret = await ask("Client secret (not shown)", textAnswer, clientSecret, true);
    if (clientSecret === null) return null;
    const provider = { issuer, clientId, clientSecret, publicUrl };
    if (await isProviderUsable(provider, flags, io, (line) => terminal.say(`  ${line}`))) break;
    terminal.say("  Correct it here; ndr setup --no-provider-check does not ask the provider.");
  }
  const administrator = await ask(
    "First administrator, as a claim of the sign-in: groups=<group>, sub=<subject>, email=<address>",
    administratorAnswer,
    given.administrator,
  );
  if (administrator === null) return null;
  const networks = await ask(
    "Networks of the site, separated by commas; none stands for the private ranges",
    (text) => text === "" ? { value: [] } : networksAnswer(text),
    given.networks,
  );
  if (networks === null) return null;
  return {
    publicUrl,
    issuer,
    clientId,
    clientSecret,
    administrator,
    tenant: given.tenant,
    networks: networks.length === 0 ? null : networks,
  };
}

async function isProviderUsable(
  provider: Pick<Settings, "issuer" | "clientId" | "clientSecret" | "publicUrl">,
  { providerCheck }: SetupFlags,
  { say, resolve }: SetupIo,
  fail: (line: string) => void,
): Promise<boolean> {
  if (!providerCheck) return true;
  const fault = await providerFault(provider, resolve);
  if (fault === null) say("The provider answers, and accepts the client id and the secret.");
  else fail(fault);
  return fault === null;
}
