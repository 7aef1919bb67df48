import assert from "node:assert/strict";
import { Viewer } from "../../../src/core/graph/viewer.ts";

Deno.test("viewer: what a client leaves unread is bounded; beyond that its stream ends", async () => {
  let ended = 0;
  const viewer = new Viewer({ lease: 60_000, onEnd: () => ended++, maxUnread: 1000 });
  for (let sent = 0; sent < 3; sent++) viewer.send(new Uint8Array(500));
  assert.equal(ended, 1, "the third finds 1,000 bytes unread");
  viewer.send(new Uint8Array(500));
  viewer.end();
  assert.equal(ended, 1);
  assert.equal((await viewer.body.getReader().read()).done, true, "without the unread events");
});

Deno.test("viewer: a client that reads gets everything, then a plain end", async () => {
  let ended = 0;
  const viewer = new Viewer({ lease: 60_000, onEnd: () => ended++, maxUnread: 1000 });
  const reader = viewer.body.getReader();
  for (let sent = 0; sent < 10; sent++) {
    viewer.send(new Uint8Array(500).fill(sent));
    assert.equal((await reader.read()).value![0], sent);
  }
  viewer.send(new Uint8Array([1]));
  viewer.end();
  assert.equal(ended, 1, "its place is free");
  assert.equal((await reader.read()).value!.length, 1);
  assert.equal((await reader.read()).done, true);
  assert.equal(ended, 1);
});

Deno.test("viewer: a client that leaves ends it", async () => {
  let ended = 0;
  const viewer = new Viewer({ lease: 60_000, onEnd: () => ended++ });
  await viewer.body.cancel();
  viewer.send(new Uint8Array(1));
  assert.equal(ended, 1);
});
