import { digestOf } from "./digest.ts";
import { type Indicator, TEXT_KINDS, type TextKind } from "./indicator.ts";
import type { IntelData, Origin } from "./intel-set.ts";
import { type NetworkEntry, networkTable } from "./network-table.ts";
import { addText, emptyTexts, findText, type TextTableData, trimTexts } from "./text-table.ts";

/** Limits for all lists together, so that a bad download cannot exhaust memory. */
export interface IntelLimits {
  indicators: number;
  /** Networks among them. */
  networks: number;
}

const INTEL_LIMITS: IntelLimits = { indicators: 2_000_000, networks: 250_000 };
/** Distinct descriptions per list; further ones are dropped, their indicators are not. */
const MAX_DESCRIPTIONS = 65_536;

/** A list's statement about an indicator. */
export interface Annotation {
  description: string | null;
  confidence: number | null;
}

/** `full`: a limit is reached. `collides`: too many hash collisions, which only a crafted list has. */
type Added = "added" | "known" | "full" | "collides";

/** Collects the indicators of one list after another. */
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
  /** Indices of the current list's origins by content. */
  readonly #known = new Map<string, number>();
  /** Origins of the current list's indicators without annotation, exact ones first; -1 if none yet. */
  readonly #unannotated: [number, number] = [-1, -1];
  #list = "";
  #count = 0;

  constructor(readonly limits: IntelLimits = INTEL_LIMITS) {}

  beginList(name: string): void {
    this.#list = name;
    this.#known.clear();
    this.#unannotated.fill(-1);
  }

  add(indicator: Indicator, annotation: Annotation): Added {
    const isFull = this.#count >= this.limits.indicators;
    if (indicator.kind === "cidr") {
      if (isFull || this.#networks[4].length + this.#networks[6].length >= this.limits.networks) {
        return "full";
      }
      // Duplicates are removed when the networks are sorted.
      this.#networks[indicator.cidr.version].push({
        cidr: indicator.cidr,
        value: this.#originOf(annotation, true),
      });
      this.#count++;
      return "added";
    }
    const table = this.#texts[indicator.kind];
    const known = findText(table, indicator.text);
    if (known !== -1) {
      this.#widen(table, known, annotation, indicator.exact);
      return "known";
    }
    if (isFull) return "full";
    if (addText(table, indicator.text, this.#originOf(annotation, indicator.exact)) === -1) return "collides";
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

  /** A name listed both exactly and with its subdomains matches the wider way. */
  #widen(table: TextTableData, index: number, annotation: Annotation, exact: boolean): void {
    if (!exact && this.#origins[table.values[index]!]!.exact) {
      table.values[index] = this.#originOf(annotation, false);
    }
  }

  #originOf(annotation: Annotation, exact: boolean): number {
    if (annotation.description !== null || annotation.confidence !== null) {
      return this.#originWith(annotation, exact);
    }
    const place = exact ? 0 : 1;
    if (this.#unannotated[place] === -1) this.#unannotated[place] = this.#originWith(annotation, exact);
    return this.#unannotated[place];
  }

  #originWith({ description, confidence }: Annotation, exact: boolean): number {
    const key = `${exact}|${confidence}|${description ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (description !== null && this.#known.size >= MAX_DESCRIPTIONS) {
      return this.#originWith({ description: null, confidence }, exact);
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

/** A copy, so that the origin does not keep the source text alive. */
function detached(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
