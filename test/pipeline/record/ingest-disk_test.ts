// While the disk is full: the ingest's responses, and that it stores nothing.

import assert from "node:assert/strict";
import { INGEST_LIVE_PATH, INGEST_READY_PATH } from "../../../src/contract/record/ingest.ts";
import { testDatabase } from "../../support/database.ts";
import { conn, counts, outcome, storedRecords, TestListener } from "./ingest-harness.ts";

testDatabase(
  "a full disk: 503 with Retry-After, nothing stored, and recovery once there is room",
  async (db) => {
    let open = true;
    await using listener = await TestListener.start({ db, isOpen: () => open });
    assert.equal(counts(await listener.post([conn("C1")])).accepted, 1);

    open = false;
    for (const body of [JSON.stringify(conn("C2")), "{"]) {
      const refused = await listener.send({ body });
      assert.deepEqual(outcome(refused), [503, "source_unavailable"]);
      assert.equal(refused.headers["retry-after"], "5");
      assert.deepEqual(refused.json.error.details, { reason: "disk" });
    }
    const get = (path: string, token?: string | null) => listener.send({ method: "GET", path, token });
    assert.equal((await get(INGEST_READY_PATH)).status, 503);
    assert.equal((await get(INGEST_LIVE_PATH, null)).status, 200);
    assert.equal(
      (await listener.post([conn("C3")], "not-a-token-of-anybody")).status,
      401,
      "unauthenticated clients learn nothing",
    );
    assert.equal((await storedRecords(db)).length, 1);

    open = true;
    assert.equal((await get(INGEST_READY_PATH)).status, 200);
    assert.equal(counts(await listener.post([conn("C2")])).accepted, 1);
  },
);

testDatabase("a disk that fills up while a body arrives is noticed before the commit", async (db) => {
  let checks = 0;
  await using listener = await TestListener.start({ db, isOpen: () => ++checks === 1 });
  assert.deepEqual(outcome(await listener.post([conn("C1")])), [503, "source_unavailable"]);
  assert.deepEqual(await storedRecords(db), []);
});
