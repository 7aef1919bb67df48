import assert from "node:assert/strict";
import { connect } from "node:net";
import { rawAnswers, sendRaw } from "../support/raw-http.ts";
import { webLimits } from "../../src/web/limits.ts";
import { type Stack, testStack } from "./session/web-stack.ts";

const DEVICE = "/api/v1/devices/0190b2c3-0000-7000-8000-000000000001";
const MIB = 1024 * 1024;

testStack("bodies: invalid content on its way through web to the core", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const patch = async (body: string, headers: Record<string, string> = {}) => {
    const response = await browser.write("PATCH", DEVICE, body, { "if-match": '"1"', ...headers });
    const answer = await response.json();
    return { status: response.status, error: answer.error };
  };
  assert.equal((await patch('{"owner":"ada"}')).status, 200);
  const refused: [string, string, Record<string, string>?][] = [
    ["deep", "[".repeat(200_000) + "]".repeat(200_000)],
    ["a duplicate key", '{"owner":"ada","owner":"bob"}'],
    ["a duplicate key, escaped", '{"owner":"ada","\\u006fwner":"bob"}'],
    ["__proto__", '{"owner":"ada","__proto__":{"tags":["x"]}}'],
    ["constructor", '{"owner":"ada","constructor":{"prototype":{"x":1}}}'],
    ["a lone surrogate", '{"owner":"\\ud800"}'],
    ["an invalid number", '{"owner":1e999}'],
    ["only a byte order mark", "\ufeff"],
    ["two values", "{} {}"],
    ["another type", '{"owner":"ada"}', { "content-type": "text/plain" }],
    ["a form", "owner=ada", { "content-type": "application/x-www-form-urlencoded" }],
    ["almost JSON", '{"owner":"ada"}', { "content-type": "application/json-patch+json" }],
    ["compressed", '{"owner":"ada"}', { "content-encoding": "gzip" }],
  ];
  for (const [name, body, headers] of refused) {
    const { status, error } = await patch(body, headers);
    assert.equal(status, headers !== undefined && "content-type" in headers ? 415 : 400, name);
    assert.equal(error.code, "invalid_request", name);
    assert.match(error.request_id, /^[0-9a-f-]{36}$/);
  }
  assert.equal(Object.hasOwn(Object.prototype, "tags"), false);
  const latin = await browser.request(DEVICE, {
    method: "PATCH",
    headers: await writeHeaders(stack, browser),
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  assert.equal(latin.status, 400);
  assert.match((await latin.json()).error.message, /UTF-8/);
});

testStack("bodies: an oversized body is refused as soon as it exceeds the limit", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const headers = await writeHeaders(stack, browser);
  const cookie = browser.cookies.map((one) => `${one.name}=${one.value}`).join("; ");
  const head = (path: string, method: string, length: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n${length}\r\n` +
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("") + "\r\n";

  for (const [path, method] of [[DEVICE, "PATCH"], ["/api/v1/session/tenant", "POST"]] as const) {
    // The declared length is too large: not one byte is needed.
    const declared = await exchange(stack, head(path, method, `Content-Length: ${MIB + 1}`), 0);
    assert.equal(declared.status, 413, path);
    assert.equal(declared.error.code, "payload_too_large");
    assert.deepEqual(declared.error.details, { reason: "body_too_large", limit_bytes: MIB });
    assert.match(declared.head, /^connection: close$/im, path);
    // An endless chunked body: refused long before 64 MiB.
    const chunked = await exchange(stack, head(path, method, "Transfer-Encoding: chunked"), 64);
    assert.equal(chunked.status, 413, path);
    assert.match(chunked.head, /^connection: close$/im, path);
    assert.ok(chunked.sent < 16 * MIB, `${chunked.sent} bytes were accepted`);
  }
});

testStack("bodies: an answer says that the connection ends exactly when it ends", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const { "content-type": type, ...own } = await writeHeaders(stack, browser);
  const cookie = browser.cookies.map((one) => `${one.name}=${one.value}`).join("; ");
  const send = (headers: Record<string, string>, body: string) => {
    const lines = Object.entries({ cookie, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `PATCH ${DEVICE} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n${body}`;
    return sendRaw(
      stack.baseUrl,
      `${text}GET /api/v1/session HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
  };
  // Its body is read, so the next request on the connection is answered.
  const read = rawAnswers(await send({ ...own, "content-type": type, "content-length": "2" }, "[]"));
  assert.deepEqual(read.map(({ status }) => status), [400, 401]);
  assert.doesNotMatch(read[0]!.head, /^connection: close$/im);
  // Answered long before the body of 40 MiB has arrived: by its length, and by a missing CSRF token.
  const { "x-csrf-token": _, ...unproven } = own;
  for (const [headers, status] of [[own, 413], [unproven, 403]] as const) {
    const length = { "content-type": type, "content-length": String(40 * MIB) };
    const text = await send({ ...headers, ...length }, "x".repeat(3 * MIB));
    const [answer, ...more] = rawAnswers(text);
    assert.deepEqual([answer!.status, more], [status, []]);
    assert.match(answer!.head, /^connection: close$/im);
  }
});

testStack("bodies: the bodies of all requests share one memory limit", async (stack) => {
  const browser = await stack.browser().signIn("analyst");
  const large = { owner: "x".repeat(600_000) };
  const response = await browser.write("PATCH", DEVICE, large, { "if-match": '"1"' });
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("retry-after"), "1");
  assert.equal((await response.json()).error.details.reason, "capacity");
  const small = await browser.write("PATCH", DEVICE, { owner: "ada" }, { "if-match": '"1"' });
  assert.equal(small.status, 200);
}, { limits: { ...webLimits({ address: 100, session: 100, signIn: 100 }), bodyBytes: 500_000 } });

async function writeHeaders(stack: Stack, browser: ReturnType<Stack["browser"]>) {
  return {
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
    "x-csrf-token": await browser.csrf(),
    "origin": stack.baseUrl,
    "if-match": '"1"',
  };
}

/** Sends a head and up to `chunks` chunks of 1 MiB, until there is a response. */
function exchange(stack: Stack, head: string, chunks: number) {
  return new Promise<
    { status: number; head: string; error: { code: string; details: unknown }; sent: number }
  >(
    (resolve, reject) => {
      let answer = "";
      let sent = 0;
      let left = chunks;
      const chunk = `${MIB.toString(16)}\r\n${"x".repeat(MIB)}\r\n`;
      const more = () => {
        if (left-- <= 0 || answer !== "") return;
        sent += chunk.length;
        if (socket.write(chunk)) setTimeout(more, 5);
        else socket.once("drain", more);
      };
      const socket = connect(Number(new URL(stack.baseUrl).port), "127.0.0.1", () => {
        socket.write(head);
        more();
      });
      socket.on("error", () => {});
      socket.on("data", (data) => {
        answer += data;
        const [start, body] = answer.split("\r\n\r\n");
        if (body === undefined || !body.includes("}}")) return;
        socket.destroy();
        const json = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
        resolve({ status: Number(start!.split(" ")[1]), head: start!, error: JSON.parse(json).error, sent });
      });
      socket.on("close", () => reject(new Error(`closed with ${answer}`)));
    },
  );
}
