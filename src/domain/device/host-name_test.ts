import assert from "node:assert/strict";
import fc from "fast-check";
import { isDistinctiveName, shortHostName } from "./host-name.ts";

Deno.test("names are compared by their first label, in any case", () => {
  assert.equal(shortHostName("WS-77.corp.example."), "ws-77");
  assert.equal(shortHostName("ws-77"), "ws-77");
  assert.equal(shortHostName("WS-77$"), "ws-77");
  assert.equal(shortHostName("büro-3"), "büro-3");
  for (const none of ["", ".", "a b", "x".repeat(64), "<script>", "a\u0000b"]) {
    assert.equal(shortHostName(none), null, none);
  }
});

Deno.test("a chosen or machine-specific name is distinctive", () => {
  for (
    const name of ["ws-77", "annas-iphone", "desktop-4k2j9qx", "android-8f3e0a1b2c3d4e5f", "brw3c2af4a1b2c3"]
  ) {
    assert.equal(isDistinctiveName(name), true, name);
  }
  for (const name of ["mi", "mira", "test-rig-4", "node-7", "galaxyquest"]) {
    assert.equal(isDistinctiveName(name), true, name);
  }
});

Deno.test("a default name of a system or model is not distinctive", () => {
  const defaults = [
    ...[
      "localhost",
      "android",
      "iphone",
      "iphone-2",
      "galaxy-s23",
      "galaxy",
      "pixel-7",
      "pixel7",
      "redmi-note-9",
    ],
    ...[
      "raspberrypi",
      "ubuntu",
      "user-pc",
      "ip-10-0-0-5",
      "192-168-1-7",
      "minint-9a8b7c6",
      "x",
      "macbook-pro-2",
    ],
  ];
  for (const name of defaults) assert.equal(isDistinctiveName(name), false, name);
});

Deno.test("any text can be read, and normalising is idempotent", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const name = shortHostName(text);
    if (name === null) return;
    assert.equal(shortHostName(name), name);
    isDistinctiveName(name);
  }));
});
