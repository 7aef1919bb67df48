// Titles, summaries and explanations of callback channels.
import type { Micros } from "../../../record/observation.ts";
import { RESOLVER_PORTS } from "./candidate.ts";
import type { ChannelState } from "./channel.ts";
import type { Rhythm } from "./rhythm.ts";
import type { DetectorResult } from "../result.ts";
import {
  atLeast,
  duration,
  hostPort,
  moment,
  percent,
  plural,
  shortened,
  size,
  within,
} from "../../../../kit/text.ts";
import { titleLine } from "../../../../kit/title-line.ts";

/** What the channel's state does not contain. */
export interface BeaconContext {
  deviceId: string;
  deviceName: string;
  peerIp: string;
  peerPort: number;
  /** The name by which the device contacted the server; null if no record states one. */
  peerName: string | null;
  /** The channel is defined by the name: its address is the newest of perhaps many. */
  byName: boolean;
  /** The channel counts requests, of which a connection may carry many. */
  requests?: true;
  /** A record states one or more names for the server. */
  named: boolean;
  /** From a flow exporter, whose records have no names. */
  exported: boolean;
  /** Web traffic of a sensor whose TLS and HTTP records, which would state the name, are missing. */
  unnamed: boolean;
  /** `tcp` or `udp`. */
  proto: string;
  /** The sensor's name of the application protocol. */
  service: string | null;
  peerInternal: boolean;
  /** Devices of the tenant that contact the peer, including this one. */
  prevalence: number;
  /** Devices of the tenant. */
  deviceCount: number;
  /**
   * When any device of the tenant first contacted the peer or, for a named peer, first looked up its domain.
   */
  firstSeenPeerAt: Micros | null;
  /** Start of the tenant's records, needed to call a peer new; null if unknown. */
  historySince: Micros | null;
}

/** `192.0.2.7:443`, `updates.example.com:443`. */
export function peerLabel({ peerName, peerIp, peerPort }: BeaconContext): string {
  return peerName === null ? hostPort(peerIp, peerPort) : `${shortened(peerName)}:${peerPort}`;
}

/** The name or the address as it precedes a port. */
function serverOf({ peerName, peerIp }: BeaconContext): string {
  return peerName ?? (peerIp.includes(":") ? `[${peerIp}]` : peerIp);
}

/** The rate of a strobe: `about one every 1.2 seconds`, `about 20 per second`. */
export function pace({ usualInterval }: Rhythm): string {
  if (usualInterval >= 1) return `about one every ${duration(usualInterval)}`;
  return usualInterval > 0.01
    ? `about ${Math.round(1 / usualInterval)} per second`
    : "more than 100 per second";
}

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeBeacon(state: ChannelState, context: BeaconContext, rhythm: Rhythm): Texts {
  const { deviceName, proto } = context;
  const peer = peerLabel(context);
  const sent = rhythm.size === null ? "" : `, each sending about ${size(rhythm.size)}`;
  return {
    title: titleLine`Beaconing from ${deviceName} to ${serverOf(context)}:${context.peerPort}`,
    phrase: `beaconing to ${peer}`,
    summary: `${deviceName} has ${counted(state, context)} to ${peer}/${proto} since ` +
      `${moment(state.firstSeen)}, about one ${isBursty(rhythm) ? "callback " : ""}every ` +
      `${duration(rhythm.period)} (typically ${deviationText(rhythm)} early or late)` +
      `${burstText(context, rhythm)}${sent}, the last at ${moment(state.lastSeen)}.` +
      `${addressText(context)}${failedText(state)}`,
    explanation: `Automated callbacks: the intervals are ${percent(rhythm.regularity)} regular ` +
      `(random traffic is near 0 %)${boundText(rhythm)}${sizesText(rhythm)}, sustained for ${
        duration(rhythm.active)
      }. ` +
      `Command-and-control implants contact their operator this way; so do update checks and monitoring ` +
      `agents. ${usageText(context)} ${nextStep(context)}`,
  };
}

export function describeStrobe(state: ChannelState, context: BeaconContext, rhythm: Rhythm): Texts {
  const { deviceName, proto } = context;
  const peer = peerLabel(context);
  return {
    title: titleLine`Strobe: ${deviceName} connects to ${
      serverOf(context)
    }:${context.peerPort} without pause`,
    phrase: `connecting to ${peer} without pause`,
    summary: `${deviceName} opened ${atLeast(state.count, "connection")} to ${peer}/${proto} ` +
      `${within(state.firstSeen, state.lastSeen)}, recently ${pace(rhythm)}, never silent ` +
      `for longer than ${duration(rhythm.longestSilence)}` +
      `${rhythm.size === null ? "" : `, nearly all sending ${size(rhythm.size)}`}.` +
      `${addressText(context)}${failedText(state)}`,
    explanation:
      "So many similar connections in so short a time come from a program in a loop: an implant in " +
      "interactive use, a flood meant to exhaust the host, or software that retries failures. The rhythm " +
      `is too fast to distinguish them, so the score is capped. ${usageText(context)} ${nextStep(context)}`,
  };
}

/** The channel goes on after its evaluation, and is evaluated again at growing counts. */
function counted({ count }: ChannelState, { requests }: BeaconContext): string {
  return requests ? `sent ${atLeast(count, "request")}` : `opened ${atLeast(count, "connection")}`;
}

/** Several connections at once are one callback. */
function isBursty({ connections, beats }: Rhythm): boolean {
  return connections > beats * 1.1;
}

/** `, each of about 3 connections`; empty if a callback is one connection. */
function burstText({ requests }: BeaconContext, rhythm: Rhythm): string {
  if (!isBursty(rhythm)) return "";
  const each = Math.round(rhythm.connections / rhythm.beats);
  const unit = requests ? "request" : "connection";
  return each > 1 ? `, each of about ${plural(each, unit)}` : `, some of several ${unit}s`;
}

/** The address of a peer that is labelled by its name. */
function addressText({ byName, named, peerName, peerIp }: BeaconContext): string {
  if (byName || !named) return "";
  return peerName === null
    ? ` ${peerIp} is the answer to a name that was looked up here.`
    : ` The address of ${shortened(peerName)} is ${peerIp}.`;
}

function failedText({ count, failed }: ChannelState): string {
  if (failed === 0 || count < failed) return "";
  if (failed === count) return " None of them received any data in reply.";
  return failed * 2 < count ? "" : ` At least ${failed} of these connections failed.`;
}

function boundText({ bound }: Rhythm): string {
  return bound === null ? "" : `, hardly one longer than ${duration(bound)} though random ones pause`;
}

function sizesText({ sizeRegularity }: Rhythm): string {
  return sizeRegularity === null ? "" : `, the sizes ${percent(sizeRegularity)} alike`;
}

function usageText({ prevalence, deviceCount }: BeaconContext): string {
  if (deviceCount <= 1) return "No other device is known here to compare with.";
  if (prevalence <= 1) return `No other of the ${deviceCount} devices here contacts this peer.`;
  return `${prevalence} of the ${deviceCount} devices here contact this peer.`;
}

function nextStep({ peerInternal, peerPort, deviceName, peerIp, peerName }: BeaconContext): string {
  if (peerInternal && RESOLVER_PORTS.has(peerPort)) {
    return `${peerIp} is an internal resolver, so check the names that ${deviceName} looks up: few other ` +
      "lookups and a stream of new names below one domain indicate a tunnel.";
  }
  const server = peerName === null ? peerIp : shortened(peerName);
  return `Check who operates ${server} and which program on ${deviceName} opens the connections.`;
}

/** The typical deviation of callbacks: `3 seconds`. */
export function deviationText({ deviation }: Rhythm): string {
  return deviation < 0.05 ? "less than 0.1 seconds" : duration(deviation);
}
