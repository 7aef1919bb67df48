// A download passes both layers as a stream: neither holds more of it than the sockets do.

import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Download } from "../../src/contract/request/envelope.ts";
import { testStack } from "./session/web-stack.ts";

const PATH = "/api/v1/evidence/0190b2c3-0000-7000-8000-000000000001/raw";
const PART_BYTES = 256 * 1024;
/** Far more than the socket buffers of two connections. */
const PARTS = 4 * 1024;
/** Room for socket buffers, which the system may grow to some megabytes each, and for parts on their way. */
const MAX_AHEAD_PARTS = 256;

/** Counts the parts that were taken from it, and knows when it was released. */
class Source {
  taken = 0;
  readonly released = Promise.withResolvers<void>();

  download(parts: number): Download {
    return {
      fileName: "source.json",
      body: ReadableStream.from(this.#parts(parts)),
      bytes: parts * PART_BYTES,
    };
  }

  async *#parts(parts: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      for (let at = 0; at < parts; at++) {
        this.taken++;
        yield new Uint8Array(PART_BYTES).fill(at);
        await Promise.resolve();
      }
    } finally {
      this.released.resolve();
    }
  }

  /** Waits until nothing more is taken. */
  async settled(): Promise<void> {
    let before;
    do {
      before = this.taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (this.taken !== before);
  }
}

let source = new Source();
let parts = PARTS;
const handlers = {
  getRawRecord: () => Promise.resolve({ data: (source = new Source()).download(parts) }),
};

testStack(
  "download: a browser that stops reading stops the core, and its leaving releases it",
  async (stack) => {
    parts = PARTS;
    const browser = await stack.browser().signIn("reader");
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const request = get(new URL(PATH, stack.baseUrl), { headers: { cookie } });
    const [response] = await once(request, "response") as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    response.once("readable", () => {});
    await source.settled();
    assert.ok(source.taken > 0 && source.taken < MAX_AHEAD_PARTS, `${source.taken} of ${PARTS} parts`);
    request.destroy();
    await source.released.promise;
    assert.ok(source.taken < MAX_AHEAD_PARTS, `${source.taken} parts`);
  },
  { handlers },
);

testStack("download: complete, with the headers that keep it inert, through the web layer", async (stack) => {
  parts = 8;
  const browser = await stack.browser().signIn("reader");
  const response = await browser.request(PATH);
  assert.equal(response.status, 200);
  const { headers } = response;
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("content-length"), String(parts * PART_BYTES));
  assert.equal(headers.get("content-disposition"), 'attachment; filename="source.json"');
  assert.equal(headers.get("content-security-policy"), "default-src 'none'; sandbox");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("cache-control"), "no-store");
  const bytes = await response.bytes();
  assert.deepEqual([...new Set(bytes)], [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(bytes.length, parts * PART_BYTES);
}, { handlers });

testStack("download: a refusal by the core is an error of the API, not a file", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const { status, body } = await browser.json(`${PATH}?name=x`);
  assert.equal(status, 400);
  assert.equal(body.error.code, "invalid_request");
  const anonymous = await stack.browser().request(PATH);
  assert.equal(anonymous.status, 401);
  assert.equal(anonymous.headers.get("content-disposition"), null);
  await anonymous.body?.cancel();
}, { handlers });

testStack("download: one that fails midway does not look complete", async (stack) => {
  const browser = await stack.browser().signIn("reader");
  const response = await browser.request(PATH);
  assert.equal(response.status, 200);
  await assert.rejects(response.bytes());
}, {
  handlers: {
    getRawRecord: () => {
      const body = ReadableStream.from((async function* () {
        for (let at = 0; at < 64; at++) yield new Uint8Array(PART_BYTES);
        await Promise.resolve();
        throw new Error("the record passed its retention");
      })());
      return Promise.resolve({ data: { fileName: "broken.json", body, bytes: 128 * PART_BYTES } });
    },
  },
});
