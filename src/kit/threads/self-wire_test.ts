import assert from "node:assert/strict";
import { SelfWire } from "./self-wire.ts";

Deno.test("self-wire: what came in before has been seen when it has passed", async () => {
  const wire = new SelfWire();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [client, server] = await Promise.all([
    Deno.connect({ port: listener.addr.port }),
    listener.accept(),
  ]);
  await wire.pass();
  let seen = 0;
  const reading = (async () => {
    for await (const bytes of server.readable) seen += bytes.length;
  })();
  for (let sent = 1; sent <= 20; sent++) {
    await client.write(new Uint8Array(1));
    await wire.pass();
    // Its reader has had its turn by the time of the next one.
    await wire.pass();
    assert.equal(seen, sent);
  }
  client.close();
  await reading;
  listener.close();
  await wire.close();
});

Deno.test("self-wire: whoever asks at the same time is told at the same time", async () => {
  const wire = new SelfWire();
  await Promise.all(Array.from({ length: 50 }, () => wire.pass()));
  await wire.close();
});

Deno.test("self-wire: after it was closed it connects anew, and closing twice is no fault", async () => {
  const wire = new SelfWire();
  await wire.close();
  await wire.pass();
  await wire.close();
  await wire.close();
  await wire.pass();
  await wire.close();
});

Deno.test("self-wire: without a connection it takes its time, and does not fail", async () => {
  const { listen } = Deno;
  const wire = new SelfWire();
  Deno.listen = (() => {
    throw new Deno.errors.AddrInUse("no port left");
  }) as typeof Deno.listen;
  try {
    await wire.pass();
  } finally {
    Deno.listen = listen;
  }
  await wire.pass();
  await wire.close();
});
