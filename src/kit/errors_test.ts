import assert from "node:assert/strict";
import { messageOf } from "./errors.ts";

Deno.test("any thrown value has a text", () => {
  assert.equal(messageOf(new Error("disk full")), "disk full");
  assert.equal(messageOf(new TypeError("")), "TypeError");
  assert.equal(messageOf("plain text"), "plain text");
  assert.equal(messageOf(undefined), "unknown error (undefined)");
  assert.equal(messageOf(""), "unknown error ()");
  assert.equal(messageOf(Object.create(null)), "unknown error (object without a text)");
});
