// The proxy examples: they block /metrics and pass everything else.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { connect } from "node:tls";
import { selfSigned } from "../../support/certificates.ts";
import { freshDatabase } from "../../support/database.ts";
import { type Proxy, startCaddy, startNginx } from "../../support/proxies.ts";
import { transportTest as programTest } from "../../support/transport/transport-programs.ts";
import { Stack } from "../session/web-stack.ts";

const TOKEN = "a-token-of-a-scraper";

/** Every spelling that some program might resolve to /metrics. */
const SPELLINGS = [
  "/metrics",
  "/metrics?name=service_build_info",
  "/metrics/",
  "/metrics/x",
  "/metrics%2f",
  "/metrics;x",
  "/metrics.",
  "/metrics%00",
  "/METRICS",
  "//metrics",
  "///metrics",
  "/./metrics",
  "/x/../metrics",
  "/api/../metrics",
  "/api/v1/..%2f..%2fmetrics",
  "/%6detrics",
  "/%6D%65%74%72%69%63%73",
  "/%2fmetrics",
  "/%2e/metrics",
  "/%252e%252e/metrics",
  "\\metrics",
  "/\\metrics",
  "http://127.0.0.1:8080/metrics",
  "https://ndr.example/metrics",
];

/** Sends one raw request over TLS; returns the status and the full response. */
function ask(
  proxy: Proxy,
  target: string,
  headers: string[] = [],
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(proxy.url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, "Connection: close"];
    socket.write(lines.join("\r\n") + "\r\n\r\n");
  });
  const parts: Uint8Array[] = [];
  socket.setTimeout(15_000, () => socket.destroy(new Error(`no answer: ${target}`)));
  socket.on("data", (part: Uint8Array) => parts.push(part));
  socket.on("error", reject);
  socket.on("close", () => {
    const text = Buffer.concat(parts).toString("utf8");
    resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
  });
  return promise;
}

async function hidesMetrics(start: typeof startNginx): Promise<Proxy["check"]> {
  const db = await freshDatabase();
  const stack = await Stack.start(db, undefined, { metrics: { token: TOKEN, version: "9.8.7" } });
  try {
    await using proxy = await start(stack.baseUrl, await selfSigned("IP:127.0.0.1"));
    const authorization = `Bearer ${TOKEN}`;
    const direct = await fetch(`${stack.baseUrl}/metrics`, { headers: { authorization } });
    assert.match(await direct.text(), /service_build_info/);
    const bearer = [`Authorization: ${authorization}`];
    assert.equal((await ask(proxy, "/metrics", bearer)).status, 404);
    assert.equal((await ask(proxy, "/metrics")).status, 404);
    for (const target of SPELLINGS) {
      const { status, text } = await ask(proxy, target, bearer);
      assert.ok(status >= 300 || !text.includes("service_"), `${target}: ${text.slice(0, 200)}`);
      assert.ok(!text.includes("service_build_info"), target);
    }

    assert.match((await ask(proxy, "/")).text, /the dashboard/);
    const document = await ask(proxy, "/api/v1/openapi.json");
    assert.equal(document.status, 200);
    assert.match(document.text, /"openapi":/);
    const session = await ask(proxy, "/api/v1/session");
    assert.equal(session.status, 401);
    assert.match(session.text, /"unauthenticated"/);
    assert.equal((await ask(proxy, "/api/v1/nothing")).status, 404);
    return proxy.check;
  } finally {
    await stack.close();
    await db.close();
  }
}

await programTest(
  "nginx as shipped: `nginx -t`, /metrics is 404, the rest passes",
  { programs: ["nginx"] },
  async () => {
    assert.match(await hidesMetrics(startNginx), /test is successful/);
  },
);

await programTest("caddy as shipped: `caddy validate`, /metrics is 404, the rest passes", {
  programs: ["caddy"],
}, async () => {
  assert.match(await hidesMetrics(startCaddy), /Valid configuration/);
});
