// Floods: large numbers of packets or connections to one host, as botnets send them to knock a service
// offline.
//
// Counted are UDP and ICMP packets that are hardly answered, and TCP connections that nothing comes of, in
// windows of ten minutes. Targets outside are counted per device. Targets inside are counted as such, because
// a flood may come from thousands of forged addresses.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { Detector, Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { outsideKey } from "../kernel/peer.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import {
  type Answer,
  countAnswer,
  countAttempt,
  countConversation,
  type Counted,
  countPackets,
} from "./count.ts";
import { evaluateFlood, FLOOD } from "./score.ts";
import { addAnswered, addSent, findTarget, FLOODS, INSIDE_STATES } from "./state.ts";

/** Devices that send the connections of others. */
const FORWARDERS: ReadonlySet<string> = new Set(["router", "firewall", "proxy"]);

export const FLOOD_DETECTOR: Detector = {
  info: FLOOD,
  states: [FLOODS],
  feeds: ["connection", "growth"],
  match(sighting, states) {
    const { proto } = sighting.connection!;
    if (proto === "tcp") {
      const attempt = countAttempt(sighting);
      if (attempt !== null) return matchSent(attempt, sighting, states);
      const conversation = countConversation(sighting);
      return conversation === null ? null : matchAnswer(conversation, sighting, states);
    }
    const isIcmp = proto === "icmp" || proto === "ipv6-icmp";
    if (!isIcmp && proto !== "udp") return null;
    const packets = countPackets(sighting, isIcmp);
    if (packets !== null) return matchSent(packets, sighting, states);
    const answer = countAnswer(sighting, isIcmp);
    return answer === null ? null : matchAnswer(answer, sighting, states);
  },
};

/** The key of the state that counts a target; null if it is not followed. */
function keyOf({ client, server }: Pick<Counted, "client" | "server">): string | null {
  if (server.internal) return `inside ${hash32(server.ip) % INSIDE_STATES}`;
  return client.deviceId;
}

function matchSent(counted: Counted, sighting: Sighting, states: StateLookup): Evaluate | null {
  const { client, server } = counted;
  const key = keyOf(counted);
  if (key === null || !isOneHost(server.ip) || !isOneHost(client.ip) || client.ip === server.ip) return null;
  const { connection, observation, evidence, site } = sighting;
  const { proto } = observation;
  if (proto === "tcp" && client.deviceId !== null) {
    const type = site.confirmedType(client.deviceId);
    if (type !== null && FORWARDERS.has(type)) return null;
  }
  const entry = states(FLOODS, key);
  const hasPorts = proto === "tcp" || proto === "udp";
  const context = {
    client,
    server,
    clientName: client.deviceId === null ? client.ip : site.nameOf(client.deviceId),
    serverName: server.deviceId === null ? server.ip : site.nameOf(server.deviceId),
  };
  return () => {
    const { state } = entry;
    const { target, window } = addSent(state, {
      ip: server.ip,
      proto,
      source: outsideKey(client.ip),
      sourcePort: hasPorts ? client.port : null,
      port: hasPorts ? server.port : null,
      at: connection!.first ? observation.start : observation.end,
      end: observation.end,
      ...counted,
    }, { ...evidence, observedAt: observation.start });
    entry.save(state);
    // An exporter's answer may arrive after the request, so only what earlier records sent is evaluated.
    const isPending = connection!.exporterDirection && proto !== "tcp";
    const sent = isPending ? window.sent - counted.sent : window.sent;
    return evaluateFlood(target, window, sent, { ...context, learned: sighting.learned });
  };
}

/** Counts what came back, if the target is followed. */
function matchAnswer(answer: Answer, sighting: Sighting, states: StateLookup): Evaluate | null {
  const key = keyOf(answer);
  if (key === null) return null;
  const entry = states(FLOODS, key);
  const { connection, observation } = sighting;
  const at = connection!.first ? observation.start : observation.end;
  return () => {
    const target = findTarget(entry.state, answer.server.ip, observation.proto);
    if (target !== null && addAnswered(target, at, answer.answered)) entry.save(entry.state);
    return null;
  };
}
