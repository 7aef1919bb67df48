import { digestOf } from "./digest.ts";
import { type Indicator, TEXT_KINDS, type TextKind } from "./indicator.ts";
import type { IntelData, Origin } from "./intel-set.ts";
import { type NetworkEntry, networkTable } from "./network-table.ts";
import { addText, emptyTexts, findText, type TextTableData, trimTexts } from "./text-table.ts";

/** What all lists together may have, so that a mistaken download cannot take the memory. */
export interface IntelLimits {
  indicators: number;
  /** Of these, networks. */
  networks: number;
}

const INTEL_LIMITS: IntelLimits = { indicators: 2_000_000, networks: 250_000 };
/** Different descriptions of one list; further ones are left out, the indicators are not. */
const MAX_DESCRIPTIONS = 65_536;

export interface Said {
  description: string | null;
  confidence: number | null;
}

/** `full`: the bounds are reached. `collides`: too many like it, which only a list made for that has. */
type Added = "added" | "known" | "full" | "collides";

/** Collects the indicators of one list after the other. */
export class IntelBuilder {
  readonly #texts: Record<TextKind, TextTableData> = {
    ip: emptyTexts(),
    domain: emptyTexts(),
    url: emptyTexts(),
    ja3: emptyTexts(),
    ja4: emptyTexts(),
    certificate: emptyTexts(),
  };
  readonly #networks: { 4: NetworkEntry[]; 6: NetworkEntry[] } = { 4: [], 6: [] };
  readonly #origins: Origin[] = [];
  /** Positions of the present list's origins. */
  readonly #known = new Map<string, number>();
  /** Of indicators that the present list says nothing about, exact ones first; -1 where there are none yet. */
  readonly #silent: [number, number] = [-1, -1];
  #list = "";
  #count = 0;

  constructor(readonly limits: IntelLimits = INTEL_LIMITS) {}

  beginList(name: string): void {
    this.#list = name;
    this.#known.clear();
    this.#silent.fill(-1);
  }

  add(indicator: Indicator, said: Said): Added {
    const isFull = this.#count >= this.limits.indicators;
    if (indicator.kind === "cidr") {
      if (isFull || this.#networks[4].length + this.#networks[6].length >= this.limits.networks) {
        return "full";
      }
      // Whether it is known shows when they are sorted.
      this.#networks[indicator.cidr.version].push({
        cidr: indicator.cidr,
        value: this.#originOf(said, true),
      });
      this.#count++;
      return "added";
    }
    const table = this.#texts[indicator.kind];
    const known = findText(table, indicator.text);
    if (known !== -1) {
      this.#widen(table, known, said, indicator.exact);
      return "known";
    }
    if (isFull) return "full";
    if (addText(table, indicator.text, this.#originOf(said, indicator.exact)) === -1) return "collides";
    this.#count++;
    return "added";
  }

  build(): IntelData {
    for (const kind of TEXT_KINDS) trimTexts(this.#texts[kind]);
    const data = {
      origins: this.#origins,
      texts: this.#texts,
      v4: networkTable(4, this.#networks[4]),
      v6: networkTable(6, this.#networks[6]),
    };
    return { ...data, digest: digestOf(data) };
  }

  /** A name that one list means alone and another one with all below it is both: the wider counts. */
  #widen(table: TextTableData, index: number, said: Said, exact: boolean): void {
    if (!exact && this.#origins[table.values[index]!]!.exact) {
      table.values[index] = this.#originOf(said, false);
    }
  }

  #originOf(said: Said, exact: boolean): number {
    if (said.description !== null || said.confidence !== null) return this.#originSaying(said, exact);
    const place = exact ? 0 : 1;
    if (this.#silent[place] === -1) this.#silent[place] = this.#originSaying(said, exact);
    return this.#silent[place];
  }

  #originSaying({ description, confidence }: Said, exact: boolean): number {
    const key = `${exact}|${confidence}|${description ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (description !== null && this.#known.size >= MAX_DESCRIPTIONS) {
      return this.#originSaying({ description: null, confidence }, exact);
    }
    const position = this.#origins.push({
      list: this.#list,
      description: description === null ? null : detached(description),
      confidence,
      exact,
    }) - 1;
    this.#known.set(key, position);
    return position;
  }
}

/** A copy that does not keep the text alive that it was cut from. */
function detached(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
