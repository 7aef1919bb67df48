// Lateral movement: a device starts to administer other hosts, or does so as an intruder would.
//
// Three patterns. "Takeover": several ways of administering one host within an hour, with a large upload
// among them. "Fan-out": many hosts administered within an hour. Both are evidence on their own. "First
// contact": remote control of a host that this device never administered before; it relies on the device's
// own history.
//
// An hour is a window of slots of source time (state.ts), so that it does not matter which sensor's records
// arrive first. Each score is the sum of its parts, which only grow within the hour, plus modifiers for the
// circumstances.
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, logShare, share, total } from "../kernel/score.ts";
import { clamp01 } from "../kernel/stats.ts";
import { list, plural, size } from "../../../kit/text.ts";
import { adminService, bitOf, protocolsOf } from "./admin-services.ts";
import type { LateralContext } from "./context.ts";
import {
  type FanOut,
  type LateralState,
  MAX_KNOWN,
  MIN_FAN_OUT,
  type PeerUse,
  PROGRAM_BYTES,
} from "./state.ts";
import { describeFanOut, describeFirstUse, describeTakeover } from "./text.ts";

export const LATERAL_MOVEMENT: DetectorInfo = {
  modelId: "lateral-movement",
  version: "7",
  title: "Lateral movement",
  technique: "T1021",
  description:
    "A device that administers hosts it does not usually administer, or many of them, or in many ways at once.",
  meaning:
    "Intruders move from the first host to others with the tools of administrators: they copy a program and start it, or open a remote session. Administrators, software distribution, backup and remote support work alike, from known devices.",
  checks: [
    "who was logged on to the device, and whether that person administers the other host",
    "what was written to the other host, and which services or processes started there",
    "what happened on the device before: a phishing mail, a download, callbacks",
    "whether the device is a management server: then confirm its type",
  ],
  sources: "flows to internal administration ports; SMB, for the names of files, pipes and shares; alerts",
  baseline:
    "the device's own history, for the first administration of a host other than a directory server, and to recognise what it repeats; none for the other patterns",
  reports: [
    "several protocols of administration of one host within an hour",
    "many administered hosts within an hour",
    "a host that the device never administered before",
    "a client that controls a directory server (domain controller) over WinRM, RDP, SSH, VNC or Telnet for the first time, also while learning",
    "programs started over SMB as PsExec, RemCom and Impacket do it, by the names they use",
    "directory replication (DCSync, technique T1003.006) by a host that is no directory server, over SMB pipes or as alerts report it",
  ],
  ignores: [
    "reading files",
    "unanswered sessions",
    "version probes: sessions under 2 s and 2 kB, except RPC",
    "failed SMB requests, and the service control manager or the task scheduler alone",
    "directory replication (DCSync) over TCP without an alert: no kind of record states the procedure calls of DCE/RPC over TCP",
    "scored lower: servers, administrators, and what the device already did to the same host hours before",
  ],
};

/**
 * A takeover needs two protocols, one of them remote control, or an upload and procedure calls as PsExec
 * makes them. The latter also looks like printing, so it is worth a fifth of the base.
 */
const TAKEOVER = { base: 20, withoutControl: 0.2, control: 24, pair: 8, upload: 20 } as const;
/** Bytes written over SMB: worth nothing, and the full share (log scale). */
const UPLOAD_BYTES = { none: 256_000, full: 10_000_000 } as const;
/** An upload sends this many times what it receives; reading files from a share is the reverse. */
const UPLOAD_RATIO = 2;
/** Hosts administered within an hour, log scale. */
const FAN_OUT = { none: MIN_FAN_OUT, full: 100, base: 24, growth: 20 } as const;
/** First contact: points for the contact itself and for the bytes it carried. */
const FIRST = { base: 22, volume: 8, bytes: { none: 100_000, full: 10_000_000 } } as const;
const MODIFIERS = {
  noServer: 10,
  server: -25,
  directory: 17,
  newPeer: 8,
  manyNew: 20,
  usual: -20,
  habit: -30,
  sourceIsServer: -12,
  administrator: -8,
} as const;
/**
 * A device that used this many services of others before is an administrator's; another one is less unusual.
 */
const ADMINISTRATOR = 20;
/** Points that the score must rise to report again, unless the severity changes. */
const RISE = 5;
/** Points of one severity. */
const BAND = 20;

/** Null if only one protocol was used, or only to read. */
export function evaluateTakeover(use: PeerUse, context: LateralContext): DetectorResult | null {
  const isOneProtocol = (use.protocols & (use.protocols - 1)) === 0;
  if (isOneProtocol) return null;
  const services = protocolsOf(use.protocols);
  const control = services.filter(({ remoteControl }) => remoteControl);
  const copied = use.smbOut >= PROGRAM_BYTES && use.smbOut > use.smbIn * UPLOAD_RATIO;
  const windows = (use.protocols & bitOf("smb")) !== 0 && (use.protocols & bitOf("rpc")) !== 0;
  const controls = control.length > 0;
  if (!controls && !copied) return null;
  const names = services.map(({ name }) => name);
  const subScores = [
    share(
      "several_ways",
      controls ? 1 : TAKEOVER.withoutControl,
      TAKEOVER.base,
      `${list(names)} within an hour${controls ? "" : ", as ordinary programs also use them"}`,
    ),
    share(
      "remote_control",
      control.length / 2,
      TAKEOVER.control,
      controls ? list(control.map(({ name }) => name)) : "no remote control",
    ),
    share(
      "windows_services",
      windows ? 1 : 0,
      TAKEOVER.pair,
      windows ? "files and procedure calls together, as PsExec and WMI use them" : "not both SMB and RPC",
    ),
    share(
      "upload",
      copied ? logShare(use.smbOut, UPLOAD_BYTES.none, UPLOAD_BYTES.full) : 0,
      TAKEOVER.upload,
      `${size(use.smbOut)} written over SMB`,
    ),
  ];
  const lead = control[0] ?? services[0]!;
  return lateralResult(use, context, {
    subScores,
    modifiers: [...peerModifiers(use, context), ...habit(use)],
    technique: control.length + (copied ? 1 : 0) > 1 ? "T1021" : lead.technique,
    groupKey: `${context.deviceId}|${context.peerIp}`,
    texts: () => describeTakeover(use, context, names, { uploads: copied, controls }),
    peer: context,
  });
}

/**
 * An administrator does the same again on most days, and the first time was reported. An intruder who uses the
 * administrator's device as the administrator does looks the same.
 */
function habit({ newProtocols }: PeerUse): SubScore[] {
  if (newProtocols !== 0) return [];
  return [extra("usual_services", MODIFIERS.habit, "the device used all these services there hours before")];
}

/** The first remote control of a host by this device. While learning, the caller holds the result. */
export function evaluateFirstUse(
  use: PeerUse,
  { knownCount }: LateralState,
  context: LateralContext,
): DetectorResult | null {
  if ((use.newProtocols & bitOf(context.protocol)) === 0 || knownCount > MAX_KNOWN) return null;
  const service = adminService(context.protocol);
  if (!service.remoteControl) return null;
  const bytes = use.bytesOut + use.bytesIn;
  const modifiers = peerModifiers(use, { ...context, learned: false });
  if (knownCount >= ADMINISTRATOR) {
    const detail = `the device already administers ${plural(knownCount, "service")}`;
    modifiers.push(extra("administrator", MODIFIERS.administrator, detail));
  }
  return lateralResult(use, context, {
    subScores: [
      share("first_contact", 1, FIRST.base, `never used ${service.name} there before`),
      share(
        "volume",
        logShare(bytes, FIRST.bytes.none, FIRST.bytes.full),
        FIRST.volume,
        `${size(bytes)} so far`,
      ),
    ],
    modifiers,
    technique: service.technique,
    groupKey: `${context.deviceId}|first contacts`,
    texts: () => describeFirstUse(use, context, service.name),
    peer: context,
  });
}

/** Null if too few hosts were administered within the hour. */
export function evaluateFanOut(
  fan: FanOut,
  { knownCount }: LateralState,
  context: LateralContext,
): DetectorResult | null {
  const count = fan.peers.count;
  if (count < FAN_OUT.none) return null;
  const modifiers = sourceModifiers(context);
  if (context.learned) {
    const newShare = clamp01(fan.newPeers.count / count);
    const isUsual = newShare < 0.2 && knownCount < MAX_KNOWN;
    const points = isUsual ? MODIFIERS.usual : MODIFIERS.manyNew * newShare;
    const detail = `${fan.newPeers.count} of ${count} hosts were never administered from here before`;
    if (points !== 0) modifiers.push(extra(isUsual ? "usual_peers" : "new_peers", points, detail));
  }
  return lateralResult(fan, context, {
    subScores: [
      share("fan_out", 1, FAN_OUT.base, `${plural(count, "host")} administered within an hour`),
      share("number", logShare(count, FAN_OUT.none, FAN_OUT.full), FAN_OUT.growth, plural(count, "host")),
    ],
    modifiers,
    technique: "T1021",
    groupKey: `${context.deviceId}|many`,
    texts: () => describeFanOut(fan, context, count),
    peer: null,
  });
}

function peerModifiers(use: PeerUse, context: LateralContext): SubScore[] {
  const modifiers = sourceModifiers(context);
  const { peerName } = context;
  const controls = protocolsOf(use.protocols).some(({ remoteControl }) => remoteControl);
  modifiers.push(
    context.peerIsDirectoryOfClient && controls
      ? extra(
        "directory",
        MODIFIERS.directory,
        `${peerName} is a directory server, and the device is a client`,
      )
      : context.peerIsServer
      ? extra("server", MODIFIERS.server, `${peerName} is a server that other devices also use`)
      : extra("no_server", MODIFIERS.noServer, `${peerName} is not known to be a server`),
  );
  if (context.learned && use.newProtocols !== 0) {
    modifiers.push(
      extra("new_peer", MODIFIERS.newPeer, "some of these services were never used there before"),
    );
  }
  return modifiers;
}

function sourceModifiers({ sourceIsServer, deviceName }: LateralContext): SubScore[] {
  if (!sourceIsServer) return [];
  return [extra("source_is_server", MODIFIERS.sourceIsServer, `${deviceName} is known to be a server`)];
}

interface Evaluated {
  subScores: SubScore[];
  modifiers: SubScore[];
  technique: string;
  groupKey: string;
  /** Called only if the score is reported. */
  texts(): Pick<DetectorResult, "subject" | "title" | "summary" | "explanation" | "phrase">;
  /** The administered host; null if there are many. */
  peer: LateralContext | null;
}

export function lateralResult(
  { since, last, refs, reportedScore }: Pick<PeerUse, "since" | "last" | "refs" | "reportedScore">,
  { deviceId }: LateralContext,
  { subScores, modifiers, technique, groupKey, texts, peer }: Evaluated,
): DetectorResult | null {
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE) return null;
  if (reportedScore > 0 && score < reportedScore + RISE && bandOf(score) <= bandOf(reportedScore)) {
    return null;
  }
  return {
    modelId: LATERAL_MOVEMENT.modelId,
    modelVersion: LATERAL_MOVEMENT.version,
    technique,
    at: last,
    firstSeen: Math.min(since, last),
    lastSeen: last,
    deviceId,
    deviceIds: [...new Set([deviceId, peer?.peerDeviceId ?? deviceId])],
    destinations: peer === null ? [] : [{ ip: peer.peerIp, name: null, port: peer.peerPort }],
    groupKey,
    ...texts(),
    score,
    confidence: Math.round(Math.min(0.9, 0.3 + score / 120) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...refs],
  };
}

function bandOf(score: number): number {
  return Math.floor(score / BAND);
}
