import { sha256Hex } from "../../kit/hash.ts";
import { canonicalQuery } from "./signed-request.ts";

/** The part of an idempotency key's binding besides tenant and user: hash of method, path, query and body. */
export function requestFingerprint(method: string, url: URL, body: Uint8Array): string {
  return sha256Hex([method, url.pathname, canonicalQuery(url.search), sha256Hex(body)].join("\n"));
}
