// The exfiltration detector's sentences.
import type { Micros } from "../../record/observation.ts";
import type { Habit } from "./hours.ts";
import { isArchive, type UploadContext } from "./score.ts";
import type { Upload } from "./uploads.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, hostPort, list, moment, plural, size } from "../kernel/wording.ts";

type Texts = Pick<DetectorResult, "title" | "summary" | "explanation" | "phrase">;

const SECOND = 1_000_000;
/** Destinations that an hour's summary names. */
const NAMED = 3;

export function describeUpload(
  upload: Upload,
  kind: "bulk" | "web",
  bytes: number,
  context: UploadContext,
): Texts {
  const { deviceName } = context;
  const where = upload.port === 0 ? upload.ip : hostPort(upload.ip, upload.port);
  const peer = upload.name === "" || upload.name === upload.ip ? where : `${upload.name} (${where})`;
  const took = (upload.lastSeen - upload.firstSeen) / SECOND;
  const when = took < 1
    ? `at ${moment(upload.firstSeen)}`
    : `within ${duration(took)} from ${moment(upload.firstSeen)}`;
  const file = upload.web.file === "" ? "" : `, last the file "${upload.web.file}"`;
  const how = kind === "web" ? ` in ${plural(upload.web.count, "writing web request")}${file}` : "";
  return {
    title: `${deviceName} uploaded ${size(bytes)} to ${peer}`,
    phrase: `${size(bytes)} uploaded to ${peer}`,
    summary: `${deviceName} sent ${size(bytes)} to ${peer} ${when}${how}. ${history(upload, context)}`,
    explanation: (kind === "web" ? webReason(upload) : bulkReason(upload)) +
      `${
        habit(context)
      } Check who runs ${upload.ip}, which program and which person on ${deviceName} sent this, and what was read just ` +
      `before (file shares, archives made).`,
  };
}

function webReason({ web }: Upload): string {
  return "Web sites are called by name; a client that writes this much to a bare address or a WebDAV server moves files " +
    `out, without encryption${
      isArchive(web.file) ? ", here an archive as intruders make them of what they collected" : ""
    }. Devices that report to their maker by address, and scripts of your own, do the same.`;
}

function bulkReason({ received, sent }: Upload): string {
  const oneWay = sent > received ? " (as exporters count it)" : "";
  return `The device sent far more than it got${oneWay}: data left. Stolen data leaves so, in one piece or in many; so do ` +
    "cloud backups, synchronised folders, shared videos.";
}

function history({ firstSeen }: Upload, { firstUse, users, deviceCount }: UploadContext): string {
  const others = users <= 1
    ? `No other of ${plural(deviceCount, "device")} uses it`
    : `${users} devices use it`;
  if (firstUse !== null && firstSeen - firstUse >= SECOND && firstSeen - firstUse < 60 * SECOND) {
    return `${others}; it was first seen less than a minute before.`;
  }
  if (firstUse === null || firstSeen - firstUse < SECOND) {
    return `${others}, and it was not seen before this upload.`;
  }
  return `${others}; it was first seen ${duration((firstSeen - firstUse) / SECOND)} before.`;
}

function habit({ habit, learned }: UploadContext): string {
  if (habit === null || !learned) return "";
  return ` Usually the device sends ${size(habit.usual)} an hour to the outside.`;
}

export function describeHour(
  deviceName: string,
  hour: Micros,
  bytes: number,
  { usual, hours }: Habit,
  uploads: readonly Upload[],
): Texts {
  const named = uploads.slice(0, NAMED).map(({ ip, name }) => name === "" ? ip : `${name} (${ip})`);
  const rest = uploads.length > NAMED ? " and others" : "";
  const towards = named.length === 0 ? "spread over many hosts" : `mostly to ${list(named)}${rest}`;
  return {
    title: `${deviceName} sends unusually much: ${size(bytes)} in an hour`,
    phrase: `unusually much sent, ${size(bytes)} in an hour`,
    summary:
      `In the hour from ${moment(hour)} ${deviceName} sent ${size(bytes)} to hosts outside, ${towards}. ` +
      `Its usual hour has ${size(usual)}.`,
    explanation:
      `Compared are the device's own last ${hours} active hours by their median, which single busy hours do not ` +
      `move. Stolen data leaves so, but a first backup, an update of a synchronised folder or a moved server look the ` +
      `same. Look at the destinations, and what ${deviceName} read from file shares before.`,
  };
}
