// Clients that are not what one sees every day: TLS without a server's name or by an unknown program, HTTP by one, scripts
// and tools that fetch programs or go to bare addresses.
import type { Detector } from "../kernel/detector.ts";
import { matchFetch } from "./suspicious-fetch.ts";
import { matchUserAgent } from "./rare-user-agent.ts";
import type { DetectorInfo } from "../kernel/result.ts";
import { matchTls } from "./tls-client.ts";

const TLS_RARITY: DetectorInfo = {
  modelId: "tls-rarity",
  version: "2",
  title: "Rare clients",
  technique: "T1071.001",
  description:
    "Rare TLS clients and user agents, TLS without a server's name, programs and tools that fetch from bare addresses.",
};

export const TLS_RARITY_DETECTOR: Detector = {
  info: TLS_RARITY,
  feeds: ["tls", "http"],
  match(sighting, need) {
    const { facts } = sighting.observation;
    if (facts?.type === "tls") return matchTls(sighting, facts, TLS_RARITY, need);
    if (facts?.type !== "http") return null;
    return matchFetch(sighting, facts, TLS_RARITY, need) ?? matchUserAgent(sighting, facts, TLS_RARITY, need);
  },
};
