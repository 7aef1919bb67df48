import assert from "node:assert/strict";
import { Hono } from "hono";
import { addressKey, clientAddress } from "./client-address.ts";

async function addressOf(peer: string | null, forwarded: string | string[] | null, proxied = true) {
  const app = new Hono();
  app.get("/", (c) => c.json(clientAddress(c, proxied)));
  const headers = new Headers();
  for (const one of [forwarded ?? []].flat()) headers.append("X-Forwarded-For", one);
  const env = { address: peer, onEnd: () => {} };
  return await (await app.request("/", { headers }, env)).json();
}

Deno.test("client address: the last hop written by a proxy on this machine", async () => {
  for (
    const [forwarded, expected] of [
      ["203.0.113.7", "203.0.113.7"],
      ["10.0.0.1, 203.0.113.7", "203.0.113.7"],
      ["127.0.0.1,203.0.113.7", "203.0.113.7"],
      ["203.0.113.7:51000", "203.0.113.7"],
      ["2001:DB8::1", "2001:db8::1"],
      ["[2001:db8::1]:443", "2001:db8::1"],
      ["[2001:db8::1]", "2001:db8::1"],
      ["fe80::1%eth0", "fe80::1"],
      ["::ffff:203.0.113.7", "203.0.113.7"],
    ] as const
  ) assert.equal(await addressOf("127.0.0.1", forwarded), expected, forwarded);
  // A client's own header precedes the proxy's.
  assert.equal(await addressOf("::1", ["198.51.100.1", "203.0.113.7"]), "203.0.113.7");
});

Deno.test("client address: an invalid entry gives the proxy's own address, never an earlier hop", async () => {
  for (
    const forwarded of ["", "unknown", "203.0.113.7, unknown", "203.0.113.7,", "_hidden", "1.2.3", "a:b:c"]
  ) {
    assert.equal(await addressOf("127.0.0.1", forwarded), "127.0.0.1", forwarded);
  }
});

Deno.test("client address: the header is ignored without a proxy, or from another host", async () => {
  assert.equal(await addressOf("127.0.0.1", "203.0.113.7", false), "127.0.0.1");
  assert.equal(await addressOf("192.0.2.9", "203.0.113.7"), "192.0.2.9");
  assert.equal(await addressOf(null, "203.0.113.7"), null);
  assert.equal(await addressOf("::ffff:127.0.0.1", "203.0.113.7"), "203.0.113.7");
});

Deno.test("client address: IPv6 counts by its /64", () => {
  assert.equal(addressKey("203.0.113.7"), "203.0.113.7");
  assert.equal(addressKey("2001:db8:1:2:3:4:5:6"), addressKey("2001:db8:1:2::1"));
  assert.notEqual(addressKey("2001:db8:1:2::1"), addressKey("2001:db8:1:3::1"));
  assert.equal(addressKey(null), "unknown");
});
