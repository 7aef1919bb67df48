// Texts of DNS tunnel results.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, duration, list, percent, shortened, size, within } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";

/** Domains named in a text. */
const NAMED = 3;

/** Measures of the names below a domain. Shares (0 to 1) are of the names. */
export interface TunnelMeasures {
  /**
   * The evaluated domain, then the device's other suspicious ones; without a domain that the log truncates.
   */
  domains: string[];
  /** The log truncates the names that are evaluated. */
  cutOff: boolean;
  /** Different names below the domain, and below all suspicious domains. */
  distinct: number;
  total: number;
  random: number;
  /** Mean characters below the domain. */
  chars: number;
  dataTypes: number;
  bytesUp: number;
  bytesDown: number;
  /** Share of the answered addresses that the device used; null if that cannot be observed. */
  used: number | null;
  addresses: number;
  inside: number;
  nowhere: number;
  failed: number;
  data: number;
  /** Devices that look up such names there, including this one. */
  users: number;
  deviceCount: number;
}

interface Subject {
  deviceName: string;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Address of the resolver, if it is internal. */
  resolver: string | null;
}

export function describeTunnel(
  measures: TunnelMeasures,
  { deviceName, firstSeen, lastSeen, resolver }: Subject,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { domains, distinct, total, chars, bytesUp, bytesDown } = measures;
  const others = total > distinct ? `, ${total} including its other suspicious domains` : "";
  const cut = measures.cutOff ? " (names so long that the resolver's log truncates them)" : "";
  const first = domainList(domains.slice(0, 1));
  return {
    title: titleLine`DNS tunnel: ${deviceName} sends data in lookups below ${shortList(domains)}`,
    phrase: `tunnelling data in lookups below ${first}`,
    summary: `${deviceName} looked up ${atLeast(distinct, "different name")} below ${first}${cut}` +
      `${others}, ${within(firstSeen, lastSeen)} (${duration((lastSeen - firstSeen) / 1e6)}), with ${
        Math.round(chars)
      } characters below the domain on average: about ${size(bytesUp)} out in names` +
      `${bytesDown > 0 ? ` and ${size(bytesDown)} back in answers` : ""}. ${asked(resolver)}`,
    explanation:
      `Names are normally looked up to reach hosts; a domain has few of them, and they are words. These names are ` +
      `always different and look ${percent(measures.random)} random${types(measures)}${
        reached(measures)
      }. The operator ` +
      `of the domain reads every name looked up below it and chooses the answers, so lookups carry data through ` +
      `resolvers and firewalls. Security products and content networks also make such names: ${
        usage(measures)
      } Check ` +
      `who registered ${
        domainList(domains)
      } and when, which program on ${deviceName} looks the names up, and what they ` +
      `decode to. If ${deviceName} is a resolver, one of its clients is the origin.`,
  };
}

const UNKNOWN_DOMAIN = "a domain that the log does not show";

/** `evil.example, other.example and 2 more`. */
export function domainList(domains: readonly string[]): string {
  if (domains.length === 0) return UNKNOWN_DOMAIN;
  const named = domains.slice(0, NAMED).map((name) => shortened(name));
  return list(domains.length > NAMED ? [...named, `${domains.length - NAMED} more`] : named);
}

/** `evil.example and 2 more`, for a title. */
function shortList(domains: readonly string[]): string {
  const [first] = domains;
  if (first === undefined) return "an unlogged domain";
  return list(domains.length > 1 ? [shortened(first), `${domains.length - 1} more`] : [shortened(first)]);
}

function asked(resolver: string | null): string {
  return resolver === null
    ? "The resolver is outside this network, or its log does not name it."
    : `It asked the internal resolver ${resolver}, which forwards the names.`;
}

function types({ dataTypes }: TunnelMeasures): string {
  return dataTypes < 0.1
    ? ""
    : `, ${percent(dataTypes)} of them looked up with record types that carry arbitrary data`;
}

function reached({ used, addresses, data }: TunnelMeasures): string {
  if (data > 0.5 || addresses === 0 || used === null) return "";
  if (used === 0) return ", and the device never connected to an answered address";
  return `, and the device connected to ${percent(used)} of the answered addresses`;
}

function usage({ users, deviceCount }: TunnelMeasures): string {
  if (deviceCount <= 1) return "no other device is known here to compare with.";
  if (users <= 1) return `no other of the ${deviceCount} devices here looks up names below this domain.`;
  return `${users} of the ${deviceCount} devices here look up names below this domain.`;
}
