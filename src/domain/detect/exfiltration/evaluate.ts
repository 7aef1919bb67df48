// Decides when an upload or an hour is evaluated, and builds the result.
import type { Micros } from "../../record/observation.ts";
import type { Sighting, StateEntry } from "../kernel/detector.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  MAX_DESTINATIONS,
  REPORT_SCORE,
  whileLearning,
} from "../kernel/result.ts";
import { total } from "../kernel/score.ts";
import { size } from "../../../kit/text.ts";
import type { DestinationUse } from "./destination-use.ts";
import { type Habit, habitOf, type HoursState, isUsualTime, type OpenHour } from "./hours.ts";
import {
  HOUR_BYTES,
  hourShares,
  KNOWN_HOURS,
  standsOut,
  type UploadContext,
  uploadKind,
  uploadModifiers,
  uploadShares,
} from "./score.ts";
import { describeHour, describeUpload } from "./text.ts";
import type { Upload, UploadsState } from "./uploads.ts";

export const EXFILTRATION: DetectorInfo = {
  modelId: "exfiltration",
  version: "4",
  title: "Data leaving the site",
  technique: "T1048",
  description:
    "Large or suspicious uploads to hosts outside, and hours in which a device sends far more than it usually does.",
  meaning:
    "Stolen data leaves the site as an upload that is larger than the device's usual traffic, or over a protocol that no program names. First backups, synchronised folders, video and migrations look the same.",
  checks: [
    "who runs the destination, and whether the site has an account there",
    "what the device read before: file shares, databases, new archives",
    "which program and which account sent the data",
    "how much was sent in all: sort the device's flows by bytes",
  ],
  sources: "flows, HTTP",
  baseline: "the device's own hours (median and MAD, log scale), for unusual hours; none for uploads",
  reports: [
    "large uploads to one external host",
    "smaller web uploads to bare addresses; 10 MB sent one way over an unknown protocol to one",
    "hours far above the device's own",
  ],
  ignores: [
    "internal transfers, such as backups",
    "calls and games, which receive as much as they send",
    "in unusual hours: uploads at a usual time of the device to a destination to which three other devices sent half as much at once",
    "scored lower: destinations that are common or long known",
  ],
};

/** A sum is evaluated again when it has grown by this factor. */
const REEVALUATE_FACTOR = 2;
const HOUR: Micros = 3_600_000_000;

interface UploadInput {
  sighting: Sighting;
  deviceId: string;
  assumedInside: boolean;
  use: DestinationUse;
  hour: OpenHour | null;
  hours: StateEntry<HoursState> | null;
}

/** Evaluates an upload that has grown enough, and marks it as evaluated in place. */
export function evaluateUpload(upload: Upload, input: UploadInput): DetectorResult | null {
  const { sighting, deviceId, use, hour, hours } = input;
  const found = uploadKind(upload);
  if (found === null) return null;
  const { kind, bytes } = found;
  // One direction may be half of a call or a game. Without the other half, wait for more connections.
  if (upload.sent > 0 && upload.received === 0 && upload.connections < 3) return null;
  const isDue = bytes >= upload.evaluatedBytes * REEVALUATE_FACTOR ||
    (kind === "web" && !upload.evaluatedWeb);
  if (!isDue || upload.refs.length === 0) return null;
  upload.evaluatedBytes = bytes;
  upload.evaluatedWeb ||= kind === "web";
  const context: UploadContext = {
    deviceId,
    deviceName: sighting.site.nameOf(deviceId),
    assumedInside: input.assumedInside,
    users: use.users(),
    deviceCount: sighting.deviceCount,
    firstUse: use.first(),
    historySince: sighting.historySince,
    habit: hour && hours && habitOf(hours.state, hour),
    learned: sighting.learned,
  };
  const subScores = uploadShares(upload, kind, bytes);
  const modifiers = uploadModifiers(upload, kind, context);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE) return null;
  upload.reportedScore = score;
  return {
    modelId: EXFILTRATION.modelId,
    modelVersion: EXFILTRATION.version,
    technique: kind === "web" ? "T1048.003" : EXFILTRATION.technique,
    at: upload.lastSeen,
    firstSeen: upload.firstSeen,
    lastSeen: upload.lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [destinationOf(upload)],
    groupKey: `${deviceId}|${upload.ip}`,
    subject: `${size(bytes)} from ${context.deviceName} to ${upload.ip}`,
    ...describeUpload(upload, kind, bytes, context),
    score,
    confidence: kind === "web" ? 0.6 : context.habit !== null && context.learned ? 0.6 : 0.4,
    subScores,
    modifiers,
    evidence: [...upload.refs],
  };
}

/**
 * Evaluates an hour whose sum has grown enough, and marks it as evaluated in place. At a usual time of the day,
 * uploads as other devices make them to the same destinations are left out: that is how the service is used.
 */
export function evaluateHour(
  state: HoursState,
  hour: OpenHour,
  { uploads }: UploadsState,
  { evidence, site, learned }: Sighting,
  deviceId: string,
): DetectorResult | null {
  if (hour.bytes < HOUR_BYTES) return null;
  const ordinary = isUsualTime(state, hour) ? hour.ordinary : 0;
  const bytes = hour.bytes - ordinary;
  if (bytes < HOUR_BYTES || bytes < hour.evaluatedBytes * REEVALUATE_FACTOR) return null;
  hour.evaluatedBytes = bytes;
  const measured = { hour: hour.hour, bytes, ordinary };
  const habit = habitOf(state, measured);
  if (habit === null || !standsOut(bytes, habit)) return null;
  const start = hour.hour * HOUR;
  const inHour = uploads.filter(({ lastSeen, firstSeen }) => lastSeen >= start && firstSeen < start + HOUR)
    .sort((a, b) => b.pushed + b.sent - a.pushed - a.sent);
  // An upload that was reported explains the hour.
  if (inHour.some(({ reportedScore }) => reportedScore >= REPORT_SCORE)) return null;
  return whileLearning(
    hourResult(measured, habit, inHour, { evidence, site, deviceId }),
    isKnown(habit, learned),
  );
}

function isKnown({ hours }: Habit, learned: boolean): boolean {
  return learned && hours >= KNOWN_HOURS;
}

function hourResult(
  { hour, bytes, ordinary }: Pick<OpenHour, "hour" | "bytes" | "ordinary">,
  habit: Habit,
  uploads: readonly Upload[],
  { evidence, site, deviceId }: Pick<Sighting, "evidence" | "site"> & { deviceId: string },
): DetectorResult {
  const subScores = hourShares(bytes, habit);
  const deviceName = site.nameOf(deviceId);
  const refs = new Map(uploads.flatMap(({ refs }) => refs).map((ref) => [ref.evidenceId, ref]));
  refs.set(evidence.evidenceId, evidence);
  const start = hour * HOUR;
  return {
    modelId: EXFILTRATION.modelId,
    modelVersion: EXFILTRATION.version,
    technique: EXFILTRATION.technique,
    at: evidence.observedAt,
    firstSeen: start,
    lastSeen: start + HOUR,
    deviceId,
    deviceIds: [deviceId],
    destinations: uploads.slice(0, MAX_DESTINATIONS).map(destinationOf),
    groupKey: `${deviceId}|hour`,
    subject: `bytes that ${deviceName} sends outside per hour`,
    ...describeHour({ deviceName, hour: start, bytes, ordinary }, habit, uploads),
    score: total(subScores),
    confidence: 0.4,
    subScores,
    modifiers: [],
    evidence: [...refs.values()].slice(-32),
  };
}

function destinationOf({ ip, name, port }: Upload): DetectorResult["destinations"][number] {
  return { ip, name: name === "" ? null : name, port: port === 0 ? null : port };
}
