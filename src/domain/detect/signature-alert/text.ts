// Texts of the signature-alert detector.
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, list, plural, within } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";
import type { SignatureFamily, Theme } from "./family.ts";
import { signatureIdOf } from "./group.ts";
import { type AlertGroupState, MAX_OTHER_TEXT, MAX_PEERS, type WorstAlert } from "./state.ts";

/** Peers and signatures named in a summary. */
const NAMED = 3;

interface Subject {
  deviceName: string;
  family: SignatureFamily;
}

export function describeAlerts(
  state: AlertGroupState,
  worst: WorstAlert,
  { deviceName, family }: Subject,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { facts, outbound } = worst;
  const worstId = signatureIdOf(facts);
  const others = state.signatures.filter(({ id }) => id !== worstId).map(({ signature }) => signature);
  const priority = facts.priority === null ? "" : `, priority ${facts.priority} (1 is highest)`;
  const blocked = facts.action === "blocked" ? ", blocked by the sensor" : "";
  return {
    title: title(family, deviceName, outbound),
    phrase: phrase(family, outbound),
    summary: `The sensor raised ${atLeast(state.count, "alert")} (${family.label}) about ${deviceName} ` +
      `${within(state.firstSeen, state.lastSeen)}: ${signatures(facts.signature, others)}. ${
        peers(state, worst)
      }`,
    explanation:
      `${MEANING[family.theme](outbound)} Worst alert: ${facts.category ?? "no category"}${priority}` +
      `${blocked}. Its rule determines the score; number, variety and peers raise it.`,
  };
}

function title(family: SignatureFamily, device: string, outbound: boolean): string {
  switch (family.theme) {
    case "malware":
      return titleLine`Malware traffic of ${device} (${family.label})`;
    case "compromise":
      return titleLine`Signs of a successful attack on ${device} (${family.label})`;
    case "attack":
      return titleLine`Attack attempts ${outbound ? "from" : "against"} ${device} (${family.label})`;
    case "scan":
      return titleLine`${device} ${outbound ? "scans other hosts" : "is being scanned"} (${family.label})`;
    case "reputation":
      return outbound
        ? titleLine`${device} contacts addresses with a bad reputation`
        : titleLine`${device} is contacted by addresses with a bad reputation`;
    case "policy":
      return titleLine`Policy alerts about ${device} (${family.label})`;
    case "noise":
    case "other":
      return titleLine`Alerts about ${device} (${family.label})`;
  }
}

/** The title without the device. */
function phrase({ theme, label }: SignatureFamily, outbound: boolean): string {
  switch (theme) {
    case "malware":
      return `malware traffic (${label})`;
    case "compromise":
      return `signs of a successful attack (${label})`;
    case "attack":
      return outbound ? `attack attempts (${label})` : `attack attempts against it (${label})`;
    case "scan":
      return outbound ? `scans other hosts (${label})` : `being scanned (${label})`;
    case "reputation":
      return outbound
        ? "contacts addresses with a bad reputation"
        : "contacted by addresses with a bad reputation";
    case "policy":
      return `policy alerts (${label})`;
    case "noise":
    case "other":
      return `alerts (${label})`;
  }
}

/** Why it is unusual, what else it could be, and what to check next. */
const MEANING: Record<Theme, (outbound: boolean) => string> = {
  malware: () =>
    "The traffic matches known malware. Security tools, downloads of samples and texts that quote a rule match it, too. " +
    "Examine the device itself, and other devices that contact the same peers.",
  compromise: (outbound) =>
    outbound
      ? "The device sends what a host answers after a successful attack. Administration by scripts looks similar. Check " +
        "what it received just before."
      : "The traffic matches what a host and its attacker exchange after a successful attack, and it was sent to this " +
        "device. Check which side started the connection: the device may be compromised, may have attacked the sender, " +
        "or may only have downloaded a text that looks similar.",
  attack: (outbound) =>
    outbound
      ? "The device sends exploits. Unless this is an authorized test, an attacker uses the device. Check which program " +
        "on it sends them, and what its targets answered."
      : "This device receives exploits. A signature detects the attempt, not its success. Check whether the device runs " +
        "the targeted software, and what it did afterwards.",
  scan: (outbound) =>
    outbound
      ? "The device looks for services on other hosts. Unless it is an authorized scanner, a program on it does so " +
        "without permission. Check which program that is, and which hosts answered it."
      : "Another host looks for services on this device. This is routine for an exposed address, but not inside the " +
        "network. Check whether the source is a scanner of the site, and which services answered it.",
  reputation: (outbound) =>
    outbound
      ? "The device itself connected to addresses that are listed for abuse. Such lists become outdated, and shared hosts " +
        "serve many sites. Check which program made the connections, and what was sent."
      : "Addresses that are listed for abuse contacted this device; most of them contact every public address. Check " +
        "whether a service answered them that should not be public.",
  policy: () =>
    "The traffic is notable but not harmful by itself: software, services or content that your rules name. It may be " +
    "permitted on this device. Check who uses it and whether the rule should apply here.",
  noise: () =>
    "The sensor reports deviations in the form of the traffic, which captures with gaps show, too. Check the sensor first.",
  other: () =>
    "A rule of the sensor matched. Rules also match harmless traffic. Check the rule's description and the records " +
    "that it matched.",
};

/** The worst signature first. Only the start of the others is kept, and equal starts are named once. */
function signatures(worst: string, others: readonly string[]): string {
  const starts = others.map((text) => text.length < MAX_OTHER_TEXT ? text : `${text}…`);
  const named = [...new Set(starts)].slice(0, NAMED - 1);
  const rest = others.length - named.length;
  return list([
    ...[worst, ...named].map((text) => `"${text.trim()}"`),
    ...(rest > 0 ? [`${rest} more`] : []),
  ]);
}

function peers({ peers, outboundCount, count }: AlertGroupState, { outbound }: WorstAlert): string {
  if (peers.length === 0) return "The sensor does not state the other end.";
  const named = peers.slice(0, NAMED).map(({ ip }) => ip);
  const rest = peers.length - named.length;
  const all = list([
    ...named,
    ...(rest > 0 ? [peers.length >= MAX_PEERS ? `${rest} or more others` : plural(rest, "other")] : []),
  ]);
  const isMixed = outboundCount > 0 && outboundCount < count;
  if (isMixed) return `Peers: ${all}; ${outboundCount} of ${count} alerts were from the device.`;
  return outbound ? `From the device to ${all}.` : `From ${all} to the device.`;
}
