// Devices that appear after the learning phase and that no inventory lists. The new devices of one network and day are
// one incident, so that a guest network does not produce hundreds.
import { formatIp, parseIp } from "../../../kit/net/ip.ts";
import { boundedText } from "../kernel/destination-usage.ts";
import type { Detector, Sighting } from "../kernel/detector.ts";
import { type DetectorInfo, type DetectorResult, MAX_DESTINATIONS, REPORT_SCORE } from "../kernel/result.ts";
import { isDueCount, logShare, share, total } from "../kernel/score.ts";
import { list, plural } from "../../../kit/text.ts";
import { MAX_LISTED, NEW_DEVICES, type NewDevices, newDevices } from "./state.ts";
import { describeNewDevices } from "./text.ts";

/** A device that no inventory lists. */
const UNLISTED_POINTS = 20;
/** What further devices of the same network and day add, in full at `full` devices: guests come in groups. */
const CROWD = { full: 30, points: 5 } as const;
/** Characters kept of a host name and of a vendor class. */
const MAX_SELF_DESCRIPTION = 40;

const DAY = 86_400_000_000;

const NEW_DEVICE: DetectorInfo = {
  modelId: "new-device",
  version: "1",
  title: "New device",
  technique: "T1200",
  kind: "device",
  description: "Devices that appear after the learning phase and that no inventory lists.",
  meaning:
    "No device had this address before, and the inventory does not have it. It is usually a new computer, a guest, or a known device with a new address, but may be one that an intruder connected.",
  checks: [
    "who owns it, and where it is connected: the switch or the access point knows",
    "what it did first: scans and logons are unusual for a new computer",
    "whether the network is for guests: then suppress this for the network; otherwise add the device to the inventory",
  ],
  sources: "the first record of a device",
  baseline: "known devices: silent during the learning phase",
  reports: ["devices never seen before; those of one network and day form one result"],
  ignores: ["devices of the inventory", "`low` at most: every result"],
};

export const NEW_DEVICE_DETECTOR: Detector = {
  info: NEW_DEVICE,
  states: [NEW_DEVICES],
  feeds: ["device"],
  match(sighting, states) {
    const unlisted = sighting.newDevices.filter(({ inInventory }) => !inInventory);
    if (unlisted.length === 0) return null;
    const found = unlisted.map(({ deviceId, ip }) => {
      const network = networkOf(ip);
      return { deviceId, ip, network, entry: states(NEW_DEVICES, network) };
    });
    return () => {
      // During the learning phase every device is new.
      if (!sighting.learned) return null;
      let result: DetectorResult | null = null;
      for (const { deviceId, ip, network, entry } of found) {
        entry.save(addDevice(entry.state, deviceId, ip, sighting));
        result = evaluate(entry.state, network, sighting) ?? result;
      }
      return result;
    };
  },
};

function addDevice(
  state: NewDevices,
  deviceId: string,
  ip: string,
  { observation, evidence }: Sighting,
): NewDevices {
  const at = observation.start;
  const day = Math.floor(at / DAY);
  const today = state.day === day ? state : Object.assign(state, newDevices(day, at));
  today.firstSeen = Math.min(today.firstSeen, at);
  today.lastSeen = Math.max(today.lastSeen, at);
  if (!today.devices.add(deviceId)) return today;
  today.listed.push({ deviceId, ip, description: selfDescription(observation.facts) });
  if (today.listed.length > MAX_LISTED) today.listed.splice(1, 1);
  today.refs.push(evidence);
  if (today.refs.length > MAX_LISTED) today.refs.splice(1, 1);
  return today;
}

function evaluate(state: NewDevices, network: string, { site }: Sighting): DetectorResult | null {
  const { count } = state.devices;
  if (!isDueCount(count, state.evaluatedCount)) return null;
  state.evaluatedCount = count;
  const subScores = [
    share("unlisted", 1, UNLISTED_POINTS, "not seen before and in no inventory"),
    share("crowd", logShare(count, 1, CROWD.full), CROWD.points, plural(count, "new device")),
  ];
  const score = total(subScores);
  if (score < REPORT_SCORE || score <= state.reportedScore) return null;
  state.reportedScore = score;
  const { listed, firstSeen, lastSeen } = state;
  return {
    modelId: NEW_DEVICE.modelId,
    modelVersion: NEW_DEVICE.version,
    technique: NEW_DEVICE.technique,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId: listed[0]!.deviceId,
    deviceIds: listed.map(({ deviceId }) => deviceId),
    destinations: listed.slice(0, MAX_DESTINATIONS).map(({ ip }) => ({ ip, name: null, port: null })),
    groupKey: `${network}|${state.day}`,
    subject: `new devices in ${network}`,
    ...describeNewDevices(state, network, site),
    score,
    confidence: 0.5,
    subScores,
    modifiers: [],
    evidence: [...state.refs],
  };
}

/** How the device describes itself in DHCP; empty if it does not. */
function selfDescription(facts: Sighting["observation"]["facts"]): string {
  if (facts?.type !== "dhcp") return "";
  const hostName = boundedText(facts.hostName, MAX_SELF_DESCRIPTION);
  const vendorClass = boundedText(facts.vendorClass, MAX_SELF_DESCRIPTION);
  const parts = [
    hostName === null ? null : `host name "${hostName}"`,
    vendorClass === null ? null : `vendor class "${vendorClass}"`,
  ].filter((text) => text !== null);
  return parts.length === 0 ? "" : `, ${list(parts)}`;
}

function networkOf(ip: string): string {
  const bytes = parseIp(ip);
  if (bytes === null) return "unknown";
  const bits = bytes.length === 4 ? 24 : 64;
  return `${formatIp(bytes.map((byte, at) => at < bits / 8 ? byte : 0))}/${bits}`;
}
