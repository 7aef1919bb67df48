import { Buffer } from "node:buffer";
import { Reader, type Response } from "mmdb-lib";

/** One open MMDB file. */
export class GeoDatabase {
  readonly #reader: Reader<Response>;
  readonly #ipVersion: number;
  /** The publisher's name: `GeoLite2-City`, `DBIP-ASN-Lite`, … */
  readonly type: string;
  /** Which edition it is: kind, time of publication and size. */
  readonly edition: string;

  private constructor(reader: Reader<Response>, bytes: number) {
    this.#reader = reader;
    this.#ipVersion = reader.metadata.ipVersion;
    this.type = String(reader.metadata.databaseType ?? "");
    this.edition = `${this.type} ${Number(reader.metadata.buildEpoch)} ${bytes}`;
  }

  /** Throws an Error with the reason if the bytes are not a complete database. */
  static open(bytes: Uint8Array): GeoDatabase {
    const reader = readerOf(bytes);
    const { binaryFormatMajorVersion, ipVersion, nodeCount, searchTreeSize } = reader.metadata;
    if (binaryFormatMajorVersion !== 2) {
      throw new Error(`it has format version ${binaryFormatMajorVersion}, not 2`);
    }
    if (ipVersion !== 4 && ipVersion !== 6) throw new Error(`it is for IP version ${ipVersion}`);
    if (!Number.isInteger(nodeCount) || nodeCount < 1 || searchTreeSize >= bytes.length) {
      throw new Error("it is truncated");
    }
    const database = new GeoDatabase(reader, bytes.length);
    // Far apart in the tree and in the data: damage shows in some of them.
    for (const probe of ["1.1.1.1", "91.198.174.192", "198.41.0.4", "2001:500:2f::f"]) database.get(probe);
    return database;
  }

  /** The record of a canonical address; null if there is none. Throws if the data is damaged. */
  get(ip: string): unknown {
    // A 128-bit address would be looked up by its first 32 bits.
    return this.#ipVersion === 4 && ip.includes(":") ? null : this.#reader.get(ip);
  }
}

function readerOf(bytes: Uint8Array): Reader<Response> {
  try {
    return new Reader<Response>(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    throw new Error("it is no MMDB file or truncated");
  }
}
