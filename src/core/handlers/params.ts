import { isId } from "../../contract/request/common.ts";
import { ApiError } from "../../contract/request/errors.ts";
import { timeUuid } from "../../kit/id.ts";

export const DEFAULT_LIMIT = 100;

/** Returns a new identifier that sorts by creation time; `now` in microseconds. */
export function newId(now: number): string {
  return timeUuid(now, crypto.getRandomValues(new Uint8Array(10)));
}

/** @throws ApiError not_found */
export function pathId(params: Record<string, string>, name: string): string {
  const id = params[name] ?? "";
  if (!isId(id)) throw new ApiError("not_found");
  return id;
}
