import { Sha256 } from "../../kit/hash.ts";
import { TEXT_KINDS } from "./indicator.ts";
import type { IntelData } from "./intel-set.ts";

/** Identifies a set across restarts: hex SHA-256 over all indicators and annotations, '' for an empty set. */
export function digestOf({ origins, texts, v4, v6 }: Omit<IntelData, "digest">): string {
  const tables = [...TEXT_KINDS.map((kind) => texts[kind]), v4, v6];
  if (tables.every(({ count }) => count === 0)) return "";
  const hash = new Sha256().update(JSON.stringify(origins));
  for (const kind of TEXT_KINDS) {
    const { bytes, ends, values } = texts[kind];
    for (const part of [ends, values, bytes]) add(hash, part);
  }
  for (const { first, last, values } of [v4, v6]) for (const part of [first, last, values]) add(hash, part);
  return hash.hex();
}

/** Includes the length, so that different sequences of parts never hash the same bytes. */
function add(hash: Sha256, part: Uint8Array | Uint32Array): void {
  hash.update(`${part.length} `).update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
}
