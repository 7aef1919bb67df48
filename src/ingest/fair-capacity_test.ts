import assert from "node:assert/strict";
import { FairCapacity, type Holder } from "./fair-capacity.ts";

const A1 = { tenantId: "a", sensorId: "a-1" };
const A2 = { tenantId: "a", sensorId: "a-2" };
const B1 = { tenantId: "b", sensorId: "b-1" };
const C1 = { tenantId: "c", sensorId: "c-1" };

class Room {
  readonly capacity: FairCapacity;
  readonly cut: string[] = [];

  constructor(requests: number, bytes: number) {
    this.capacity = new FairCapacity({ requests, bytes });
  }

  /** Enters `count` requests whose bodies arrive; returns their shares up to the first refusal. */
  enter(holder: Holder, count = 1) {
    const shares = [];
    for (let i = 0; i < count; i++) {
      const share = this.capacity.enter(holder);
      if (share === null) break;
      share.receiving(() => this.cut.push(holder.sensorId));
      shares.push(share);
    }
    return shares;
  }
}

Deno.test("fair capacity: a source alone uses most of the requests, and never all", () => {
  const room = new Room(16, 100);
  assert.equal(room.enter(A1, 20).length, 14);
  assert.equal(room.enter(B1, 20).length, 8);
  assert.deepEqual(room.cut, Array(6).fill("a-1"));
  assert.equal(room.capacity.requests, 16);
});

Deno.test("fair capacity: the heaviest tenant gives way first, in it the heaviest source", () => {
  const room = new Room(8, 100);
  room.enter(B1, 3);
  room.enter(A2, 1);
  room.enter(A1, 4);
  assert.equal(room.enter(C1, 2).length, 2);
  assert.deepEqual(room.cut, ["a-1", "a-1"]);
  assert.equal(room.enter(B1, 1).length, 0, "would become as heavy as its victim was");
});

Deno.test("fair capacity: a source displaces a heavier one of its own tenant", () => {
  const room = new Room(8, 100);
  room.enter(A1, 4);
  room.enter(B1, 4);
  assert.equal(room.enter(A2, 3).length, 2);
  assert.deepEqual(room.cut, ["a-1", "a-1"]);
});

Deno.test("fair capacity: short of bytes, the request with the most bytes of the heaviest source is cut", () => {
  const room = new Room(8, 1_000);
  const [small, large] = room.enter(A1, 2);
  const [other] = room.enter(B1);
  assert.ok(small!.hold(200) && large!.hold(600));
  assert.ok(!large!.hold(100), "beyond the share of one source");
  assert.ok(other!.hold(300));
  assert.deepEqual(room.cut, ["a-1"]);
  assert.ok(!large!.hold(1), "the cut request holds nothing any more");
  large!.leave();
  assert.equal(room.capacity.requests, 2);
});

Deno.test("fair capacity: requests whose body is complete are never cut", () => {
  const room = new Room(4, 100);
  for (const share of room.enter(A1, 4)) share.received();
  assert.equal(room.enter(B1, 1).length, 0);
  assert.deepEqual(room.cut, []);
});
