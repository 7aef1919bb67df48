import assert from "node:assert/strict";
import { nameUuid } from "./name-uuid.ts";

Deno.test("name identifiers are version 5 UUIDs", () => {
  // Published example: the name www.example.com in the namespace of DNS names.
  assert.equal(
    nameUuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com"),
    "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  );
});
