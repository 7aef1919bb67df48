import assert from "node:assert/strict";
import { CoreUnavailable } from "./errors.ts";
import { timedBody } from "./timed-body.ts";

Deno.test("a body without its next chunk fails in time, even if the request cannot be aborted", async () => {
  let abandoned = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":')),
  });
  const response = timedBody(new Response(body), 20, () => abandoned++);
  await assert.rejects(response.text(), CoreUnavailable);
  assert.equal(abandoned, 1);
});

Deno.test("a body that continues in time is passed on, and nothing is abandoned", async () => {
  const response = timedBody(new Response('{"data":1}'), 10_000, () => assert.fail("abandoned"));
  assert.equal(await response.text(), '{"data":1}');
});
