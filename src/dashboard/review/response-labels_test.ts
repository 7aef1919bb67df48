import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import {
  approvalBar,
  choicesOf,
  expiryText,
  isOwnProposal,
  isTarget,
  targetFlowsFilter,
  targetOf,
} from "./response-labels.ts";

Deno.test("response: only one's own proposal needs a second person, and only if configured", () => {
  const own = { status: "proposed", proposed_by: "rob" } as const;
  assert.match(approvalBar(own, "rob", true) ?? "", /Another person must approve it/);
  assert.equal(approvalBar(own, "rob", false), null);
  assert.equal(approvalBar(own, "ada", true), null);
  assert.equal(approvalBar({ ...own, status: "approved" }, "rob", true), null);
});

Deno.test("response: final statuses offer no decision", () => {
  assert.deepEqual(choicesOf({ status: "proposed" }), ["approved", "rejected", "cancelled"]);
  assert.deepEqual(choicesOf({ status: "approved" }), ["cancelled"]);
  for (const status of ["rejected", "cancelled", "executed", "rolled_back", "failed"] as const) {
    assert.deepEqual(choicesOf({ status }), []);
  }
});

Deno.test("response: who decides sees the target of the proposal, and whether it is her own", () => {
  const target = { device_id: "d1", device_name: "WS-12", address: "10.0.0.5" };
  assert.deepEqual(targetOf({ kind: "quarantine_device", target }), { kind: "device", value: "d1" });
  const blocked = targetOf({ kind: "block_destination", target: { ...target, address: "198.51.100.7" } });
  assert.deepEqual(blocked, { kind: "address", value: "198.51.100.7" });
  const none = { device_id: null, device_name: null, address: null };
  assert.ok(!isTarget(targetOf({ kind: "notify_only", target: none })));
  assert.ok(isOwnProposal({ mode: "proposal", proposed_by: "rob" }, "rob"));
  assert.ok(!isOwnProposal({ mode: "proposal", proposed_by: "ada" }, "rob"));
  assert.ok(!isOwnProposal({ mode: "automatic", proposed_by: "rob" }, "rob"));
});

Deno.test("response: the flows of the target are those of the incident with it at either end", () => {
  const id = "019c12e4-7cd0-7319-af1b-974baf36b021";
  const blocked = targetFlowsFilter(id, { kind: "address", value: "2001:db8::7" });
  assert.equal(blocked, `incident=${id} ip=2001:db8::7`);
  const device = targetFlowsFilter(id, { kind: "device", value: id });
  assert.equal(device, `incident=${id} device.id=${id}`);
  for (const text of [blocked, device]) assert.ok(parseText(text).ok, text);
});

Deno.test("response: an expiry is stated for every status", () => {
  assert.match(expiryText({ status: "proposed", outcome: null }), /until a person decides/);
  assert.match(expiryText({ status: "approved", outcome: null }), /no executor has reported/);
  assert.match(expiryText({ status: "rejected", outcome: null }), /not approved/);
});
