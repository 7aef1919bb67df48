import assert from "node:assert/strict";
import { connect } from "node:net";
import { listen, loopbackAddress } from "../../src/kit/net/listen.ts";

const hello = () => new Response("hello");

Deno.test("listen: refuses non-loopback addresses before binding anything", async () => {
  for (
    const hostname of [
      "0.0.0.0",
      "::",
      "192.0.2.1",
      "10.0.0.1",
      "example.org",
      "",
      "127.1",
      "128.0.0.1",
      "[::]",
    ]
  ) {
    await assert.rejects(listen(hello, { hostname, port: 0 }), /expected a loopback address/, hostname);
  }
  for (const hostname of ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"]) {
    assert.ok(loopbackAddress(hostname));
  }
});

Deno.test("listen: serves, reports its address, and closes", async () => {
  const listener = await listen(hello, { hostname: "localhost", port: 0 });
  assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(await (await fetch(listener.url)).text(), "hello");
  await assert.rejects(listen(hello, { hostname: "127.0.0.1", port: listener.port }), /EADDRINUSE|in use/i);
  await listener.close();
  await assert.rejects(fetch(listener.url));
});

Deno.test("listen: a client that is silent, or stops half-way, is disconnected", async () => {
  const listener = await listen(hello, {
    hostname: "127.0.0.1",
    port: 0,
    headersTimeoutMs: 200,
    requestTimeoutMs: 400,
    keepAliveTimeoutMs: 200,
  });
  try {
    for (
      const sent of [
        "",
        "GET / HTTP/1.1\r\nHost: x\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      ]
    ) {
      const started = Date.now();
      await new Promise<void>((resolve) => {
        const socket = connect(listener.port, "127.0.0.1", () => socket.write(sent));
        socket.on("data", () => {}).on("close", () => resolve()).on("error", () => {});
      });
      assert.ok(Date.now() - started < 20_000, JSON.stringify(sent));
    }
  } finally {
    await listener.close();
  }
});
