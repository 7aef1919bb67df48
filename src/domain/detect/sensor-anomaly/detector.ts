// Deviations from protocols that a sensor remarked on, as far as they tell of a device. They hardly ever make an incident of
// their own: below REPORT_SCORE they stand beside what others say of the device, and raise it. What many devices show at
// once is a matter of the capture.
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import { points } from "../kernel/callback/modifiers.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { Detector, Sighting, StateType } from "../kernel/detector.ts";
import { addRef, readRefs, writeRefs } from "../kernel/state/refs.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  type EvidenceRef,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { eventWords, type Meaning, meaningOf } from "./events.ts";
import { clamp01 } from "../kernel/stats.ts";
import { beginsAnew, begunAt, goOn, type Stretch } from "../kernel/stretch.ts";
import { list, plural, shortened, within } from "../kernel/wording.ts";

const SENSOR_ANOMALY: DetectorInfo = {
  modelId: "sensor-anomaly",
  version: "1",
  title: "Protocol anomalies",
  technique: null,
  description:
    "Conversations of a device that are not what they seem, as the sensor remarks; mostly as a hint beside others.",
};

/** Points of the worst event; what is only odd has to come in numbers to be worth a word. */
const MEANING_POINTS = { odd: 8, telling: 13, leak: 35 } as const;
const NUMBER_POINTS = { points: 4, full: 100 } as const;
/** So many odd ones of one peer, and most of the device's, are more than a client that cannot count. */
const CONCENTRATED = { points: 2, events: 10, share: 0.5 } as const;
/** Odd events alone are told from this number on. */
const MIN_ODD = 10;
/** An event that so many devices, and this share of them, show is the sensor's or the capture's. */
const SITE_WIDE = { users: 4, share: 0.2 } as const;
const MAX_PEERS = 8;
/** Peers and events that the summary names. */
const NAMED = 3;
const MAX_EVENTS = 6;
const MAX_REFS = 8;
const MAX_NAME = 64;
const VERSION = 1;
const MEANINGS = ["noise", "odd", "telling", "leak"] as const satisfies readonly Meaning[];

interface Counted {
  name: string;
  count: number;
}

/** A device's anomalies in one stretch. */
interface AnomaliesState extends Stretch {
  count: number;
  worst: Meaning;
  /** The first of each, by event and by peer. */
  events: Counted[];
  peers: Counted[];
  evaluated: { count: number; worst: Meaning };
  refs: EvidenceRef[];
}

/** Key: the device. At most about 1.4 kB. */
export const ANOMALIES: StateType<AnomaliesState> = {
  id: 34,
  name: "anomalies",
  keepDays: 14,
  empty: emptyAnomalies,
  encode(state) {
    const out = new ByteWriter(256 + 40 * state.refs.length);
    out.varint(VERSION);
    out.float(state.firstSeen);
    out.float(state.lastSeen);
    out.varint(state.stale);
    out.varint(state.count);
    out.varint(MEANINGS.indexOf(state.worst));
    for (const counted of [state.events, state.peers]) {
      out.varint(counted.length);
      for (const { name, count } of counted) {
        out.text(name);
        out.varint(count);
      }
    }
    out.varint(state.evaluated.count);
    out.varint(MEANINGS.indexOf(state.evaluated.worst));
    writeRefs(out, state.refs);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`anomalies: expected version ${VERSION}, got ${version}`);
    const state = emptyAnomalies();
    state.firstSeen = from.float();
    state.lastSeen = from.float();
    state.stale = from.varint();
    state.count = from.varint();
    state.worst = MEANINGS[from.varint()]!;
    for (const counted of [state.events, state.peers]) {
      for (let left = from.varint(); left > 0; left--) {
        counted.push({ name: from.text(), count: from.varint() });
      }
    }
    state.evaluated = { count: from.varint(), worst: MEANINGS[from.varint()]! };
    state.refs = readRefs(from);
    from.end();
    return state;
  },
  size: ({ events, peers, refs }) => 260 + 120 * (events.length + peers.length) + 220 * refs.length,
};

function emptyAnomalies(): AnomaliesState {
  return {
    ...begunAt(0),
    count: 0,
    worst: "noise",
    events: [],
    peers: [],
    evaluated: { count: 0, worst: "noise" },
    refs: [],
  };
}

export const ANOMALY_DETECTOR: Detector = {
  info: SENSOR_ANOMALY,
  feeds: ["anomaly"],
  match(sighting, need) {
    const { facts } = sighting.observation;
    if (facts?.type !== "anomaly") return null;
    const meaning = meaningOf(facts);
    if (meaning === "noise") return null;
    // Which end began it the record does not say.
    const [own, peer] = sighting.src.deviceId !== null
      ? [sighting.src, sighting.dst]
      : [sighting.dst, sighting.src];
    const { deviceId } = own;
    if (deviceId === null) return null;
    const event = facts.event.slice(0, MAX_NAME).toWellFormed();
    const anomalies = need(ANOMALIES, deviceId);
    const users = need(PREVALENCE, `anomaly ${event}`);
    return () => {
      const { observation, deviceCount } = sighting;
      if (addUser(users.state, deviceId, observation.start)) users.save(users.state);
      const { count } = users.state.users;
      if (count >= SITE_WIDE.users && count >= SITE_WIDE.share * deviceCount) return null;
      const state = add(anomalies.state, sighting, event, meaning, peer.ip);
      anomalies.save(state);
      if (!isDue(state)) return null;
      state.evaluated = { count: state.count, worst: state.worst };
      return judge(state, deviceId, sighting.site.nameOf(deviceId));
    };
  },
};

function add(
  known: AnomaliesState,
  sighting: Sighting,
  event: string,
  meaning: Meaning,
  peerIp: string,
): AnomaliesState {
  const at = sighting.observation.observedAt;
  const begins = known.count === 0 || beginsAnew(known, at);
  const state = begins ? { ...emptyAnomalies(), ...begunAt(at) } : known;
  if (!begins) goOn(state, at);
  state.count++;
  if (MEANINGS.indexOf(meaning) > MEANINGS.indexOf(state.worst)) state.worst = meaning;
  countOne(state.events, event, MAX_EVENTS);
  countOne(state.peers, peerIp, MAX_PEERS);
  addRef(state.refs, sighting.evidence, MAX_REFS);
  return state;
}

function countOne(counted: Counted[], name: string, limit: number): void {
  const known = counted.find((one) => one.name === name);
  if (known !== undefined) known.count++;
  else if (counted.length < limit) counted.push({ name, count: 1 });
}

/** At the first one that tells something, at ten odd ones, and whenever there are ten times as many. */
function isDue({ count, worst, evaluated }: AnomaliesState): boolean {
  if (worst === "odd" && count < MIN_ODD) return false;
  return worst !== evaluated.worst || count >= 10 * Math.max(1, evaluated.count);
}

function judge(state: AnomaliesState, deviceId: string, deviceName: string): DetectorResult | null {
  if (state.worst === "noise") return null;
  const subScores = shares(state, state.worst);
  const modifiers: SubScore[] = [];
  const full = roundScore(points(subScores));
  // Only a leak is something by itself.
  if (state.worst !== "leak" && full >= REPORT_SCORE) {
    const value = Math.round((REPORT_SCORE - 1 - full) * 10) / 10;
    modifiers.push({ name: "hint", value, weight: 1, detail: "anomalies alone are no incident" });
  }
  const busiest = [...state.events].sort((a, b) => b.count - a.count).map(({ name }) =>
    eventWords(shortened(name))
  );
  const peers = [...state.peers].sort((a, b) => b.count - a.count);
  const words = list(busiest.slice(0, NAMED));
  const named = peers.slice(0, NAMED).map(({ name }) => name);
  return {
    modelId: SENSOR_ANOMALY.modelId,
    modelVersion: SENSOR_ANOMALY.version,
    technique: SENSOR_ANOMALY.technique,
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: peers.map(({ name }) => ({ ip: name, name: null, port: null })),
    groupKey: `${deviceId}|anomalies`,
    subject: `protocol anomalies of ${deviceName}`,
    title: state.worst === "leak"
      ? `${deviceName} leaks or draws memory by TLS heartbeats`
      : `Conversations of ${deviceName} are not what they seem`,
    phrase: state.worst === "leak" ? "memory leaked by TLS heartbeats" : `protocol anomalies (${words})`,
    summary:
      `The sensor made ${plural(state.count, "remark")} ${
        within(state.firstSeen, state.lastSeen)
      } on conversations ` +
      `of ${deviceName} with ${list([...named, ...(peers.length > NAMED ? ["others"] : [])])}: ${words}.`,
    explanation:
      `Tunnels and home-made protocols of intruders stray from what a port is for, and so do faulty programs and ` +
      `captures with gaps; events of which the last are the usual cause are left out. By itself this says little: see what ` +
      `else is known of ${deviceName} and of these peers.`,
    score: roundScore(points(subScores) + points(modifiers)),
    confidence: state.worst === "leak" ? 0.5 : 0.2,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}

function shares({ count, peers }: AnomaliesState, worst: Exclude<Meaning, "noise">): SubScore[] {
  const most = Math.max(...peers.map((peer) => peer.count));
  const concentrated = most >= CONCENTRATED.events && most >= CONCENTRATED.share * count;
  const number = clamp01(Math.log(count) / Math.log(NUMBER_POINTS.full));
  return [
    {
      name: "event",
      value: 1,
      weight: MEANING_POINTS[worst],
      detail: `the worst is ${worst === "leak" ? "a leak" : worst}`,
    },
    {
      name: "number",
      value: Math.round(number * 1000) / 1000,
      weight: NUMBER_POINTS.points,
      detail: plural(count, "anomaly").replace("anomalys", "anomalies"),
    },
    {
      name: "one_peer",
      value: concentrated ? 1 : 0,
      weight: CONCENTRATED.points,
      detail: `${most} with one peer`,
    },
  ];
}
