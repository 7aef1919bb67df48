import { messageOf } from "../../kit/errors.ts";
import { sha256Hex } from "../../kit/hash.ts";
import { canonicalIp, isGlobalAddress } from "../../kit/net/ip.ts";
import { type Fault, Faults } from "../yaml/faults.ts";
import { type FolderFile, listFolder } from "../yaml/folder.ts";
import { GeoDatabase } from "./geo-database.ts";
import { type Network, networkOf, type Place, placeOf } from "./place-record.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";

const GEOIP_FOLDER = "geoip";
/** Larger files are not read: they must fit into memory. */
const MAX_GEOIP_BYTES = 512 * 1024 * 1024;
const MAX_KNOWN = 16_384;
const BUILD_DIGITS = 16;

/** What databases know about an address; `null` is unknown. */
export interface GeoFacts {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** In English. */
  city: string | null;
  /** Degrees; both or none. */
  latitude: number | null;
  longitude: number | null;
  asn: number | null;
  asOrganisation: string | null;
}

const NOTHING: GeoFacts = Object.freeze({
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganisation: null,
});

interface OpenFile {
  stamp: string;
  /** Null if the file could never be read. */
  database: GeoDatabase | null;
  fault: Fault | null;
}

/**
 * The databases in `<configDir>/geoip`: any number, of any publisher (GeoLite2, DB-IP, IPinfo, …), for
 * places, networks or both. A place comes from one database as a whole, so that no city ends up in another's
 * country: from the most detailed one, the first by name among equals; the same holds for a network.
 *
 * `reload()` opens new and changed files; there is nothing before its first call. An unreadable file is a
 * fault and does not affect the others; if an earlier version was read, it stays in use.
 */
export class GeoIp {
  readonly #folder: string;
  #files = new Map<string, OpenFile>();
  #folderFaults: readonly Fault[] = [];
  #build: string | null = null;
  /** Cached answers, most recently used last. */
  readonly #known = new BoundedMap<string, GeoFacts>(MAX_KNOWN);

  constructor(configDir: string, private readonly maxBytes: number = MAX_GEOIP_BYTES) {
    this.#folder = `${configDir}/${GEOIP_FOLDER}`;
  }

  /** Databases in use. */
  get size(): number {
    return this.#databases().length;
  }

  /** Whether there is any database. */
  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Differs whenever the files in use do, and is equal for equal files; null without any. */
  get build(): string | null {
    return this.#build;
  }

  /** Current faults of files. */
  get faults(): Fault[] {
    return [...this.#folderFaults, ...[...this.#files.values()].flatMap(({ fault }) => fault ?? [])];
  }

  /** Cheap if nothing changed. Returns whether answers may have changed. Await it before the next call. */
  async reload(): Promise<boolean> {
    const folderFaults = new Faults();
    const files = new Map<string, OpenFile>();
    for (const file of listFolder(this.#folder, [".mmdb"], folderFaults)) {
      const before = this.#files.get(file.name);
      files.set(
        file.name,
        before?.stamp === file.stamp ? before : await this.#open(file, before?.database ?? null),
      );
    }
    const changed = files.size !== this.#files.size ||
      [...files].some(([name, { database }]) => this.#files.get(name)?.database !== database);
    this.#folderFaults = folderFaults.list;
    this.#files = files;
    if (changed) {
      this.#known.clear();
      this.#build = this.#describe();
    }
    return changed;
  }

  /** What is known about an address in any spelling; nothing for a text that is not an address. */
  lookup(ip: string): GeoFacts {
    if (this.#files.size === 0) return NOTHING;
    const known = this.#known.renew(ip);
    if (known !== undefined) return known;
    const address = canonicalIp(ip);
    // Some databases have a place for private addresses all the same.
    if (address === null || !isGlobalAddress(address)) return NOTHING;
    const facts = this.#ask(address);
    this.#known.set(ip, facts);
    return facts;
  }

  #describe(): string | null {
    const editions = [...this.#files].flatMap(([name, { database }]) =>
      database === null ? [] : [`${name} ${database.edition}`]
    );
    return editions.length === 0 ? null : sha256Hex(editions.join("\n")).slice(0, BUILD_DIGITS);
  }

  #databases(): OpenFile[] {
    return [...this.#files.values()].filter(({ database }) => database !== null);
  }

  async #open(file: FolderFile, before: GeoDatabase | null): Promise<OpenFile> {
    const broken = (why: string): OpenFile => ({
      stamp: file.stamp,
      database: before,
      fault: faultOf(
        file.path,
        `expected a GeoIP or ASN database, but ${why}${before ? "; its earlier version is used" : ""}`,
      ),
    });
    if (file.size > this.maxBytes) {
      return broken(`it has ${file.size} bytes, more than ${this.maxBytes}`);
    }
    try {
      return { stamp: file.stamp, database: GeoDatabase.open(await Deno.readFile(file.path)), fault: null };
    } catch (error) {
      return broken(messageOf(error));
    }
  }

  #ask(address: string): GeoFacts {
    let place: Place | null = null;
    let network: Network | null = null;
    for (const [name, file] of this.#files) {
      const record = this.#recordOf(name, file, address);
      const located = placeOf(record);
      if (located !== null && detail(located) > detail(place)) place = located;
      network ??= networkOf(record);
    }
    if (place === null && network === null) return NOTHING;
    return {
      country: place?.country ?? null,
      city: place?.city ?? null,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      asn: network?.asn ?? null,
      asOrganisation: network?.organisation ?? null,
    };
  }

  #recordOf(name: string, file: OpenFile, address: string): unknown {
    try {
      return file.database?.get(address);
    } catch (error) {
      file.fault ??= faultOf(
        `${this.#folder}/${name}`,
        `expected a record of ${address}, but ${messageOf(error)}`,
      );
      return null;
    }
  }
}

function faultOf(file: string, message: string): Fault {
  return { file, line: null, column: null, message };
}

function detail(place: Place | null): number {
  if (place === null) return 0;
  return 1 + (place.latitude === null ? 0 : 1) + (place.city === null ? 0 : 1);
}
