import { formatIp, parseCidr } from "../../kit/net/ip.ts";
import { addressWords } from "./address-words.ts";
import { type IndicatorKind, type Match, TEXT_KINDS, type TextKind } from "./indicator.ts";
import { findExactNetwork, findNetwork, networkAt, type NetworkTableData } from "./network-table.ts";
import { findName, findText, textAt, type TextTableData } from "./text-table.ts";

/** Where indicators come from: what many of them share. */
export interface Origin {
  list: string;
  description: string | null;
  confidence: number | null;
  /** Of domains: only the very name is meant. */
  exact: boolean;
}

/** All that an `IntelSet` knows, as plain data: a worker can make it and hand it over. */
export interface IntelData {
  /** The values in the tables are positions in this list. */
  origins: readonly Origin[];
  texts: Readonly<Record<TextKind, TextTableData>>;
  /** Networks; single addresses are texts. */
  v4: NetworkTableData;
  v6: NetworkTableData;
  /** Another one where anything above is other; '' where there is nothing. */
  digest: string;
}

/**
 * The indicators of all lists, to be asked for each record. Never changes: a changed list gives another set. What is asked stands in the
 * form of an observation: canonical addresses, lower-case names and fingerprints. Where several lists have an indicator,
 * the one whose name comes first tells about it; of networks and domains, the smallest one counts.
 */
export class IntelSet {
  /** The address that is looked up. */
  readonly #words = new Uint32Array(4);
  readonly #wholeOrWide = (index: number, whole: boolean) =>
    whole || !this.#origin(this.data.texts.domain, index).exact;

  constructor(readonly data: IntelData) {}

  get digest(): string {
    return this.data.digest;
  }

  /** How many indicators there are. */
  get size(): number {
    const { texts, v4, v6 } = this.data;
    return TEXT_KINDS.reduce((sum, kind) => sum + texts[kind].count, v4.count + v6.count);
  }

  /** What the lists say of this very indicator; null where none has it. */
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

  /** For a name that was asked for, a server name, or a Host header: it or a name that it lies below. */
  matchDomain(name: string): Match | null {
    const index = findName(this.data.texts.domain, name, this.#wholeOrWide);
    return index === -1 ? null : this.#match("domain", index);
  }

  /**
   * For an HTTP request: its host, and what it asks for, be that a path or, as to a proxy, a whole URL. Host, path and query
   * must be those of the indicator; a host that serves one bad file is not bad by that.
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

  /** For a certificate's SHA-1 or SHA-256. */
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

/** What of a request target is compared: all behind the authority, without a fragment. */
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
