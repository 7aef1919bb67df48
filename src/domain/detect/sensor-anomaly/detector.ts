// Protocol deviations that a sensor reports about a device. They rarely make an incident of their own: below
// REPORT_SCORE they accompany other results of the device and raise its score. Events that many devices show at once are
// a capture problem and are ignored.
import type { Detector } from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import type { DetectorInfo, DetectorResult } from "../kernel/result.ts";
import { total } from "../kernel/score.ts";
import { levelOf } from "./events.ts";
import { anomalyModifiers, anomalyShares } from "./score.ts";
import { addAnomaly, ANOMALIES, type Anomalies, MAX_EVENT_NAME } from "./state.ts";
import { busiest, describeAnomalies } from "./text.ts";

const SENSOR_ANOMALY: DetectorInfo = {
  modelId: "sensor-anomaly",
  version: "1",
  title: "Protocol anomalies",
  technique: null,
  kind: "sensor",
  description:
    "Protocol anomalies that the sensor reports about a device; mostly a hint in addition to other results.",
  meaning:
    "Tunnels and the protocols of attackers deviate from the standards, and so do faulty programs and captures with gaps. An anomaly alone says little.",
  checks: [
    "whether the sensor loses packets: see Health",
    "what else is known of the device and of the other end",
    "which program speaks the protocol",
  ],
  sources: "Suricata anomalies",
  baseline: "none",
  reports: ["conversations that violate their protocol"],
  ignores: [
    "checksum and stream anomalies, and one-sided captures",
    "anomalies that many devices show",
    "on their own: all anomalies except a memory leak",
  ],
};

/** Odd events alone count from this number on. */
const MIN_ODD = 10;
/** A device is evaluated again when it has this many times more anomalies. */
const REEVALUATE_FACTOR = 10;
/** An event that this many devices, and this share of them, show is caused by the sensor or the capture. */
const SITE_WIDE = { users: 4, share: 0.2 } as const;

export const ANOMALY_DETECTOR: Detector = {
  info: SENSOR_ANOMALY,
  states: [ANOMALIES],
  feeds: ["anomaly"],
  match(sighting, states) {
    const { facts } = sighting.observation;
    if (facts?.type !== "anomaly") return null;
    const level = levelOf(facts);
    if (level === "noise") return null;
    // The record does not say which end caused the event.
    const [own, peer] = sighting.src.deviceId !== null
      ? [sighting.src, sighting.dst]
      : [sighting.dst, sighting.src];
    const { deviceId } = own;
    if (deviceId === null) return null;
    const event = facts.event.slice(0, MAX_EVENT_NAME).toWellFormed();
    const anomalies = states(ANOMALIES, deviceId);
    const users = states(PREVALENCE, `anomaly ${event}`);
    return () => {
      const { observation, deviceCount } = sighting;
      if (addUser(users.state, deviceId, observation.start)) users.save(users.state);
      const { count } = users.state.users;
      if (count >= SITE_WIDE.users && count >= SITE_WIDE.share * deviceCount) return null;
      const state = addAnomaly(anomalies.state, sighting, event, level, peer.ip);
      anomalies.save(state);
      if (!isDue(state)) return null;
      state.evaluated = { count: state.count, worst: state.worst };
      return evaluate(state, deviceId, sighting.site.nameOf(deviceId));
    };
  },
};

/** Due at the first suspicious event, at MIN_ODD odd ones, and at every tenfold. */
function isDue({ count, worst, evaluated }: Anomalies): boolean {
  if (worst === "odd" && count < MIN_ODD) return false;
  return worst !== evaluated.worst || count >= REEVALUATE_FACTOR * Math.max(1, evaluated.count);
}

function evaluate(state: Anomalies, deviceId: string, deviceName: string): DetectorResult | null {
  if (state.worst === "noise") return null;
  const subScores = anomalyShares(state, state.worst);
  const modifiers = anomalyModifiers(subScores, state.worst);
  return {
    modelId: SENSOR_ANOMALY.modelId,
    modelVersion: SENSOR_ANOMALY.version,
    technique: SENSOR_ANOMALY.technique,
    at: state.lastSeen,
    firstSeen: state.firstSeen,
    lastSeen: state.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: busiest(state.peers).map((ip) => ({ ip, name: null, port: null })),
    groupKey: `${deviceId}|anomalies`,
    subject: `protocol anomalies of ${deviceName}`,
    ...describeAnomalies(state, deviceName),
    score: total(subScores, modifiers),
    confidence: state.worst === "leak" ? 0.5 : 0.2,
    subScores,
    modifiers,
    evidence: [...state.refs],
  };
}
