// GET /metrics of the web layer: who may read it, how often it is rendered, and what it contains when all is
// well.

import assert from "node:assert/strict";
import { signRequest, WEB_SERVICE } from "../../src/contract/request/signed-request.ts";
import { webLimits } from "../../src/web/limits.ts";
import { TEST_KEY } from "../contract/core.ts";
import { parseMetrics, samplesOf, valueOf } from "../support/health/metrics-text.ts";
import { exchangeRaw, rawRequest } from "../support/raw-http.ts";
import { RIGHT, statusOf, testScene, TOKEN } from "./health/metrics-scene.ts";
import { testStack } from "./session/web-stack.ts";

testStack("GET /metrics: NDR_METRICS_TOKEN unset is 404, the route does not exist", async (stack) => {
  for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
    for (const headers of [{}, RIGHT]) {
      const metrics = await fetch(`${stack.baseUrl}/metrics`, { method, headers });
      const nothing = await fetch(`${stack.baseUrl}/metrics/nothing`, { method, headers });
      assert.equal(metrics.status, 404, method);
      const plain = (text: string) => text.replace(/"request_id":"[^"]+"/, "");
      assert.equal(plain(await metrics.text()), plain(await nothing.text()), method);
    }
  }
});

testScene("with the bearer token 200 and text/plain; version=0.0.4", async ({ scrape }) => {
  const response = await scrape();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("set-cookie"), null);
  const parsed = parseMetrics(await response.text());
  assert.equal(valueOf(parsed, "service_build_info", { version: "9.8.7" }), 1);
  // Not tenant-scoped: one body covers all tenants.
  const tenants = samplesOf(parsed, "service_health_status", { status: "ok" }).map(({ labels }) =>
    labels.tenant
  );
  assert.deepEqual(tenants, ["main", "branch"]);
  assert.equal(valueOf(parsed, "service_feed_events_5m", { tenant: "main", sensor: "zeek-1" }), 0);
  assert.equal(valueOf(parsed, "service_license_enabled"), 0);
  assert.equal(valueOf(parsed, "service_license_state", { state: "off" }), 1);
  assert.equal(valueOf(parsed, "service_update_enabled"), 0);
});

testScene("a missing or wrong Authorization header is 401", async ({ stack, scrape, coreRequests }) => {
  const basic = `Basic ${btoa(`prometheus:${TOKEN}`)}`;
  const wrong = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    TOKEN,
    basic,
    `Token ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer "${TOKEN}"`,
  ];
  for (const authorization of wrong) {
    const response = await scrape(authorization === undefined ? {} : { authorization });
    assert.equal(response.status, 401, String(authorization));
    assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="ndr metrics"');
    assert.equal((await response.json()).error.code, "unauthenticated");
  }
  // A token in a query or cookie is ignored.
  for (const target of [`/metrics?token=${TOKEN}`, `/metrics?access_token=${TOKEN}`]) {
    assert.equal(await statusOf(fetch(stack.baseUrl + target)), 401);
  }
  const admin = await stack.browser().signIn("admin");
  assert.equal(await statusOf(admin.request("/metrics")), 401);
  assert.equal(coreRequests.count, 0);
  // The scheme name is case-insensitive.
  assert.equal(await statusOf(scrape({ authorization: `bearer ${TOKEN}` })), 200);
});

testScene(
  "the signed service credential is not accepted there: 401",
  async ({ stack, scrape, coreRequests }) => {
    const now = stack.clock.now();
    const claims = (tenantId: string | null) =>
      signRequest(TEST_KEY, { method: "GET", pathname: "/metrics", search: "", body: new Uint8Array() }, {
        service: WEB_SERVICE,
        tenantId,
        subject: WEB_SERVICE,
        roles: tenantId === null ? [] : ["admin"],
        issuedAt: now,
        expiresAt: now + 60_000_000,
        nonce: crypto.randomUUID(),
      });
    for (const signed of [await claims(null), await claims("main")]) {
      assert.equal(await statusOf(scrape(signed)), 401);
      // Not even next to a wrong token; next to the right one the token decides.
      assert.equal(await statusOf(scrape({ ...signed, authorization: `Bearer ${TEST_KEY}` })), 401);
      assert.equal(await statusOf(scrape({ ...signed, ...RIGHT })), 200);
    }
    assert.equal(coreRequests.count, 1);
  },
);

testScene("a method other than GET is 405, before the token is checked", async ({ stack, coreRequests }) => {
  for (const headers of [{}, RIGHT]) {
    for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const response = await fetch(`${stack.baseUrl}/metrics`, { method, headers });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get("allow"), "GET");
      await response.body?.cancel();
    }
  }
  const raw = await exchangeRaw(stack.baseUrl, rawRequest("TRACE /metrics HTTP/1.1", stack.baseUrl, []));
  assert.ok(raw.status === 405 || raw.status === 400, raw.head);
  assert.equal(coreRequests.count, 0);
});

testScene(
  "the body is rendered at most every ten seconds and served from cache in between",
  async (scene) => {
    const { stack, elapsed, coreRequests, text } = scene;
    const first = await text();
    const generated = (body: string) =>
      valueOf(parseMetrics(body), "service_metrics_generated_timestamp_seconds");
    assert.equal(generated(first), stack.clock.now() / 1e6);
    elapsed.ms = 9_999;
    stack.clock.advance(9);
    assert.equal(await text(), first);
    assert.equal(coreRequests.count, 1);
    elapsed.ms = 10_000;
    assert.equal(generated(await text()), stack.clock.now() / 1e6);
    assert.equal(coreRequests.count, 2);
    // Independent of the machine's clock.
    stack.clock.advance(-86_400);
    await text();
    assert.equal(coreRequests.count, 2);
    elapsed.ms = 20_000;
    assert.equal(generated(await text()), stack.clock.now() / 1e6);
    assert.equal(coreRequests.count, 3);
  },
);

testScene("a hundred parallel scrapes make one body, and one request to the core", async (scene) => {
  const { coreRequests, elapsed, text } = scene;
  for (const round of [1, 2]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    coreRequests.hold = promise;
    const scrapes = Array.from({ length: 100 }, () => text());
    while (coreRequests.count < round) await new Promise((done) => setTimeout(done, 5));
    resolve();
    const bodies = new Set(await Promise.all(scrapes));
    assert.equal(bodies.size, 1);
    assert.equal(coreRequests.count, round);
    elapsed.ms += 10_000;
  }
});

const FEW = { ...webLimits({ address: 1, session: 1, signIn: 1 }), address: { perSecond: 1, burst: 30 } };

testScene(
  "rate limits do not affect scrapes, and wrong tokens are still limited",
  async (scene) => {
    const wrong = { authorization: "Bearer not-the-right-token" };
    const statuses = [];
    for (let i = 0; i < 40; i++) statuses.push(await statusOf(scene.scrape(wrong)));
    assert.deepEqual(statuses, [...Array(30).fill(401), ...Array(10).fill(429)]);
    for (let i = 0; i < 40; i++) assert.equal(await statusOf(scene.scrape()), 200);
    // A cookie sent along makes no difference either.
    const cookie = `ndr-session=${"x".repeat(43)}`;
    for (let i = 0; i < 40; i++) assert.equal(await statusOf(scene.scrape({ ...RIGHT, cookie })), 200);
    assert.equal(scene.coreRequests.count, 1);
  },
  { limits: FEW },
);
