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
});

Deno.test("prevalence: states survive storage, and the format does not change", () => {
  const sample = { firstSeen: AT, users: new Distinct(32, [3, 500, 4_000_000_000]), lookedUpAt: null };
  checkStored(PREVALENCE, anyPrevalence, sample, "014316bcc41e9000000303f1038cccacf30e");
  checkStored(
    PREVALENCE,
    anyPrevalence,
    { ...sample, lookedUpAt: AT - 1_000_000 },
    "024316bcc41e52f7004316bcc41e9000000303f1038cccacf30e",
  );
  assert.throws(() => PREVALENCE.decode(Uint8Array.of(3)), /prevalence: expected version 1 or 2, got 3/);
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
