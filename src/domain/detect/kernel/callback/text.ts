// The beacon detector's sentences: who, what, to whom, how regular, since when, how sure, and what next.
import type { Micros } from "../../../record/observation.ts";
import { RESOLVER_PORTS } from "./candidate.ts";
import type { ChannelState } from "./channel.ts";
import type { Rhythm } from "./rhythm.ts";
import type { DetectorResult } from "../result.ts";
import { duration, hostPort, moment, percent, plural, shortened, size, within } from "../wording.ts";

/** What the channel itself does not know. */
export interface BeaconContext {
  deviceId: string;
  deviceName: string;
  peerIp: string;
  peerPort: number;
  /** By which the device asked for the server; null where no record says so. */
  peerName: string | null;
  /** The channel is one to the name: its address is the newest of perhaps many. */
  byName: boolean;
  /** A record says by which name, or names, the server was asked for. */
  named: boolean;
  /** Told by a flow exporter, which knows no names. */
  exported: boolean;
  /** Web traffic of a sensor whose TLS and HTTP records, which say the name, did not come. */
  unnamed: boolean;
  /** `tcp` or `udp`. */
  proto: string;
  /** The sensor's name of the application protocol. */
  service: string | null;
  peerInternal: boolean;
  /** Devices of this tenant that talk to the peer, this one included. */
  prevalence: number;
  /** Devices of this tenant. */
  deviceCount: number;
  /** When any device of this tenant first talked to the peer; of one with a name, first asked for its domain. */
  firstSeenPeerAt: Micros | null;
  /** Since when this tenant is watched: a peer is new only where that is known; `null` where it is not. */
  historySince: Micros | null;
}

/** `192.0.2.7:443`, `updates.example.com:443`. */
export function peerLabel({ peerName, peerIp, peerPort }: BeaconContext): string {
  return peerName === null ? hostPort(peerIp, peerPort) : `${shortened(peerName)}:${peerPort}`;
}

/** How fast a strobe is: `one about every 1.2 seconds`, `about 20 a second`. */
export function pace({ usualInterval }: Rhythm): string {
  if (usualInterval >= 1) return `one about every ${duration(usualInterval)}`;
  return usualInterval > 0.01 ? `about ${Math.round(1 / usualInterval)} a second` : "more than 100 a second";
}

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeBeacon(state: ChannelState, context: BeaconContext, rhythm: Rhythm): Texts {
  const peer = peerLabel(context);
  const sent = rhythm.size === null ? "" : `, each sending about ${size(rhythm.size)}`;
  const bursts = rhythm.connections > rhythm.beats * 1.1
    ? ` The rhythm is that of ${plural(rhythm.beats, "callback")}: some come as several connections at once.`
    : "";
  return {
    title: `Beaconing from ${context.deviceName} to ${peer}`,
    summary:
      `${context.deviceName} has opened ${
        plural(state.count, "connection")
      } to ${peer}/${context.proto} since ` +
      `${moment(state.firstSeen)}, one about every ${duration(rhythm.period)} (typically ` +
      `${deviationOf(rhythm)} early or late)${sent}, last at ${moment(state.lastSeen)}.` +
      `${bursts}${whichAddress(context)}${fruitless(state)}`,
    explanation:
      `Programs call on schedule, people do not: the intervals are ${percent(rhythm.regularity)} ` +
      `regular where random traffic is near 0 %${sizes(rhythm)}, kept up for ${duration(rhythm.active)}. ` +
      `Command-and-control implants report to their operator this way; so do update checks and monitoring ` +
      `agents. ${usage(context)} ${next(context)}`,
  };
}

export function describeStrobe(state: ChannelState, context: BeaconContext, rhythm: Rhythm): Texts {
  const peer = peerLabel(context);
  return {
    title: `Strobe: ${context.deviceName} connects to ${peer} without pause`,
    phrase: `connecting to ${peer} without pause`,
    summary:
      `${context.deviceName} has opened ${plural(state.count, "connection")} to ${peer}/${context.proto} ` +
      `${within(state.firstSeen, state.lastSeen)}, lately ${pace(rhythm)}, never silent ` +
      `for more than ${duration(rhythm.longestSilence)}` +
      `${rhythm.size === null ? "" : `, nearly all sending ${size(rhythm.size)}`}.` +
      `${whichAddress(context)}${fruitless(state)}`,
    explanation:
      `So many equal connections in so short a time come from a program in a loop: an implant that is ` +
      `being used interactively, a flood that is to wear the host down, or software that retries what fails. The rhythm is too fast to tell which, so ` +
      `the score is capped. ${usage(context)} ${next(context)}`,
  };
}

/** Where the name stands in the address's place. */
function whichAddress({ byName, named, peerName, peerIp }: BeaconContext): string {
  if (byName || !named) return "";
  return peerName === null
    ? ` ${peerIp} is the answer to a name that was looked up here.`
    : ` ${shortened(peerName)} is ${peerIp}.`;
}

function fruitless({ count, fruitless }: ChannelState): string {
  if (fruitless === 0 || count < fruitless) return "";
  if (fruitless === count) return " None of them was answered with as much as a byte.";
  return fruitless * 2 < count ? "" : ` ${plural(fruitless, "connection")} of these came to nothing.`;
}

function sizes({ sizeRegularity }: Rhythm): string {
  return sizeRegularity === null ? "" : `, the sizes ${percent(sizeRegularity)} alike`;
}

function usage({ prevalence, deviceCount }: BeaconContext): string {
  if (deviceCount <= 1) return "No other device is known here to compare with.";
  if (prevalence <= 1) return `No other of the ${deviceCount} devices here contacts this peer.`;
  return `${prevalence} of the ${deviceCount} devices here contact this peer.`;
}

function next({ peerInternal, peerPort, deviceName, peerIp, peerName }: BeaconContext): string {
  if (peerInternal && RESOLVER_PORTS.has(peerPort)) {
    return `${peerIp} is an internal resolver, so look at the names ${deviceName} asks for: few other questions ` +
      "and ever new names under one domain mean a tunnel.";
  }
  return `Check who runs ${
    peerName === null ? peerIp : shortened(peerName)
  } and which program on ${deviceName} opens the connections.`;
}

/** How far callbacks are off, in words. */
export function deviationOf({ deviation }: Rhythm): string {
  return deviation < 0.05 ? "less than 0.1 seconds" : duration(deviation);
}
