// Lateral movement: a device that begins to work on others, or does so as an intruder would.
//
// Three stories. "Takeover": within an hour several ways of administration of one host that is no server, with a large
// upload among them. "Fan-out": many hosts administered within an hour. Both are telling in themselves. "First contact":
// remote control of a host that this device never administered before; that one rests on the device's own history.
//
// Each score is the sum of its parts, which only grow within the hour, plus what speaks for or against it.
import { adminService, bitOf, type Protocol, protocolsOf } from "./admin-services.ts";
import type { FanOut, LateralState, PeerUse } from "./state.ts";
import { MAX_KNOWN } from "./state.ts";
import { describeFanOut, describeFirstUse, describeTakeover } from "./text.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  REPORT_SCORE,
  roundScore,
  type SubScore,
} from "../kernel/result.ts";
import { clamp01 } from "../kernel/stats.ts";
import { list, plural, size } from "../kernel/wording.ts";

export const LATERAL_MOVEMENT: DetectorInfo = {
  modelId: "lateral-movement",
  version: "2",
  title: "Lateral movement",
  technique: "T1021",
  description:
    "A device that administers others it does not usually administer, or many, or in many ways at once.",
};

/**
 * A takeover takes two protocols, one of them remote control, or an upload and calls of procedures as PsExec makes them.
 * The latter is also what a print server sees, so it is worth a fifth.
 */
const TAKEOVER = { base: 20, withoutControl: 0.2, control: 24, pair: 8, upload: 20 } as const;
/** The programs that PsExec and its likes copy to run them have from 50 kB on. */
const PROGRAM_BYTES = 40_000;
/** Bytes over SMB that add nothing to the copy as such, and that are worth the full share; logarithmic between. */
const UPLOAD_BYTES = { none: 256_000, full: 10_000_000 } as const;
/** More goes there than comes back, by this factor: who reads files from a share does the contrary. */
const UPLOAD_RATIO = 2;
/** Hosts administered within an hour; a domain has a few controllers and file servers. */
const FAN_OUT = { none: 10, full: 100, base: 24, growth: 20 } as const;
/** First contact: points of the contact as such, and of what it carried. */
const FIRST = { base: 22, volume: 8, bytes: { none: 100_000, full: 10_000_000 } } as const;
const MODIFIERS = {
  noServer: 10,
  server: -25,
  newPeer: 8,
  manyNew: 20,
  usual: -20,
  sourceIsServer: -12,
  administrator: -8,
} as const;
/** Whoever used so many services of others before is an administrator, to whom another one is hardly news. */
const ADMINISTRATOR = 20;
/** A result is given again where its score has risen by so much. */
const RISE = 5;

export interface LateralContext {
  deviceId: string;
  deviceName: string;
  /** The device that administers is a server by what people say. */
  sourceIsServer: boolean;
  peerIp: string;
  peerName: string;
  peerDeviceId: string | null;
  peerIsServer: boolean;
  peerPort: number;
  protocol: Protocol;
  learned: boolean;
}

/** Null where one protocol, or nothing but reading, is all there was. */
export function evaluateTakeover(use: PeerUse, context: LateralContext): DetectorResult | null {
  // Of one protocol there is one bit.
  if ((use.protocols & (use.protocols - 1)) === 0) return null;
  const services = protocolsOf(use.protocols);
  const control = services.filter(({ remoteControl }) => remoteControl);
  const copied = use.smbOut >= PROGRAM_BYTES && use.smbOut > use.smbIn * UPLOAD_RATIO;
  const upload = copied ? logShare(use.smbOut, UPLOAD_BYTES) : 0;
  const windows = (use.protocols & bitOf("smb")) !== 0 && (use.protocols & bitOf("rpc")) !== 0;
  if (control.length === 0 && !copied) return null;
  const names = list(services.map(({ name }) => name));
  const subScores: SubScore[] = [
    {
      name: "several_ways",
      value: control.length > 0 ? 1 : TAKEOVER.withoutControl,
      weight: TAKEOVER.base,
      detail: `${names} within an hour${control.length > 0 ? "" : ", as ordinary programs also use them"}`,
    },
    {
      name: "remote_control",
      value: Math.min(1, control.length / 2),
      weight: TAKEOVER.control,
      detail: control.length === 0 ? "no remote control" : list(control.map(({ name }) => name)),
    },
    {
      name: "windows_services",
      value: windows ? 1 : 0,
      weight: TAKEOVER.pair,
      detail: windows
        ? "files and procedure calls together, as PsExec and WMI use them"
        : "not both SMB and RPC",
    },
    {
      name: "upload",
      value: upload,
      weight: TAKEOVER.upload,
      detail: `${size(use.smbOut)} written over SMB`,
    },
  ];
  const lead = control[0] ?? services[0]!;
  return result(use, context, {
    subScores,
    modifiers: modifiersOf(use, context),
    technique: control.length + (copied ? 1 : 0) > 1 ? "T1021" : lead.technique,
    groupKey: `${context.deviceId}|${context.peerIp}`,
    texts: describeTakeover(use, context, names, { uploads: copied, controls: control.length > 0 }),
    peer: context,
  });
}

/** The first remote control of this host by this device. Rests on its history: the caller holds it while learning. */
export function evaluateFirstUse(
  use: PeerUse,
  { knownCount }: LateralState,
  context: LateralContext,
): DetectorResult | null {
  if ((use.newProtocols & bitOf(context.protocol)) === 0 || knownCount > MAX_KNOWN) return null;
  const service = adminService(context.protocol);
  if (!service.remoteControl) return null;
  const bytes = use.bytesOut + use.bytesIn;
  const subScores: SubScore[] = [
    {
      name: "first_contact",
      value: 1,
      weight: FIRST.base,
      detail: `never used ${service.name} there before`,
    },
    {
      name: "volume",
      value: logShare(bytes, FIRST.bytes),
      weight: FIRST.volume,
      detail: `${size(bytes)} so far`,
    },
  ];
  return result(use, context, {
    subScores,
    modifiers: [
      ...modifiersOf(use, { ...context, learned: false }),
      ...knownCount < ADMINISTRATOR ? [] : [
        modifier(
          "administrator",
          MODIFIERS.administrator,
          `it administers ${plural(knownCount, "service")} already`,
        ),
      ],
    ],
    technique: service.technique,
    groupKey: `${context.deviceId}|first contacts`,
    texts: describeFirstUse(use, context, service.name),
    peer: context,
  });
}

/** Many hosts within an hour. */
export function evaluateFanOut(
  fan: FanOut,
  { knownCount }: LateralState,
  context: LateralContext,
): DetectorResult | null {
  const count = fan.peers.count;
  if (count < FAN_OUT.none) return null;
  const fresh = clamp01(fan.newPeers.count / count);
  const number = Math.log(count / FAN_OUT.none) / Math.log(FAN_OUT.full / FAN_OUT.none);
  const subScores: SubScore[] = [
    {
      name: "fan_out",
      value: 1,
      weight: FAN_OUT.base,
      detail: `${plural(count, "host")} administered within an hour`,
    },
    { name: "number", value: share(number), weight: FAN_OUT.growth, detail: plural(count, "host") },
  ];
  const modifiers = sourceModifiers(context);
  if (context.learned) {
    const isUsual = fresh < 0.2 && knownCount < MAX_KNOWN;
    const points = isUsual ? MODIFIERS.usual : MODIFIERS.manyNew * fresh;
    const detail = `${fan.newPeers.count} of ${count} were never administered from here before`;
    if (points !== 0) modifiers.push(modifier(isUsual ? "usual_peers" : "new_peers", points, detail));
  }
  return result(fan, context, {
    subScores,
    modifiers,
    technique: "T1021",
    groupKey: `${context.deviceId}|many`,
    texts: describeFanOut(fan, context, count),
    peer: null,
  });
}

function modifiersOf(use: PeerUse, context: LateralContext): SubScore[] {
  const modifiers = sourceModifiers(context);
  const { peerName } = context;
  modifiers.push(
    context.peerIsServer
      ? modifier("server", MODIFIERS.server, `${peerName} is a server that others use, too`)
      : modifier("no_server", MODIFIERS.noServer, `${peerName} is not known to serve others`),
  );
  if (context.learned && use.newProtocols !== 0) {
    modifiers.push(modifier("new_peer", MODIFIERS.newPeer, "some of it was never done from here before"));
  }
  return modifiers;
}

function sourceModifiers({ sourceIsServer, deviceName }: LateralContext): SubScore[] {
  if (!sourceIsServer) return [];
  return [modifier("source_is_server", MODIFIERS.sourceIsServer, `${deviceName} is known to be a server`)];
}

interface Judged {
  subScores: SubScore[];
  modifiers: SubScore[];
  technique: string;
  groupKey: string;
  texts: Pick<DetectorResult, "subject" | "title" | "summary" | "explanation" | "phrase">;
  /** The host that it is about; null where these are many. */
  peer: LateralContext | null;
}

function result(
  { since, last, refs, reportedScore }: Pick<PeerUse, "since" | "last" | "refs" | "reported">,
  { deviceId }: LateralContext,
  { subScores, modifiers, technique, groupKey, texts, peer }: Judged,
): DetectorResult | null {
  const score = roundScore(
    [...subScores, ...modifiers].reduce((sum, one) => sum + one.value * one.weight, 0),
  );
  if (score < REPORT_SCORE || (reportedScore > 0 && score < reportedScore + RISE)) return null;
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
    ...texts,
    score,
    confidence: Math.round(Math.min(0.9, 0.3 + score / 120) * 100) / 100,
    subScores,
    modifiers,
    evidence: [...refs],
  };
}

function logShare(value: number, { none, full }: { none: number; full: number }): number {
  return share(Math.log(Math.max(value, none) / none) / Math.log(full / none));
}

function share(value: number): number {
  return Math.round(clamp01(value) * 1000) / 1000;
}

function modifier(name: string, value: number, detail: string): SubScore {
  return { name, value: Math.round(value * 10) / 10, weight: 1, detail };
}
