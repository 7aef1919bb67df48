import assert from "node:assert/strict";
import { splitAddresses } from "./addresses.ts";

const found = (text: string) => splitAddresses(text).filter(({ address }) => address).map(({ text }) => text);

Deno.test("addresses of a text: with ports, in brackets, at the end of a sentence", () => {
  assert.deepEqual(found("DESK uploaded 2 MB to 192.168.0.4:80, then to 203.0.113.7."), [
    "192.168.0.4",
    "203.0.113.7",
  ]);
  assert.deepEqual(found("NASHUA (10.0.1.6): 9 connections"), ["10.0.1.6"]);
  assert.deepEqual(found("TLS to [2001:db8::1]:443 and fe80::1"), ["2001:db8::1", "fe80::1"]);
});

Deno.test("addresses of a text: times, versions, names, networks and paths are none", () => {
  for (
    const text of [
      "between 2026-11-25 14:03 and 14:06:21 UTC",
      "Chrome/90.0.4430.93 or MiniRedir/10.0.19041",
      "1.2.3.4.example.com and a-1.2.3.4",
      "networks such as 10.0.0.0/8",
      "http://192.0.2.1/x",
      "999.1.1.1",
      "",
    ]
  ) assert.deepEqual(found(text), [], text);
});

Deno.test("addresses of a text: the parts joined are the text", () => {
  for (const text of ["10.0.0.1", "a 10.0.0.1 b 10.0.0.2", "::", "x:y:z", "10.0.0.1\u202e10.0.0.2"]) {
    assert.equal(splitAddresses(text).map((part) => part.text).join(""), text);
  }
});
