// What makes two lines one record, and that only the token determines the tenant. On both engines.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { conn, counts, storedRecords, TestListener, TOKENS } from "./ingest-harness.ts";

testDatabase("a retry in another spelling, and repeats in one batch, are duplicates", async (db) => {
  await using listener = await TestListener.start({ db });
  const time = '"observed_at":"2026-01-31T12:00:00.5Z"';
  const spellings = [
    `{"kind":"zeek.conn",${time},"payload":{"a":1,"b":{"x":[1,2],"y":"é"}}}`,
    `{ "payload" : { "b" : {"y":"\\u00e9", "x":[ 1, 2 ]}, "a":1.0 } , "kind":"zeek.conn", ${time} }`,
    `{"kind":"zeek.conn","observed_at":"2026-01-31T14:00:00.500000+02:00","payload":{"a":1e0,"b":{"x":[1,2],"y":"é"}}}`,
    `{"kind":"zeek.conn",${time},"payload":{"a":1,"b":{"x":[1,2],"y":"é"}},"extra":{"a":2}}`,
  ];
  assert.deepEqual(counts(await listener.post([spellings[0]!])), { accepted: 1, duplicates: 0, rejected: 0 });
  assert.deepEqual(counts(await listener.post(spellings)), { accepted: 0, duplicates: 4, rejected: 0 });
  const others = [
    `{"kind":"zeek.conn",${time},"payload":{"a":1,"b":{"x":[2,1],"y":"é"}}}`,
    `{"kind":"zeek.dns",${time},"payload":{"a":1,"b":{"x":[1,2],"y":"é"}}}`,
    `{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00.5000000001Z","payload":{"a":1,"b":{"x":[1,2],"y":"é"}}}`,
    `{"kind":"zeek.conn",${time},"payload":{"n":9007199254740992}}`,
    `{"kind":"zeek.conn",${time},"payload":{"n":9007199254740993}}`,
    `{"kind":"zeek.conn",${time},"payload":{"__proto__":{"n":1}}}`,
    `{"kind":"zeek.conn",${time},"payload":{"__proto__":{"n":2}}}`,
    `{"kind":"zeek.conn",${time},"payload":{}}`,
  ];
  assert.deepEqual(counts(await listener.post([...others, ...others])), {
    accepted: others.length,
    duplicates: others.length,
    rejected: 0,
  });
  // The first copy is the evidence; later spellings do not replace it.
  assert.equal((await storedRecords(db))[0]!.payload, '{"a":1,"b":{"x":[1,2],"y":"é"}}');
});

testDatabase("identities do not depend on how records are cut into batches", async (db) => {
  await using listener = await TestListener.start({ db });
  const lines = Array.from({ length: 60 }, (_, i) => conn(`C${i}`));
  await listener.post(lines, TOKENS.all);
  const ids = (await storedRecords(db)).map((record) => record.event_id);
  assert.equal(new Set(ids).size, lines.length);
  for (const size of [1, 7, 59]) {
    for (let at = 0; at < lines.length; at += size) {
      const cut = lines.slice(at, at + size).reverse();
      assert.deepEqual(counts(await listener.post(cut)), {
        accepted: 0,
        duplicates: cut.length,
        rejected: 0,
      });
    }
  }
  assert.deepEqual((await storedRecords(db)).map((record) => record.event_id), ids);
});

testDatabase("a forged tenant or sensor has no effect, wherever it appears", async (db) => {
  await using listener = await TestListener.start({ db });
  const forged = conn("C1", { tenant_id: "branch", sensor_id: "branch-1", tenant: "branch" });
  (forged.payload as Record<string, unknown>).tenant_id = "branch";
  (forged.payload as Record<string, unknown>).sensor_id = "branch-1";
  const send = (change: object) => listener.send({ body: JSON.stringify(forged), ...change });
  const plain = await send({});
  assert.deepEqual(counts(plain), { accepted: 1, duplicates: 0, rejected: 0 });
  const forgeries = [
    { path: "/internal/v1/ingest/events?tenant_id=branch&sensor_id=branch-1&tenant=branch" },
    {
      headers: {
        "x-ndr-tenant": "branch",
        "x-ndr-sensor": "branch-1",
        "x-tenant-id": "branch",
        "x-scope-orgid": "branch",
        cookie: "tenant=branch; tenant_id=branch",
        host: "branch",
        "x-forwarded-host": "branch",
      },
    },
  ];
  for (const forgery of forgeries) {
    assert.deepEqual(counts(await send(forgery)), { accepted: 0, duplicates: 1, rejected: 0 });
  }
  assert.deepEqual(await storedRecords(db, "branch"), []);
  assert.equal((await storedRecords(db))[0]!.sensor_id, "all-1");
  // The same line from another tenant's sensor is a separate record of that tenant.
  const other = await send({ token: TOKENS.branch });
  assert.deepEqual(counts(other), { accepted: 1, duplicates: 0, rejected: 0 });
  const [ours] = await storedRecords(db);
  const [theirs] = await storedRecords(db, "branch");
  assert.notEqual(ours!.event_id, theirs!.event_id);
  assert.deepEqual(listener.committed, ["main", "main", "main", "branch"]);
});

testDatabase("times at the limits of the calendar are stored", async (db) => {
  await using listener = await TestListener.start({ db });
  const times = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999999Z",
    "2255-06-05T23:47:34.740993Z",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:60Z",
    "2016-12-31T23:59:60.5Z",
    "8765-04-03T21:01:23.456789Z",
  ];
  const lines = times.map((time) => conn("C1", { observed_at: time }));
  for (const [index, line] of lines.entries()) {
    const answer = await listener.post([line]);
    assert.deepEqual([times[index], counts(answer).accepted], [times[index], 1]);
  }
  assert.deepEqual(counts(await listener.post(lines)), {
    accepted: 0,
    duplicates: times.length,
    rejected: 0,
  });
  assert.deepEqual((await storedRecords(db)).map((record) => record.observed_at), times);
});
