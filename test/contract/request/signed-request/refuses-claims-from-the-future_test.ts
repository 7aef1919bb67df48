import assert from "node:assert/strict";
import { NOW, refuses, SECOND, signed, verify } from "./support.ts";

refuses("claims issued more than 30 seconds from now", () => signed(), NOW - 30 * SECOND - 1);

Deno.test("signed request: accepts claims issued 30 seconds from now", async () => {
  assert.notEqual(await verify(signed(), NOW - 30 * SECOND), null);
});
