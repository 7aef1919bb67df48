// Tracks failed logons of every source and reports password guessing.
import type { Micros } from "../../record/observation.ts";
import { endsOf } from "../kernel/attempt.ts";
import type { Detector, Party, Sighting } from "../kernel/detector.ts";
import { outsideKey } from "../kernel/peer.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { defineVersionedState } from "../kernel/state/schema.ts";
import {
  addAttempt,
  findTrack,
  firstTrackFields,
  MAX_STATE_TRACKS,
  type Track,
  trackFields,
  type TrackKind,
  type TrackState,
} from "../kernel/tracks.ts";
import { blindLogon, type Logon, logonOf } from "./logon.ts";
import type { BruteContext, GuessPattern } from "./pattern.ts";
import { BRUTE_FORCE, evaluateBruteForce } from "./score.ts";

/** Number of states that all outside sources share, with six servers each. */
const OUTSIDE_STATES = 128;

/** A successful logon later than this after the last failure is unrelated to it. */
const SUCCESS_WITHIN: Micros = 3_600_000_000;

/**
 * Keys: a device, or `outside <number>`. A device's tracks: its servers, its ways of spraying, where a logon
 * succeeded.
 */
export const LOGONS = defineVersionedState<TrackState>({
  id: 14,
  name: "logons",
  keepDays: 3,
  empty: () => ({ tracks: [] }),
  versions: [
    { version: 2, fields: trackFields(MAX_STATE_TRACKS) },
    { version: 1, fields: firstTrackFields(MAX_STATE_TRACKS), matches: () => false },
  ],
});

export const BRUTE_DETECTOR: Detector = {
  info: BRUTE_FORCE,
  states: [LOGONS],
  feeds: ["connection", "ssh", "kerberos", "smb"],
  match(sighting, states) {
    const { observation, connection, src, dst, evidence } = sighting;
    const recorded = observation.facts === null ? null : logonOf(observation.facts);
    const logon = recorded ?? (connection === null ? null : blindLogon(connection));
    if (logon === null) return null;
    const { client, server } = recorded === null ? endsOf(sighting) : { client: src, server: dst };
    if (client.ip === server.ip) return null;
    const outside = client.deviceId === null;
    if (outside && (client.internal || !server.internal)) return null;
    const key = outside ? `outside ${hash32(outsideKey(client.ip)) % OUTSIDE_STATES}` : client.deviceId!;
    const entry = states(LOGONS, key);
    return () => {
      const { state } = entry;
      const at = observation.start;
      const ref = { ...evidence, observedAt: at };
      const counts = outside ? countsOfOutside(logon, client, server) : countsOfDevice(state, logon, server);
      let best: { track: Track; result: DetectorResult } | null = null;
      let changed = false;
      for (const { pattern, kind, subject, values } of counts) {
        let track: Track | null = null;
        for (const value of values ?? passwords(logon, evidence.evidenceId)) {
          track = addAttempt(state, kind, subject, { value, port: null, at, ref }) ?? track;
        }
        changed ||= track !== null;
        // A success is not counted itself; it raises the score of the failures before it.
        if (logon.outcome === "succeeded") track = recent(findTrack(state, kind, subject), at);
        if (pattern === null || track === null) continue;
        const result = evaluateBruteForce(track, contextOf(sighting, pattern, logon, { client, server }));
        if (result !== null && (best === null || result.score > best.result.score)) best = { track, result };
      }
      if (best !== null) best.track.reportedScore = best.result.score;
      if (changed || best !== null) entry.save(state);
      return best?.result ?? null;
    };
  },
};

/** What to count on which track. Subjects are hashed into stored states: do not reword them. */
interface Count {
  /** Null if the track is only kept for later lookups. */
  pattern: GuessPattern | null;
  kind: TrackKind;
  subject: string;
  /** Without values, each password tried counts. */
  values?: readonly string[];
}

function countsOfDevice(state: TrackState, logon: Logon, server: Party): Count[] {
  const { service, outcome, user, weakTicket } = logon;
  const subject = `${service} ${server.ip}`;
  const guessing: GuessPattern = service === "Kerberos" ? "kerberos" : "guessing";
  if (weakTicket !== null) {
    return [{ pattern: "tickets", kind: "port", subject: "tickets", values: [weakTicket.of] }];
  }
  switch (outcome) {
    case "failed": {
      const counts: Count[] = [{ pattern: guessing, kind: "target", subject }];
      if (user !== null) {
        const values = [user.toLowerCase()];
        counts.push({ pattern: "accounts", kind: "port", subject: `accounts ${service}`, values });
      }
      counts.push({ pattern: "servers", kind: "port", subject: `servers ${service}`, values: [server.ip] });
      return counts;
    }
    case "succeeded":
      return [
        { pattern: null, kind: "any", subject: "worked", values: [subject] },
        { pattern: guessing, kind: "target", subject, values: [] },
        { pattern: "accounts", kind: "port", subject: `accounts ${service}`, values: [] },
      ];
    case "unknown":
      return server.internal
        ? []
        : [{ pattern: "strangers", kind: "port", subject: "strangers", values: [server.ip] }];
    case "blind":
      // A device whose logons are known to succeed there is not guessing.
      if (findTrack(state, "any", "worked")?.day.has(subject)) return [];
      return [{ pattern: "blind", kind: "target", subject: `blind ${subject}` }];
  }
}

/** For outside sources, recorded failures, later successes and short sessions count. */
function countsOfOutside(logon: Logon, client: Party, server: Party): Count[] {
  const subject = `${outsideKey(client.ip)} ${logon.service} ${server.ip}`;
  switch (logon.outcome) {
    case "blind":
      return [{ pattern: "blind", kind: "source", subject: `blind ${subject}` }];
    case "failed":
      return [{ pattern: "fromOutside", kind: "source", subject }];
    case "succeeded":
      return [{ pattern: "fromOutside", kind: "source", subject, values: [] }];
    case "unknown":
      return [];
  }
}

/** One value per password tried in the session. */
function passwords({ attempts }: Logon, evidenceId: string): string[] {
  return Array.from({ length: attempts }, (_, index) => `${evidenceId} ${index}`);
}

function recent(track: Track | null, at: Micros): Track | null {
  return track !== null && Math.abs(at - track.last) <= SUCCESS_WITHIN ? track : null;
}

function contextOf(
  { site }: Sighting,
  pattern: GuessPattern,
  logon: Logon,
  { client, server }: { client: Party; server: Party },
): BruteContext {
  const nameOf = ({ deviceId, ip }: Party) => deviceId === null ? ip : site.nameOf(deviceId);
  const devices = [client.deviceId, server.deviceId].filter((id) => id !== null);
  return {
    pattern,
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
