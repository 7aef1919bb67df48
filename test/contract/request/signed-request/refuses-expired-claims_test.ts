import assert from "node:assert/strict";
import { NOW, refuses, SECOND, signed, verify } from "./support.ts";

refuses("claims that expired more than 30 seconds ago", () => signed(), NOW + 60 * SECOND + 30 * SECOND + 1);

Deno.test("signed request: accepts claims that expired 30 seconds ago", async () => {
  assert.notEqual(await verify(signed(), NOW + 60 * SECOND + 30 * SECOND), null);
});
