// Follows every source of attempts that come to nothing.
import { isOneHost } from "../../../kit/net/ip.ts";
import { type Attempt, fruitlessAttempt } from "../kernel/attempt.ts";
import type { Detector, Evaluate, Sighting, StateLookup, StateType } from "../kernel/detector.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import {
  evaluateScan,
  type PatternName,
  portPattern,
  SCAN,
  type ScanContext,
  targetPattern,
} from "./score.ts";
import type { DetectorResult } from "../kernel/result.ts";
import {
  addKnock,
  decodeScan,
  encodeScan,
  type Knock,
  type ScanState,
  type Track,
  type TrackSort,
  weighScan,
} from "../kernel/tracks.ts";

/**
 * Outside sources share so many states, six each: a flood of forged sources takes no more room than that, and costs only
 * the sight of those that it pushes out.
 */
export const OUTSIDE_STATES = 128;

/** Keys: a device, or `outside <number>`. */
export const SCAN_ATTEMPTS: StateType<ScanState> = {
  id: 10,
  name: "knocks",
  keepDays: 3,
  empty: () => ({ tracks: [] }),
  encode: encodeScan,
  decode: decodeScan,
  size: weighScan,
};

export const SCAN_DETECTOR: Detector = {
  info: SCAN,
  states: [SCAN_ATTEMPTS],
  // A reply's half may be exported first: then the SYN only grows its flow.
  feeds: ["connection", "growth"],
  match(sighting, need) {
    const attempt = fruitlessAttempt(sighting);
    return attempt === null ? null : attendAttempt(attempt, sighting, need);
  },
};

/** Apart from `attend`, which most sightings leave at once: only here anything is captured, and room made for it. */
function attendAttempt(attempt: Attempt, sighting: Sighting, need: StateLookup): Evaluate | null {
  const { client, server, port, at } = attempt;
  const { site, evidence } = sighting;
  const ref = { ...evidence, observedAt: at };
  const knock = (value: string): Knock => ({ value, port, at, ref });
  const targetName = server.deviceId === null ? server.ip : site.nameOf(server.deviceId);

  if (client.deviceId === null) {
    if (client.internal || !server.internal || port === null || !isOneHost(client.ip)) return null;
    const slot = need(SCAN_ATTEMPTS, `outside ${hash32(client.ip) % OUTSIDE_STATES}`);
    return () => {
      const track = addKnock(slot.state, "source", client.ip, knock(`${server.ip} ${port}`));
      if (track === null) return null;
      slot.save(slot.state);
      const context: ScanContext = {
        pattern: "fromOutside",
        sort: "source",
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
  const slot = need(SCAN_ATTEMPTS, deviceId);
  return () => {
    const { state } = slot;
    const side = server.internal ? "in" : "out";
    const added: [Track | null, TrackSort, PatternName][] = [];
    if (ofPort !== null) {
      const track = addKnock(state, "port", `${side} ${attempt.proto} ${port}`, knock(server.ip));
      added.push([track, "port", ofPort]);
    }
    if (ofTarget !== null) {
      const track = addKnock(state, "target", server.ip, knock(`${attempt.proto} ${port}`));
      added.push([track, "target", ofTarget]);
    }
    if (server.internal && port !== null) {
      const track = addKnock(state, "any", "inside", knock(`${server.ip} ${attempt.proto} ${port}`));
      added.push([track, "any", "insideSweep"]);
    }
    if (added.every(([track]) => track === null)) return null;
    slot.save(state);
    const context = { deviceId, sourceName: site.nameOf(deviceId), attempt, targetName };
    let best: { track: Track; result: DetectorResult } | null = null;
    for (const [track, sort, pattern] of added) {
      if (track === null || (sort === "any" && isTold(state, track))) continue;
      const result = evaluateScan(track, { ...context, sort, pattern });
      if (result !== null && (best === null || result.score > best.result.score)) best = { track, result };
    }
    return best === null ? null : report(best.track, best.result);
  };
}

/** What lies behind a sweep may be one port or one host only, which their own tracks tell better. */
function isTold({ tracks }: ScanState, sweep: Track): boolean {
  return tracks.some((track) => track !== sweep && track.day.count * 2 > sweep.day.count);
}

function report(track: Track, result: DetectorResult): DetectorResult {
  track.reported = result.score;
  return result;
}
