import { sha256Hex } from "../../kit/hmac.ts";
import { canonicalQuery } from "./signed-request.ts";

/** What an idempotency key is bound to besides the tenant and the person: any other request with it is another one. */
export function requestFingerprint(method: string, url: URL, body: Uint8Array): string {
  return sha256Hex([method, url.pathname, canonicalQuery(url.search), sha256Hex(body)].join("\n"));
}
