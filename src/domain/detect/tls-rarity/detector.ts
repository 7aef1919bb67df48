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
  meaning:
    "A client fingerprint or user agent that only one device has belongs to a program that only this device runs, such as malware or a tool of an intruder. New and rare programs are harmless most of the time.",
  checks: [
    "which program on the device it is, and who installed it",
    "who runs the server, and what was fetched: executables above all",
    "whether the program has appeared on other devices since",
  ],
  sources: "TLS, HTTP",
  baseline:
    "client fingerprints and user agents that appear after the learning phase; none for the other patterns",
  reports: [
    "TLS without a server name",
    "client fingerprints and user agents of one device only",
    "executables and tools fetched from bare addresses",
    "executables named like an image",
  ],
  ignores: [
    "new versions of a known program",
    "user agents that start with `Mozilla`",
    "old clients that looked the name up",
    "updates from caches",
    "scored lower: many servers without names (peer-to-peer)",
  ],
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
