import type { Cidr } from "../../kit/net/ip.ts";

// The content of a threat intelligence list: addresses, networks, names, URLs and fingerprints a flow may
// show.

/** Kinds whose indicator is a text that records contain verbatim. */
export const TEXT_KINDS = ["ip", "domain", "url", "ja3", "ja4", "certificate"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];
const INDICATOR_KINDS = [...TEXT_KINDS, "cidr"] as const;
export type IndicatorKind = (typeof INDICATOR_KINDS)[number];

export interface TextIndicator {
  kind: TextKind;
  /**
   * In the form used for comparison: a canonical address; a name in lower case without trailing dot; a URL as
   * host and path without scheme, port and fragment; a fingerprint in lower case without colons.
   */
  text: string;
  /** Domains only: names below it do not match. */
  exact: boolean;
}

interface NetworkIndicator {
  kind: "cidr";
  cidr: Cidr;
}

export type Indicator = TextIndicator | NetworkIndicator;

/** Why a text is no usable indicator, for the administrator who maintains the list. */
export interface Refusal {
  expected: string;
}

/** An indicator matched by something on the network. */
export interface Match {
  /** Name of the list's file. */
  list: string;
  /** As `TextIndicator.text`; a network as `198.51.100.0/24`. */
  indicator: string;
  kind: IndicatorKind;
  /** The list's description, such as a malware family. */
  description: string | null;
  /** 0 to 1; null if the list states none. */
  confidence: number | null;
  /** Domains only: names below it do not match. */
  exact: boolean;
}

/** An unusable line of a list. */
export interface IntelFault {
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/** The result of reading one list. */
export interface ListReport {
  name: string;
  /** Indicators in the list, including those an earlier list has as well. */
  indicators: number;
  /** Lines about kinds that network records do not show, such as file hashes. */
  skipped: number;
  /** Number of unusable lines; `faults` holds the first ones. */
  faulty: number;
  faults: IntelFault[];
}

/** An excerpt of a text for a message: bounded, on one line. */
export function quoted(text: string): string {
  // deno-lint-ignore no-control-regex
  const line = text.slice(0, 64).replace(/[\x00-\x1f\x7f]/g, " ");
  return `"${text.length > 64 ? `${line}…` : line}"`;
}
