import assert from "node:assert/strict";
import fc from "fast-check";
import { macKind } from "./mac-kind.ts";

Deno.test("an address assigned by a manufacturer is hardware", () => {
  for (const mac of ["9c:b6:d0:1a:2b:3c", "00:50:56:aa:bb:cc", "00:00:5e:00:53:01", "08:00:27:00:00:01"]) {
    assert.equal(macKind(mac), "hardware", mac);
  }
});

Deno.test("a locally administered address counts as randomized, a hypervisor's too", () => {
  for (const mac of ["da:a1:19:00:11:22", "f2:00:00:00:00:01", "52:54:00:12:34:56", "06:00:00:00:00:01"]) {
    assert.equal(macKind(mac), "randomized", mac);
  }
});

Deno.test("addresses of redundancy protocols, containers and groups, and all zeros, are virtual", () => {
  const virtual = [
    "00:00:5e:00:01:0a",
    "00:00:5e:00:02:0a",
    "00:00:0c:07:ac:15",
    "00:00:0c:9f:f0:01",
    "00:05:73:a0:00:01",
    "00:07:b4:00:ae:01",
    "02:42:ac:11:00:02",
    "01:00:5e:00:00:fb",
    "ff:ff:ff:ff:ff:ff",
    "00:00:00:00:00:00",
  ];
  for (const mac of virtual) assert.equal(macKind(mac), "virtual", mac);
});

Deno.test("the two lowest bits of the first octet decide", () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (bytes) => {
    const kind = macKind([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(":"));
    if ((bytes[0]! & 1) === 1) assert.equal(kind, "virtual");
    else if (kind === "hardware") assert.equal(bytes[0]! & 2, 0);
    else if (kind === "randomized") assert.equal(bytes[0]! & 2, 2);
  }));
});
