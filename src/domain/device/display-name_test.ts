import assert from "node:assert/strict";
import { displayHostName } from "./display-name.ts";

Deno.test("host names suitable for display are kept", () => {
  for (
    const name of ["ws-77", "Anas-iPhone", "laptop.corp.example", "Bücher-PC", "Ana’s MacBook", "NPI1A2B3C"]
  ) {
    assert.equal(displayHostName(name), name);
  }
  assert.equal(displayHostName(" ws-77. "), "ws-77");
});

Deno.test("hostile, damaged, empty and placeholder names are rejected", () => {
  const none = [
    null,
    "",
    " ",
    "192.0.2.1",
    "2001:db8::1",
    "a\nb",
    "<script>alert(1)</script>",
    "\u202egnp.exe",
    "-x",
    "$(id)",
    "x".repeat(129),
    "localhost",
    "LOCALHOST.localdomain",
    "(none)",
    "unknown",
    "77",
  ];
  for (const name of none) assert.equal(displayHostName(name), null, String(name));
});
