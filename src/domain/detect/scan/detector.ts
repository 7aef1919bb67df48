// Tracks failed connection attempts of every source and reports scans.
import { isOneHost } from "../../../kit/net/ip.ts";
import { type Attempt, failedAttempt } from "../kernel/attempt.ts";
import type { Detector, Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { outsideKey } from "../kernel/peer.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { defineVersionedState } from "../kernel/state/schema.ts";
import {
  addAttempt,
  type CountedAttempt,
  firstTrackFields,
  MAX_STATE_TRACKS,
  type Track,
  trackFields,
  type TrackKind,
  type TrackState,
} from "../kernel/tracks.ts";
import { type PatternName, portPattern, type ScanContext, targetPattern } from "./pattern.ts";
import { evaluateScan, SCAN } from "./score.ts";

/**
 * Number of states that all outside sources share, with six tracks each. A flood of forged sources cannot
 * take more space; it only pushes out other outside sources.
 */
export const OUTSIDE_STATES = 128;

/** Keys: a device, or `outside <number>`. */
export const SCAN_ATTEMPTS = defineVersionedState<TrackState>({
  id: 10,
  name: "attempts",
  keepDays: 3,
  empty: () => ({ tracks: [] }),
  versions: [
    { version: 2, fields: trackFields(MAX_STATE_TRACKS) },
    { version: 1, fields: firstTrackFields(MAX_STATE_TRACKS), matches: () => false },
  ],
});

export const SCAN_DETECTOR: Detector = {
  info: SCAN,
  states: [SCAN_ATTEMPTS],
  // An exporter may send the reply first: then the SYN only grows its flow.
  feeds: ["connection", "growth"],
  match(sighting, states) {
    const attempt = failedAttempt(sighting);
    return attempt === null ? null : matchAttempt(attempt, sighting, states);
  },
};

/** Separate from `match`, which rejects most sightings, so that only attempts pay for the closures. */
function matchAttempt(attempt: Attempt, sighting: Sighting, states: StateLookup): Evaluate | null {
  const { client, server, port, at } = attempt;
  const { site, evidence } = sighting;
  const ref = { ...evidence, observedAt: at };
  const counted = (value: string): CountedAttempt => ({ value, port, at, ref });
  const targetName = server.deviceId === null ? server.ip : site.nameOf(server.deviceId);

  if (client.deviceId === null) {
    if (client.internal || !server.internal || port === null || !isOneHost(client.ip)) return null;
    const entry = states(SCAN_ATTEMPTS, `outside ${hash32(outsideKey(client.ip)) % OUTSIDE_STATES}`);
    return () => {
      const track = addAttempt(entry.state, "source", outsideKey(client.ip), counted(`${server.ip} ${port}`));
      if (track === null) return null;
      entry.save(entry.state);
      const context: ScanContext = {
        pattern: "fromOutside",
        kind: "source",
        deviceId: null,
        sourceName: client.ip,
        attempt,
        targetName,
      };
      const result = evaluateScan(track, context);
      return result === null ? null : report(track, result);
    };
  }

  const { deviceId } = client;
  const ofPort = portPattern(attempt, server.internal);
  const ofTarget = targetPattern(attempt, server.internal);
  if ((ofPort === null && ofTarget === null) || !isOneHost(server.ip)) return null;
  const entry = states(SCAN_ATTEMPTS, deviceId);
  return () => {
    const { state } = entry;
    const side = server.internal ? "in" : "out";
    const added: [Track | null, TrackKind, PatternName][] = [];
    if (ofPort !== null) {
      const track = addAttempt(state, "port", `${side} ${attempt.proto} ${port}`, counted(server.ip));
      added.push([track, "port", ofPort]);
    }
    if (ofTarget !== null) {
      const track = addAttempt(state, "target", server.ip, counted(`${attempt.proto} ${port}`));
      added.push([track, "target", ofTarget]);
    }
    if (server.internal && port !== null) {
      const track = addAttempt(state, "any", "inside", counted(`${server.ip} ${attempt.proto} ${port}`));
      added.push([track, "any", "insideSweep"]);
    }
    if (added.every(([track]) => track === null)) return null;
    entry.save(state);
    const context = { deviceId, sourceName: site.nameOf(deviceId), attempt, targetName };
    let best: { track: Track; result: DetectorResult } | null = null;
    for (const [track, kind, pattern] of added) {
      if (track === null || (kind === "any" && isExplained(state, track))) continue;
      const result = evaluateScan(track, { ...context, kind, pattern });
      if (result !== null && (best === null || result.score > best.result.score)) best = { track, result };
    }
    return best === null ? null : report(best.track, best.result);
  };
}

/** Whether a sweep is mostly one port or one host, whose own track describes it better. */
function isExplained({ tracks }: TrackState, sweep: Track): boolean {
  return tracks.some((track) => track !== sweep && track.day.count * 2 > sweep.day.count);
}

function report(track: Track, result: DetectorResult): DetectorResult {
  track.reportedScore = result.score;
  return result;
}
