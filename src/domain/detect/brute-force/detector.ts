// Follows the failed log-ons of every source.
import { BRUTE_FORCE, type BruteContext, evaluateBruteForce, type Story } from "./score.ts";
import { endsOf } from "../kernel/attempt.ts";
import type { Detector, Party, Sighting, StateType } from "../kernel/detector.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { blindLogon, type Logon, logonOf } from "./logon.ts";
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import {
  addKnock,
  decodeScan,
  encodeScan,
  type ScanState,
  type Track,
  trackOf,
  type TrackSort,
  weighScan,
} from "../kernel/tracks.ts";

/** Outside sources share so many states, six servers each, however many there are. */
const OUTSIDE_STATES = 128;

/** A log-on that works so long after the last failure is another story. */
const SUCCESS_WITHIN: Micros = 3_600_000_000;

/** Keys: a device, or `outside <number>`. Of a device: its servers, its ways of spraying, where a log-on worked. */
export const LOGONS: StateType<ScanState> = {
  id: 14,
  name: "logons",
  keepDays: 3,
  empty: () => ({ tracks: [] }),
  encode: encodeScan,
  decode: decodeScan,
  size: weighScan,
};

export const BRUTE_DETECTOR: Detector = {
  info: BRUTE_FORCE,
  states: [LOGONS],
  feeds: ["connection", "ssh", "kerberos", "smb"],
  match(sighting, need) {
    const { observation, connection, src, dst, evidence } = sighting;
    const told = observation.facts === null ? null : logonOf(observation.facts);
    const logon = told ?? (connection === null ? null : blindLogon(connection));
    if (logon === null) return null;
    const { client, server } = told === null ? endsOf(sighting) : { client: src, server: dst };
    if (client.ip === server.ip) return null;
    const outside = client.deviceId === null;
    if (outside && (client.internal || !server.internal)) return null;
    const slot = need(LOGONS, outside ? `outside ${hash32(client.ip) % OUTSIDE_STATES}` : client.deviceId!);
    return () => {
      const { state } = slot;
      const at = observation.start;
      const ref = { ...evidence, observedAt: at };
      const counts = outside ? ofOutside(logon, client, server) : ofDevice(state, logon, server);
      let best: { track: Track; result: DetectorResult } | null = null;
      let changed = false;
      for (const { story, sort, about, values } of counts) {
        let track: Track | null = null;
        for (const value of values ?? attempts(logon, evidence.evidenceId)) {
          track = addKnock(state, sort, about, { value, port: null, at, ref }) ?? track;
        }
        changed ||= track !== null;
        // What worked adds nothing to the failures before it: it makes more of them.
        if (logon.outcome === "succeeded") track = recent(trackOf(state, sort, about), at);
        if (story === null || track === null) continue;
        const result = evaluateBruteForce(track, contextOf(sighting, story, logon, { client, server }));
        if (result !== null && (best === null || result.score > best.result.score)) best = { track, result };
      }
      if (best !== null) best.track.reported = best.result.score;
      if (changed || best !== null) slot.save(state);
      return best?.result ?? null;
    };
  },
};

/** One thing to count; without values each password tried is one. */
interface Count {
  /** Null for what is only remembered. */
  story: Story | null;
  sort: TrackSort;
  about: string;
  values?: readonly string[];
}

function ofDevice(state: ScanState, logon: Logon, server: Party): Count[] {
  const { service, outcome, user, weakTicket } = logon;
  const about = `${service} ${server.ip}`;
  const guessing: Story = service === "Kerberos" ? "kerberos" : "guessing";
  if (weakTicket !== null) {
    return [{ story: "tickets", sort: "port", about: "tickets", values: [weakTicket.of] }];
  }
  switch (outcome) {
    case "failed":
      return [
        { story: guessing, sort: "target", about },
        ...user === null ? [] : [
          {
            story: "accounts",
            sort: "port",
            about: `accounts ${service}`,
            values: [user.toLowerCase()],
          } as const,
        ],
        { story: "servers", sort: "port", about: `servers ${service}`, values: [server.ip] },
      ];
    case "succeeded":
      return [
        { story: null, sort: "any", about: "worked", values: [about] },
        { story: guessing, sort: "target", about, values: [] },
        { story: "accounts", sort: "port", about: `accounts ${service}`, values: [] },
      ];
    case "unknown":
      return server.internal
        ? []
        : [{ story: "strangers", sort: "port", about: "strangers", values: [server.ip] }];
    case "blind":
      // Somebody who is known to get in does not guess.
      if (trackOf(state, "any", "worked")?.day.has(about)) return [];
      return [{ story: "blind", sort: "target", about: `blind ${about}` }];
  }
}

/** Of outside sources what a record calls a failure counts, what worked after that, and masses of short sessions. */
function ofOutside(logon: Logon, client: Party, server: Party): Count[] {
  const about = `${client.ip} ${logon.service} ${server.ip}`;
  if (logon.outcome === "blind") return [{ story: "blind", sort: "source", about: `blind ${about}` }];
  if (logon.outcome === "failed") return [{ story: "fromOutside", sort: "source", about }];
  return logon.outcome === "succeeded" ? [{ story: "fromOutside", sort: "source", about, values: [] }] : [];
}

function attempts({ attempts }: Logon, evidenceId: string): string[] {
  return Array.from({ length: attempts }, (_, index) => `${evidenceId} ${index}`);
}

function recent(track: Track | null, at: Micros): Track | null {
  return track !== null && Math.abs(at - track.last) <= SUCCESS_WITHIN ? track : null;
}

function contextOf(
  { site }: Sighting,
  story: Story,
  logon: Logon,
  { client, server }: { client: Party; server: Party },
): BruteContext {
  const nameOf = ({ deviceId, ip }: Party) => deviceId === null ? ip : site.nameOf(deviceId);
  const devices = [client.deviceId, server.deviceId].filter((id) => id !== null);
  return {
    story,
    logon,
    deviceId: client.deviceId ?? server.deviceId,
    deviceIds: [...new Set(devices)],
    sourceName: nameOf(client),
    sourceIp: client.ip,
    serverIp: server.ip,
    serverName: nameOf(server),
    port: server.port,
    outside: client.deviceId === null,
  };
}
