import type { TextKind } from "./indicator.ts";
import { type IntelData, IntelSet } from "./intel-set.ts";
import { hasNetwork, networkAt, type NetworkTableData } from "./network-table.ts";
import { findText, textAt } from "./text-table.ts";

interface AddedNetwork {
  /** First and last address, canonical. */
  from: string;
  to: string;
  /** `198.51.100.0/24` */
  indicator: string;
}

interface AddedDomain {
  name: string;
  /** Whether names below it match too. */
  below: boolean;
}

interface AddedUrl {
  /** A name in lower case or a canonical address. */
  host: string;
  /** Path and query. */
  uri: string;
}

/** Lazy iterables, each to be consumed once: a first list of a million indicators is never held in memory. */
interface AddedIndicators {
  ip: Iterable<string>;
  cidr: Iterable<AddedNetwork>;
  domain: Iterable<AddedDomain>;
  url: Iterable<AddedUrl>;
  ja3: Iterable<string>;
  ja4: Iterable<string>;
  certificate: Iterable<string>;
}

/**
 * The indicators in a later set that an earlier one lacks, to be matched against stored records. A domain
 * also counts as added if names below it match only now. A changed description or confidence adds nothing.
 */
export function indicatorsAddedSince(old: IntelSet, current: IntelSet): AddedIndicators {
  return {
    ip: addedTexts(old.data, current.data, "ip"),
    cidr: addedNetworks(old.data, current.data),
    domain: addedDomains(old.data, current.data),
    url: addedUrls(old.data, current.data),
    ja3: addedTexts(old.data, current.data, "ja3"),
    ja4: addedTexts(old.data, current.data, "ja4"),
    certificate: addedTexts(old.data, current.data, "certificate"),
  };
}

function* addedTexts(old: IntelData, current: IntelData, kind: TextKind): Generator<string> {
  const table = current.texts[kind];
  for (let index = 0; index < table.count; index++) {
    const text = textAt(table, index);
    if (findText(old.texts[kind], text) === -1) yield text;
  }
}

function* addedDomains(old: IntelData, current: IntelData): Generator<AddedDomain> {
  const table = current.texts.domain;
  for (let index = 0; index < table.count; index++) {
    const name = textAt(table, index);
    const below = !current.origins[table.values[index]!]!.exact;
    const previous = findText(old.texts.domain, name);
    const known = previous !== -1 && (!below || !old.origins[old.texts.domain.values[previous]!]!.exact);
    if (!known) yield { name, below };
  }
}

function* addedUrls(old: IntelData, current: IntelData): Generator<AddedUrl> {
  for (const text of addedTexts(old, current, "url")) {
    const slash = text.indexOf("/");
    yield { host: text.slice(0, slash), uri: text.slice(slash) };
  }
}

function* addedNetworks(old: IntelData, current: IntelData): Generator<AddedNetwork> {
  for (const family of ["v4", "v6"] as const) {
    const table: NetworkTableData = current[family];
    for (let index = 0; index < table.count; index++) {
      if (hasNetwork(old[family], table, index)) continue;
      const { from, to, text } = networkAt(table, index);
      yield { from, to, indicator: text };
    }
  }
}
