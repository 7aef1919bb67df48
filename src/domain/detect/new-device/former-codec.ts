// A device that was never seen before, once the site is known. A network's new devices of a day are one story, so that a
// guest network does not fill the morning.
import { formatIp, parseIp } from "../../../kit/net/ip.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { Detector, Sighting, StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { boundedText, readRefs, writeRefs } from "../kernel/former-destinations.ts";
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
/** Characters of what a device description of itself. */
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
  listed: { deviceId: string; ip: string; description: string }[];
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
  encode({ day, devices, firstSeen, lastSeen, listed, refs, evaluatedCount, reportedScore }) {
    const out = new ByteWriter(256);
    out.varint(VERSION);
    out.float(day ?? NaN);
    devices.write(out);
    out.float(firstSeen);
    out.float(lastSeen);
    out.varint(listed.length);
    for (const { deviceId, ip, description } of listed) {
      out.text(deviceId);
      out.text(ip);
      out.text(description);
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
    const listed: NewDevices["listed"] = [];
    for (let left = from.varint(); left > 0; left--) {
      listed.push({ deviceId: from.text(), ip: from.text(), description: from.text() });
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
      listed,
      refs,
      evaluatedCount: judged,
      reportedScore: told,
    };
  },
  size: ({ devices, listed, refs }) => 200 + devices.weight + 300 * listed.length + 220 * refs.length,
};

function newDay(day: number | null, at: number): NewDevices {
  return {
    day,
    devices: new Distinct(EXACT),
    firstSeen: at,
    lastSeen: at,
    listed: [],
    refs: [],
    evaluatedCount: 0,
    reportedScore: 0,
  };
}
