// The alert detector's sentences.
import type { DetectorResult } from "../kernel/result.ts";
import type { SignatureFamily, Theme } from "./family.ts";
import type { AlertGroupState, WorstAlert } from "./state.ts";
import { MAX_OTHER_TEXT, MAX_PEERS, signatureIdOf } from "./state.ts";
import { list, plural, within } from "../kernel/wording.ts";

/** Peers and further signatures named in a summary. */
const NAMED = 3;

interface Subject {
  deviceName: string;
  family: SignatureFamily;
}

export function describeAlerts(
  state: AlertGroupState,
  worst: WorstAlert,
  { deviceName, family }: Subject,
): Pick<DetectorResult, "title" | "summary" | "explanation"> {
  const worstId = signatureIdOf(worst.facts);
  const others = state.signatures.filter(({ id }) => id !== worstId).map(({ signature }) => signature);
  return {
    title: title(family, deviceName, worst.outbound),
    summary: `The sensor raised ${plural(state.count, "alert")} (${family.label}) about ${deviceName} ` +
      `${within(state.firstSeen, state.lastSeen)}: ${signatures(worst.facts.signature, others)}. ${
        peers(state, worst)
      }`,
    explanation:
      `${MEANING[family.theme](worst.outbound)} Worst alert: ${worst.facts.category ?? "no category"}` +
      `${worst.facts.priority === null ? "" : `, priority ${worst.facts.priority} (1 is worst)`}` +
      `${
        worst.facts.action === "blocked" ? ", blocked by the sensor" : ""
      }. Its rule sets the score; number, ` +
      "variety and peers raise it.",
  };
}

function title(family: SignatureFamily, device: string, outbound: boolean): string {
  switch (family.theme) {
    case "malware":
      return `Malware traffic of ${device} (${family.label})`;
    case "compromise":
      return `Signs of a successful attack on ${device} (${family.label})`;
    case "attack":
      return `Attack attempts ${outbound ? "from" : "against"} ${device} (${family.label})`;
    case "scan":
      return `${device} ${outbound ? "scans other hosts" : "is being scanned"} (${family.label})`;
    case "reputation":
      return outbound
        ? `${device} contacts addresses of bad reputation`
        : `${device} is contacted from addresses of bad reputation`;
    case "policy":
      return `Policy alerts about ${device} (${family.label})`;
    case "noise":
    case "other":
      return `Alerts about ${device} (${family.label})`;
  }
}

const MEANING: Record<Theme, (outbound: boolean) => string> = {
  malware: () =>
    "The traffic matches what known malware sends or fetches. Look at the device itself, and at who else talks " +
    "to the same peers.",
  compromise: (outbound) =>
    outbound
      ? "The device sends what an attacked host answers when the attack has worked. Look at what it was sent just " +
        "before."
      : "The traffic matches what passes between an attacked host and its attacker when the attack has worked, and " +
        "it came to this device. Look at who began: the device may be under control, may have attacked the " +
        "sender, or may only have fetched a text that looks like it.",
  attack: (outbound) =>
    outbound
      ? "The device sends what exploits send. Unless it is a test of your own, somebody works from it."
      : "Somebody sends this device what exploits send; a signature sees the attempt, not whether it worked. " +
        "Check whether the device runs the software that is meant, and what it did afterwards.",
  scan: (outbound) =>
    outbound
      ? "The device looks for services on other hosts. Unless it is a scanner of your own, something on it does."
      : "Somebody looks for services on this device. On an exposed address that is daily weather; inside the " +
        "network it is not.",
  reputation: (outbound) =>
    outbound
      ? "The device itself opened connections to addresses that are listed for abuse."
      : "Addresses that are listed for abuse contacted this device; most do so with every address there is.",
  policy: () =>
    "The traffic is worth knowing, not by itself harmful: software, services or content your rules name.",
  noise: () => "The sensor remarks on the form of the traffic.",
  other: () => "A rule of the sensor matched.",
};

/** The worst first. Of the others only the beginning is kept, in which two may be alike. */
function signatures(worst: string, others: readonly string[]): string {
  const begun = others.map((text) => text.length < MAX_OTHER_TEXT ? text : `${text}…`);
  const named = [...new Set(begun)].slice(0, NAMED - 1);
  const rest = others.length - named.length;
  return list([
    ...[worst, ...named].map((text) => `"${text.trim()}"`),
    ...(rest > 0 ? [`${rest} more`] : []),
  ]);
}

function peers({ peers, outboundCount, count }: AlertGroupState, { outbound }: WorstAlert): string {
  const named = peers.slice(0, NAMED).map(({ ip }) => ip);
  const rest = peers.length - named.length;
  const all = list([
    ...named,
    ...(rest > 0 ? [`${rest}${peers.length >= MAX_PEERS ? " or more" : ""} others`] : []),
  ]);
  const mixed = outboundCount > 0 && outboundCount < count;
  if (mixed) return `Other side: ${all}; ${outboundCount} of ${count} from the device.`;
  return outbound ? `From the device to ${all}.` : `From ${all} to the device.`;
}
