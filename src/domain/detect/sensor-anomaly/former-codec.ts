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
import type { AnomalyLevel } from "./events.ts";
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
const MEANINGS = ["noise", "odd", "suspicious", "leak"] as const satisfies readonly AnomalyLevel[];

interface Counted {
  name: string;
  count: number;
}

/** A device's anomalies in one stretch. */
interface AnomaliesState extends Stretch {
  count: number;
  worst: AnomalyLevel;
  /** The first of each, by event and by peer. */
  events: Counted[];
  peers: Counted[];
  evaluated: { count: number; worst: AnomalyLevel };
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
