// Data that leaves: uploads to one host outside that are large, or of a kind that hardly has a good reason; and hours in
// which a device sends far more than its own habit. Transfers inside the site, as backups are, are no business of this.
import { isOneHost } from "../../../kit/net/ip.ts";
import {
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
import { addToHour, DEVICE_HOURS, type HoursState } from "./hours.ts";
import { EXFILTRATION, judgeHour, judgeUpload } from "./evaluate.ts";
import { ONE_SIDED } from "./score.ts";
import {
  addUploadRef,
  plus,
  shortName,
  touchUpload,
  UPLOADS,
  type UploadsState,
  uploadTo,
} from "./uploads.ts";
import { useOf } from "./use.ts";
import { isIpText, onlyAssumedInside } from "../kernel/peer.ts";
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";

/** Connections that send less are told from others by nothing; sums of the hour have them all the same. */
const UPLOAD_BYTES = 16_000;
/** Of a server's name it is remembered who used it, from uploads of this size on. */
const NAME_BYTES = 1_000_000;
/** Requests that write. */
const WRITES: ReadonlySet<string> = new Set(["PUT", "POST", "PATCH"]);
/** Most that one packet carries: a byte count beyond is a sequence number gone wrong. */
const MAX_PACKET = 65_535;

export const EXFILTRATION_DETECTOR: Detector = {
  info: EXFILTRATION,
  states: [UPLOADS, DEVICE_HOURS],
  feeds: ["connection", "growth", "http"],
  match(sighting, need) {
    const { observation, connection } = sighting;
    if (connection === null) {
      return observation.facts?.type === "http" ? attendWrite(sighting, observation.facts, need) : null;
    }
    if (observation.counters?.semantics !== "unidirectional_export") return attendSession(sighting, need);
    // Where a packet sensor tells of the same flow, the exporter's word counts no more.
    return connection.exporterDirection ? attendExport(sighting, need) : null;
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

function attendSession(sighting: Sighting, need: StateLookup): Evaluate | null {
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
  const pushes = all >= UPLOAD_BYTES && all >= ONE_SIDED.connection * countOf(connection.bytesIn);
  const sent = { sighting, deviceId: own.deviceId, ownIp: src.ip, peer, at: connection.end, bytes };
  return attendSent(sent, pushes ? "pushed" : null, need);
}

/** One direction as an exporter tells it: every record says what is new. */
function attendExport(sighting: Sighting, need: StateLookup): Evaluate | null {
  const { src, dst, observation, site } = sighting;
  const bytes = countOf(observation.counters!.srcToDst.bytes);
  if (bytes === 0) return null;
  const reply = isReplyHalf(src.port, dst.port);
  if (src.deviceId !== null) {
    if (reply || !isOutside(site, src.ip, dst)) return null;
    const sent = { sighting, deviceId: src.deviceId, ownIp: src.ip, peer: dst, at: observation.end, bytes };
    return attendSent(sent, bytes >= UPLOAD_BYTES ? "sent" : null, need);
  }
  if (dst.deviceId === null || !reply || !isOutside(site, dst.ip, src)) return null;
  return attendReceived(sighting, dst.deviceId, bytes, need);
}

function attendSent(sent: Sent, as: "pushed" | "sent" | null, need: StateLookup): Evaluate {
  const { sighting, deviceId, ownIp, peer } = sent;
  const assumedInside = isAssumed(sighting.site, ownIp, peer);
  const hours = assumedInside ? null : need(DEVICE_HOURS, deviceId);
  const uploads = need(UPLOADS, deviceId);
  if (as !== null) return attendUpload(sent, as, hours, uploads, need);
  return hours === null ? NOTHING : attendHour(sent, hours, uploads);
}

const NOTHING: Evaluate = () => null;

/** What only counts in the sum of its hour, as nearly all does. */
function attendHour(
  { sighting, deviceId, at, bytes }: Sent,
  hours: StateEntry<HoursState>,
  uploads: StateEntry<UploadsState>,
): Evaluate {
  return () => {
    const hour = addToHour(hours.state, at, bytes);
    hours.save(hours.state);
    return judgeHour(hours.state, hour, uploads.state, sighting, deviceId);
  };
}

function attendUpload(
  { sighting, deviceId, peer, at, bytes }: Sent,
  as: "pushed" | "sent",
  hours: StateEntry<HoursState> | null,
  uploads: StateEntry<UploadsState>,
  need: StateLookup,
): Evaluate {
  const name = sighting.connection!.serverName;
  const use = useOf(sighting, deviceId, peer.ip, bytes >= NAME_BYTES ? name : null, need);
  return () => {
    const hour = hours && addToHour(hours.state, at, bytes);
    if (hours) hours.save(hours.state);
    use.record(at);
    const upload = touchUpload(uploads.state, peer.ip, peer.port, at);
    upload[as] = plus(upload[as], bytes);
    upload.connections++;
    if (name !== null) upload.name = shortName(name);
    addUploadRef(upload, sighting.evidence);
    const told = judgeUpload(upload, { sighting, deviceId, assumedInside: hours === null, use, hour, hours });
    uploads.save(uploads.state);
    return told ?? (hour && judgeHour(hours!.state, hour, uploads.state, sighting, deviceId));
  };
}

/** What comes back is only of interest where much was sent. */
function attendReceived(sighting: Sighting, deviceId: string, bytes: number, need: StateLookup): Evaluate {
  const { src, dst } = sighting;
  const uploads = need(UPLOADS, deviceId);
  const use = useOf(sighting, deviceId, src.ip, null, need);
  const assumedInside = isAssumed(sighting.site, dst.ip, src);
  return () => {
    const upload = uploadTo(uploads.state, src.ip);
    if (upload === null) return null;
    upload.received = plus(upload.received, bytes);
    const told = judgeUpload(upload, { sighting, deviceId, assumedInside, use, hour: null, hours: null });
    uploads.save(uploads.state);
    return told;
  };
}

/** A web request that writes to a server without a name, or as to a network drive. */
function attendWrite(sighting: Sighting, facts: HttpFacts, need: StateLookup): Evaluate | null {
  const { method } = facts;
  if (method === null || !WRITES.has(method)) return null;
  const { src, dst, observation } = sighting;
  if (src.deviceId === null || !isOutside(sighting.site, src.ip, dst)) return null;
  const dav = facts.userAgent !== null && /webdav|davclnt/i.test(facts.userAgent);
  if (!dav && facts.host !== null && !isIpText(facts.host)) return null;
  const { deviceId } = src;
  const uploads = need(UPLOADS, deviceId);
  const use = useOf(sighting, deviceId, dst.ip, null, need);
  const assumedInside = isAssumed(sighting.site, src.ip, dst);
  return () => {
    use.record(observation.start);
    const upload = touchUpload(uploads.state, dst.ip, dst.port, observation.end);
    const { web } = upload;
    const bytes = countOf(facts.requestBytes);
    web.count++;
    web.bytes = plus(web.bytes, bytes);
    web.put ||= method === "PUT";
    web.dav ||= dav;
    web.file = fileName(facts.uri) || web.file;
    if (bytes >= UPLOAD_BYTES) addUploadRef(upload, sighting.evidence);
    const told = judgeUpload(upload, { sighting, deviceId, assumedInside, use, hour: null, hours: null });
    uploads.save(uploads.state);
    return told;
  };
}

function isOutside(site: DetectorSite, ownIp: string, peer: Party): boolean {
  if (peer.internal) return onlyAssumedInside(site.networksAssumed, ownIp, peer.ip);
  return isOneHost(peer.ip);
}

function isAssumed(site: DetectorSite, ownIp: string, peer: Party): boolean {
  return peer.internal && onlyAssumedInside(site.networksAssumed, ownIp, peer.ip);
}

/** A server's half of a conversation: from its port to a client's, which systems choose from the upper ones. */
function isReplyHalf(srcPort: number | null, dstPort: number | null): boolean {
  if (srcPort === null || dstPort === null || srcPort >= dstPort) return false;
  return srcPort < 1024 || (srcPort < 32_768 && dstPort >= 32_768);
}

/** The last part of a request's path; '' where it has none. */
function fileName(uri: string | null): string {
  if (uri === null) return "";
  const path = uri.slice(0, 1024).split(/[?#]/, 1)[0]!;
  return shortName(path.slice(path.lastIndexOf("/") + 1));
}
