// Periodic callbacks to one server name, whatever its addresses: a server behind a content network, one that
// moves, one that shares its address with many others, one behind the site's proxy. The statistics are those
// of `beacon`.
//
// If the name has one address, and the address serves little else, `beacon` sees the same and this detector
// stays silent. Most names in the clear belong to software that polls its vendor and to pages that refresh
// themselves, so a rhythm alone is worth less.
import { registeredDomain } from "../../device/registered-domain.ts";
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { statedName } from "../../flow/server-name.ts";
import { CHANNELS } from "../kernel/callback/channel-state.ts";
import {
  addConnection,
  type ChannelState,
  isDue,
  markEvaluated,
  nameChannel,
} from "../kernel/callback/channel.ts";
import {
  COMMON_MIN_USERS,
  COMMON_SHARE,
  NAMED_POINTS,
  PREVALENCE_MIN_DEVICES,
} from "../kernel/callback/modifiers.ts";
import { evaluateCallbacks } from "../kernel/callback/score.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import type { DetectorInfo, DetectorResult, SubScore } from "../kernel/result.ts";
import { isOfMainSource } from "../kernel/main-source.ts";
import { extra } from "../kernel/score.ts";
import { percent, shortened } from "../../../kit/text.ts";
import { NAMED_CHANNELS, type NamedChannel, resetCounts } from "./state.ts";

const BEACON_NAME: DetectorInfo = {
  modelId: "beacon-name",
  version: "6",
  title: "Periodic callbacks to a server name",
  technique: "T1071.001",
  kind: "callback",
  description:
    "A device that repeatedly contacts one server name in a regular rhythm, over TLS or HTTP, or sends HTTP requests to a bare address in one.",
  meaning:
    "Malware calls its operators on a schedule, and a name lets them move between addresses. Web pages that are left open, chat, mail and update programs also ask by name in a rhythm.",
  checks: [
    "who registered the name and when, and whether other devices of the site use it",
    "which program on the device makes the requests: its user agent and client fingerprint, and the device's process list",
    "how much was sent and received: commands are small, stolen data is not",
    "what the device fetched just before the first request",
  ],
  sources: "TLS, HTTP",
  baseline: "as `beacon`, for a named peer or a bare address",
  reports: [
    "callbacks in a rhythm to one server name, whatever its addresses, also through a proxy",
    "HTTP requests in a rhythm to a bare address within connections that stay open, also long polling",
  ],
  ignores: [
    "what `beacon` reports by address",
    "names and addresses that many devices of the site use",
    "requests to a bare address from a web page, or with large responses, as media players send them",
    "messages within an open TLS connection or WebSocket, which no record shows",
  ],
};

/** Replaces NAMED_POINTS if there are too few devices to recognise common software. */
const ALONE_POINTS = -30;
/** If all requests name a referring page, else their share of it; an implant can forge a referrer. */
const PAGE_POINTS = -15;
/**
 * The address serves little but the name if its channel has this many times the connections of the name's.
 */
const SAME_CHANNEL = { least: 0.5, most: 1.5 } as const;
/** An internal server leads to external names only as a proxy. */
const PROXY_PORTS: ReadonlySet<number> = new Set([3128, 8080, 8118, 8888]);
/** Larger responses to a bare address are downloads and media segments, which players request in a rhythm. */
const MAX_COMMAND_BYTES = 100_000;
/** A tunnel's CONNECT and TLS handshake are no further apart; a client does not reuse a port that soon. */
const TUNNEL_SPAN: Micros = 60_000_000;

export const BEACON_NAME_DETECTOR: Detector = {
  info: BEACON_NAME,
  states: [NAMED_CHANNELS, CHANNELS],
  feeds: ["tls", "http"],
  match(sighting, states) {
    const { observation, src, dst, site } = sighting;
    const { deviceId } = src;
    const port = dst.port;
    if (deviceId === null || port === null) return null;
    if (dst.internal && !PROXY_PORTS.has(port)) return null;
    const stated = statedName(observation);
    if (stated === null) {
      if (dst.internal || isOfPage(observation)) return null;
      return observation.facts?.type === "http"
        ? matchRequest(sighting, deviceId, observation.facts, states)
        : matchNameless(sighting, deviceId, states);
    }
    const { name } = stated;
    const domain = registeredDomain(name);
    if (domain === null) return null;
    const { facts, start, proto } = observation;
    const named = states(NAMED_CHANNELS, `${deviceId} ${name}`);
    const users = states(PREVALENCE, `domain ${domain}`);
    const channel = states(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${port}`);
    return () => {
      if (addUser(users.state, deviceId, start)) users.save(users.state);
      const since = users.state.firstSeen ?? start;
      // Lets `beacon` report the name together with the address.
      if (!dst.internal && nameChannel(channel.state, name, since)) channel.save(channel.state);
      const prevalence = users.state.users.count;
      // Names that half of the site uses are not worth following, and they would be the most expensive ones.
      if (isCommon(prevalence, sighting.deviceCount)) return null;
      const state = named.state;
      if (!isOfMainSource(state.main, observation.source, start)) return null;
      const request = facts?.type === "http" ? facts : null;
      const isConnect = request?.method === "CONNECT";
      const srcPort = request === null || isConnect ? src.port : null;
      // Scanning the beats of all direct TLS would cost time and find nothing.
      const isTunnel = isConnect || (request === null && port !== 443);
      addConnection(state.channel, {
        start,
        end: observation.end,
        // Each request of a connection is a callback, but CONNECT and the TLS handshake inside are one.
        srcPort,
        bytesOut: request === null || request.requestBytes === null ? null : countOf(request.requestBytes),
        failed: false,
        counted: isTunnel && srcPort !== null && state.channel.points.hasNear(srcPort, start, TUNNEL_SPAN),
        evidenceId: sighting.evidence.evidenceId,
        flowId: sighting.evidence.flowId,
      });
      if (state.channel.count <= 1) resetCounts(state);
      state.addresses.add(dst.ip);
      if (request !== null && request.referrer !== null) state.referred++;
      const due = isDue(state.channel);
      if (due) markEvaluated(state.channel);
      named.save(state);
      if (!due || isReportedByAddress(state, channel.state)) return null;
      const result = evaluateCallbacks(BEACON_NAME, state.channel, {
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

/** A request to a bare address from a page belongs to the page's site, which has a name. */
function isOfPage({ facts }: Sighting["observation"]): boolean {
  return facts?.type === "http" && facts.referrer !== null;
}

/** Records for `beacon` that the client contacts the address without a name. */
function matchNameless({ observation, dst }: Sighting, deviceId: string, states: StateLookup): Evaluate {
  const channel = states(CHANNELS, `${deviceId} ${dst.ip} ${observation.proto} ${dst.port}`);
  return () => {
    if (!channel.state.knownNameless) {
      channel.state.knownNameless = true;
      channel.save(channel.state);
    }
    return null;
  };
}

/** Follows the requests to a bare address: an open connection carries many, and `beacon` sees only one. */
function matchRequest(
  sighting: Sighting,
  deviceId: string,
  request: HttpFacts,
  states: StateLookup,
): Evaluate {
  const { observation, dst, site, evidence: { evidenceId, flowId } } = sighting;
  const { proto, start, end } = observation;
  const port = dst.port!;
  const markNameless = matchNameless(sighting, deviceId, states);
  // A name contains no space.
  const requests = states(NAMED_CHANNELS, `${deviceId} ${dst.ip} ${port}`);
  const peer = states(PREVALENCE, `peer ${dst.ip}`);
  const ofAddress = states(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${port}`);
  return () => {
    markNameless();
    if (addUser(peer.state, deviceId, start)) peer.save(peer.state);
    const prevalence = peer.state.users.count;
    if (isCommon(prevalence, sighting.deviceCount)) return null;
    if (countOf(request.responseBytes) >= MAX_COMMAND_BYTES) return null;
    const { state } = requests;
    if (!isOfMainSource(state.main, observation.source, start)) return null;
    const bytesOut = request.requestBytes === null ? null : countOf(request.requestBytes);
    const point = { start, end, srcPort: null, bytesOut, failed: false, evidenceId, flowId };
    addConnection(state.channel, point);
    if (state.channel.count <= 1) resetCounts(state);
    state.addresses.add(dst.ip);
    const due = isDue(state.channel);
    if (due) markEvaluated(state.channel);
    requests.save(state);
    if (!due || isReportedByAddress(state, ofAddress.state)) return null;
    return evaluateCallbacks(BEACON_NAME, state.channel, {
      deviceId,
      deviceName: site.nameOf(deviceId),
      peerIp: dst.ip,
      peerPort: port,
      peerName: null,
      byName: false,
      requests: true,
      named: peer.state.lookedUpAt !== null,
      exported: false,
      unnamed: false,
      proto,
      service: "http",
      peerInternal: false,
      prevalence,
      deviceCount: sighting.deviceCount,
      firstSeenPeerAt: peer.state.lookedUpAt ?? peer.state.firstSeen,
      historySince: sighting.historySince,
    }, []);
  };
}

function isCommon(users: number, deviceCount: number): boolean {
  return deviceCount >= PREVALENCE_MIN_DEVICES && users >= COMMON_MIN_USERS &&
    users / deviceCount >= COMMON_SHARE.full;
}

/** Whether `beacon` reports the same rhythm by address. */
function isReportedByAddress({ channel, addresses }: NamedChannel, ofAddress: ChannelState): boolean {
  const { least, most } = SAME_CHANNEL;
  return addresses.count === 1 && ofAddress.count >= channel.count * least &&
    ofAddress.count <= channel.count * most;
}

function modifiers({ channel, referred }: NamedChannel, deviceCount: number): SubScore[] {
  const few = deviceCount < PREVALENCE_MIN_DEVICES;
  const found = [extra(
    "polled_by_name",
    few ? ALONE_POINTS : NAMED_POINTS,
    few
      ? "software and web pages also poll servers by name, and too few devices are known to recognise common software"
      : "software and web pages also poll servers by name",
  )];
  const share = referred / channel.count;
  if (share >= 0.1) {
    found.push(
      extra("from_a_page", PAGE_POINTS * share, `${percent(share)} of the requests name a referring page`),
    );
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
  const where = proxied ? "through the proxy" : `at ${count === 1 ? "one address" : `${count} addresses`}`;
  return {
    ...result,
    technique: BEACON_NAME.technique,
    // The proxy is not the destination.
    destinations: result.destinations.map((one) => proxied ? { ...one, ip: null } : one),
    groupKey: `${result.deviceId}|${name}`,
    summary: `${result.summary} ${shortened(name)} was reached ${where}.`,
  };
}
