import { wallTime } from "../../../kit/zone.ts";
import { isOneHost, isUnstatedIp } from "../../../kit/net/ip.ts";
import type { FlowState } from "../../flow/flow.ts";
import type { Count, Micros } from "../../record/observation.ts";

/** No zone changes its offset at other times. */
const QUARTER = 900_000_000;
/** Hours. */
const WEEK = 168;

export interface PeerProfile {
  ip: string;
  deviceId: string | null;
  flowCount: number;
  /** Null if no flow with the peer has the counter. */
  bytesOut: Count | null;
  bytesIn: Count | null;
  firstSeen: Micros;
  lastSeen: Micros;
}

interface ServiceProfile {
  proto: string;
  port: number | null;
  service: string | null;
  side: "client" | "server";
  flowCount: number;
}

export interface DeviceProfile {
  /** Flows by ISO weekday (1 = Monday) and hour of the zone; all 168 cells. */
  grid: { weekday: number; hour: number; flowCount: number }[];
  /** All peers, most flows first. */
  peers: PeerProfile[];
  /** External peers the device opened flows to, most bytes sent first. */
  destinations: PeerProfile[];
  services: ServiceProfile[];
}

const TOP = 20;

/** The parts of a flow a profile needs, because there may be thousands. */
export type ProfiledFlow =
  & Pick<
    FlowState,
    "flowId" | "start" | "end" | "proto" | "srcDeviceId" | "dstDeviceId" | "service"
  >
  & {
    src: { ip: string };
    dst: { ip: string; port: number | null };
    counters: Record<"srcToDst" | "dstToSrc", { bytes: Count | null }>;
    serverName: { name: string } | null;
  };

/** Hours since Monday 00:00 in a zone, at a time in microseconds. */
function hoursOfWeek(zone: string): (micros: number) => number {
  const known = new Map<number, number>();
  return (micros) => {
    const quarter = Math.floor(micros / QUARTER);
    let hours = known.get(quarter);
    if (hours === undefined) {
      const { weekday, hour } = wallTime(quarter * QUARTER, zone);
      known.set(quarter, hours = (weekday - 1) * 24 + hour);
    }
    return hours;
  };
}

interface ProfileOptions {
  /** Of the grid. */
  zone?: string;
  /** The broadcast addresses of the site's networks, which are no destinations. */
  broadcasts?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Aggregates a device's flows. */
export function profileDevice(
  deviceId: string,
  flows: readonly ProfiledFlow[],
  { zone = "UTC", broadcasts = NONE }: ProfileOptions = {},
): DeviceProfile {
  const hourOfWeek = hoursOfWeek(zone);
  const cells = new Array<number>(WEEK).fill(0);
  const peers = new Map<string, PeerProfile>();
  const destinations = new Map<string, PeerProfile>();
  const services = new Map<string, ServiceProfile>();
  for (const flow of flows) {
    const outgoing = flow.srcDeviceId === deviceId;
    cells[hourOfWeek(flow.start)]!++;
    if (!isUnstatedIp(outgoing ? flow.dst.ip : flow.src.ip)) addPeer(peers, flow, outgoing);
    if (outgoing && flow.dstDeviceId === null && isOneHost(flow.dst.ip) && !broadcasts.has(flow.dst.ip)) {
      addPeer(destinations, flow, true);
    }
    addService(services, flow, outgoing);
  }
  return {
    grid: cells.map((flowCount, cell) => ({
      weekday: Math.floor(cell / 24) + 1,
      hour: cell % 24,
      flowCount,
    })),
    peers: [...peers.values()].sort((a, b) => b.flowCount - a.flowCount || compare(a.ip, b.ip)).slice(0, TOP),
    destinations: [...destinations.values()]
      .sort((a, b) => Number(b.bytesOut ?? 0) - Number(a.bytesOut ?? 0) || compare(a.ip, b.ip)).slice(0, TOP),
    services: [...services.values()]
      .sort((a, b) => b.flowCount - a.flowCount || (a.port ?? 0) - (b.port ?? 0)).slice(0, TOP),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function addPeer(peers: Map<string, PeerProfile>, flow: ProfiledFlow, outgoing: boolean): void {
  const { ip } = outgoing ? flow.dst : flow.src;
  const { srcToDst, dstToSrc } = flow.counters;
  const [out, back] = outgoing ? [srcToDst.bytes, dstToSrc.bytes] : [dstToSrc.bytes, srcToDst.bytes];
  const deviceId = outgoing ? flow.dstDeviceId : flow.srcDeviceId;
  const peer = peers.get(ip);
  if (!peer) {
    peers.set(ip, {
      ip,
      deviceId,
      flowCount: 1,
      bytesOut: out,
      bytesIn: back,
      firstSeen: flow.start,
      lastSeen: flow.end,
    });
    return;
  }
  // The peer may have become a device after the first of these flows.
  peer.deviceId ??= deviceId;
  peer.flowCount++;
  peer.bytesOut = sum(peer.bytesOut, out);
  peer.bytesIn = sum(peer.bytesIn, back);
  peer.firstSeen = Math.min(peer.firstSeen, flow.start);
  peer.lastSeen = Math.max(peer.lastSeen, flow.end);
}

/** Adds counters of different flows; overlapping sensors were merged before. */
function sum(a: Count | null, b: Count | null): Count | null {
  if (a === null) return b;
  if (b === null) return a;
  const total = BigInt(a) + BigInt(b);
  return total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total;
}

function addService(services: Map<string, ServiceProfile>, flow: ProfiledFlow, outgoing: boolean): void {
  const side = outgoing ? "client" : "server";
  const key = `${side} ${flow.proto} ${flow.dst.port} ${flow.service}`;
  const known = services.get(key);
  if (known) {
    known.flowCount++;
    return;
  }
  const { proto, dst: { port }, service } = flow;
  services.set(key, { proto, port, service, side, flowCount: 1 });
}
