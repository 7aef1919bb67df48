// Texts of exfiltration results.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, hostPort, list, moment, plural, size } from "../../../kit/text.ts";
import type { Habit } from "./hours.ts";
import { isArchive, type UploadContext, type UploadKind } from "./score.ts";
import type { Upload } from "./uploads.ts";
import { titleLine } from "../../../kit/title-line.ts";

type Texts = Pick<DetectorResult, "title" | "summary" | "explanation" | "phrase">;

const SECOND = 1_000_000;
/** Destinations named in the summary of an hour. */
const NAMED = 3;

export function describeUpload(
  upload: Upload,
  kind: UploadKind,
  bytes: number,
  context: UploadContext,
): Texts {
  const { deviceName } = context;
  const where = upload.port === 0 ? upload.ip : hostPort(upload.ip, upload.port);
  const name = upload.name === "" || upload.name === upload.ip ? null : upload.name;
  const peer = name === null ? where : `${name} (${where})`;
  const took = (upload.lastSeen - upload.firstSeen) / SECOND;
  const when = took < 1
    ? `at ${moment(upload.firstSeen)}`
    : `within ${duration(took)} from ${moment(upload.firstSeen)}`;
  const file = upload.web.file === "" ? "" : `, most recently the file "${upload.web.file}"`;
  const how = kind === "web" ? ` in ${plural(upload.web.count, "writing web request")}${file}` : "";
  return {
    title: titleLine`${deviceName} uploaded ${size(bytes)} to ${name ?? where}`,
    phrase: `${size(bytes)} uploaded to ${peer}`,
    summary: `${deviceName} sent ${size(bytes)} to ${peer} ${when}${how}. ${history(upload, context)}`,
    explanation: (kind === "web" ? webReason(upload) : kind === "raw" ? RAW_REASON : bulkReason(upload)) +
      `${
        habit(context)
      } Check who runs ${upload.ip}, which program and user on ${deviceName} sent the data, and what was ` +
      `read just before (file shares, new archives).`,
  };
}

const RAW_REASON =
  "The sensor knows neither the protocol nor a server name, and hardly anything came back, so the connection carries " +
  "files out. Tools of intruders send over bare sockets like this; so do file sharing, live video and programs of your own.";

function webReason({ web }: Upload): string {
  const archive = isArchive(web.file) ? ", here an archive, as intruders pack what they collected" : "";
  return "Web sites are addressed by name. A client that writes this much to a bare address or a WebDAV server moves files " +
    `out without encryption${archive}. Devices that report to their vendor by address, and your own scripts, do the same.`;
}

function bulkReason({ received, sent }: Upload): string {
  const oneWay = sent > received ? " (as exporters count it)" : "";
  return `The device sent far more than it received${oneWay}, so data left the site. Stolen data leaves this way, at once or ` +
    "in parts; so do cloud backups, synchronised folders and shared videos.";
}

function history({ firstSeen }: Upload, { firstUse, users, deviceCount }: UploadContext): string {
  const others = users <= 1
    ? `No other of ${plural(deviceCount, "device")} uses this destination`
    : `${users} devices use this destination`;
  if (firstUse === null || firstSeen - firstUse < SECOND) {
    return `${others}, and it was not seen before this upload.`;
  }
  if (firstSeen - firstUse < 60 * SECOND) {
    return `${others}; it was first seen less than a minute before.`;
  }
  return `${others}; it was first seen ${duration((firstSeen - firstUse) / SECOND)} before.`;
}

function habit({ habit, learned }: UploadContext): string {
  if (habit === null || !learned) return "";
  return ` The device usually sends ${size(habit.usual)} per hour outside.`;
}

/** An hour that began at this time, without its ordinary uploads. */
interface Hour {
  deviceName: string;
  hour: Micros;
  bytes: number;
  ordinary: number;
}

export function describeHour(
  { deviceName, hour, bytes, ordinary }: Hour,
  { usual, hours }: Habit,
  uploads: readonly Upload[],
): Texts {
  const named = uploads.slice(0, NAMED).map(({ ip, name }) => name === "" ? ip : `${name} (${ip})`);
  const rest = uploads.length > NAMED ? " and others" : "";
  const towards = named.length === 0 ? "spread over many hosts" : `mostly to ${list(named)}${rest}`;
  return {
    title: titleLine`${deviceName} sends an unusual amount: ${size(bytes)} in an hour`,
    phrase: `an unusual amount sent, ${size(bytes)} in an hour`,
    summary:
      `In the hour from ${moment(hour)}, ${deviceName} sent ${size(bytes)} to hosts outside, ${towards}. ` +
      `Its usual hour is ${size(usual)}.${
        ordinary === 0 ? "" : ` Another ${size(ordinary)} went where other devices here send as much.`
      }`,
    explanation:
      `The hour is compared with the median of the device's last ${hours} active hours, which single busy hours do not ` +
      `affect. Stolen data leaves this way, but a first backup, an update of a synchronised folder or a migrated server ` +
      `look the same. Check the destinations, and what ${deviceName} read from file shares before.`,
  };
}
