import type { PairField } from "../../contract/filter/pair-fields.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { questionOf, type SearchContext } from "../search/criterion.ts";
import { type Part, type SomeOf, visitPart } from "../search/parts.ts";
import { compile, meeting, type Test } from "../search/predicate.ts";
import type { Value } from "../search/values.ts";
import type { GraphDevice, GraphPlace } from "./input.ts";
import type { MatchesOf } from "./marks.ts";
import { NumberPairs } from "./number-pairs.ts";
import { type AddressTraffic, TrafficTable } from "./traffic-table.ts";

/** What meets a group of conditions on devices or on incidents. */
export interface RelatedMatches {
  /** Ids of devices that are not merged into others. */
  devices: ReadonlySet<string>;
  /** The addresses of flows that are evidence of the incidents: two in code point order, with a space between them. */
  pairs: ReadonlySet<string>;
}

/** What is known of the ends of the traffic. */
interface PairFacts {
  devices: ReadonlyMap<string, GraphDevice>;
  placeOf(ip: string): GraphPlace;
  vlanOf(ip: string): number | null;
  matchesOf: MatchesOf;
  /** Of each group of the condition. */
  related: ReadonlyMap<SomeOf, RelatedMatches>;
}

/** Whether a condition compares the service, so that the traffic of each service is compared by itself. */
export function namesService(part: Part): boolean {
  return visitPart<boolean>(part, {
    all: (parts) => parts.some(namesService),
    any: (parts) => parts.some(namesService),
    not: namesService,
    some: () => false,
    comparison: ({ field }) => field === "service",
  });
}

/** The entries of the traffic that meet a condition, those of the same two addresses added up. */
export function filterTraffic(
  traffic: AddressTraffic,
  condition: Part,
  facts: PairFacts,
  context: SearchContext,
): AddressTraffic {
  const { addresses, table } = traffic;
  const meets = new PairTests(traffic, facts, context).of(condition);
  const kept = new TrafficTable(table.services.names);
  const pairs = new NumberPairs();
  /** The kept entry of each entry; -1 for none. */
  const keptAs = new Int32Array(table.size).fill(-1);
  for (let entry = 0; entry < table.size; entry++) {
    // Flows of a service that have another one by now.
    if (table.flows[entry]! <= 0 || !meets(entry)) continue;
    const [low, high] = [table.low[entry]!, table.high[entry]!];
    const at = pairs.of(low, high);
    if (at === kept.size) kept.open(low, high);
    kept.add(at, table, entry, false);
    keptAs[entry] = at;
  }
  const { size, entry, service, flows } = table.services;
  for (let row = 0; row < size; row++) {
    const at = keptAs[entry[row]!]!;
    if (at >= 0) kept.addService(at, service[row]!, flows[row]!);
  }
  return { addresses, table: kept };
}

type EndField = Extract<PairField, "ip" | "country" | "asn" | "vlan">;

const NOT_TESTED = 0;
const YES = 1;
const NO = 2;

class PairTests {
  /** The services of each entry; absent for none. */
  readonly #services: string[][] = [];

  constructor(
    private readonly traffic: AddressTraffic,
    private readonly facts: PairFacts,
    private readonly context: SearchContext,
  ) {
    const { size, entry, service, flows, names } = traffic.table.services;
    for (let row = 0; row < size; row++) {
      // Sensors may name several, joined by commas.
      if (flows[row]! > 0) (this.#services[entry[row]!] ??= []).push(...names[service[row]!]!.split(","));
    }
  }

  of(condition: Part): Test<number> {
    return compile<number>(condition, {
      comparison: (comparison) => this.#comparison(comparison),
      some: (group) => this.#group(group),
    });
  }

  #group(group: SomeOf): Test<number> {
    const { devices, pairs } = this.facts.related.get(group)!;
    const { addresses, table } = this.traffic;
    if (group.some === "incident") {
      return (entry) => pairs.has(`${addresses[table.low[entry]!]} ${addresses[table.high[entry]!]}`);
    }
    return this.#atEither((ip) => {
      const device = this.facts.devices.get(ip);
      return device !== undefined && devices.has(device.deviceId);
    });
  }

  #comparison(comparison: Comparison): Test<number> {
    const { negated, criterion } = questionOf(comparison, this.context);
    const meets = meeting(criterion);
    const test = this.#field(comparison.field as PairField, meets);
    return (entry) => test(entry) !== negated;
  }

  #field(field: PairField, meets: (value: Value) => boolean): Test<number> {
    const { table } = this.traffic;
    switch (field) {
      case "service":
        return (entry) => this.#services[entry]?.some(meets) ?? false;
      case "bytes":
        return (entry) => meets(table.bytes(entry));
      case "packets":
        return (entry) => meets(table.packets.get(entry));
      case "intel":
        return (entry) =>
          this.facts.matchesOf(entry).some(({ list, indicator, description }) =>
            meets(list) || meets(indicator) || description !== null && meets(description)
          );
      default:
        return this.#atEither((ip) => {
          const value = this.#endValue(field, ip);
          return value !== null && meets(value);
        });
    }
  }

  #endValue(field: EndField, ip: string): Value | null {
    const { devices, placeOf, vlanOf } = this.facts;
    switch (field) {
      case "ip":
        return ip;
      case "country":
        return placeOf(ip).country;
      case "asn":
        return placeOf(ip).asn;
      case "vlan":
        return devices.get(ip)?.vlanId ?? vlanOf(devices.get(ip)?.ip ?? ip);
    }
  }

  /** Tests each address once. */
  #atEither(test: (ip: string) => boolean): Test<number> {
    const { addresses, table } = this.traffic;
    const known = new Uint8Array(addresses.length);
    const at = (number: number) => {
      if (known[number] === NOT_TESTED) known[number] = test(addresses[number]!) ? YES : NO;
      return known[number] === YES;
    };
    return (entry) => at(table.low[entry]!) || at(table.high[entry]!);
  }
}
