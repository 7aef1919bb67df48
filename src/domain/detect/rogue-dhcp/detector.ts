// DHCP servers that appear after the learning phase. A DHCP server decides where its clients' traffic goes.
//
// Servers are known by their replies, and by flows between the DHCP ports that carry an answer. Servers present during
// the learning phase are known; a later one is reported. Its score grows with its clients, and is highest if it sends
// clients of the same network another router or resolver than the known servers do.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { DhcpFacts } from "../../record/facts.ts";
import { countOf, type Detector, type Party, type Sighting } from "../kernel/detector.ts";
import type { DetectorInfo, DetectorResult } from "../kernel/result.ts";
import { whileLearning } from "../kernel/result.ts";
import { extra, share, total } from "../kernel/score.ts";
import {
  EXACT_CLIENTS,
  hasConflictingOptions,
  recordService,
  type Server,
  serverListState,
} from "../kernel/servers.ts";
import { moment, plural } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";

const ROGUE_DHCP: DetectorInfo = {
  modelId: "rogue-dhcp",
  version: "1",
  title: "New DHCP server",
  technique: "T1557.003",
  description: "A host that starts to serve DHCP beside the known DHCP servers of the site.",
  meaning:
    "The operator of a DHCP server sets the router and the resolver of its clients, and can read and change their traffic. It is usually an access point or a phone that shares its connection.",
  checks: [
    "where the device is: its address at the switch or the access point",
    "which router and resolver it assigns, and to which clients",
    "whether it is yours: then confirm its type; otherwise disconnect it and enable DHCP snooping",
  ],
  sources: "DHCP; flows that carry an answer",
  baseline: "the known DHCP servers of the site",
  reports: ["a new DHCP server, above all one that announces another router or resolver"],
  ignores: ["the first server of the site", "a server that has been active for a week"],
};

/** Points of a new server, and of EXACT_CLIENTS clients. */
const POINTS = { base: 40, clients: 18 } as const;
const MODIFIERS = { otherOptions: 18, meantTo: -25 } as const;
/** A server is reported again when its score has risen by this much. */
const RISE = 5;

/** One state per tenant. */
export const DHCP_SERVERS = serverListState(15, "dhcp servers");

const REPLIES: ReadonlySet<string | null> = new Set(["offer", "ack", "nak"]);
/** Confirmed types whose devices serve DHCP. */
const DHCP_TYPES = /dhcp|router|firewall|controller|server/i;

export const ROGUE_DHCP_DETECTOR: Detector = {
  info: ROGUE_DHCP,
  states: [DHCP_SERVERS],
  feeds: ["connection", "dhcp"],
  match(sighting, states) {
    const answer = answerOf(sighting);
    if (answer === null || !isOneHost(answer.serverIp)) return null;
    const { observation, evidence, src, dst } = sighting;
    const entry = states(DHCP_SERVERS, "");
    return () => {
      const { state } = entry;
      const { learned } = sighting;
      const server = recordService(state, {
        ...answer,
        at: observation.start,
        learned,
        ref: () => ({ ...evidence, observedAt: observation.start }),
      });
      if (server === null) return null;
      entry.save(state);
      // The first server of a site is never rogue.
      if (server.known || state.servers.length < 2) return null;
      const party = [src, dst].find(({ ip }) => ip === answer.serverIp) ?? null;
      const differs = hasConflictingOptions(state, server);
      const result = evaluate(server, answer.serverIp, party, sighting, differs);
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
  if (facts?.type === "dhcp") return answerOfRecord(facts, src.ip);
  if (connection === null || proto !== "udp") return null;
  // Both ends on port 67 is a relay that forwards requests.
  if (src.port === 67 && dst.port === 68) return { serverIp: src.ip, client: dst.ip };
  if (src.port !== 68 || dst.port !== 67 || connection.exporterDirection) return null;
  return countOf(connection.bytesIn) > 0 ? { serverIp: dst.ip, client: src.ip } : null;
}

function answerOfRecord(
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
  const subScores = [
    share("new_server", 1, POINTS.base, "no DHCP server during the learning phase"),
    share(
      "clients",
      (clients - 1) / (EXACT_CLIENTS - 1),
      POINTS.clients,
      `${plural(clients, "client")} served`,
    ),
  ];
  const modifiers = [
    differs
      ? extra(
        "other_options",
        MODIFIERS.otherOptions,
        "sends another router or resolver than a known server to clients of the same network",
      )
      : null,
    type !== null && DHCP_TYPES.test(type)
      ? extra("meant_to", MODIFIERS.meantTo, "its confirmed type serves DHCP")
      : null,
  ].filter((one) => one !== null);
  const score = total(subScores, modifiers);
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
    title: titleLine`New DHCP server: ${name}`,
    phrase: "acting as a new DHCP server",
    summary:
      `${name}${name === ip ? "" : ` (${ip})`} has answered DHCP requests from at least ${
        plural(clients, "client")
      } since ` +
      `${moment(server.first)}, but not before.${
        differs ? " It sends them another router or resolver than the known server." : ""
      }`,
    explanation:
      "A DHCP server sets the router and the resolver of every client, so its operator can read and change all of their " +
      "traffic. It is usually an access point or a home router that someone plugged in, or a phone that shares its " +
      "connection; both disrupt the network. Locate the device by its address at the switch, check the options it " +
      "sends, and enable DHCP snooping. If the server is yours, confirm its type.",
    score,
    confidence: differs ? 0.9 : 0.75,
    subScores,
    modifiers,
    evidence: [...server.refs],
  }, learned);
}
