// Against a real HTTP server that sends what the graph's stream may send.
import assert from "node:assert/strict";
import type { GraphDelta } from "../../../contract/graph/graph.ts";
import { followGraph, readUntilDone, type StreamStatus } from "./graph-stream.ts";

const TIMES = { silence: 400, firstRetry: 20, longestRetry: 100 };

const delta = (cursor: string): string => {
  const none = { upserted: [], removed: [] };
  const body: GraphDelta = {
    cursor,
    watermark: "2026-03-01T10:00:00Z",
    complete: false,
    window: { from: "2026-03-01T09:00:00Z", to: "2026-03-01T10:00:00Z" },
    nodes: none,
    links: none,
    arcs: none,
    truncated: false,
    omitted: { nodes: 0, links: 0, arcs: 0 },
  };
  return `event: delta\nid: ${cursor}\ndata: ${JSON.stringify(body)}\n\n`;
};
const heartbeat = (cursor: string) =>
  `event: heartbeat\ndata: ${JSON.stringify({ cursor, watermark: "2026-03-01T10:00:00Z" })}\n\n`;

type Answer = { chunks: string[]; hang?: boolean; after?: number } | Response;

/** Serves one answer per connection and returns what the client reported. */
async function follow(answers: Answer[], until: (log: string[]) => boolean) {
  const asked: string[] = [];
  const log: string[] = [];
  const statuses: StreamStatus[] = [];
  const stop = new AbortController();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    asked.push(new URL(request.url).searchParams.get("since") ?? "");
    const answer = answers[asked.length - 1];
    if (answer === undefined) return new Response("{}", { status: 403 });
    if (answer instanceof Response) return answer;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const chunk of answer.chunks) controller.enqueue(new TextEncoder().encode(chunk));
        if (answer.hang) return;
        await new Promise((resolve) => setTimeout(resolve, answer.after ?? 0));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const note = (line: string) => {
    log.push(line);
    if (until(log)) stop.abort();
  };
  await followGraph(
    (since) => `http://127.0.0.1:${server.addr.port}/stream?since=${since}`,
    "start",
    {
      onStatus: (status) => {
        statuses.push(status);
        note(status.state);
      },
      onDelta: ({ cursor }) => note(`delta ${cursor}`),
      onHeartbeat: ({ cursor }) => note(`heartbeat ${cursor}`),
      onResync: (reason) => note(`resync ${reason}`),
    },
    stop.signal,
    TIMES,
  );
  await server.shutdown();
  return { asked, log, statuses };
}

Deno.test("the stream continues after its lease from the last cursor, also from that of a heartbeat", async () => {
  const { asked, log } = await follow([
    { chunks: [delta("c1"), heartbeat("c2")], after: 40 },
    { chunks: [delta("c3")], hang: true },
  ], (log) => log.includes("delta c3"));
  assert.deepEqual(asked, ["start", "c2"]);
  assert.deepEqual(log, ["connecting", "live", "delta c1", "heartbeat c2", "live", "delta c3"]);
});

Deno.test("a silent connection is given up and reported as lost", async () => {
  const { asked, log } = await follow([
    { chunks: [delta("c1")], hang: true },
    { chunks: [delta("c2")], hang: true },
  ], (log) => log.includes("delta c2"));
  assert.deepEqual(asked, ["start", "c1"]);
  assert.deepEqual(log, ["connecting", "live", "delta c1", "reconnecting", "live", "delta c2"]);
});

Deno.test("an error of the server and streams that end at once are retried with a pause", async () => {
  const { log, statuses } = await follow([
    new Response("no", { status: 502 }),
    { chunks: [] },
    { chunks: [delta("c1")], hang: true },
  ], (log) => log.includes("delta c1"));
  assert.deepEqual(log, ["connecting", "reconnecting", "live", "reconnecting", "live", "delta c1"]);
  const since = statuses.flatMap((status) => status.state === "reconnecting" ? [status.since] : []);
  assert.equal(since.length, 2);
});

Deno.test("a full server is asked again after the time it names", async () => {
  const { asked, statuses } = await follow([
    Response.json({ error: { message: "full" } }, { status: 429, headers: { "retry-after": "1" } }),
    { chunks: [delta("c1")], hang: true },
  ], (log) => log.includes("delta c1"));
  assert.equal(asked.length, 2);
  const busy = statuses.find(({ state }) => state === "busy");
  const live = statuses.find(({ state }) => state === "live");
  assert.ok(busy?.state === "busy" && live !== undefined && Date.now() >= busy.until);
});

Deno.test("a refused session is asked for again, as long as the page is open", async () => {
  const html = new Response("<h1>Forbidden</h1>", { status: 403, headers: { "content-type": "text/html" } });
  const { log, statuses } = await follow([
    Response.json({ error: { message: "Sign in first." } }, { status: 401 }),
    html,
    { chunks: [delta("c1")], hang: true },
  ], (log) => log.includes("delta c1"));
  assert.deepEqual(log, ["connecting", "refused", "refused", "live", "delta c1"]);
  assert.deepEqual(statuses[1], { state: "refused", message: "Sign in first." });
  assert.deepEqual(statuses[2], { state: "refused", message: "The server answered 403." });
});

Deno.test("a snapshot that cannot be read is read again", async () => {
  let reads = 0;
  const stop = new AbortController();
  await readUntilDone(() => Promise.resolve(++reads === 3), stop.signal, TIMES);
  assert.equal(reads, 3);
  const ended = readUntilDone(() => Promise.resolve(++reads < 0), stop.signal, TIMES);
  stop.abort();
  await ended;
  assert.equal(reads, 4, "not after the page was left");
});

Deno.test("a resynchronisation and a refused cursor end the stream", async () => {
  const resync = `event: resync_required\ndata: {"reason":"cursor_too_old"}\n\n`;
  const never = () => false;
  assert.deepEqual((await follow([{ chunks: [resync], hang: true }], never)).log, [
    "connecting",
    "live",
    "resync cursor_too_old",
  ]);
  assert.deepEqual((await follow([Response.json({ error: {} }, { status: 400 })], never)).log, [
    "connecting",
    "resync invalid_cursor",
  ]);
});
