import { formatIp, parseCidr } from "../../kit/net/ip.ts";
import { addressWords } from "./address-words.ts";
import { type IndicatorKind, type Match, TEXT_KINDS, type TextKind } from "./indicator.ts";
import { findExactNetwork, findNetwork, networkAt, type NetworkTableData } from "./network-table.ts";
import { findName, findText, textAt, type TextTableData } from "./text-table.ts";

/** Properties shared by many indicators of a list. */
export interface Origin {
  list: string;
  description: string | null;
  confidence: number | null;
  /** Domains only: names below it do not match. */
  exact: boolean;
}

/** The content of an `IntelSet` as plain data that a worker can transfer. */
export interface IntelData {
  /** Values in the tables are indices into this list. */
  origins: readonly Origin[];
  texts: Readonly<Record<TextKind, TextTableData>>;
  /** Networks; single addresses are in `texts`. */
  v4: NetworkTableData;
  v6: NetworkTableData;
  /** Changes with any of the above; '' for an empty set. */
  digest: string;
}

/**
 * The indicators of all lists. Immutable: a changed list gives a new set. Lookups take values in the form of
 * an observation: canonical addresses, lower-case names and fingerprints. If several lists have an indicator,
 * the first list by name describes it; the smallest matching network and the closest matching domain win.
 */
export class IntelSet {
  /** Scratch space for the address being looked up. */
  readonly #words = new Uint32Array(4);
  readonly #matchesName = (index: number, whole: boolean) =>
    whole || !this.#origin(this.data.texts.domain, index).exact;

  constructor(readonly data: IntelData) {}

  get digest(): string {
    return this.data.digest;
  }

  /** Number of indicators. */
  get size(): number {
    const { texts, v4, v6 } = this.data;
    return TEXT_KINDS.reduce((sum, kind) => sum + texts[kind].count, v4.count + v6.count);
  }

  /** The lists' entry for this exact indicator; null if there is none. */
  find(kind: IndicatorKind, indicator: string): Match | null {
    if (kind !== "cidr") return this.#matchText(kind, indicator);
    const cidr = parseCidr(indicator);
    if (cidr === null) return null;
    const table = cidr.version === 4 ? this.data.v4 : this.data.v6;
    addressWords(formatIp(cidr.first), this.#words);
    const network = findExactNetwork(table, this.#words, cidr.prefix);
    return network === -1 ? null : this.#toMatch("cidr", indicator, table.values[network]!);
  }

  matchIp(ip: string): Match | null {
    const { texts, v4, v6 } = this.data;
    const index = findText(texts.ip, ip);
    if (index !== -1) return this.#match("ip", index);
    const table = ip.includes(":") ? v6 : v4;
    if (table.count === 0 || addressWords(ip, this.#words) !== table.width) return null;
    const network = findNetwork(table, this.#words);
    return network === -1
      ? null
      : this.#toMatch("cidr", networkAt(table, network).text, table.values[network]!);
  }

  /** Matches a queried name, server name or Host header: the name itself or a parent domain. */
  matchDomain(name: string): Match | null {
    const index = findName(this.data.texts.domain, name, this.#matchesName);
    return index === -1 ? null : this.#match("domain", index);
  }

  /**
   * Matches an HTTP request by host and target (a path, or a whole URL when sent to a proxy). Host, path and
   * query must equal the indicator's; a host that serves one bad file is not bad itself.
   */
  matchUrl(host: string, uri: string): Match | null {
    const table = this.data.texts.url;
    if (table.count === 0) return null;
    const path = pathOf(uri);
    const index = findText(table, path.startsWith("/") ? host + path : `${host}/${path}`);
    return index === -1 ? null : this.#match("url", index);
  }

  matchJa3(fingerprint: string): Match | null {
    return this.#matchText("ja3", fingerprint);
  }

  matchJa4(fingerprint: string): Match | null {
    return this.#matchText("ja4", fingerprint);
  }

  /** Matches a certificate's SHA-1 or SHA-256. */
  matchCertificate(fingerprint: string): Match | null {
    return this.#matchText("certificate", fingerprint);
  }

  #matchText(kind: TextKind, text: string): Match | null {
    const index = findText(this.data.texts[kind], text);
    return index === -1 ? null : this.#match(kind, index);
  }

  #match(kind: TextKind, index: number): Match {
    const table = this.data.texts[kind];
    return this.#toMatch(kind, textAt(table, index), table.values[index]!);
  }

  #toMatch(kind: IndicatorKind, indicator: string, value: number): Match {
    const { list, description, confidence, exact } = this.data.origins[value]!;
    return { list, indicator, kind, description, confidence, exact };
  }

  #origin(table: TextTableData, index: number): Origin {
    return this.data.origins[table.values[index]!]!;
  }
}

/** The part of a request target that is compared: everything after the authority, without fragment. */
function pathOf(uri: string): string {
  let start = 0;
  if (!uri.startsWith("/")) {
    const scheme = uri.indexOf("://");
    const slash = scheme === -1 ? 0 : uri.indexOf("/", scheme + 3);
    start = slash === -1 ? uri.length : slash;
  }
  const hash = uri.indexOf("#", start);
  return uri.slice(start, hash === -1 ? uri.length : hash);
}

/** A copy of a set's data in shared memory: threads that receive it use the same tables. */
export function sharedData({ texts, v4, v6, ...rest }: IntelData): IntelData {
  const shared = Object.fromEntries(TEXT_KINDS.map((kind) => [kind, sharedTable(texts[kind])]));
  return {
    ...rest,
    texts: shared as Record<TextKind, TextTableData>,
    v4: sharedTable(v4),
    v6: sharedTable(v6),
  };
}

function sharedTable<T extends object>(table: T): T {
  return Object.fromEntries(
    Object.entries(table).map(([name, part]) => [name, ArrayBuffer.isView(part) ? sharedCopy(part) : part]),
  ) as T;
}

function sharedCopy(part: ArrayBufferView): ArrayBufferView {
  const { buffer, byteOffset, byteLength } = part;
  const shared = new SharedArrayBuffer(byteLength);
  new Uint8Array(shared).set(new Uint8Array(buffer, byteOffset, byteLength));
  return new (part.constructor as new (memory: SharedArrayBuffer) => ArrayBufferView)(shared);
}
