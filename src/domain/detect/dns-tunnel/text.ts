// The tunnel detector's sentences.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, list, percent, plural, shortened, size, within } from "../kernel/wording.ts";

/** Domains named in a text. */
const NAMED = 3;

/** What was measured of the names below a domain. Shares 0 to 1 are of the names. */
export interface TunnelMeasures {
  /** The one judged, then the device's other suspicious ones; none of a name that the log cuts off. */
  domains: string[];
  /** What is judged are the names that the log cuts off. */
  cutOff: boolean;
  /** Different names below the domain, and below all of them. */
  distinct: number;
  total: number;
  random: number;
  /** Mean characters below the domain. */
  chars: number;
  dataTypes: number;
  bytesUp: number;
  bytesDown: number;
  /** Share of the answered addresses that the device used; null where that cannot be seen. */
  used: number | null;
  addresses: number;
  inside: number;
  nowhere: number;
  failed: number;
  data: number;
  /** Devices that look up such names there, this one included. */
  users: number;
  deviceCount: number;
}

interface Subject {
  deviceName: string;
  firstSeen: Micros;
  lastSeen: Micros;
  /** The resolver it asks, where that is one of the site. */
  resolver: string | null;
}

export function describeTunnel(
  measures: TunnelMeasures,
  { deviceName, firstSeen, lastSeen, resolver }: Subject,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { domains, distinct, total, chars, bytesUp, bytesDown } = measures;
  const others = total > distinct ? `, ${total} with its other suspicious names` : "";
  const cut = measures.cutOff ? " (names so long that the resolver's log cuts off their end)" : "";
  const first = domainsInWords(domains.slice(0, 1));
  return {
    title: `DNS tunnel: ${deviceName} sends data in lookups below ${domainsInWords(domains)}`,
    phrase: `tunnelling data in lookups below ${domainsInWords(domains.slice(0, 1))}`,
    summary: `${deviceName} looked up ${plural(distinct, "different name")} below ${first}${cut}` +
      `${others}, ${within(firstSeen, lastSeen)} (${duration((lastSeen - firstSeen) / 1e6)}), with ${
        Math.round(chars)
      } characters below the domain on average: about ${size(bytesUp)} out in names` +
      `${bytesDown > 0 ? ` and ${size(bytesDown)} back in answers` : ""}. ${asked(resolver)}`,
    explanation:
      `Names are asked for to reach hosts, of which a domain has few, and they are words. These are ever new and ` +
      `${percent(measures.random)} like chance${types(measures)}${
        reached(measures)
      }. Whoever runs the domain reads ` +
      `every name that is asked for below it and chooses the answers, so lookups carry data through resolvers and ` +
      `firewalls. Security products and content networks also make such names: ${
        usage(measures)
      } Check who ` +
      `registered ${
        domainsInWords(domains)
      } and when, which program on ${deviceName} asks, and what its names decode to. If ` +
      `${deviceName} is a resolver, one of its clients is the origin.`,
  };
}

/** `evil.example and 2 more`. */
export function domainsInWords(domains: readonly string[]): string {
  if (domains.length === 0) return "a domain that the log does not show";
  const named = domains.slice(0, NAMED).map((name) => shortened(name));
  return list(domains.length > NAMED ? [...named, `${domains.length - NAMED} more`] : named);
}

function asked(resolver: string | null): string {
  return resolver === null
    ? "The resolver is outside of this network, or its log does not name it."
    : `It asked the internal resolver ${resolver}, which passes the names on.`;
}

function types({ dataTypes }: TunnelMeasures): string {
  return dataTypes < 0.1 ? "" : `, ${percent(dataTypes)} of them asked for record types that carry free data`;
}

function reached({ used, addresses, data }: TunnelMeasures): string {
  if (data > 0.5 || addresses === 0 || used === null) return "";
  if (used === 0) return ", and the device never connected to an address it was told";
  return `, and the device connected to ${percent(used)} of the addresses it was told`;
}

function usage({ users, deviceCount }: TunnelMeasures): string {
  if (deviceCount <= 1) return "no other device is known here to compare with.";
  if (users <= 1) return `no other of the ${deviceCount} devices here asks below this domain.`;
  return `${users} of the ${deviceCount} devices here ask below this domain.`;
}
