import assert from "node:assert/strict";
import { connect } from "node:net";
import { listen } from "../../../../src/kit/net/listen.ts";
import { coreOn } from "../../core.ts";
import { exchangeRaw, rawRequest } from "../../../support/raw-http.ts";
import { unreachableDatabase } from "../../support.ts";
import { assertUnauthenticated, signedLines, SITE, withLine } from "./raw.ts";

const PATH = "/api/v1/suppressions";
/** The body is announced and never sent. */
const UNSENT = "Content-Length: 100000";

/** Sends a request head and returns what the server answers until it closes, or until `end`. */
function sendHead(url: string, lines: readonly string[]): { answer: Promise<string>; end: () => void } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = [`POST ${PATH} HTTP/1.1`, `Host: ${hostname}:${port}`, UNSENT, ...lines, "", ""].join("\r\n");
  socket.write(head);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
      if (/^HTTP[^]*\r\n\r\n[^]*\}$/.test(text)) resolve(text);
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
  return { answer, end: () => socket.destroy() };
}

async function withCore(work: (url: string) => Promise<void>): Promise<void> {
  const db = unreachableDatabase();
  const { app } = coreOn(db, { capacity: { reads: 2, bodies: 2, unsigned: 2 } });
  const listener = await listen((request, peer) => app.fetch(request, peer), {
    hostname: "127.0.0.1",
    port: 0,
  });
  try {
    await work(listener.url);
  } finally {
    await listener.close();
    await db.close();
  }
}

const isServed = async (url: string) => {
  const { status } = await exchangeRaw(url, rawRequest(`GET ${SITE} HTTP/1.1`, url, await signedLines(SITE)));
  assert.equal(status, 200);
};

Deno.test("signed request: a request without valid claims is refused before its body arrives", async () => {
  await withCore(async (url) => {
    const signed = await signedLines(PATH, { method: "POST" });
    const malformed = withLine(signed, "X-NDR-Nonce", () => "X-NDR-Nonce: short");
    const expired = withLine(signed, "X-NDR-Expires-At", () => "X-NDR-Expires-At: 2001-01-01T00:00:00.000Z");
    for (const [what, lines] of Object.entries({ unsigned: [], malformed, expired })) {
      const { answer, end } = sendHead(url, lines);
      const [head, body] = (await answer).split("\r\n\r\n") as [string, string];
      assertUnauthenticated(
        { status: Number(head.split(" ")[1]), body: body.slice(body.indexOf("{")) },
        what,
      );
      end();
    }
  });
});

Deno.test("signed request: forged requests whose body never arrives do not stop signed reads", async () => {
  await withCore(async (url) => {
    const forged = () => signedLines(PATH, { method: "POST", body: "another body" });
    const open = (await Promise.all([forged(), forged(), forged()])).map((lines) => sendHead(url, lines));
    // Two hold the places of bodies; the third is refused.
    assert.match(await Promise.race(open.map(({ answer }) => answer)), /^HTTP\/1\.1 503 [^]*"capacity"/);
    await isServed(url);
    for (const { end } of open) end();
  });
});
