import assert from "node:assert/strict";
import { listen } from "../../src/kit/net/listen.ts";
import { webLimits } from "../../src/web/limits.ts";
import { type Stack, testStack } from "./session/web-stack.ts";

const LIMITS = {
  ...webLimits({ address: 1, session: 1, signIn: 1 }),
  address: { perSecond: 2, burst: 60 },
  session: { perSecond: 2, burst: 10 },
  signIn: { perSecond: 2, burst: 20 },
};

async function statuses(count: number, ask: () => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const response = await ask();
    await response.body?.cancel();
    all.push(response.status);
  }
  return all;
}

const countOf = (all: number[], status: number) => all.filter((one) => one === status).length;

testStack("rate limits: one session is limited with the required wait, and no one else", async (stack) => {
  const busy = await stack.browser().signIn("reader");
  const other = await stack.browser().signIn("analyst");
  const all = await statuses(14, () => busy.request("/api/v1/site"));
  assert.deepEqual([countOf(all, 200), countOf(all, 429)], [10, 4]);

  const refused = await busy.request("/api/v1/site");
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.equal(refused.headers.get("cache-control"), "no-store");
  assert.match(refused.headers.get("content-security-policy")!, /default-src 'none'/);
  const { error } = await refused.json();
  assert.equal(error.code, "source_unavailable");
  assert.deepEqual(error.details, { reason: "rate_limit", scope: "session" });
  assert.equal(error.request_id, refused.headers.get("x-request-id"));
  assert.match(error.message, /in this session; try again in 1 s/);

  // A refused request is not forwarded, and another session of the same address is served.
  stack.reached.length = 0;
  assert.equal((await busy.json("/api/v1/site")).status, 429);
  assert.deepEqual(stack.reached, []);
  assert.equal((await other.json("/api/v1/site")).status, 200);

  stack.clock.advance(1);
  const later = await statuses(3, () => busy.request("/api/v1/site"));
  assert.deepEqual(later, [200, 200, 429]);
}, { limits: LIMITS });

testStack(
  "rate limits: one address, whatever cookies it sends; the dashboard's files are exempt",
  async (stack) => {
    const all = await statuses(70, () =>
      stack.browser().request("/api/v1/session", {
        headers: { cookie: `ndr-session=${crypto.randomUUID().replaceAll("-", "").padEnd(43, "x")}` },
      }));
    assert.deepEqual([countOf(all, 401), countOf(all, 429)], [60, 10]);
    const files = await statuses(80, () => stack.browser().request("/"));
    assert.equal(countOf(files, 200), 80);

    // Without a proxy in front, the header is the client's own and ignored.
    const lying = await stack.browser().request("/api/v1/session", {
      headers: { "X-Forwarded-For": "203.0.113.9" },
    });
    assert.equal(lying.status, 429);
    const { error } = await lying.json();
    assert.equal(error.details.scope, "address");
  },
  { limits: LIMITS },
);

testStack("rate limits: the sign-in has a lower limit and shows it on a page", async (stack) => {
  const all = await statuses(25, () => stack.browser().request("/auth/login"));
  assert.deepEqual([countOf(all, 302), countOf(all, 429)], [20, 5]);
  const page = await stack.browser().request("/auth/login");
  assert.equal(page.status, 429);
  assert.equal(page.headers.get("retry-after"), "1");
  assert.match(page.headers.get("content-type")!, /text\/html/);
  assert.match(await page.text(), /Too many requests to sign in from your address/);
  const api = await stack.browser().request("/auth/logout", { method: "POST" });
  assert.equal((await api.json()).error.details.scope, "sign_in");
  assert.equal((await stack.browser().json("/api/v1/session")).status, 401);
}, { limits: LIMITS });

testStack("rate limits: behind a proxy each client has its own limit, IPv6 by its /64", async (stack) => {
  await behindProxy(stack, async (url) => {
    const from = (forwarded: string) => () =>
      fetch(`${url}/api/v1/session`, { headers: { "X-Forwarded-For": forwarded } });
    // Entries a client prepends are untrusted; the last hop is the proxy's.
    for (let i = 0; i < 60; i++) {
      assert.deepEqual(await statuses(1, from(`198.51.100.${i}, 203.0.113.7`)), [401]);
    }
    assert.deepEqual(await statuses(1, from("198.51.100.250, 203.0.113.7")), [429]);
    assert.deepEqual(await statuses(1, from("203.0.113.7, 203.0.113.8")), [401]);
    for (let i = 0; i < 60; i++) {
      assert.deepEqual(await statuses(1, from(`2001:db8:0:1::${i.toString(16)}`)), [401]);
    }
    assert.deepEqual(await statuses(1, from("2001:db8:0:1:ffff::1")), [429]);
    assert.deepEqual(await statuses(1, from("2001:db8:0:2::1")), [401]);
  });
}, { limits: LIMITS });

async function behindProxy(stack: Stack, work: (url: string) => Promise<void>): Promise<void> {
  const app = stack.webApp("https://ndr.example");
  const listener = await listen(app.fetch, { hostname: "127.0.0.1", port: 0 });
  try {
    await work(listener.url);
  } finally {
    await listener.close();
  }
}

const hanging = Promise.withResolvers<void>();

testStack("rate limits: concurrent requests, per address and in total", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const waiting = [1, 2, 3].map(() => browser.request("/api/v1/devices"));
  while (stack.reached.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const fourth = await browser.json("/api/v1/site");
  assert.equal(fourth.status, 429);
  assert.equal(fourth.body.error.details.scope, "address");
  hanging.resolve();
  assert.deepEqual((await Promise.all(waiting)).map(({ status }) => status), [200, 200, 200]);
  for (const response of waiting) await (await response).body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await browser.json("/api/v1/site")).status, 200);
}, {
  limits: { ...webLimits({ address: 100, session: 100, signIn: 100 }), requestsPerAddress: 3 },
  handlers: { listDevices: () => hanging.promise.then(() => ({ data: [], nextCursor: null })) },
});

const held = Promise.withResolvers<void>();

testStack("rate limits: one session cannot hold all places of its address", async (stack) => {
  const busy = await stack.browser().signIn("reader");
  const other = await stack.browser().signIn("analyst");
  const waiting = [1, 2].map(() => busy.request("/api/v1/devices"));
  while (stack.reached.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const third = await busy.json("/api/v1/site");
  assert.deepEqual([third.status, third.body.error.details.scope], [429, "session"]);
  assert.equal((await other.json("/api/v1/site")).status, 200);
  held.resolve();
  for (const response of waiting) await (await response).text();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await busy.json("/api/v1/site")).status, 200);
}, {
  limits: {
    ...webLimits({ address: 100, session: 100, signIn: 100 }),
    requestsPerSession: 2,
    requestsPerAddress: 3,
  },
  handlers: { listDevices: () => held.promise.then(() => ({ data: [], nextCursor: null })) },
});

const crowded = Promise.withResolvers<void>();

testStack("rate limits: when all capacity is in use, the response is 503 with a wait", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const waiting = [1, 2].map(() => browser.request("/api/v1/devices"));
  while (stack.reached.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const third = await browser.request("/api/v1/site");
  assert.equal(third.status, 503);
  assert.equal(third.headers.get("retry-after"), "1");
  assert.equal((await third.json()).error.details.reason, "capacity");
  crowded.resolve();
  for (const response of waiting) await (await response).text();
}, {
  limits: { ...webLimits({ address: 100, session: 100, signIn: 100 }), requests: 2 },
  handlers: { listDevices: () => crowded.promise.then(() => ({ data: [], nextCursor: null })) },
});
