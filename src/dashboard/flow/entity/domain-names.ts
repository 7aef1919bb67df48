// What aggregates say about the names below a domain, and about those who asked for them.

import type { Aggregate } from "../../../contract/search/search.ts";
import { firstBucket } from "./entity-queries.ts";

/** Where names are found, in the order of the table's columns. */
export const NAME_FIELDS = ["dns.query", "server_name"] as const;
type NameField = (typeof NAME_FIELDS)[number];

/** A name of a domain: the domain itself, or one below it. */
interface DomainName {
  name: string;
  /** Flows with it in each field. */
  flows: Record<NameField, number>;
  /** Start of the span in which it was first counted; null if unknown. */
  first: string | null;
}

type Grouped = Pick<Aggregate, "groups" | "buckets" | "window">;

export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** The names of a domain, the most frequent first. A flow of the domain may also have other names, which are left out. */
export function namesOf(domain: string, found: Partial<Record<NameField, Grouped>>): DomainName[] {
  const names = new Map<string, DomainName>();
  for (const field of NAME_FIELDS) {
    const { groups = [], ...times } = found[field] ?? {};
    for (const group of groups) {
      const name = group.key[0]?.toLowerCase();
      if (name === undefined || !isWithin(name, domain.toLowerCase())) continue;
      const known = names.get(name) ??
        { name, flows: { "dns.query": 0, "server_name": 0 }, first: null };
      known.flows[field] += Number(group.total);
      const first = spanOf(times, group)?.from ?? null;
      if (first !== null && (known.first === null || first < known.first)) known.first = first;
      names.set(name, known);
    }
  }
  const most = ({ flows }: DomainName) => Math.max(...Object.values(flows));
  return [...names.values()].toSorted((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1));
}

/** The span of time in which a group was first counted; null if no times were asked for. */
export function spanOf(
  { buckets = [], window = null }: Partial<Grouped>,
  group: Grouped["groups"][number],
): { from: string; to: string } | null {
  return firstBucket({ buckets, window, groups: [group] });
}
