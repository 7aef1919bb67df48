// Sensors on this machine: which there are, and what connects them.

import { withVariable } from "../../config/env-file.ts";
import { readEnvironment } from "../../config/environment.ts";
import { listSources, SOURCES_FILE } from "../../config/sources.ts";
import { Variables } from "../../config/variables.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { sourceAddition, SourceInputError } from "../sources/add.ts";
import { kindOf, SENSOR_KINDS, type SensorKind } from "../sources/kinds.ts";
import { TRANSPORT_FOLDER, transportOf, withToken } from "../sources/transport.ts";
import type { FileChange, SetupFiles } from "./files.ts";
import { serviceInput } from "./settings.ts";

/** Where each kind of sensor is on Debian, and what settings.conf calls its output. */
const PLACES: Readonly<Record<SensorKind, { programs: readonly string[]; output: string; define: string }>> =
  {
    suricata: {
      programs: ["/usr/bin/suricata", "/usr/sbin/suricata"],
      output: "/var/log/suricata/eve.json",
      define: "ndr-eve-file",
    },
    zeek: {
      programs: ["/opt/zeek/bin/zeek", "/usr/bin/zeek"],
      output: "/opt/zeek/logs/current",
      define: "ndr-zeek-dir",
    },
    netflow: {
      programs: ["/usr/sbin/nfacctd"],
      output: "/var/spool/ndr/netflow/flows.json",
      define: "ndr-netflow-file",
    },
    unbound: {
      programs: ["/usr/sbin/unbound"],
      output: "/var/lib/unbound/ndr.log",
      define: "ndr-unbound-file",
    },
  };
const SYSLOG_NG = "/usr/sbin/syslog-ng";
const SOFTFLOWD = "/usr/sbin/softflowd";
/** Its output is not older than this, in seconds. */
const GROWING_SECONDS = 300;

/** A sensor to connect: the file or folder that it writes, or softflowd's network interface. */
export interface WantedSensor {
  kind: SensorKind | "softflowd";
  place: string;
}

interface FoundSensor extends WantedSensor {
  /** What was found, for people. */
  about: string;
  isConnected: boolean;
}

/** softflowd comes last, without an interface: it exports to nfacctd. */
export function findSensors(files: SetupFiles, configDir: string, now = Date.now()): FoundSensor[] {
  const found = SENSOR_KINDS.flatMap((kind): FoundSensor[] => {
    const program = PLACES[kind].programs.find((path) => files.exists(path));
    const place = kind === "suricata" ? suricataOutput(files) : PLACES[kind].output;
    const writtenAt = files.writtenAt(place);
    if (program === undefined && writtenAt === null) return [];
    const state = writtenAt === null
      ? "does not exist yet"
      : now - writtenAt < GROWING_SECONDS * 1000
      ? "growing"
      : "not written lately";
    const problem = kind === "zeek" && files.startOf(`${place}/conn.log`) === "#"
      ? " in Zeek's own format, which the core rejects: @load policy/tuning/json-logs"
      : "";
    const about = `${writtenAt === null ? `${program}; ` : ""}${place}, ${state}${problem}`;
    return [{ kind, place, about, isConnected: isConnected(files, configDir, kind) }];
  });
  if (!files.exists(SOFTFLOWD)) return found;
  const isConnectedToo = files.exists("/etc/softflowd/ndr.conf");
  return [...found, { kind: "softflowd", place: "", about: SOFTFLOWD, isConnected: isConnectedToo }];
}

/** The EVE file that Suricata's configuration names. */
function suricataOutput(files: SetupFiles): string {
  const { output } = PLACES.suricata;
  const text = files.read("/etc/suricata/suricata.yaml") ?? "";
  const folder = /^default-log-dir: *["']?(\/[^\s"'#]+)/m.exec(text)?.[1] ?? "/var/log/suricata/";
  const eve = /^ *- eve-log:(?:\n(?! *- ).*)*?\n *filename: *["']?([^\s"'#]+)/m.exec(text)?.[1];
  if (eve === undefined) return output;
  const path = eve.startsWith("/") ? eve : `${folder.replace(/\/+$/, "")}/${eve}`;
  return "value" in sensorAnswer(`suricata=${path}`) ? path : output;
}

function isConnected(files: SetupFiles, configDir: string, kind: SensorKind): boolean {
  const entry = entryOf(files, configDir, [], kind);
  return entry?.enabled === true && transportOf(kind).files.every(({ to }) => files.exists(to));
}

/** `suricata=/var/log/suricata/eve.json`, `zeek`, `softflowd=eth1`. */
export function sensorAnswer(text: string): { value: WantedSensor } | { fault: string } {
  const [, name, place] = /^([a-z]+)(?:=(.+))?$/.exec(text) ?? [];
  const kind = ([...SENSOR_KINDS, "softflowd"] as const).find((one) => one === name);
  if (kind === undefined) {
    return { fault: `expected one of ${SENSOR_KINDS.join(", ")}, softflowd, got "${text}"` };
  }
  if (kind === "softflowd") {
    return place !== undefined && /^[A-Za-z0-9_.@:-]{1,15}$/.test(place)
      ? { value: { kind, place } }
      : { fault: "expected softflowd and its network interface, such as softflowd=eth1" };
  }
  const output = place ?? PLACES[kind].output;
  return /^\/[^"`\\\s]+$/.test(output)
    ? { value: { kind, place: output.replace(/\/+$/, "") } }
    : { fault: `expected an absolute path after ${kind}=, without spaces and quotes, got "${output}"` };
}

export interface Connection {
  /** All changes, with those before. */
  changes: FileChange[];
  /** The sensors' names in sources.yaml. */
  sensorIds: string[];
  /** Folders that must exist. */
  folders: string[];
}

/**
 * Plans to connect sensors, after `before`. An existing file of the transport stays as it is, except for the token, the
 * place and what Debian's package of nfacctd put there.
 *
 * @throws SourceInputError if it cannot be done, ConfigError
 */
export function connection(
  files: SetupFiles,
  configDir: string,
  before: readonly FileChange[],
  wanted: readonly WantedSensor[],
  tenantId: string,
): Connection {
  if (wanted.length > 0 && !files.exists(SYSLOG_NG)) {
    throw new SourceInputError(
      "the transport syslog-ng is not installed: apt-get install syslog-ng-core syslog-ng-mod-http",
    );
  }
  const plan = new Plan(files, before);
  const sensorIds: string[] = [];
  for (const { kind, place } of wanted) {
    if (kind === "softflowd") connectSoftflowd(plan, place);
    else sensorIds.push(connectSensor(plan, configDir, { kind, place }, tenantId));
  }
  const changes = plan.changes();
  const isNetflow = wanted.some(({ kind }) => kind === "netflow");
  return { changes, sensorIds, folders: isNetflow ? ["/var/spool/ndr/netflow"] : [] };
}

/** Returns the sensor's name. */
function connectSensor(
  plan: Plan,
  configDir: string,
  { kind, place }: { kind: SensorKind; place: string },
  tenantId: string,
): string {
  const { files } = plan;
  const present = entryOf(files, configDir, plan.changes(), kind);
  const sensorId = present?.source.sensorId ?? kind;
  if (!present?.enabled) {
    const input = serviceInput(files, configDir, plan.changes());
    const addition = sourceAddition(
      input,
      { sensorId, tenantId, kind, exporters: [] },
      (folder) => files.ownerOf(folder),
    );
    for (const change of addition.changes) plan.add(change);
  }
  const { tokenEnv } = entryOf(files, configDir, plan.changes(), kind)!;
  const faults = new Faults();
  const variables = new Variables(
    serviceInput(files, configDir, plan.changes()),
    faults,
    `${configDir}/ndr.env`,
  );
  const token = variables.secret(tokenEnv);
  faults.throwIfAny();
  if (token === null) throw new SourceInputError(`the sensor ${sensorId} has no token in ${tokenEnv}`);

  const transport = transportOf(kind);
  const what = `transport of ${sensorId}`;
  for (const { from, to, mode } of transport.files) {
    const now = plan.read(to);
    const isDebians = to === "/etc/pmacct/nfacctd.conf" && !now?.includes("print[ndr]");
    if (now === null || isDebians) plan.add({ path: to, text: shipped(files, from), what, mode });
  }
  plan.edit(transport.tokens, what, (text) => withToken(text, transport, token.reveal()));
  plan.edit("/etc/syslog-ng/ndr/settings.conf", what, (text) => {
    const line = new RegExp(`^@define ${PLACES[kind].define} .*$`, "m");
    return text.replace(line, () => `@define ${PLACES[kind].define} "${place}"`)
      .replace(/^(@define ndr-url "http:\/\/)[^/"]*/m, (_, start) => `${start}${coreHost(files, configDir)}`);
  });
  if (kind === "netflow" || kind === "unbound") {
    const path = "/etc/logrotate.d/ndr-transport";
    if (plan.read(path) === null) plan.add({ path, text: shipped(files, "logrotate"), what });
  }
  if (kind === "netflow") {
    const path = "/etc/default/nfacctd";
    const text = withVariable(plan.read(path) ?? "", "NFACCTD_CONF", "/etc/pmacct/nfacctd.conf");
    if (text !== plan.read(path)) plan.add({ path, text, what });
  }
  return sensorId;
}

/** Where the core listens, as in a URL. */
function coreHost(files: SetupFiles, configDir: string): string {
  const { host, port } = readEnvironment(serviceInput(files, configDir), new Faults()).coreListen;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function connectSoftflowd(plan: Plan, networkInterface: string): void {
  const path = "/etc/softflowd/ndr.conf";
  const text = plan.read(path) ?? shipped(plan.files, "softflowd/ndr.conf");
  plan.add({
    path,
    text: text.replace(/^interface=.*$/m, () => `interface='${networkInterface}'`),
    what: `flows of ${networkInterface}`,
  });
}

/** The entry of this kind of sensor, the enabled one first. */
function entryOf(files: SetupFiles, configDir: string, changes: readonly FileChange[], kind: SensorKind) {
  const path = `${configDir}/${SOURCES_FILE}`;
  const text = changes.find((change) => change.path === path)?.text ?? files.read(path) ?? "";
  const own = listSources(text, path, new Faults()).filter(({ source }) =>
    kindOf(source.allowedKinds) === kind
  );
  return own.find(({ enabled }) => enabled) ?? own[0];
}

function shipped(files: SetupFiles, name: string): string {
  const path = `${TRANSPORT_FOLDER}/${name}`;
  const text = files.read(path);
  if (text === null) throw new SourceInputError(`there is no ${path}: install the package ndr again`);
  return text;
}

/** Changes by path, the last text of each. */
class Plan {
  readonly #changes = new Map<string, FileChange>();

  constructor(readonly files: SetupFiles, before: readonly FileChange[]) {
    for (const change of before) this.add(change);
  }

  read(path: string): string | null {
    return this.#changes.get(path)?.text ?? this.files.read(path);
  }

  add(change: FileChange): void {
    const before = this.#changes.get(change.path);
    const what = before === undefined || before.what.includes(change.what)
      ? before?.what ?? change.what
      : `${before.what}; ${change.what}`;
    this.#changes.set(change.path, { ...before, ...change, what, mode: before?.mode ?? change.mode });
  }

  edit(path: string, what: string, edited: (text: string) => string): void {
    const text = this.read(path) ?? "";
    const after = edited(text);
    if (after !== text) this.add({ path, text: after, what });
  }

  /** Those that change something. */
  changes(): FileChange[] {
    return [...this.#changes.values()].filter(({ path, text }) => text !== this.files.read(path));
  }
}
