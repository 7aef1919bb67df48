import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { testStack } from "./session/web-stack.ts";

testStack("web: every response carries the security headers", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  for (
    const path of [
      "/",
      "/incidents",
      "/assets/index-B1c2D3.js",
      "/api/v1/site",
      "/api/v1/nothing",
      "/auth/callback",
    ]
  ) {
    const response = await browser.request(path);
    await response.body?.cancel();
    const header = (name: string) => response.headers.get(name);
    assert.equal(header("x-content-type-options"), "nosniff", path);
    assert.equal(header("referrer-policy"), "no-referrer", path);
    assert.equal(header("cross-origin-opener-policy"), "same-origin", path);
    assert.equal(header("cross-origin-resource-policy"), "same-origin", path);
    assert.equal(header("x-powered-by"), null);
    assert.equal(header("strict-transport-security"), null, "this is plain http");
    if (path === "/auth/callback") continue;
    assert.equal(
      header("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      path,
    );
  }
});

testStack("web: large answers are compressed, the session with its token is not", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  // `fetch` would decode the body and drop the header.
  const read = async (path: string, encoding: string) => {
    const request = get(new URL(path, browser.baseUrl), { headers: { cookie, "accept-encoding": encoding } });
    const [response] = await once(request, "response") as [IncomingMessage];
    assert.equal(response.statusCode, 200, path);
    const { vary, "content-encoding": given } = response.headers;
    assert.equal(vary, path === "/api/v1/session" ? undefined : "Accept-Encoding", path);
    return { encoding: given, bytes: Buffer.concat(await response.toArray()) };
  };
  const [plain, zipped] = await Promise.all(
    ["identity", "gzip"].map((encoding) => read("/api/v1/search/complete", encoding)),
  );
  assert.equal(plain!.encoding, undefined);
  assert.equal(zipped!.encoding, "gzip");
  assert.ok(
    zipped!.bytes.length < plain!.bytes.length / 2,
    `${zipped!.bytes.length} of ${plain!.bytes.length}`,
  );
  const data = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)).data;
  assert.deepEqual(data(gunzipSync(zipped!.bytes)), data(plain!.bytes));
  for (const path of ["/api/v1/session", "/api/v1/incidents"]) {
    assert.equal((await read(path, "gzip")).encoding, undefined, path);
  }
  for (
    const [path, encoding, expected] of [
      ["/api/v1/search/complete", "gzip;q=0", undefined],
      ["/api/v1/search/complete", "*", "gzip"],
      ["/api/v1/incidents", "gzip, identity;q=0", "gzip"],
      ["/assets/index-B1c2D3.js", "gzip;q=0", undefined],
      ["/assets/index-B1c2D3.js", "gzip", "gzip"],
    ] as const
  ) assert.equal((await read(path, encoding)).encoding, expected, `${path} for ${encoding}`);
}, { handlers: { completeSearch: () => Promise.resolve({ data: Array(500).fill("a name") }) } });

testStack("web: the dashboard's files", async (stack) => {
  const browser = stack.browser();
  const fetchText = async (path: string, headers: Record<string, string> = {}) => {
    const response = await browser.request(path, { headers });
    return { response, text: await response.text() };
  };
  for (const path of ["/", "/index.html", "/incidents", "/devices/10.0.0.1", "/a/b/c"]) {
    const { response, text } = await fetchText(path);
    assert.equal(response.status, 200, path);
    assert.match(text, /the dashboard/);
    assert.match(response.headers.get("content-type")!, /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-cache");
  }
  const asset = await fetchText("/assets/index-B1c2D3.js");
  assert.match(asset.response.headers.get("content-type")!, /^text\/javascript/);
  assert.equal(asset.response.headers.get("cache-control"), "public, max-age=31536000, immutable");
  const etag = (await fetchText("/")).response.headers.get("etag")!;
  assert.equal((await fetchText("/", { "if-none-match": etag })).response.status, 304);

  const zipped = await fetchText("/assets/index-B1c2D3.js", { "accept-encoding": "gzip" });
  assert.equal(zipped.response.headers.get("vary"), "Accept-Encoding");
  assert.equal(zipped.text, asset.text);

  for (
    const path of [
      "/assets/missing.js",
      "/assets/",
      "/missing.png",
      "/.hidden",
      "/%2ehidden",
      "/assets/..%2findex.html",
      "/assets/..%5cindex.html",
      "/assets/index-B1c2D3.js%00.html",
      "/metrics",
    ]
  ) {
    const { response, text } = await fetchText(path);
    assert.equal(response.status, 404, path);
    assert.doesNotMatch(text, /secret/);
  }
  const post = await browser.request("/", { method: "POST" });
  assert.equal(post.status, 404);
  await post.body?.cancel();
});

testStack("web: private responses are not cached", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  for (
    const path of ["/api/v1/site", "/api/v1/session", "/api/v1/nothing", "/auth/login", "/auth/callback"]
  ) {
    const response = await browser.request(path);
    assert.equal(response.headers.get("cache-control"), "no-store", path);
    await response.body?.cancel();
  }
});

testStack("web: an API path in another case is 404 JSON, not the dashboard", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  for (
    const path of [
      "/API/v1/incidents",
      "/Api/V1",
      "/api/V1/incidents",
      "/Auth/login",
      "/METRICS",
      "/Internal/v1",
    ]
  ) {
    const response = await browser.request(path);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get("content-type")!, /^application\/json/, path);
    assert.equal((await response.json()).error.code, "not_found", path);
  }
});
