import { ApiError } from "../contract/errors.ts";
import { constantTimeEqual, hmacSha256Hex, sha256Hex } from "../kit/hmac.ts";
import { badField } from "./bad-field.ts";

/** Where a page walk stands, and what it is bound to. */
export interface CursorScope {
  tenantId: string;
  /** Operation id. */
  operation: string;
  /** The query without `limit` and `cursor`; another filter makes another walk. */
  filter: Record<string, unknown>;
}

/** Each page's cursor may be used for a day. */
const LIFETIME = 86_400_000_000;

interface Content {
  /** Issued at, microseconds. */
  i: number;
  /** Position: plain JSON values. */
  p: unknown;
}

/**
 * Opaque, authenticated cursors: `base64url(content).mac`. The MAC covers tenant, operation and filter, so a cursor
 * of another tenant, list or filter is as invalid as a forged one; so is, after the service key was changed, any from
 * before. `limit` is not covered: the next page may have another size.
 */
export class Cursors {
  readonly #key: string;

  constructor(serviceKey: Uint8Array | string) {
    this.#key = hmacSha256Hex(serviceKey, "ndr-cursor-v1");
  }

  seal(scope: CursorScope, position: unknown, now: number): string {
    const content = encode(JSON.stringify({ i: now, p: position } satisfies Content));
    return `${content}.${this.#mac(scope, content)}`;
  }

  /**
   * The position in the cursor, null without one.
   *
   * @throws ApiError invalid_request for a forged or foreign cursor, cursor_expired for one older than a day.
   */
  open<P>(scope: CursorScope, cursor: string | undefined, now: number): P | null {
    if (cursor === undefined) return null;
    const end = cursor.lastIndexOf(".");
    const content = cursor.slice(0, Math.max(0, end));
    if (!constantTimeEqual(cursor.slice(end + 1), this.#mac(scope, content))) {
      throw badField("cursor", "expected a cursor of this list and filter");
    }
    const { i: issuedAt, p: position } = JSON.parse(decode(content)) as Content;
    if (now - issuedAt > LIFETIME) throw new ApiError("cursor_expired");
    return position as P;
  }

  #mac(scope: CursorScope, content: string): string {
    const filter = Object.entries(scope.filter)
      .filter(([name, value]) => name !== "limit" && name !== "cursor" && value !== undefined)
      .sort(([a], [b]) => a < b ? -1 : 1);
    const bound = JSON.stringify([scope.tenantId, scope.operation, filter, content]);
    return hmacSha256Hex(this.#key, sha256Hex(bound)).slice(0, 32);
  }
}

function encode(text: string): string {
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

function decode(text: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: "base64url" }));
}
