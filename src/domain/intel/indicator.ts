import type { Cidr } from "../../kit/net/ip.ts";

// What a threat intelligence list names: one address, network, name, URL or fingerprint that a flow may show.

/** Kinds whose indicator is one text that a record states as it is. */
export const TEXT_KINDS = ["ip", "domain", "url", "ja3", "ja4", "certificate"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];
const INDICATOR_KINDS = [...TEXT_KINDS, "cidr"] as const;
export type IndicatorKind = (typeof INDICATOR_KINDS)[number];

export interface TextIndicator {
  kind: TextKind;
  /**
   * In the form in which records are compared: a canonical address; a name in lower case without the root's dot; a URL as host and
   * path without scheme, port and fragment; a fingerprint in lower case without colons.
   */
  text: string;
  /** Of a domain: names below it are not meant. */
  exact: boolean;
}

interface NetworkIndicator {
  kind: "cidr";
  cidr: Cidr;
}

export type Indicator = TextIndicator | NetworkIndicator;

/** Why a text is no indicator, or none that may be used; for the admin who keeps the list. */
export interface Refusal {
  expected: string;
}

/** An indicator that something on the network matches. */
export interface Match {
  /** Name of the list's file. */
  list: string;
  /** As `TextIndicator.text`; a network as `198.51.100.0/24`. */
  indicator: string;
  kind: IndicatorKind;
  /** What the list says about it, such as a malware family. */
  description: string | null;
  /** 0 to 1, where the list says one. */
  confidence: number | null;
  /** Of a domain: names below it are not meant. */
  exact: boolean;
}

/** A line of a list that cannot be used. */
export interface IntelFault {
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/** What came of one list. */
export interface ListReport {
  name: string;
  /** Indicators that the list names, also those that an earlier list has as well. */
  indicators: number;
  /** Lines that speak of what network records do not show, such as file hashes. */
  skipped: number;
  /** Lines that cannot be used: all of them counted, the first ones told. */
  faulty: number;
  faults: IntelFault[];
}

/** A part of a text that stands in a message: bounded, on one line. */
export function quoted(text: string): string {
  // deno-lint-ignore no-control-regex
  const line = text.slice(0, 64).replace(/[\x00-\x1f\x7f]/g, " ");
  return `"${text.length > 64 ? `${line}…` : line}"`;
}
