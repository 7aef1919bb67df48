import { Buffer } from "node:buffer";
import { MAX_PAGE_BYTES } from "../../contract/request/common.ts";
import { stringifyJson } from "../../kit/json/json.ts";

/** Collects the items of a page until their JSON would exceed its bytes; takes at least one. */
export class Page<T> {
  readonly items: T[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes = MAX_PAGE_BYTES) {}

  /** Returns false if there is no room for the item. */
  add(item: T): boolean {
    this.#bytes += Buffer.byteLength(stringifyJson(item));
    if (this.#bytes > this.maxBytes && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}

/**
 * The first of the items that fit into a page, and whether others follow it.
 *
 * @param more Whether others follow the items.
 */
export function endPage<T>(
  items: readonly T[],
  more: boolean,
  maxBytes?: number,
): { page: T[]; more: boolean } {
  const page = new Page<T>(maxBytes);
  const all = items.every((item) => page.add(item));
  return { page: page.items, more: more || !all };
}
