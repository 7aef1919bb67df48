// A suppression: a narrow pattern an analyst has accepted. Results that match it are stored but open no
// incident.
//
// `source` is the device a result is about, `destination` the other side of its traffic regardless of the
// direction, `port` the port of the service between them, `detector` a model id. Null fields match anything;
// all others must match. A pattern never hides more than it names: every destination of a result must match.
import { type Cidr, cidrContains, formatIp, parseCidr, parseIp } from "../../kit/net/ip.ts";
import { registeredDomain } from "../device/registered-domain.ts";
import { type Destination, type DetectorResult, MAX_DESTINATIONS } from "../detect/kernel/result.ts";
import type { Micros } from "../record/observation.ts";

/**
 * The widest networks allowed: a site's own network in IPv4, the prefix assigned to a site in IPv6 (RFC
 * 6177).
 */
const WIDEST_PREFIX = { 4: 16, 6: 48 } as const;
/** Minimum number of fields, one of them a side: a port and a detector alone would cover a whole tenant. */
const MIN_FIELDS = 2;
/** Maximum lifetime before a review, microseconds: 366 days, so that "in a year" is allowed. */
export const MAX_LIFETIME: Micros = 366 * 86_400_000_000;

export interface SuppressionPattern {
  /** A device id, a network or an address. */
  source: string | null;
  /** A network, an address, or a domain: itself and every name below it. */
  destination: string | null;
  port: number | null;
  /** Model id. */
  detector: string | null;
}

/**
 * The parts of a result a pattern matches. Only the first of `deviceIds` is matched: the device the result is
 * about.
 */
export interface SuppressionSubject extends Pick<DetectorResult, "modelId" | "deviceIds" | "destinations"> {
  /** Addresses of that device. */
  deviceAddresses: readonly string[];
}

/** A pattern prepared for matching. */
export interface CompiledPattern {
  /** The device and all ids merged with it. */
  devices: ReadonlySet<string> | null;
  sourceNetwork: Cidr | null;
  destinationNetwork: Cidr | null;
  destinationName: string | null;
  port: number | null;
  detector: string | null;
}

interface PatternFault {
  field: keyof SuppressionPattern;
  message: string;
}

/** The faults of a pattern. Does not check whether its device and detector exist. */
export function patternFaults(pattern: SuppressionPattern): PatternFault[] {
  const faults: PatternFault[] = [];
  const { source, destination } = pattern;
  if (source !== null && !isDeviceId(source)) {
    const message = networkFault(source, "a device, a network or an address");
    if (message !== null) faults.push({ field: "source", message });
  }
  if (destination !== null) {
    const message = looksLikeAddress(destination)
      ? networkFault(destination, "a network or an address")
      : nameFault(destination);
    if (message !== null) faults.push({ field: "destination", message });
  }
  if (source === null && destination === null) {
    faults.push({ field: "source", message: "expected a source or a destination" });
  } else if (Object.values(pattern).filter((value) => value !== null).length < MIN_FIELDS) {
    const field = source === null ? "source" : "destination";
    faults.push({
      field,
      message: `expected at least ${MIN_FIELDS} fields, so that the pattern stays narrow`,
    });
  }
  return faults;
}

/**
 * Prepares a pattern for matching. `sameDevice`: all ids of the `source` device, if it was merged.
 *
 * @throws RangeError if the pattern has faults
 */
export function compilePattern(
  pattern: SuppressionPattern,
  sameDevice: readonly string[] = [],
): CompiledPattern {
  const fault = patternFaults(pattern)[0];
  if (fault !== undefined) throw new RangeError(`${fault.field}: ${fault.message}`);
  const { source, destination, port, detector } = pattern;
  const device = source !== null && isDeviceId(source);
  const named = destination !== null && !looksLikeAddress(destination);
  return {
    devices: device ? new Set([source, ...sameDevice]) : null,
    sourceNetwork: source === null || device ? null : readNetwork(source),
    destinationNetwork: destination === null || named ? null : readNetwork(destination),
    destinationName: named ? destination : null,
    port,
    detector,
  };
}

/** Whether a pattern covers a result. */
export function matches(pattern: CompiledPattern, subject: SuppressionSubject): boolean {
  const { devices, sourceNetwork, detector } = pattern;
  if (detector !== null && detector !== subject.modelId) return false;
  if (devices !== null && !devices.has(subject.deviceIds[0] ?? "")) return false;
  if (sourceNetwork !== null && !subject.deviceAddresses.some((ip) => contains(sourceNetwork, ip))) {
    return false;
  }
  if (!matchesDestinations(pattern)) return true;
  const { destinations } = subject;
  // Destination lists are bounded: a full list may be missing some.
  return destinations.length > 0 && destinations.length < MAX_DESTINATIONS &&
    destinations.every((one) => covers(pattern, one));
}

/** Of the suppressions that cover a result, the one that expires last; null if none does. */
export function coveringSuppression<S extends { pattern: CompiledPattern; expiresAt: Micros }>(
  suppressions: readonly S[],
  subject: SuppressionSubject,
): S | null {
  let best: S | null = null;
  for (const one of suppressions) {
    if ((best === null || one.expiresAt > best.expiresAt) && matches(one.pattern, subject)) best = one;
  }
  return best;
}

function matchesDestinations({ destinationNetwork, destinationName, port }: CompiledPattern): boolean {
  return destinationNetwork !== null || destinationName !== null || port !== null;
}

function covers(pattern: CompiledPattern, { ip, name, port }: Destination): boolean {
  const { destinationNetwork, destinationName } = pattern;
  if (pattern.port !== null && pattern.port !== port) return false;
  if (destinationNetwork !== null && !contains(destinationNetwork, ip ?? "")) return false;
  return destinationName === null || isBelow(name ?? "", destinationName);
}

function contains(network: Cidr, ip: string): boolean {
  const bytes = parseIp(ip);
  return bytes !== null && cidrContains(network, bytes);
}

function isBelow(name: string, domain: string): boolean {
  const plain = name.toLowerCase().replace(/\.$/, "");
  return plain === domain || plain.endsWith(`.${domain}`);
}

/** Whether the text has the form of a device id. */
export function isDeviceId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

function looksLikeAddress(text: string): boolean {
  return text.includes(":") || text.includes("/") || /^[\d.]+$/.test(text);
}

/** A network; an address is read as the network of itself. */
function readNetwork(text: string): Cidr | null {
  const ip = parseIp(text);
  return parseCidr(ip === null ? text : `${formatIp(ip)}/${ip.length * 8}`);
}

function networkFault(text: string, expected: string): string | null {
  const network = readNetwork(text);
  if (network === null) return `expected ${expected}`;
  const { first, prefix, version } = network;
  const canonical = text.includes("/") ? `${formatIp(first)}/${prefix}` : formatIp(first);
  if (canonical !== text) return `expected the canonical ${canonical}`;
  const widest = WIDEST_PREFIX[version];
  return prefix < widest
    ? `expected a prefix of /${widest} or longer, so that the pattern stays narrow`
    : null;
}

function nameFault(name: string): string | null {
  if (name !== name.toLowerCase() || name.endsWith(".")) return "expected lower case and no trailing dot";
  const whole = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u.test(name) && registeredDomain(name) !== null;
  return whole ? null : "expected a network, an address, or a registered domain";
}
