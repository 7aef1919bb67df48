// A device that was never seen before, once the site is known. A network's new devices of a day are one story, so that a
// guest network does not fill the morning.
import { formatIp, parseIp } from "../../../kit/net/ip.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { Detector, Sighting, StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { boundedText, readRefs, writeRefs } from "../kernel/destination-usage.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  type EvidenceRef,
  MAX_DESTINATIONS,
  REPORT_SCORE,
} from "../kernel/result.ts";
import { isDueCount, logShare, share, total } from "../kernel/score.ts";
import { list, plural, within } from "../kernel/wording.ts";

/** A device that no inventory lists; one that it lists is expected. */
const UNLISTED_POINTS = 20;
/** So many on one network in a day add this much, and no more: guests come in crowds. */
const CROWD = { full: 30, points: 5 } as const;
/** Devices of a crowd that are told by name. */
const MAX_NAMED = 8;
/** Characters of what a device says of itself. */
const MAX_SAID = 40;

const DAY = 86_400_000_000;
const VERSION = 1;
const EXACT = 64;

const NEW_DEVICE: DetectorInfo = {
  modelId: "new-device",
  version: "1",
  title: "New device",
  technique: "T1200",
  description:
    "Devices that were never seen before and that no inventory lists, once it is known what is usual.",
};

interface NewDevices {
  /** Since the Unix epoch, UTC; null before the first. */
  day: number | null;
  devices: Distinct;
  firstSeen: number;
  lastSeen: number;
  named: { deviceId: string; ip: string; says: string }[];
  refs: EvidenceRef[];
  evaluatedCount: number;
  reportedScore: number;
}

/** Keys: a network (24 bits of an IPv4 address, 64 of IPv6), of which there are fewer than devices. At most about 2 kB. */
export const NEW_DEVICES: StateType<NewDevices> = {
  id: 46,
  name: "newcomers",
  keepDays: 3,
  empty: () => newDay(null, 0),
  encode({ day, devices, firstSeen, lastSeen, named, refs, evaluatedCount, reportedScore }) {
    const out = new ByteWriter(256);
    out.varint(VERSION);
    out.float(day ?? NaN);
    devices.write(out);
    out.float(firstSeen);
    out.float(lastSeen);
    out.varint(named.length);
    for (const { deviceId, ip, says } of named) {
      out.text(deviceId);
      out.text(ip);
      out.text(says);
    }
    writeRefs(out, refs);
    out.varint(evaluatedCount);
    out.varint(Math.round(reportedScore * 10));
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`newcomers: expected version ${VERSION}, got ${version}`);
    const day = from.float();
    const devices = Distinct.read(from, EXACT);
    const [firstSeen, lastSeen] = [from.float(), from.float()];
    const named: NewDevices["named"] = [];
    for (let left = from.varint(); left > 0; left--) {
      named.push({ deviceId: from.text(), ip: from.text(), says: from.text() });
    }
    const refs = readRefs(from);
    const judged = from.varint();
    const told = from.varint() / 10;
    from.end();
    return {
      day: Number.isNaN(day) ? null : day,
      devices,
      firstSeen,
      lastSeen,
      named,
      refs,
      evaluatedCount: judged,
      reportedScore: told,
    };
  },
  size: ({ devices, named, refs }) => 200 + devices.weight + 300 * named.length + 220 * refs.length,
};

export const NEW_DEVICE_DETECTOR: Detector = {
  info: NEW_DEVICE,
  feeds: ["device"],
  match(sighting, need) {
    const unlisted = sighting.newDevices.filter(({ inInventory }) => !inInventory);
    if (unlisted.length === 0) return null;
    const seen = unlisted.map(({ deviceId, ip }) => {
      const network = networkOf(ip);
      return { deviceId, ip, network, slot: need(NEW_DEVICES, network) };
    });
    return () => {
      // While it is being learned what is usual, everything is new.
      if (!sighting.learned) return null;
      let result: DetectorResult | null = null;
      for (const { deviceId, ip, network, slot } of seen) {
        slot.save(welcome(slot.state, deviceId, ip, sighting));
        result = judge(slot.state, network, sighting) ?? result;
      }
      return result;
    };
  },
};

function welcome(
  state: NewDevices,
  deviceId: string,
  ip: string,
  { observation, evidence }: Sighting,
): NewDevices {
  const at = observation.start;
  const day = Math.floor(at / DAY);
  const today = state.day === day ? state : Object.assign(state, newDay(day, at));
  today.firstSeen = Math.min(today.firstSeen, at);
  today.lastSeen = Math.max(today.lastSeen, at);
  if (!today.devices.add(deviceId)) return today;
  today.named.push({ deviceId, ip, says: saysOf(observation.facts) });
  if (today.named.length > MAX_NAMED) today.named.splice(1, 1);
  today.refs.push(evidence);
  if (today.refs.length > MAX_NAMED) today.refs.splice(1, 1);
  return today;
}

function judge(state: NewDevices, network: string, { site }: Sighting): DetectorResult | null {
  const { count } = state.devices;
  if (!isDueCount(count, state.evaluatedCount)) return null;
  state.evaluatedCount = count;
  const subScores = [
    share("unlisted", 1, UNLISTED_POINTS, "never seen before, and in no inventory"),
    share("crowd", logShare(count, 1, CROWD.full), CROWD.points, plural(count, "new device")),
  ];
  const score = total(subScores);
  if (score < REPORT_SCORE || score <= state.reportedScore) return null;
  state.reportedScore = score;
  const { named, firstSeen, lastSeen } = state;
  const names = named.map(({ deviceId, ip, says }) => {
    const name = site.nameOf(deviceId);
    return `${name}${name === ip ? "" : ` (${ip})`}${says}`;
  });
  const alone = count === 1;
  return {
    modelId: NEW_DEVICE.modelId,
    modelVersion: NEW_DEVICE.version,
    technique: NEW_DEVICE.technique,
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId: named[0]!.deviceId,
    deviceIds: named.map(({ deviceId }) => deviceId),
    destinations: named.slice(0, MAX_DESTINATIONS).map(({ ip }) => ({ ip, name: null, port: null })),
    groupKey: `${network}|${state.day}`,
    subject: `new devices in ${network}`,
    title: alone ? `New device: ${names[0]}` : `${count} new devices in ${network}`,
    phrase: alone ? `new in ${network}` : `one of ${count} new devices in ${network}`,
    summary:
      `${alone ? names[0] : `${count} devices in ${network}, among them ${list(names.slice(0, 5))},`} ` +
      `${alone ? "was" : "were"} seen for the first time ${
        within(firstSeen, lastSeen)
      }; no inventory lists ` +
      `${alone ? "it" : "them"}.`,
    explanation:
      "What is usual here is known, and nothing had this address before. Mostly it is a new computer, a guest, or a known " +
      "device under a new address; it may also be something that nobody approved, plugged in or connected from the " +
      "car park. Ask whose it is, and add it to the inventory; on a guest network, suppress this for the network.",
    score,
    confidence: 0.5,
    subScores,
    modifiers: [],
    evidence: [...state.refs],
  };
}

/** What it says of itself when it asks for an address. */
function saysOf(facts: Sighting["observation"]["facts"]): string {
  if (facts?.type !== "dhcp") return "";
  const [hostName, vendorClass] = [
    boundedText(facts.hostName, MAX_SAID),
    boundedText(facts.vendorClass, MAX_SAID),
  ];
  const said = [
    hostName === null ? null : `calls itself "${hostName}"`,
    vendorClass === null ? null : `runs "${vendorClass}"`,
  ].filter((text) => text !== null);
  return said.length === 0 ? "" : `, which ${list(said)}`;
}

function networkOf(ip: string): string {
  const bytes = parseIp(ip);
  if (bytes === null) return "unknown";
  const bits = bytes.length === 4 ? 24 : 64;
  return `${formatIp(bytes.map((byte, at) => at < bits / 8 ? byte : 0))}/${bits}`;
}

function newDay(day: number | null, at: number): NewDevices {
  return {
    day,
    devices: new Distinct(EXACT),
    firstSeen: at,
    lastSeen: at,
    named: [],
    refs: [],
    evaluatedCount: 0,
    reportedScore: 0,
  };
}
