// Unusual clients: TLS without a server name or from an unknown program, HTTP from an unknown program, and scripts or
// tools that fetch executables or contact bare addresses.
import type { Detector } from "../kernel/detector.ts";
import { FETCHES } from "../kernel/fetches.ts";
import type { DetectorInfo } from "../kernel/result.ts";
import { matchUserAgent } from "./rare-user-agent.ts";
import { FINGERPRINTS, TLS_CLIENTS } from "./state.ts";
import { matchFetch } from "./suspicious-fetch.ts";
import { matchTls } from "./tls-client.ts";

const TLS_RARITY: DetectorInfo = {
  modelId: "tls-rarity",
  version: "2",
  title: "Rare clients",
  technique: "T1071.001",
  kind: "transport",
  description:
    "Rare TLS clients and user agents, TLS without a server name, executables and tools that fetch from bare addresses.",
};

export const TLS_RARITY_DETECTOR: Detector = {
  info: TLS_RARITY,
  states: [TLS_CLIENTS, FINGERPRINTS, FETCHES],
  feeds: ["tls", "http"],
  match(sighting, states) {
    const { facts } = sighting.observation;
    if (facts?.type === "tls") return matchTls(sighting, facts, TLS_RARITY, states);
    if (facts?.type !== "http") return null;
    return matchFetch(sighting, facts, TLS_RARITY, states) ??
      matchUserAgent(sighting, facts, TLS_RARITY, states);
  },
};
