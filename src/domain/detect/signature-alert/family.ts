// Which signatures belong together, and the points of a single alert.
import type { AlertFacts } from "../../record/facts.ts";

export interface SignatureFamily {
  /** Stable part of the incident's group key. */
  key: string;
  /** Display name: `ET SCAN`, `Emotet`, a rule category. */
  label: string;
  /** What the family means for a device; selects the texts. */
  theme: Theme;
}

export type Theme =
  | "malware"
  | "compromise"
  | "attack"
  | "scan"
  | "reputation"
  | "policy"
  | "noise"
  | "other";

/** How a class of the Emerging Threats and GPL rulesets bounds the points of its rules' categories. */
interface ClassRule {
  theme: Theme;
  /** Bounds of the points. */
  ceiling?: number;
  floor?: number;
  /** Replaces `floor` and `ceiling` for alerts whose source is the device. */
  outboundFloor?: number;
}

const COMPROMISE: ClassRule = { theme: "compromise", floor: 45 };
const MALWARE: ClassRule = { theme: "malware", floor: 40 };
/** Attempts against an exposed host are routine; attempts from a device are not. */
const ATTACK: ClassRule = { theme: "attack", outboundFloor: 45 };
const REPUTATION: ClassRule = { theme: "reputation", ceiling: 15, outboundFloor: 40 };
const SCAN: ClassRule = { theme: "scan", ceiling: 18, outboundFloor: 35 };
const POLICY: ClassRule = { theme: "policy", ceiling: 15 };
const INFORMATION: ClassRule = { theme: "policy", ceiling: 12 };

const CLASS_RULES: ReadonlyMap<string, ClassRule> = new Map([
  ["ATTACK_RESPONSE", COMPROMISE],
  ["CNC", { theme: "malware", floor: 60 }],
  ["BOTCC", { theme: "malware", floor: 50 }],
  ["MALWARE", MALWARE],
  ["MOBILE_MALWARE", MALWARE],
  ["COINMINER", MALWARE],
  ["WORM", MALWARE],
  ["EXPLOIT_KIT", { theme: "malware", floor: 45 }],
  ["PHISHING", { theme: "malware", floor: 30 }],
  ["ADWARE_PUP", { theme: "policy", ceiling: 25 }],
  ["EXPLOIT", ATTACK],
  ["WEB_SERVER", ATTACK],
  ["WEB_SPECIFIC_APPS", ATTACK],
  ["SQL", ATTACK],
  ["SHELLCODE", ATTACK],
  ["NETBIOS", ATTACK],
  ["RPC", ATTACK],
  ["DOS", ATTACK],
  ["SCAN", SCAN],
  ["CINS", REPUTATION],
  ["DROP", REPUTATION],
  ["COMPROMISED", REPUTATION],
  ["RBN", REPUTATION],
  ["3CORESEC", REPUTATION],
  ["THREATVIEW", REPUTATION],
  ["TOR", { theme: "reputation", ceiling: 15 }],
  ["POLICY", POLICY],
  ["P2P", POLICY],
  ["REMOTE_ACCESS", POLICY],
  ["FILE_SHARING", POLICY],
  ["DYN_DNS", POLICY],
  ["USER_AGENTS", { theme: "policy", ceiling: 25 }],
  ["HUNTING", { theme: "policy", ceiling: 18 }],
  ["INFO", INFORMATION],
  ["CHAT", INFORMATION],
  ["GAMES", INFORMATION],
  ["INAPPROPRIATE", INFORMATION],
  ["ICMP", INFORMATION],
  ["ICMP_INFO", INFORMATION],
]);
/** Former class names. */
const ALIASES: ReadonlyMap<string, string> = new Map([["TROJAN", "MALWARE"], ["VIRUS", "MALWARE"]]);
const NO_RULE: ClassRule = { theme: "other" };

/**
 * Points of one alert by rule category (Suricata's classification texts, lower case). An `attempt` may have failed: it
 * scores lower if the device is the target and higher if it is the source.
 */
const CATEGORY_POINTS: ReadonlyMap<string, { points: number; attempt?: true }> = new Map([
  ["malware command and control activity detected", { points: 65 }],
  ["targeted malicious activity was detected", { points: 65 }],
  ["successful credential theft detected", { points: 65 }],
  ["successful administrator privilege gain", { points: 65 }],
  ["successful user privilege gain", { points: 60 }],
  ["domain observed used for c2 detected", { points: 60 }],
  ["exploit kit activity detected", { points: 55 }],
  ["a network trojan was detected", { points: 50 }],
  ["crypto currency mining activity detected", { points: 40 }],
  ["executable code was detected", { points: 35, attempt: true }],
  ["attempted administrator privilege gain", { points: 35, attempt: true }],
  ["attempted user privilege gain", { points: 35, attempt: true }],
  ["possible social engineering attempted", { points: 35 }],
  ["unsuccessful user privilege gain", { points: 30, attempt: true }],
  ["web application attack", { points: 30, attempt: true }],
  ["denial of service", { points: 30 }],
  ["large scale information leak", { points: 30 }],
  ["information leak", { points: 25 }],
  ["possibly unwanted program detected", { points: 25 }],
  ["a suspicious filename was detected", { points: 25 }],
  ["attempted denial of service", { points: 25, attempt: true }],
  ["potentially bad traffic", { points: 19 }],
  ["attempted information leak", { points: 19, attempt: true }],
  ["attempt to login by a default username and password", { points: 22, attempt: true }],
  ["an attempted login using a suspicious username was detected", { points: 22, attempt: true }],
  ["access to a potentially vulnerable web application", { points: 22, attempt: true }],
  ["misc attack", { points: 18 }],
  ["detection of a network scan", { points: 18 }],
  ["potential corporate privacy violation", { points: 18 }],
  ["inappropriate content was detected", { points: 15 }],
  ["detection of a non-standard protocol or event", { points: 15 }],
  ["device retrieving external ip address detected", { points: 12 }],
  ["misc activity", { points: 12 }],
  ["unknown traffic", { points: 12 }],
  ["generic icmp event", { points: 5 }],
]);
const ATTEMPT_POINTS = { inbound: -10, outbound: 10 } as const;
/** Points by rule priority, for other categories. */
const PRIORITY_POINTS: readonly number[] = [12, 40, 22, 12];

/** Events about the sensor itself and about protocol syntax; never an incident, whatever their number. */
const NOISE_POINTS = 5;
const NOISE_CATEGORIES: ReadonlySet<string> = new Set([
  "generic protocol command decode",
  "not suspicious traffic",
]);
/** Suricata's own decoder, stream and application-layer events. */
const ENGINE_SIDS = { first: 2_200_000, last: 2_299_999 } as const;

/** Points for the severity that the rule's author states, and the ceiling of informational rules. */
const SEVERITY_POINTS: ReadonlyMap<string, number> = new Map([["critical", 10], ["major", 5]]);
const INFORMATIONAL_CEILING = 15;
/** The sensor blocked the traffic. */
const BLOCKED_POINTS = -10;

export function isNoise(alert: AlertFacts): boolean {
  const engine = (alert.gid ?? 1) === 1 && alert.signatureId !== null &&
    alert.signatureId >= ENGINE_SIDS.first && alert.signatureId <= ENGINE_SIDS.last;
  return engine || NOISE_CATEGORIES.has((alert.category ?? "").toLowerCase());
}

/** Points of one alert, 5 to 80. `outbound`: the device is its source. */
export function alertPoints(alert: AlertFacts, outbound: boolean): number {
  if (isNoise(alert)) return NOISE_POINTS;
  const category = CATEGORY_POINTS.get((alert.category ?? "").toLowerCase());
  let points = category?.points ?? PRIORITY_POINTS[alert.priority ?? 0] ?? 12;
  if (category?.attempt) points += outbound ? ATTEMPT_POINTS.outbound : ATTEMPT_POINTS.inbound;

  const severity = (metadata(alert, "signature_severity") ?? "").toLowerCase();
  points += SEVERITY_POINTS.get(severity) ?? 0;
  const rule = rulesetClass(alert)?.rule ?? NO_RULE;
  const floor = outbound ? rule.outboundFloor ?? rule.floor : rule.floor;
  if (floor !== undefined) points = Math.max(points, floor);
  else points = Math.min(points, rule.ceiling ?? points);
  if (severity === "informational") points = Math.min(points, INFORMATIONAL_CEILING);
  if (alert.action === "blocked") points += BLOCKED_POINTS;
  return Math.max(NOISE_POINTS, points);
}

/**
 * The family of an alert, by the first known of: noise (a single family); the malware family in its metadata; the class
 * of the ET or GPL rulesets (`ET SCAN`; all address-reputation classes are one); the prefix of another ruleset
 * (`CDMCS:`); the category; the signature id.
 */
export function signatureFamily(alert: AlertFacts): SignatureFamily {
  if (isNoise(alert)) return { key: "noise", label: "sensor events", theme: "noise" };
  const malware = metadata(alert, "malware_family");
  if (malware !== null) {
    return { key: `malware:${malware.toLowerCase()}`, label: malware.replaceAll("_", " "), theme: "malware" };
  }
  const known = rulesetClass(alert);
  if (known?.rule.theme === "reputation") {
    return { key: "class:reputation", label: "address reputation", theme: "reputation" };
  }
  if (known !== null) {
    return { key: `class:${known.label.toLowerCase()}`, label: known.label, theme: known.rule.theme };
  }
  const prefix = /^([A-Z][A-Z0-9_.-]+):/.exec(alert.signature)?.[1];
  if (prefix !== undefined) return { key: `prefix:${prefix.toLowerCase()}`, label: prefix, theme: "other" };
  if (alert.category !== null && alert.category !== "") {
    return { key: `category:${alert.category.toLowerCase()}`, label: alert.category, theme: "other" };
  }
  return {
    key: `sid:${alert.gid ?? 1}:${alert.signatureId ?? alert.signature}`,
    label: alert.signature,
    theme: "other",
  };
}

/** ATT&CK technique: from the rule's metadata, else that of its class. */
export function signatureTechnique(alert: AlertFacts, outbound: boolean): string | null {
  const named = metadata(alert, "mitre_technique_id")?.replace(/^(T\d{4})_(\d{3})$/, "$1.$2") ?? null;
  if (named !== null && /^T\d{4}(\.\d{3})?$/.test(named)) return named;
  switch (signatureFamily(alert).theme) {
    case "malware":
      return "T1071";
    case "scan":
      return outbound ? "T1046" : "T1595";
    case "attack":
      return outbound ? "T1210" : "T1190";
    default:
      return null;
  }
}

/** First value of a metadata key. */
export function metadata(alert: AlertFacts, key: string): string | null {
  return alert.metadata[key]?.[0] ?? null;
}

function rulesetClass(alert: AlertFacts): { label: string; rule: ClassRule } | null {
  const match = /^(ET|ETPRO|GPL|SURICATA)\s+([A-Z0-9][A-Z0-9_/-]+)(?=[\s:]|$)/.exec(alert.signature);
  if (match === null) return null;
  const set = match[1] === "ETPRO" ? "ET" : match[1] as string;
  const name = ALIASES.get(match[2] as string) ?? match[2] as string;
  return { label: `${set} ${name}`, rule: CLASS_RULES.get(name) ?? NO_RULE };
}
