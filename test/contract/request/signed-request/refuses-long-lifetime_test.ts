import assert from "node:assert/strict";
import { refuses, resigned, signed, verify, withHeader } from "./support.ts";

const until = (time: string) => resigned(withHeader(signed(), "expiresAt", time));

refuses("claims that live longer than 60 seconds", () => until("2026-01-31T07:16:00.001Z"));
refuses("claims that were never valid", () => until("2026-01-31T07:15:00.000Z"));
refuses("claims that end before they begin", () => until("2026-01-31T07:14:59.999Z"));

Deno.test("signed request: accepts claims that live exactly 60 seconds", async () => {
  assert.notEqual(await verify(until("2026-01-31T07:16:00.000Z")), null);
});
