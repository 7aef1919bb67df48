// The delta stream through both layers, as a browser gets it.

import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { AccessPolicy } from "../../src/config/access.ts";
import { Viewer } from "../../src/core/graph/viewer.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { webLimits } from "../../src/web/limits.ts";
import { Api, NOW, SECOND, ZEEK } from "../contract/api.ts";
import { liveWith, MapClient, snapshotOf } from "../contract/graph/stream-client.ts";
import { conn } from "../contract/records.ts";
import { type Credentials, makeAuthority } from "../support/certificates.ts";
import { freshDatabase } from "../support/database.ts";
import { IdentityProvider } from "../support/session/identity-provider.ts";
import { type Proxy, startCaddy, startNginx } from "../support/proxies.ts";
import { transportTest as programTest } from "../support/transport/transport-programs.ts";
import { EventReader } from "../support/transport/event-stream.ts";
import type { Browser } from "./session/web-browser.ts";
import { Stack, type StackOptions, testStack } from "./session/web-stack.ts";

const PATH = "/api/v1/graph/stream";

interface World {
  stack: Stack;
  api: Api;
  /** Streams that are open in the core. */
  open: () => number;
}

/** A core with real handlers, the pipeline that fills it, and a web layer. */
async function withWorld(body: (world: World) => Promise<void>, options: StackOptions = {}): Promise<void> {
  const db = await freshDatabase();
  const { live, streams } = liveWith();
  const api = new Api(db, [], {}, live);
  api.clock.advance((systemClock.now() - NOW) / SECOND);
  const stack = await Stack.start(db, api.core, options);
  try {
    await api.take(ZEEK, [conn({ at: api.clock.now() - 60 * SECOND })]);
    await body({ stack, api, open: () => streams().open });
  } finally {
    await stack.close();
    await db.close();
  }
}

function testWorld(name: string, body: (world: World) => Promise<void>, options: StackOptions = {}): void {
  Deno.test(name, () => withWorld(body, options));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The end of a stream, after any events. */
async function endOf(reader: EventReader): Promise<void> {
  while (await reader.next() !== null);
}

testWorld(
  "stream: changes arrive while it is open, with headers that no proxy may hold back",
  async (world) => {
    const { stack, api, open } = world;
    const browser = await stack.browser().signIn("reader");
    const snapshot = (await browser.json("/api/v1/graph")).body.data;
    const response = await browser.request(`${PATH}?since=${snapshot.cursor}`);
    const { headers } = response;
    assert.equal(headers.get("content-type"), "text/event-stream");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-accel-buffering"), "no");
    assert.equal(headers.get("content-encoding"), null);
    assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    const reader = new EventReader(response);
    assert.equal((await reader.next())!.event, "heartbeat");
    await api.take(ZEEK, [conn({ at: api.clock.now() - 30 * SECOND, dst: "192.0.2.1", srcPort: 50_001 })]);
    let event = await reader.next();
    while (event!.event === "heartbeat") event = await reader.next();
    assert.ok(event!.data.includes('"ip:192.0.2.1"'));
    assert.equal(open(), 1);
    await reader.close();
    await until(() => open() === 0);
  },
);

testWorld("stream: a refusal is JSON before the stream", async ({ stack }) => {
  const browser = await stack.browser().signIn("reader");
  const { status, body } = await browser.json(`${PATH}?since=forged`);
  assert.deepEqual([status, body.error.code], [400, "invalid_request"]);
  assert.equal((await stack.browser().json(PATH)).status, 401);
});

testWorld("stream: it ends with the session, at once", async ({ stack, open }) => {
  const browser = await stack.browser().signIn("reader");
  const reader = new EventReader(await browser.request(PATH));
  assert.equal((await reader.next())!.event, "delta");
  const left = await browser.write("POST", "/auth/logout", undefined);
  await left.body?.cancel();
  await endOf(reader);
  await until(() => open() === 0);
});

let provider: IdentityProvider;
testWorld("stream: it ends with the session at the identity provider, at once", async ({ stack, open }) => {
  provider.groups.set("ada", ["main:reader"]);
  const browser = await stack.browser().signIn("ada");
  const reader = new EventReader(await browser.request(PATH));
  assert.equal((await reader.next())!.event, "delta");
  const body = new URLSearchParams({
    logout_token: await provider.logoutToken(Math.floor(stack.clock.now() / 1e6)),
  });
  const response = await fetch(`${stack.baseUrl}/auth/backchannel-logout`, { method: "POST", body });
  assert.equal(response.status, 200, await response.text());
  await endOf(reader);
  await until(() => open() === 0);
}, {
  // Without this process's own notice the stream would stay open for an hour.
  sessionCheckMs: 3600_000,
  provider: async (publicUrl) => provider = await IdentityProvider.start({ publicUrl }),
});

testWorld("stream: it ends when the session selects another tenant", async ({ stack, open }) => {
  const browser = await stack.browser().signIn("multi");
  const select = async (tenant_id: string) => {
    const response = await browser.write("POST", "/api/v1/session/tenant", { tenant_id });
    assert.equal(response.status, 200, await response.text());
  };
  await select("main");
  const reader = new EventReader(await browser.request(PATH));
  assert.ok((await reader.next())!.data.includes("ip:198.51.100.7"));
  await select("branch");
  await endOf(reader);
  await until(() => open() === 0);
  const other = new EventReader(await browser.request(PATH));
  assert.ok(!(await other.next())!.data.includes("ip:198.51.100.7"));
  await other.close();
});

testWorld(
  "stream: it ends when the person loses the tenant, or another process ends the session",
  async (world) => {
    const { stack, open } = world;
    const browser = await stack.browser().signIn("reader");
    const reader = new EventReader(await browser.request(PATH));
    await reader.next();
    stack.policy = new AccessPolicy([]);
    await endOf(reader);
    await until(() => open() === 0);
  },
  { sessionCheckMs: 50 },
);

const FEW = { ...webLimits({ address: 1e6, session: 1e6, signIn: 1e6 }), requestsPerSession: 2 };

testWorld("stream: an open stream takes no place of its session's requests", async ({ stack, open }) => {
  const browser = await stack.browser().signIn("reader");
  const readers: EventReader[] = [];
  for (let at = 0; at < 5; at++) readers.push(new EventReader(await browser.request(PATH)));
  assert.equal((await browser.json("/api/v1/graph")).status, 200);
  assert.equal(open(), 5);
  for (const reader of readers) await reader.close();
}, { limits: FEW });

testWorld("stream: timeouts of the listeners do not cut it", async ({ stack }) => {
  const browser = await stack.browser().signIn("reader");
  const reader = new EventReader(await browser.request(PATH));
  for (let beats = 0; beats < 10;) if ((await reader.next())!.event === "heartbeat") beats++;
  await reader.close();
}, {
  listen: { headersTimeoutMs: 500, requestTimeoutMs: 500, keepAliveTimeoutMs: 500, stallTimeoutMs: 1000 },
  coreTimeouts: { answerMs: 20_000, serviceMs: 20_000, gapMs: 5000 },
});

let viewers = 0;
testStack(
  "stream: a client that does not read is cut off, and its stream in the core ends",
  async (stack) => {
    const browser = await stack.browser().signIn("reader");
    const request = get(new URL(PATH, stack.baseUrl), { headers: { cookie: cookieOf(browser) } });
    request.on("error", () => {});
    const [response] = await once(request, "response") as [IncomingMessage];
    response.on("error", () => {});
    assert.equal(viewers, 1);
    await until(() => viewers === 0);
    request.destroy();
  },
  {
    listen: { stallTimeoutMs: 500 },
    handlers: {
      streamGraph: () => {
        viewers++;
        const viewer = new Viewer({
          lease: 600_000,
          maxUnread: 256 * 1024,
          onEnd: () => {
            viewers--;
            clearInterval(flood);
          },
        });
        const flood = setInterval(() => viewer.send(new Uint8Array(64 * 1024)), 1);
        return Promise.resolve({ data: { body: viewer.body } });
      },
    },
  },
);

function cookieOf(browser: Browser): string {
  return browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

type StartProxy = (upstream: string, certificate: Credentials) => Promise<Proxy>;

/** A map in a browser behind a proxy, before any stream. */
interface Behind extends World {
  proxy: Proxy;
  map: MapClient;
  /** Opens the stream from the map's cursor, as a client that reconnects does. */
  follow(): Promise<void>;
  /** Takes one connection with an address, and the events until the map has it. */
  contact(dst: string): Promise<void>;
}

async function behindProxy(start: StartProxy, body: (behind: Behind) => Promise<void>): Promise<void> {
  await withWorld(async (world) => {
    const { stack, api } = world;
    const authority = await makeAuthority();
    await using proxy = await start(stack.baseUrl, await authority.issue("IP:127.0.0.1"));
    using client = Deno.createHttpClient({ caCerts: [authority.cert] });
    const browser = await stack.browser().signIn("reader");
    const headers = { cookie: cookieOf(browser), "accept-encoding": "gzip" };
    const read = async (path: string, more: Record<string, string> = {}) => {
      const response = await fetch(proxy.url + path, { headers: { ...headers, ...more }, client });
      assert.equal(response.status, 200);
      return response;
    };
    const snapshot = (await (await read("/api/v1/graph")).json()).data;
    const map = new MapClient("main", snapshot);
    let sourcePort = 50_000;
    await body({
      ...world,
      proxy,
      map,
      follow: () =>
        map.follow(async () =>
          new EventReader(
            await read(`${PATH}?since=${snapshot.cursor}`, { "last-event-id": map.state.cursor! }),
          )
        ),
      async contact(dst) {
        const at = api.clock.now() - 30 * SECOND;
        await api.take(ZEEK, [conn({ at, dst, srcPort: ++sourcePort })]);
        // Nothing that follows could push it out of a buffer: the next address is sent after this one has arrived.
        while (!map.seen.includes(`"ip:${dst}"`)) await map.take();
      },
    });
    await map.disconnect();
    await until(() => world.open() === 0);
  });
}

const throughProxy = (start: StartProxy) =>
  behindProxy(start, async ({ map, follow, contact }) => {
    await follow();
    for (let beats = 0; beats < 3;) if (await map.take() === "heartbeat") beats++;
    for (let at = 1; at <= 3; at++) await contact(`192.0.2.${at}`);
  });

/** The proxy ends under an open stream; records arrive while it is away, and the client misses none of them. */
const acrossRestart = (start: StartProxy, reloads: boolean) =>
  behindProxy(start, async ({ api, open, proxy, map, follow, contact }) => {
    await follow();
    await contact("192.0.2.1");
    if (reloads) {
      proxy.reload();
      for (let at = 2; at <= 4; at++) await contact(`192.0.2.${at}`);
      assert.equal(open(), 1, "a reload closes no stream");
    }
    for (const round of [1, 2]) {
      await proxy.stop();
      await map.takeRest();
      await until(() => open() === 0);
      const away = [1, 2, 3].map((at) => `203.0.113.${round * 10 + at}`);
      for (const [at, dst] of away.entries()) {
        await api.take(ZEEK, [
          conn({ at: api.clock.now() - 20 * SECOND, dst, srcPort: 60_000 + round * 10 + at }),
        ]);
      }
      for (const dst of away) assert.ok(!map.seen.includes(dst), dst);
      await proxy.start();
      await follow();
      await map.reaches(api, (window) => snapshotOf(api, window));
      for (const dst of away) assert.ok(map.state.nodes.has(`ip:${dst}`), dst);
      await contact(`192.0.2.${round * 10}`);
    }
  });

await programTest(
  "stream: through nginx with its default buffering, each event arrives at once",
  { programs: ["nginx"] },
  () => throughProxy((upstream, certificate) => startNginx(upstream, certificate, "default")),
);

await programTest(
  "stream: through Caddy, each event arrives at once",
  { programs: ["caddy"] },
  () => throughProxy(startCaddy),
);

await programTest(
  "stream: a client of nginx, which is reloaded and restarted, reconnects and misses nothing",
  { programs: ["nginx"] },
  () => acrossRestart(startNginx, true),
);

await programTest(
  "stream: a client of Caddy, which is restarted, reconnects and misses nothing",
  { programs: ["caddy"] },
  () => acrossRestart(startCaddy, false),
);
