// What a health report means to a person: whether the appliance sees, what is wrong first, and what to do about it.

import type { FailureClass } from "../../contract/connector/connector.ts";
import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { formatWord, plural } from "../ui/format.ts";

/** What each kind of component is, where its name does not say so. */
export const KINDS: Readonly<Record<string, string>> = {
  store: "the database",
  pipeline: "makes flows, devices and incidents of records",
  disk: "room on the database's disk",
  retention: "how long records are kept within the room they have",
  intelligence: "list of known threats",
  geoip: "where addresses are",
  license: "what the plan allows",
  telemetry: "the daily heartbeat",
  update: "looks for newer versions",
};

export interface Group {
  title: string;
  note: string;
  kinds: readonly string[];
}

export const SENSORS: Group = {
  title: "Sensors",
  note: "by receipt time, so a wrong clock at a sensor does not matter",
  kinds: ["sensor"],
};
export const CONNECTORS: Group = {
  title: "Connectors",
  note: "where events are sent; counted since the service started",
  kinds: ["connector"],
};
export const CORE: Group = {
  title: "Appliance",
  note: "what keeps records and works on them",
  kinds: ["store", "pipeline", "disk", "retention"],
};
export const FILES: Group = {
  title: "Files",
  note: "read again by themselves when they change",
  kinds: ["intelligence", "geoip"],
};
export const SERVICES: Group = {
  title: "Licence, heartbeat, updates",
  note: "they never change the overall status",
  kinds: ["license", "telemetry", "update"],
};
const GROUPS: readonly Group[] = [CORE, SENSORS, CONNECTORS, FILES, SERVICES];

const OFF: readonly (string | null)[] = ["disabled", "unlicensed", "off"];

/** Switched off is not out of order. */
export function isOff({ message }: Pick<HealthComponent, "message">): boolean {
  return OFF.includes(message);
}

const WORST_FIRST: readonly HealthStatus[] = ["unavailable", "degraded", "stale", "ok"];

function rank(component: HealthComponent): number {
  return isOff(component) ? WORST_FIRST.length : WORST_FIRST.indexOf(component.status);
}

/** The components of a group, what is worst first; what no group knows is the appliance's own. */
export function membersOf(group: Group, components: readonly HealthComponent[]): HealthComponent[] {
  const known = GROUPS.flatMap(({ kinds }) => kinds);
  const isMember = (kind: string) =>
    group.kinds.includes(kind) || (group === CORE && kind !== "appliance" && !known.includes(kind));
  return components.filter(({ kind }) => isMember(kind)).sort((a, b) =>
    rank(a) - rank(b) || group.kinds.indexOf(a.kind) - group.kinds.indexOf(b.kind) ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}

/** Without the store nothing is known of these: it is the one to look at. */
const NEED_THE_STORE: readonly string[] = ["sensor", "pipeline", "connector"];

/** What somebody has to look at, worst first; neither what is switched off nor what makes nothing worse. */
export function troubles(components: readonly HealthComponent[]): HealthComponent[] {
  const storeIsOut = isOut("store", components);
  return GROUPS.filter((group) => group !== SERVICES)
    .flatMap((group) => membersOf(group, components))
    .filter(({ kind }) => !storeIsOut || !NEED_THE_STORE.includes(kind))
    .filter((component) => component.status !== "ok" && !isOff(component))
    .sort((a, b) => rank(a) - rank(b));
}

/** `edge` of `sensor:edge`, as its kind stands beside it; `Pipeline` of `pipeline`. */
export function shortName({ id, kind }: Pick<HealthComponent, "id" | "kind">): string {
  if (id === "license") return "Licence";
  return id === kind ? formatWord(id) : id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : id;
}

/** The one sentence for somebody who comes back after months: does it see, and if not, why. */
export function headline({ status, components }: Pick<HealthReport, "status" | "components">): string {
  const blind = blindness(components);
  if (blind !== null) return blind;
  const silent = silentOf(components);
  if (silent > 0) {
    const sensors = components.filter(({ kind }) => kind === "sensor").length;
    return `Partly blind: ${silent} of ${sensors} sensors ${silent === 1 ? "is" : "are"} silent.`;
  }
  if (status === "ok") return "Everything works and records arrive.";
  const wrong = troubles(components).length;
  if (wrong === 0) return "Records arrive, but something does not work as it should.";
  const verb = wrong === 1 ? "does" : "do";
  return `Records arrive, but ${plural(wrong, "part")} of the appliance ${verb} not work as it should.`;
}

/** Whether it is there and cannot do its work. */
export function isOut(id: string, components: readonly HealthComponent[]): boolean {
  return components.some((one) => one.id === id && one.status === "unavailable");
}

function silentOf(components: readonly HealthComponent[]): number {
  return components.filter(({ kind, status }) => kind === "sensor" && status === "stale").length;
}

/** Why nothing at all is seen, or null. */
function blindness(components: readonly HealthComponent[]): string | null {
  if (isOut("store", components)) return "Blind: the database does not answer, so no record is taken in.";
  if (isOut("disk", components)) return "Blind: the disk is full, so no record is taken in.";
  if (isOut("pipeline", components)) return "Blind: records are kept, but nothing is made of them.";
  const sensors = components.filter(({ kind }) => kind === "sensor");
  if (sensors.length === 0) return "Blind: there is no sensor.";
  if (silentOf(components) < sensors.length) return null;
  if (sensors.every(({ last_event_at: last }) => last === null)) {
    return "Blind: no sensor has sent a record yet.";
  }
  return sensors.length === 1
    ? "Blind: the only sensor is silent."
    : `Blind: all ${sensors.length} sensors are silent.`;
}

/** What an administrator does about it, commands between backticks; null where the message says so itself. */
export function remedy(component: HealthComponent): string | null {
  const { kind, status, last_event_at: last } = component;
  switch (kind) {
    case "store":
      return "See that PostgreSQL runs and has room, and what `journalctl -u ndr-core` says. Transports keep records until " +
        "it answers again.";
    case "pipeline":
      return "Nothing is lost, records wait. Where it stays behind, the machine is too slow for this traffic: see its " +
        "processors, its disk and `journalctl -u ndr-core`.";
    case "sensor":
      if (status === "degraded") {
        return "Traffic goes by unseen: give the sensor more processors, a better network card, or less traffic.";
      }
      return last === null
        ? "See that the sensor runs, that its transport sends to the ingest listener, and that it has the right token."
        : "See that the sensor and its transport run, and that the link it watches still carries traffic.";
    case "connector":
      return `${failureRemedy(component)}\`ndr connectors test ${shortName(component)} --live\` tries it. ` +
        "Events wait for up to seven days and are sent in order once it works.";
    default:
      return null;
  }
}

function failureRemedy({ connector }: HealthComponent): string {
  const failure = connector?.failure_class ?? null;
  return failure === null ? "" : `${FAILURES[failure]} `;
}

const FAILURES: Readonly<Record<FailureClass, string>> = {
  auth: "The receiver wants other credentials: compare the secret on both sides.",
  forbidden: "The receiver, or a proxy before it, forbids the request: allow this appliance there.",
  tls:
    "The receiver's certificate is not trusted: renew it there, install its authority, or correct the fingerprint.",
  unreachable:
    "The receiver cannot be reached or is out of service: see its address, the firewall and itself.",
  timeout: "The receiver takes too long: see its load and the network.",
  rate_limited: "The receiver wants fewer calls: raise its limit for this appliance.",
  rejected: "The receiver refuses events for good: see its address and what it accepts.",
  unexpected_shape: "What answers is no webhook receiver: see scheme, port and path of its address.",
};
