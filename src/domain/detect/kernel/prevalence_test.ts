import assert from "node:assert/strict";
import fc from "fast-check";
import {
  anyDistinct,
  anyRecord,
  anyTime,
  checkStored,
} from "../../../../test/support/detect/stored-state.ts";
import { addUser, noteLookup, PREVALENCE, type Prevalence } from "./prevalence.ts";
import { Distinct } from "./state/distinct.ts";

const AT = 1_600_000_000_000_000;

const anyPrevalence = anyRecord<Prevalence>({
  firstSeen: fc.option(anyTime),
  users: anyDistinct(32),
  lookedUpAt: fc.option(anyTime),
  gateway: fc.boolean(),
});

Deno.test("prevalence: states survive storage, and the format does not change", () => {
  const users = new Distinct(32, [3, 500, 4_000_000_000]);
  const sample = { firstSeen: AT, users, lookedUpAt: null, gateway: false };
  checkStored(PREVALENCE, anyPrevalence, sample, "014316bcc41e9000000303f1038cccacf30e");
  checkStored(
    PREVALENCE,
    anyPrevalence,
    { ...sample, lookedUpAt: AT - 1_000_000 },
    "024316bcc41e52f7004316bcc41e9000000303f1038cccacf30e",
  );
  const gateway = { ...sample, gateway: true };
  checkStored(PREVALENCE, anyPrevalence, gateway, "030303f1038cccacf30e4316bcc41e9000007ff8000000000000");
  assert.throws(() => PREVALENCE.decode(Uint8Array.of(4)), /prevalence: expected version 1 or 2 or 3, got 4/);
});

Deno.test("prevalence: reports whether a use or a lookup changed the state", () => {
  const state = PREVALENCE.empty();
  assert.equal(addUser(state, "device-1", AT), true);
  assert.equal(addUser(state, "device-1", AT + 1), false);
  assert.equal(addUser(state, "device-1", AT - 1), true, "earlier than known");
  assert.equal(addUser(state, "device-2", AT), true);
  assert.deepEqual([state.firstSeen, state.users.count], [AT - 1, 2]);
  assert.equal(noteLookup(state, AT), true);
  assert.equal(noteLookup(state, AT + 1), false);
  assert.equal(noteLookup(state, AT - 1), true);
  assert.equal(state.lookedUpAt, AT - 1);
});
