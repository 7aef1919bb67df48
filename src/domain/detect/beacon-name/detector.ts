// Periodic callbacks to one server name, whatever addresses it has: a server behind a content network, one that moves,
// one that shares its address with a hundred others, one behind the site's proxy. The statistics are those of `beacon`.
//
// Where the name has one address, and that address little else, `beacon` sees the same, and this stays silent. Names in
// the clear are mostly those of software that asks its maker for news and of pages that keep themselves fresh; so less
// is given for the rhythm alone.
import { registeredDomain } from "../../device/registered-domain.ts";
import { statedName } from "../../flow/server-name.ts";
import {
  addConnection,
  type ChannelState,
  evaluateCallbacks,
  isDue,
  markEvaluated,
  nameChannel,
} from "../kernel/callback/score.ts";
import { CHANNELS } from "../beacon/detector.ts";
import { decodeChannel, encodeChannel } from "../kernel/callback/codec.ts";
import { emptyChannel } from "../kernel/callback/channel.ts";
import {
  COMMON_MIN_USERS,
  COMMON_SHARE,
  NAMED_POINTS,
  PREVALENCE_MIN_DEVICES,
} from "../kernel/callback/modifiers.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
  type StateType,
} from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import type { DetectorInfo, DetectorResult, SubScore } from "../kernel/result.ts";
import { percent, shortened } from "../kernel/wording.ts";

const BEACON_NAME: DetectorInfo = {
  modelId: "beacon-name",
  version: "3",
  title: "Periodic callbacks to a server name",
  technique: "T1071.001",
  kind: "callback",
  description:
    "A device that contacts one server name again and again in a regular rhythm, over TLS or HTTP.",
};

/** NAMED_POINTS where there are too few devices to tell what is everybody's software. */
const ALONE_POINTS = -30;
/** Requests that a page made (they name it as their referrer), at a share of all; an implant can say so, too. */
const PAGE_POINTS = -15;
/** The channel of the address holds little else than the name: between half and so many times its connections. */
const SAME_CHANNEL = { least: 0.5, most: 1.5 } as const;
/** Inside, only a proxy leads to names outside. */
const PROXY_PORTS: ReadonlySet<number> = new Set([3128, 8080, 8118, 8888]);

const EXACT_ADDRESSES = 8;
const VERSION = 1;

interface NamedChannel {
  channel: ChannelState;
  addresses: Distinct;
  /** Requests of a page, of this stretch. */
  referred: number;
}

/** Keys: `<device> <server name>`. At most about 2.7 kB, as a channel has. */
export const NAMED_CHANNELS: StateType<NamedChannel> = {
  id: 24,
  name: "channels to names",
  keepDays: 3,
  empty: () => ({ channel: emptyChannel(), addresses: new Distinct(EXACT_ADDRESSES), referred: 0 }),
  encode({ channel, addresses, referred }) {
    const bytes = encodeChannel(channel);
    const out = new ByteWriter(bytes.length + 56);
    out.varint(VERSION);
    out.varint(referred);
    addresses.write(out);
    out.varint(bytes.length);
    out.raw(bytes);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`channels to names: expected version ${VERSION}, got ${version}`);
    }
    const referred = from.varint();
    const addresses = Distinct.read(from, EXACT_ADDRESSES);
    const channel = decodeChannel(from.raw(from.varint()));
    from.end();
    return { channel, addresses, referred };
  },
  size: ({ channel, addresses }) => 400 + channel.points.weight + channel.refs.weight + addresses.weight,
};

export const BEACON_NAME_DETECTOR: Detector = {
  info: BEACON_NAME,
  states: [NAMED_CHANNELS, CHANNELS],
  feeds: ["tls", "http"],
  match(sighting, need) {
    const { observation, src, dst, site } = sighting;
    const { deviceId } = src;
    const port = dst.port;
    if (deviceId === null || port === null) return null;
    if (dst.internal && !PROXY_PORTS.has(port)) return null;
    const stated = statedName(observation);
    if (stated === null) {
      return dst.internal || isOfPage(observation) ? null : attendNameless(sighting, deviceId, need);
    }
    const { name } = stated;
    const domain = registeredDomain(name);
    if (domain === null) return null;
    const { facts, start, proto } = observation;
    const named = need(NAMED_CHANNELS, `${deviceId} ${name}`);
    const users = need(PREVALENCE, `domain ${domain}`);
    const channel = need(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${port}`);
    return () => {
      if (addUser(users.state, deviceId, start)) users.save(users.state);
      const since = users.state.firstSeen ?? start;
      // What `beacon` says of the address is better said with the name.
      if (!dst.internal && nameChannel(channel.state, name, since)) channel.save(channel.state);
      const prevalence = users.state.users.count;
      // What half of the site uses is not worth following: it is the cost of most names.
      if (isCommon(prevalence, sighting.deviceCount)) return null;
      const state = named.state;
      const request = facts?.type === "http" ? facts : null;
      addConnection(state.channel, {
        start,
        end: observation.end,
        // Requests of one connection are callbacks each.
        srcPort: request === null ? src.port : null,
        bytesOut: request === null || request.requestBytes === null ? null : countOf(request.requestBytes),
        fruitless: false,
        evidenceId: sighting.evidence.evidenceId,
        flowId: sighting.evidence.flowId,
      });
      if (state.channel.count <= 1) {
        state.addresses = new Distinct(EXACT_ADDRESSES);
        state.referred = 0;
      }
      state.addresses.add(dst.ip);
      if (request !== null && request.referrer !== null) state.referred++;
      const due = isDue(state.channel);
      if (due) markEvaluated(state.channel);
      named.save(state);
      if (!due || isToldByAddress(state, channel.state)) return null;
      const result = evaluateCallbacks(state.channel, {
        deviceId,
        deviceName: site.nameOf(deviceId),
        peerIp: dst.ip,
        peerPort: port,
        peerName: name,
        byName: true,
        named: true,
        exported: false,
        unnamed: false,
        proto,
        service: stated.via,
        peerInternal: false,
        prevalence,
        deviceCount: sighting.deviceCount,
        firstSeenPeerAt: users.state.firstSeen,
        historySince: sighting.historySince,
      }, modifiers(state, sighting.deviceCount));
      return result === null ? null : asNamed(result, state, name, dst.internal);
    };
  },
};

/** A request to an address that a page made is a part of the page's site, which has a name. */
function isOfPage({ facts }: Sighting["observation"]): boolean {
  return facts?.type === "http" && facts.referrer !== null;
}

/** Tells `beacon` that the address is a bare one by what the client said. */
function attendNameless({ observation, dst }: Sighting, deviceId: string, need: StateLookup): Evaluate {
  const channel = need(CHANNELS, `${deviceId} ${dst.ip} ${observation.proto} ${dst.port}`);
  return () => {
    if (!channel.state.toldNameless) {
      channel.state.toldNameless = true;
      channel.save(channel.state);
    }
    return null;
  };
}

function isCommon(users: number, deviceCount: number): boolean {
  return deviceCount >= PREVALENCE_MIN_DEVICES && users >= COMMON_MIN_USERS &&
    users / deviceCount >= COMMON_SHARE.full;
}

function isToldByAddress({ channel, addresses }: NamedChannel, ofAddress: ChannelState): boolean {
  const { least, most } = SAME_CHANNEL;
  return addresses.count === 1 && ofAddress.count >= channel.count * least &&
    ofAddress.count <= channel.count * most;
}

function modifiers({ channel, referred }: NamedChannel, deviceCount: number): SubScore[] {
  const alone = deviceCount < PREVALENCE_MIN_DEVICES;
  const found = [{
    name: "polled_by_name",
    value: alone ? ALONE_POINTS : NAMED_POINTS,
    weight: 1,
    detail: alone
      ? "software and web pages poll by name, too, and there are too few devices here to tell whose this is"
      : "software and web pages poll by name, too",
  }];
  const share = referred / channel.count;
  if (share >= 0.1) {
    found.push({
      name: "from_a_page",
      value: Math.round(PAGE_POINTS * share * 10) / 10,
      weight: 1,
      detail: `${percent(share)} of the requests say that a web page made them`,
    });
  }
  return found;
}

function asNamed(
  result: DetectorResult,
  state: NamedChannel,
  name: string,
  proxied: boolean,
): DetectorResult {
  const { count } = state.addresses;
  const where = proxied ? "through the proxy" : `on ${count === 1 ? "one address" : `${count} addresses`}`;
  return {
    ...result,
    modelId: BEACON_NAME.modelId,
    modelVersion: BEACON_NAME.version,
    technique: BEACON_NAME.technique,
    // A proxy is nobody's destination.
    destinations: result.destinations.map((one) => proxied ? { ...one, ip: null } : one),
    groupKey: `${result.deviceId}|${name}`,
    summary: `${result.summary} ${shortened(name)} was reached ${where}.`,
  };
}
