// Exfiltration: large or suspicious uploads to one host outside, and hours in which a device sends far more
// than it usually does. Transfers inside the site, such as backups, are not considered.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type DetectorSite,
  type Evaluate,
  type Party,
  peerOf,
  type Sighting,
  type StateEntry,
  type StateLookup,
} from "../kernel/detector.ts";
import { isIpText, onlyAssumedInside } from "../kernel/peer.ts";
import { destinationUse } from "./destination-use.ts";
import { evaluateHour, evaluateUpload, EXFILTRATION } from "./evaluate.ts";
import { addToHour, DEVICE_HOURS, type HoursState } from "./hours.ts";
import { ONE_SIDED } from "./score.ts";
import { isOrdinary, MIN_RECORDED, recordUpload, UPLOADERS } from "./uploaders.ts";
import {
  addCapped,
  addUploadRef,
  findUpload,
  openUpload,
  shortName,
  UPLOADS,
  type UploadsState,
} from "./uploads.ts";

/** Smaller connections are not tracked as uploads; they only count towards their hour. */
const UPLOAD_BYTES = 16_000;
/**
 * A conversation over UDP that receives this share of what it sends is a call or a game. It takes nothing away,
 * but fills an hour with hundreds of megabytes.
 */
const CALL_RECEIVED = 0.75;
const WRITE_METHODS: ReadonlySet<string> = new Set(["PUT", "POST", "PATCH"]);
/** An unknown protocol that sends at least this many times what it receives carries files one way. */
const RAW_RATIO = 20;
/**
 * Ports whose encrypted protocol a sensor may not recognise in the middle: remote shells, the web and QUIC,
 * VPNs, calls.
 */
const OFTEN_UNKNOWN: ReadonlySet<number> = new Set([
  22,
  80,
  443,
  500,
  1194,
  3478,
  3479,
  3480,
  3481,
  4500,
  8801,
  19_302,
  51_820,
]);
/** Most bytes in one packet. Higher byte counts come from wrong sequence numbers. */
const MAX_PACKET = 65_535;

export const EXFILTRATION_DETECTOR: Detector = {
  info: EXFILTRATION,
  states: [UPLOADS, DEVICE_HOURS, UPLOADERS],
  feeds: ["connection", "growth", "http"],
  match(sighting, states) {
    const { observation, connection } = sighting;
    if (connection === null) {
      return observation.facts?.type === "http" ? matchWrite(sighting, observation.facts, states) : null;
    }
    if (observation.counters?.semantics !== "unidirectional_export") return matchSession(sighting, states);
    // A packet sensor that reports the same flow takes precedence over the exporter.
    return connection.exporterDirection ? matchExport(sighting, states) : null;
  },
};

/** Bytes that a device sent to a host outside. */
interface Sent {
  sighting: Sighting;
  deviceId: string;
  ownIp: string;
  peer: Party;
  at: Micros;
  bytes: number;
}

function matchSession(sighting: Sighting, states: StateLookup): Evaluate | null {
  const connection = sighting.connection!;
  const { src, packetsOut } = connection;
  const own = sighting.src.ip === src.ip ? sighting.src : sighting.dst;
  if (own.deviceId === null || connection.newBytesOut === 0) return null;
  const peer = peerOf(sighting);
  if (!isOutside(sighting.site, src.ip, peer)) return null;
  const most = packetsOut === null ? Infinity : countOf(packetsOut) * MAX_PACKET;
  const bytes = Math.min(connection.newBytesOut, most);
  if (bytes === 0) return null;
  const all = Math.min(countOf(connection.bytesOut), most);
  const received = countOf(connection.bytesIn);
  const pushes = all >= UPLOAD_BYTES && all >= ONE_SIDED.connection * received;
  if (connection.proto === "udp" && all >= UPLOAD_BYTES && received >= CALL_RECEIVED * all) return null;
  const sent = { sighting, deviceId: own.deviceId, ownIp: src.ip, peer, at: connection.end, bytes };
  return matchSent(sent, pushes ? "pushed" : null, states);
}

/** One direction of an exporter: every record reports what is new. */
function matchExport(sighting: Sighting, states: StateLookup): Evaluate | null {
  const { src, dst, observation, site } = sighting;
  const bytes = countOf(observation.counters!.srcToDst.bytes);
  if (bytes === 0) return null;
  const reply = isReplyHalf(src.port, dst.port);
  if (src.deviceId !== null) {
    if (reply || !isOutside(site, src.ip, dst)) return null;
    const sent = { sighting, deviceId: src.deviceId, ownIp: src.ip, peer: dst, at: observation.end, bytes };
    return matchSent(sent, bytes >= UPLOAD_BYTES ? "sent" : null, states);
  }
  if (dst.deviceId === null || !reply || !isOutside(site, dst.ip, src)) return null;
  return matchReceived(sighting, dst.deviceId, bytes, states);
}

function matchSent(sent: Sent, as: "pushed" | "sent" | null, states: StateLookup): Evaluate {
  const { sighting, deviceId, ownIp, peer } = sent;
  const assumedInside = isAssumed(sighting.site, ownIp, peer);
  const hours = assumedInside ? null : states(DEVICE_HOURS, deviceId);
  const uploads = states(UPLOADS, deviceId);
  if (as !== null) return matchUpload(sent, as, hours, uploads, states);
  return hours === null ? NO_RESULT : matchHour(sent, hours, uploads);
}

const NO_RESULT: Evaluate = () => null;

/** Traffic that only counts towards its hour, which is nearly all of it. */
function matchHour(
  { sighting, deviceId, at, bytes }: Sent,
  hours: StateEntry<HoursState>,
  uploads: StateEntry<UploadsState>,
): Evaluate {
  return () => {
    const hour = addToHour(hours.state, at, bytes);
    hours.save(hours.state);
    return evaluateHour(hours.state, hour, uploads.state, sighting, deviceId);
  };
}

function matchUpload(
  { sighting, deviceId, peer, at, bytes }: Sent,
  as: "pushed" | "sent",
  hours: StateEntry<HoursState> | null,
  uploads: StateEntry<UploadsState>,
  states: StateLookup,
): Evaluate {
  const name = sighting.connection!.serverName;
  const recorded = bytes >= MIN_RECORDED;
  const use = destinationUse(sighting, deviceId, peer.ip, recorded ? name : null, states);
  const uploaders = recorded && hours !== null ? states(UPLOADERS, name ?? peer.ip) : null;
  return () => {
    const hour = hours && addToHour(hours.state, at, bytes);
    if (hour !== null && uploaders !== null) {
      const ordinary = addCapped(hour.ordinary, bytes);
      if (isOrdinary(uploaders.state, deviceId, ordinary)) hour.ordinary = ordinary;
      if (recordUpload(uploaders.state, deviceId, bytes)) uploaders.save(uploaders.state);
    }
    if (hours) hours.save(hours.state);
    use.record(at);
    const upload = openUpload(uploads.state, peer.ip, peer.port, at);
    upload.raw = as === "pushed" && (upload.raw || upload.pushed === 0) && isRaw(sighting.connection!);
    upload[as] = addCapped(upload[as], bytes);
    upload.connections++;
    if (name !== null) upload.name = shortName(name);
    addUploadRef(upload, sighting.evidence);
    const result = evaluateUpload(upload, {
      sighting,
      deviceId,
      assumedInside: hours === null,
      use,
      hour,
      hours,
    });
    uploads.save(uploads.state);
    return result ?? (hour && evaluateHour(hours!.state, hour, uploads.state, sighting, deviceId));
  };
}

/** Received bytes only matter for hosts that are known as upload destinations. */
function matchReceived(sighting: Sighting, deviceId: string, bytes: number, states: StateLookup): Evaluate {
  const { src, dst } = sighting;
  const uploads = states(UPLOADS, deviceId);
  const use = destinationUse(sighting, deviceId, src.ip, null, states);
  const assumedInside = isAssumed(sighting.site, dst.ip, src);
  return () => {
    const upload = findUpload(uploads.state, src.ip);
    if (upload === null) return null;
    upload.received = addCapped(upload.received, bytes);
    const result = evaluateUpload(upload, {
      sighting,
      deviceId,
      assumedInside,
      use,
      hour: null,
      hours: null,
    });
    uploads.save(uploads.state);
    return result;
  };
}

/** A web request that writes to a bare address or a WebDAV server. */
function matchWrite(sighting: Sighting, facts: HttpFacts, states: StateLookup): Evaluate | null {
  const { method } = facts;
  if (method === null || !WRITE_METHODS.has(method)) return null;
  const { src, dst, observation } = sighting;
  if (src.deviceId === null || !isOutside(sighting.site, src.ip, dst)) return null;
  const dav = facts.userAgent !== null && /webdav|davclnt/i.test(facts.userAgent);
  if (!dav && facts.host !== null && !isIpText(facts.host)) return null;
  const { deviceId } = src;
  const uploads = states(UPLOADS, deviceId);
  const use = destinationUse(sighting, deviceId, dst.ip, null, states);
  const assumedInside = isAssumed(sighting.site, src.ip, dst);
  return () => {
    use.record(observation.start);
    const upload = openUpload(uploads.state, dst.ip, dst.port, observation.end);
    const { web } = upload;
    const bytes = countOf(facts.requestBytes);
    web.count++;
    web.bytes = addCapped(web.bytes, bytes);
    web.put ||= method === "PUT";
    web.dav ||= dav;
    web.file = fileName(facts.uri) || web.file;
    if (bytes >= UPLOAD_BYTES) addUploadRef(upload, sighting.evidence);
    const result = evaluateUpload(upload, {
      sighting,
      deviceId,
      assumedInside,
      use,
      hour: null,
      hours: null,
    });
    uploads.save(uploads.state);
    return result;
  };
}

/** Whether a connection sends over an unknown protocol to a bare address. What gets no answer may be half seen. */
function isRaw({ service, serverName, dst, bytesOut, bytesIn }: Connection): boolean {
  const received = countOf(bytesIn);
  return service === null && serverName === null && !OFTEN_UNKNOWN.has(dst.port ?? 0) && received > 0 &&
    countOf(bytesOut) >= RAW_RATIO * received;
}

function isOutside(site: DetectorSite, ownIp: string, peer: Party): boolean {
  if (peer.internal) return onlyAssumedInside(site.networksAssumed, ownIp, peer.ip);
  return isOneHost(peer.ip);
}

function isAssumed(site: DetectorSite, ownIp: string, peer: Party): boolean {
  return peer.internal && onlyAssumedInside(site.networksAssumed, ownIp, peer.ip);
}

/** A server's half of a conversation: from a service port to an ephemeral one. */
function isReplyHalf(srcPort: number | null, dstPort: number | null): boolean {
  if (srcPort === null || dstPort === null || srcPort >= dstPort) return false;
  return srcPort < 1024 || (srcPort < 32_768 && dstPort >= 32_768);
}

/** Last segment of the request's path; empty if there is none. */
function fileName(uri: string | null): string {
  if (uri === null) return "";
  const path = uri.slice(0, 1024).split(/[?#]/, 1)[0]!;
  return shortName(path.slice(path.lastIndexOf("/") + 1));
}
