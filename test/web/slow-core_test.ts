import assert from "node:assert/strict";
import { type StackOptions, testStack } from "./session/web-stack.ts";

const TIMEOUTS = { answerMs: 600, serviceMs: 400, gapMs: 300 };
/** Long enough for a busy machine. */
const BOUND = 8_000;

type Mode = "well" | "silent" | "silent for users" | "half" | "half session";
let mode: Mode = "well";

function half(): Response {
  let sent = false;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (sent) return new Promise(() => {});
        sent = true;
        controller.enqueue(new TextEncoder().encode('{"data":'));
      },
    }),
    { headers: { "content-type": "application/json" } },
  );
}

const OPTIONS: StackOptions = {
  coreTimeouts: TIMEOUTS,
  core(request) {
    const ofWeb = new URL(request.url).pathname.startsWith("/internal/");
    if (mode === "silent" || (mode === "silent for users" && !ofWeb)) return new Promise<Response>(() => {});
    if ((mode === "half" && !ofWeb) || (mode === "half session" && ofWeb)) return half();
    return null;
  },
};

testStack("a hanging core: 503 with a wait in bounded time, and full recovery afterwards", async (stack) => {
  mode = "well";
  const browser = await stack.browser().signIn("analyst");
  assert.equal((await browser.json("/api/v1/site")).status, 200);
  await browser.csrf();

  for (const how of ["silent", "silent for users", "half session"] as const) {
    mode = how;
    const started = Date.now();
    const answers = await Promise.all([
      browser.request("/api/v1/site"),
      browser.write("PATCH", "/api/v1/devices/d1", { owner: "ada" }, { "if-match": '"1"' }),
    ]);
    assert.ok(Date.now() - started < BOUND, how);
    for (const answer of answers) {
      assert.equal(answer.status, 503, how);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      const { error } = await answer.json();
      assert.equal(error.code, "source_unavailable");
      assert.deepEqual(error.details, { reason: "core" });
    }
    // Signed-out users and requests for files are not affected.
    assert.equal((await stack.browser().json("/api/v1/session")).status, 401);
    assert.equal((await stack.browser().request("/")).status, 200);
  }

  // A response that stops half-way cannot be undone; it ends visibly truncated.
  mode = "half";
  const started = Date.now();
  const broken = await browser.request("/api/v1/site");
  await assert.rejects(broken.text());
  assert.ok(Date.now() - started < BOUND);

  mode = "well";
  assert.equal((await browser.json("/api/v1/site")).status, 200);
}, OPTIONS);

let hangs = false;

testStack(
  "a core that hangs on sessions: a recently seen session still reads health, and soon",
  async (stack) => {
    hangs = false;
    const browser = await stack.browser().signIn("reader");
    assert.equal((await browser.json("/api/v1/health")).status, 200);
    hangs = true;
    const started = Date.now();
    const health = await browser.json("/api/v1/health");
    assert.equal(health.status, 200);
    assert.equal(health.body.data.caller.subject, "reader");
    assert.ok(Date.now() - started < BOUND);
    hangs = false;
  },
  {
    // Waiting for the core's own time limit would take too long.
    coreTimeouts: { ...TIMEOUTS, serviceMs: 60_000 },
    core: (request) =>
      hangs && new URL(request.url).pathname.startsWith("/internal/")
        ? new Promise<Response>(() => {})
        : null,
  },
);
