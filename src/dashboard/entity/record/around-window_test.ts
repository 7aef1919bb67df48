import assert from "node:assert/strict";
import { printCondition } from "../../../contract/filter/printer.ts";
import { aroundWindow, endCondition, pairCondition } from "./around-window.ts";

const DEVICE = "019b76da-a800-7000-a000-000000000007";
const INSIDE = { ip: "10.0.0.5", device_id: DEVICE };
const OUTSIDE = { ip: "2001:db8::7", device_id: null };
const UNSTATED = { ip: "0.0.0.0", device_id: null };

Deno.test("around a record are fifteen minutes on both sides", () => {
  assert.deepEqual(aroundWindow("2026-01-31T00:10:00.500Z"), {
    from: "2026-01-30T23:55:00.500Z",
    to: "2026-01-31T00:25:00.500Z",
  });
});

Deno.test("a device is found by all its addresses, another end by its own, one that is not stated by nothing", () => {
  assert.equal(printCondition(endCondition(INSIDE)), `device.id:${DEVICE}`);
  assert.equal(printCondition(endCondition(OUTSIDE)), "ip:2001:db8::7");
  assert.equal(endCondition(UNSTATED), null);
});

Deno.test("a pair is found in both directions", () => {
  assert.equal(printCondition(pairCondition(INSIDE, OUTSIDE)), "ip:10.0.0.5 ip:2001:db8::7");
  assert.equal(pairCondition(INSIDE, UNSTATED), null);
  assert.equal(pairCondition(INSIDE, INSIDE), null);
});
