import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derivedKey } from "../kit/hash.ts";
import { ApiError } from "../contract/request/errors.ts";
import { fieldError } from "./field-error.ts";

/** What a cursor is bound to. */
export interface CursorScope {
  tenantId: string;
  /** Operation id. */
  operation: string;
  /** The query; `limit` and `cursor` are not part of the binding. */
  filter: Record<string, unknown>;
}

/** Validity of each page's cursor, in microseconds: one day. */
const LIFETIME = 86_400_000_000;

interface Content {
  /** Time of issue, in microseconds. */
  i: number;
  /** Position: plain JSON values. */
  p: unknown;
}

/** AES-256-GCM, bytes. */
const IV = 12;
const TAG = 16;

/**
 * Opaque, authenticated cursors: base64url of an encrypted position, because positions may reveal internal
 * state. Tenant, operation and filter are authenticated too, so a cursor of another tenant, list or filter is
 * as invalid as a forged one. Changing the service key invalidates all cursors. `limit` is not bound: the
 * page size may change between pages.
 */
export class Cursors {
  readonly #key: Uint8Array;

  constructor(serviceKey: Uint8Array | string) {
    this.#key = derivedKey(serviceKey, "ndr-cursor-v2");
  }

  seal(scope: CursorScope, position: unknown, now: number): string {
    const iv = randomBytes(IV);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv, { authTagLength: TAG }).setAAD(bound(scope));
    const content = JSON.stringify({ i: now, p: position } satisfies Content);
    return Buffer.concat([iv, cipher.update(content, "utf8"), cipher.final(), cipher.getAuthTag()])
      .toString("base64url");
  }

  /**
   * Returns the position in the cursor, null without a cursor.
   *
   * @param field The parameter that has it, for errors.
   * @throws ApiError invalid_request for a forged or foreign cursor, cursor_expired for one older than a day
   */
  open<P>(scope: CursorScope, cursor: string | undefined, now: number, field = "cursor"): P | null {
    if (cursor === undefined) return null;
    const content = this.#decrypt(scope, cursor);
    if (content === null) {
      throw fieldError(field, "expected a cursor issued for this list and filter", "invalid_cursor");
    }
    const { i: issuedAt, p: position } = JSON.parse(content) as Content;
    if (now - issuedAt > LIFETIME) throw new ApiError("cursor_expired");
    return position as P;
  }

  #decrypt(scope: CursorScope, cursor: string): string | null {
    const bytes = Buffer.from(cursor, "base64url");
    // The decoder skips invalid characters; re-encoding rejects every other spelling of the same bytes.
    if (bytes.length < IV + TAG || bytes.toString("base64url") !== cursor) return null;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, IV), { authTagLength: TAG })
      .setAAD(bound(scope)).setAuthTag(bytes.subarray(-TAG));
    const content = decipher.update(bytes.subarray(IV, -TAG), undefined, "utf8");
    try {
      return content + decipher.final("utf8");
    } catch {
      return null;
    }
  }
}

function bound({ tenantId, operation, filter }: CursorScope): Uint8Array {
  const named = Object.entries(filter)
    .filter(([name, value]) => name !== "limit" && name !== "cursor" && value !== undefined)
    .sort(([a], [b]) => a < b ? -1 : 1);
  return new TextEncoder().encode(JSON.stringify([tenantId, operation, named]));
}
