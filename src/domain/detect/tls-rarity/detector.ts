// Clients that are not what one sees every day: TLS without a server's name or by an unknown program, HTTP by one, scripts
// and tools that fetch programs or go to bare addresses.
import type { Detector } from "../kernel/detector.ts";
import { attendFetch } from "./suspicious-fetch.ts";
import { attendAgent } from "./rare-user-agent.ts";
import type { DetectorInfo } from "../kernel/result.ts";
import { attendTls } from "./tls-client.ts";

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
    if (facts?.type === "tls") return attendTls(sighting, facts, TLS_RARITY, need);
    if (facts?.type !== "http") return null;
    return attendFetch(sighting, facts, TLS_RARITY, need) ?? attendAgent(sighting, facts, TLS_RARITY, need);
  },
};
