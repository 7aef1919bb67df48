import assert from "node:assert/strict";
import { purgeNonces } from "../../../../src/store/session/nonces.ts";
import { testDatabase } from "../../../support/database.ts";
import { coreOn } from "../../core.ts";

const NONCE = "9Zk0Vd1h3c7Q2m5x8b4L1A";
const write = (key: string) => ({
  method: "PATCH",
  target: "/api/v1/incidents/incident-1",
  body: { status: "investigating" },
  headers: { "idempotency-key": key, "if-match": '"1"' },
  nonce: NONCE,
});

testDatabase(
  "signed request: refuses a used write nonce on every core of the database",
  async (db) => {
    const one = coreOn(db);
    const other = coreOn(db, { clock: one.clock });
    assert.equal((await one.send(write("k1"))).status, 200);
    for (const core of [one, other]) {
      const again = await core.send(write("k2"));
      assert.equal(again.status, 401);
      const { error } = await again.json();
      assert.equal(error.code, "unauthenticated");
      assert.deepEqual(error.details, { reason: "unauthenticated" });
    }

    // Also for a refused write: its nonce is used.
    const bad = { ...write("k3"), body: { status: "nonsense" }, nonce: "BBBBBBBBBBBBBBBBBBBBBB" };
    assert.equal((await one.send(bad)).status, 400);
    assert.equal((await other.send(bad)).status, 401);

    // The cleanup keeps every nonce whose claims some core may still accept.
    one.clock.advance(60 + 30);
    assert.equal(await db.shared((tx) => purgeNonces(tx, one.clock.now())), 0);
    one.clock.advance(61);
    assert.equal(await db.shared((tx) => purgeNonces(tx, one.clock.now())), 2);
  },
);

testDatabase("signed request: a read nonce may be reused", async (db) => {
  const core = coreOn(db);
  const read = { target: "/api/v1/site", nonce: NONCE };
  assert.equal((await core.send(read)).status, 200);
  assert.equal((await core.send(read)).status, 200);
});
