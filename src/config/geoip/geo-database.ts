import { Buffer } from "node:buffer";
import { Reader, type Response } from "mmdb-lib";

/** One open MMDB file. */
export class GeoDatabase {
  readonly #reader: Reader<Response>;
  readonly #ipVersion: number;
  /** What the publisher calls it: `GeoLite2-City`, `DBIP-ASN-Lite`, … */
  readonly type: string;

  private constructor(reader: Reader<Response>) {
    this.#reader = reader;
    this.#ipVersion = reader.metadata.ipVersion;
    this.type = String(reader.metadata.databaseType ?? "");
  }

  /** Throws an Error that says what is wrong where the bytes are not a whole database. */
  static open(bytes: Uint8Array): GeoDatabase {
    const reader = readerOf(bytes);
    const { binaryFormatMajorVersion, ipVersion, nodeCount, searchTreeSize } = reader.metadata;
    if (binaryFormatMajorVersion !== 2) {
      throw new Error(`it has format version ${binaryFormatMajorVersion}, not 2`);
    }
    if (ipVersion !== 4 && ipVersion !== 6) throw new Error(`it is for IP version ${ipVersion}`);
    if (!Number.isInteger(nodeCount) || nodeCount < 1 || searchTreeSize >= bytes.length) {
      throw new Error("it is cut short");
    }
    const database = new GeoDatabase(reader);
    // Far apart in the tree and in the data: what is damaged shows in some of them.
    for (const probe of ["1.1.1.1", "91.198.174.192", "198.41.0.4", "2001:500:2f::f"]) database.get(probe);
    return database;
  }

  /** The record of a canonical address; null where there is none. Throws where the data is damaged. */
  get(ip: string): unknown {
    // An address of 128 bits would be looked up by its first 32.
    return this.#ipVersion === 4 && ip.includes(":") ? null : this.#reader.get(ip);
  }
}

function readerOf(bytes: Uint8Array): Reader<Response> {
  try {
    return new Reader<Response>(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    throw new Error("it is no MMDB file, or cut short");
  }
}
