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
  /** Whether names below it are meant, too. */
  below: boolean;
}

interface AddedUrl {
  /** A name in lower case or a canonical address. */
  host: string;
  /** Path and query. */
  uri: string;
}

/**
 * Each part can be walked once, and is found while it is walked: a first list of a million indicators costs neither time nor
 * memory at once.
 */
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
 * What a later set names and an earlier one does not: to look for it in what is kept already. A domain counts as added,
 * too, when the names below it are meant since then. That a list says something else about an indicator adds nothing.
 */
export function indicatorsAddedSince(old: IntelSet, now: IntelSet): AddedIndicators {
  return {
    ip: addedTexts(old.data, now.data, "ip"),
    cidr: addedNetworks(old.data, now.data),
    domain: addedDomains(old.data, now.data),
    url: addedUrls(old.data, now.data),
    ja3: addedTexts(old.data, now.data, "ja3"),
    ja4: addedTexts(old.data, now.data, "ja4"),
    certificate: addedTexts(old.data, now.data, "certificate"),
  };
}

function* addedTexts(old: IntelData, now: IntelData, kind: TextKind): Generator<string> {
  const table = now.texts[kind];
  for (let index = 0; index < table.count; index++) {
    const text = textAt(table, index);
    if (findText(old.texts[kind], text) === -1) yield text;
  }
}

function* addedDomains(old: IntelData, now: IntelData): Generator<AddedDomain> {
  const table = now.texts.domain;
  for (let index = 0; index < table.count; index++) {
    const name = textAt(table, index);
    const below = !now.origins[table.values[index]!]!.exact;
    const before = findText(old.texts.domain, name);
    const known = before !== -1 && (!below || !old.origins[old.texts.domain.values[before]!]!.exact);
    if (!known) yield { name, below };
  }
}

function* addedUrls(old: IntelData, now: IntelData): Generator<AddedUrl> {
  for (const text of addedTexts(old, now, "url")) {
    const slash = text.indexOf("/");
    yield { host: text.slice(0, slash), uri: text.slice(slash) };
  }
}

function* addedNetworks(old: IntelData, now: IntelData): Generator<AddedNetwork> {
  for (const family of ["v4", "v6"] as const) {
    const table: NetworkTableData = now[family];
    for (let index = 0; index < table.count; index++) {
      if (hasNetwork(old[family], table, index)) continue;
      const { from, to, text } = networkAt(table, index);
      yield { from, to, indicator: text };
    }
  }
}
