// A DHCP server that was not there before: whoever hands out addresses decides where everybody's traffic goes.
//
// Servers are known by their replies, and by flows between the ports of DHCP that carry an answer. What is there while
// the usual is learned is taken to belong here; one that comes later is reported, more so with every client it serves,
// and most where it tells clients of the same network another router or resolver than the known servers do.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { DhcpFacts } from "../../record/facts.ts";
import { countOf, type Detector, type Party, type Sighting } from "../kernel/detector.ts";
import {
  type DetectorInfo,
  type DetectorResult,
  roundScore,
  type SubScore,
  whileLearning,
} from "../kernel/result.ts";
import {
  EXACT_CLIENTS,
  hasConflictingOptions,
  recordService,
  type Server,
  serverListState,
} from "../kernel/servers.ts";
import { clamp01 } from "../kernel/stats.ts";
import { moment, plural } from "../kernel/wording.ts";

const ROGUE_DHCP: DetectorInfo = {
  modelId: "rogue-dhcp",
  version: "1",
  title: "New DHCP server",
  technique: "T1557.003",
  description: "A host that begins to hand out addresses beside the DHCP servers of the site.",
};

/** Points of a new server, and of as many clients as are counted exactly. */
const POINTS = { base: 40, clients: 18 } as const;
const MODIFIERS = { otherOptions: 18, meantTo: -25 } as const;
/** A result is given again where its score has risen by so much. */
const RISE = 5;

export const DHCP_SERVERS = serverListState(15, "dhcp servers");

const REPLIES: ReadonlySet<string | null> = new Set(["offer", "ack", "nak"]);
const MEANT_TO = /dhcp|router|firewall|controller|server/i;

export const ROGUE_DHCP_DETECTOR: Detector = {
  info: ROGUE_DHCP,
  feeds: ["connection", "dhcp"],
  match(sighting, need) {
    const answer = answerOf(sighting);
    if (answer === null || !isOneHost(answer.serverIp)) return null;
    const { observation, evidence, src, dst } = sighting;
    const slot = need(DHCP_SERVERS, "");
    return () => {
      const book = slot.state;
      const { learned } = sighting;
      const server = recordService(book, {
        ...answer,
        at: observation.start,
        learned,
        ref: () => ({ ...evidence, observedAt: observation.start }),
      });
      if (server === null) return null;
      slot.save(book);
      // The first one of all is no news, whenever it comes.
      if (server.known || book.servers.length < 2) return null;
      const party = [src, dst].find(({ ip }) => ip === answer.serverIp) ?? null;
      const result = evaluate(server, answer.serverIp, party, sighting, hasConflictingOptions(book, server));
      if (result !== null) server.reportedScore = result.score;
      return result;
    };
  },
};

interface Answer {
  serverIp: string;
  client: string;
  network?: string;
  options?: string;
}

function answerOf({ observation, connection }: Sighting): Answer | null {
  const { facts, src, dst, proto } = observation;
  if (facts?.type === "dhcp") return ofRecord(facts, src.ip);
  if (connection === null || proto !== "udp") return null;
  // Between two servers' ports it is a relay that asks for others.
  if (src.port === 67 && dst.port === 68) return { serverIp: src.ip, client: dst.ip };
  if (src.port !== 68 || dst.port !== 67 || connection.exporterDirection) return null;
  return countOf(connection.bytesIn) > 0 ? { serverIp: dst.ip, client: src.ip } : null;
}

function ofRecord(
  { messageType, serverIp, clientMac, assignedIp, routers, dnsServers }: DhcpFacts,
  from: string,
): Answer | null {
  if (serverIp === null || !REPLIES.has(messageType)) return null;
  const answer: Answer = { serverIp, client: clientMac ?? assignedIp ?? from };
  if (assignedIp === null || (routers.length === 0 && dnsServers.length === 0)) return answer;
  const network = assignedIp.slice(0, assignedIp.lastIndexOf("."));
  return { ...answer, network, options: [...routers, "", ...dnsServers.toSorted()].join(" ") };
}

function evaluate(
  server: Server,
  ip: string,
  party: Party | null,
  { site, learned }: Sighting,
  differs: boolean,
): DetectorResult | null {
  const deviceId = party?.deviceId ?? null;
  const name = deviceId === null ? ip : site.nameOf(deviceId);
  const clients = server.clients.count;
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  const subScores: SubScore[] = [
    {
      name: "new_server",
      value: 1,
      weight: POINTS.base,
      detail: "no DHCP server while the usual was learned",
    },
    {
      name: "clients",
      value: Math.round(clamp01((clients - 1) / (EXACT_CLIENTS - 1)) * 1000) / 1000,
      weight: POINTS.clients,
      detail: `${plural(clients, "client")} served`,
    },
  ];
  const modifiers: SubScore[] = [];
  if (differs) {
    modifiers.push({
      name: "other_options",
      value: MODIFIERS.otherOptions,
      weight: 1,
      detail: "tells clients of the same network another router or resolver than a known server does",
    });
  }
  if (type !== null && MEANT_TO.test(type)) {
    modifiers.push({
      name: "meant_to",
      value: MODIFIERS.meantTo,
      weight: 1,
      detail: "somebody confirmed it to be of a type that hands out addresses",
    });
  }
  const score = roundScore(
    [...subScores, ...modifiers].reduce((sum, one) => sum + one.value * one.weight, 0),
  );
  if (server.reportedScore > 0 && score < server.reportedScore + RISE) return null;
  return whileLearning({
    modelId: ROGUE_DHCP.modelId,
    modelVersion: ROGUE_DHCP.version,
    technique: ROGUE_DHCP.technique,
    at: server.last,
    firstSeen: server.first,
    lastSeen: server.last,
    deviceId,
    deviceIds: deviceId === null ? [] : [deviceId],
    destinations: [{ ip, name: null, port: 67 }],
    groupKey: `server ${ip}`,
    subject: `DHCP server ${ip}`,
    title: `${name} began to act as a DHCP server`,
    phrase: "beginning to act as a DHCP server",
    summary:
      `${name}${name === ip ? "" : ` (${ip})`} has answered DHCP requests of ${
        plural(clients, "client")
      } since ` +
      `${moment(server.first)}; it did not before.${
        differs ? " It tells them another router or resolver than the known server." : ""
      }`,
    explanation:
      "A DHCP server tells every client which router and which resolver to use: who runs one can read and " +
      "change everybody's traffic. Mostly it is an access point or a home router that somebody plugged in, or a phone " +
      "that shares its connection; that breaks the network for others, too. Find the device by its address at the " +
      "switch, look at what it hands out, and turn on DHCP snooping. A new server of the site's own: confirm its type.",
    score,
    confidence: differs ? 0.9 : 0.75,
    subScores,
    modifiers,
    evidence: [...server.refs],
  }, learned);
}
