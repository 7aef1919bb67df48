// Malicious or slow clients on the listener that core and web share.

import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { transportRefusal } from "../../src/contract/request/transport-refusal.ts";
import { listen, type Listener, type ListenOptions, type Peer } from "../../src/kit/net/listen.ts";

const TIMES = { headersTimeoutMs: 300, requestTimeoutMs: 600, keepAliveTimeoutMs: 300, stallTimeoutMs: 400 };
/** Long enough for a busy machine. */
const PATIENCE = 15_000;

type Handler = (request: Request, peer: Peer) => Response | Promise<Response>;

async function withListener(
  handler: Handler,
  options: Partial<ListenOptions>,
  test: (listener: Listener) => Promise<void>,
): Promise<void> {
  const listener = await listen(handler, {
    hostname: "127.0.0.1",
    port: 0,
    refusal: transportRefusal,
    closeTimeoutMs: 100,
    ...TIMES,
    ...options,
  });
  try {
    await test(listener);
  } finally {
    await listener.close();
  }
}

class Client {
  received = "";
  readonly socket: Socket;
  readonly closed: Promise<number>;
  readonly connected: Promise<void>;

  constructor(listener: Listener, first = "") {
    const started = Date.now();
    this.socket = connect(listener.port, "127.0.0.1");
    this.connected = new Promise((resolve) =>
      this.socket.once("connect", () => {
        if (first !== "") this.socket.write(first);
        resolve();
      })
    );
    this.closed = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.socket.destroy();
        reject(new Error(`still open after ${PATIENCE} ms: ${this.received.slice(0, 200)}`));
      }, PATIENCE);
      this.socket.on("error", () => {});
      this.socket.on("close", () => {
        clearTimeout(timer);
        resolve(Date.now() - started);
      });
    });
    this.socket.on("data", (chunk) => this.received += chunk);
  }

  /** Status and envelope of the received response, which must be one complete error. */
  async refusal(status: number, code = "invalid_request") {
    await this.closed;
    const [head, body] = this.received.split("\r\n\r\n");
    assert.match(head!, new RegExp(`^HTTP/1.1 ${status} `), this.received);
    assert.match(head!, /^content-type: application\/json; charset=utf-8$/im);
    assert.match(head!, /^connection: close$/im);
    const { error } = JSON.parse(body!);
    assert.equal(error.code, code);
    assert.ok(head!.toLowerCase().includes(`x-request-id: ${error.request_id}`));
    return error;
  }
}

const hello: Handler = () => new Response("hello");
const whole: Handler = async (request) => new Response(String((await request.arrayBuffer()).byteLength));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes a piece every 100 ms for as long as the connection accepts it. */
async function drip(client: Client, piece: (i: number) => string): Promise<void> {
  await client.connected;
  for (let i = 0; !client.socket.destroyed && client.socket.writable; i++) {
    client.socket.write(piece(i));
    await pause(100);
  }
}

Deno.test("slow clients: endless headers get 408 and are disconnected", async () => {
  await withListener(hello, {}, async (listener) => {
    const silent = new Client(listener);
    const dripping = new Client(listener, "GET / HTTP/1.1\r\nHost: x\r\n");
    const work = drip(dripping, (i) => `X-${i}: y\r\n`);
    for (const client of [silent, dripping]) {
      assert.deepEqual((await client.refusal(408)).details, { reason: "timeout" });
    }
    await work;
  });
});

Deno.test("slow clients: an endless body, by its length or in chunks, is disconnected", async () => {
  let failed = 0;
  const handler: Handler = async (request, peer) => {
    try {
      return await whole(request, peer);
    } catch {
      failed++;
      return new Response("gone", { status: 400 });
    }
  };
  await withListener(handler, {}, async (listener) => {
    const head = "POST / HTTP/1.1\r\nHost: x\r\n";
    const plain = new Client(listener, `${head}Content-Length: 1000000\r\n\r\n`);
    const chunked = new Client(listener, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    const work = [drip(plain, () => "x"), drip(chunked, () => "1\r\nx\r\n")];
    for (const client of [plain, chunked]) await client.refusal(408);
    await Promise.all(work);
    while (failed < 2) await pause(10);
  });
});

Deno.test("slow clients: an idle connection is closed after a response", async () => {
  await withListener(hello, {}, async (listener) => {
    const client = new Client(listener, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await client.closed;
    assert.match(client.received, /^HTTP\/1\.1 200 [^]*hello$/);
  });
});

Deno.test("slow clients: a client that does not read its response is disconnected, and the response stream is cancelled", async () => {
  let cancelled = 0;
  const endless: Handler = (request) =>
    new URL(request.url).pathname === "/whole"
      ? new Response(new Uint8Array(32 * 1024 * 1024))
      : new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
          cancel: () => void cancelled++,
        }),
      );
  await withListener(endless, {}, async (listener) => {
    for (const path of ["/stream", "/whole"]) {
      const client = new Client(listener, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      client.socket.pause();
      // A paused socket notices its end only when it resumes reading.
      await pause(3_000);
      client.socket.resume();
      await client.closed;
    }
    assert.equal(cancelled, 1);
  });
});

Deno.test("slow clients: a slow reader is served completely", async () => {
  const size = 6 * 1024 * 1024;
  const handler: Handler = () => {
    let left = size / 65_536;
    return new Response(
      new ReadableStream({
        pull: (controller) => left-- > 0 ? controller.enqueue(new Uint8Array(65_536)) : controller.close(),
      }),
    );
  };
  await withListener(handler, { stallTimeoutMs: 1_500 }, async (listener) => {
    const client = new Client(listener, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let bytes = 0;
    client.socket.removeAllListeners("data");
    client.socket.on("data", (chunk) => {
      bytes += chunk.length;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 5);
    });
    const took = await client.closed;
    assert.ok(bytes > size, `${bytes} bytes in ${took} ms`);
  });
});

Deno.test("slow clients: beyond the connection limit the silent connections are closed, not the busy ones", async () => {
  const release = Promise.withResolvers<void>();
  const handler: Handler = async (request) => {
    if (new URL(request.url).pathname === "/slow") await release.promise;
    return new Response("hello");
  };
  const times = { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, keepAliveTimeoutMs: 60_000 };
  await withListener(handler, { maxConnections: 8, ...times }, async (listener) => {
    const working = new Client(listener, "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await working.connected;
    await pause(100);
    const silent: Client[] = [];
    for (let i = 0; i < 20; i++) {
      silent.push(new Client(listener, "GET / HTTP/1.1\r\n"));
      await silent.at(-1)!.connected;
    }
    // Others are served throughout.
    for (let i = 0; i < 10; i++) {
      const other = new Client(listener, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      await other.closed;
      assert.match(other.received, /hello$/);
    }
    await Promise.all(silent.slice(0, 12).map((client) => client.closed));
    release.resolve();
    await working.closed;
    assert.match(working.received, /hello$/);
    for (const client of silent) client.socket.destroy();
  });
});

Deno.test("slow clients: when all connections are busy, one more gets 503", async () => {
  const release = Promise.withResolvers<void>();
  const handler: Handler = () => release.promise.then(() => new Response("hello"));
  await withListener(handler, { maxConnections: 2 }, async (listener) => {
    const text = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const working = [new Client(listener, text), new Client(listener, text)];
    await Promise.all(working.map((client) => client.connected));
    await pause(100);
    const third = new Client(listener);
    const error = await third.refusal(503, "source_unavailable");
    assert.equal(error.details.reason, "capacity");
    assert.match(third.received, /^retry-after: 1$/im);
    release.resolve();
    for (const client of working) await client.closed;
    assert.equal(await (await fetch(listener.url)).text(), "hello");
  });
});

Deno.test("slow clients: an invalid target, headers or bytes get an error envelope", async () => {
  await withListener(hello, {}, async (listener) => {
    const get = (target: string, headers = "") =>
      new Client(listener, `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);
    const fits = get(`/${"a".repeat(8191)}`);
    await fits.closed;
    assert.match(fits.received, /^HTTP\/1\.1 200 /);
    for (const length of [8192, 12_000, 20_000, 100_000]) {
      const error = await get(`/${"a".repeat(length)}`).refusal(414);
      assert.deepEqual(error.details, { reason: "target_too_long", limit_bytes: 8192 });
    }
    for (
      const headers of [
        `X: ${"b".repeat(20_000)}\r\n`,
        Array.from({ length: 3000 }, (_, i) => `X-${i}: y\r\n`).join(""),
        `Cookie: ${"c=1; ".repeat(5000)}\r\n`,
      ]
    ) await get("/", headers).refusal(431);
    for (
      const text of [
        "\x00\x01\x02\r\n\r\n",
        "FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "GET / HTTP/1.1\r\nHost: x y\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n",
        "GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      ]
    ) assert.equal((await new Client(listener, text).refusal(400)).details.reason, "malformed", text);
  });
});

Deno.test("slow clients: a client's disconnect is noticed", async () => {
  const ended: string[] = [];
  const gone = Promise.withResolvers<void>();
  const handler: Handler = async (request, peer) => {
    peer.onEnd(() => {
      ended.push("peer");
      gone.resolve();
    });
    request.signal.addEventListener("abort", () => ended.push("signal"));
    await gone.promise;
    return new Response("too late");
  };
  await withListener(handler, {}, async (listener) => {
    const client = new Client(listener, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await client.connected;
    await pause(100);
    client.socket.destroy();
    await gone.promise;
    await pause(10);
    assert.deepEqual(ended.sort(), ["peer", "signal"]);
  });
});
