// What the log tells the operator, and what must never appear in it.

import assert from "node:assert/strict";
import { INGEST_LIVE_PATH, INGEST_PATH, INGEST_READY_PATH } from "../../../src/contract/record/ingest.ts";
import { Logging } from "../../../src/observe/log.ts";
import { testDatabase } from "../../support/database.ts";
import { conn, ManualClock, SOURCES, TestListener, TOKENS, unreachableDatabase } from "./ingest-harness.ts";

/** Collects log lines of every level while `work` runs. */
async function logged(work: (logging: Logging) => Promise<void>): Promise<Record<string, unknown>[]> {
  let text = "";
  const secrets = SOURCES.map((source) => source.token.reveal());
  const logging = new Logging({ level: "debug", secrets, write: (line) => text += line });
  logging.start();
  try {
    await work(logging);
  } finally {
    logging.stop();
  }
  for (const secret of secrets) assert.ok(!text.includes(secret), "a token appears in the log");
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

testDatabase("no request, accepted or refused, writes a token to the log", async (db) => {
  const mistyped = `${TOKENS.all}-mistyped`;
  const lines = await logged(async (logging) => {
    await using listener = await TestListener.start({ db, logger: logging.logger("ingest") });
    const good = JSON.stringify(conn("C1"));
    for (const token of [...Object.values(TOKENS), mistyped, null]) {
      const path = `${INGEST_PATH}?token=${TOKENS.zeek}`;
      await listener.send({ token, path, body: good });
      await listener.send({ token, path: INGEST_READY_PATH, method: "GET" });
      await listener.send({ token, path: INGEST_LIVE_PATH, method: "GET" });
      await listener.send({ token, body: "" });
      await listener.send({ token, body: `{"${token}":1,"${token}":1}` });
      await listener.send({ token, body: JSON.stringify(conn("C1", { kind: String(token) })) });
      await listener.send({ token, body: "x".repeat(6_000_000) });
      await listener.send({ token, body: "x", headers: { "content-encoding": String(token) } });
      await listener.send({ token, body: good, method: "PUT" });
    }
  });
  assert.ok(!JSON.stringify(lines).includes(mistyped));
  const seen = new Set(lines.map((line) => `${line.level} ${line.message} ${line.outcome ?? ""}`));
  for (
    const expected of [
      "debug batch committed ",
      "warn lines rejected rejected",
      "warn request rejected 401",
      "warn request rejected 403",
      "warn request rejected 413",
      "warn request rejected 415",
      "warn request rejected 422",
    ]
  ) {
    assert.ok(seen.has(expected), `not logged: ${expected}`);
  }
});

Deno.test("a retrying sender does not fill the log, and a failing store is reported with its cause", async () => {
  const db = unreachableDatabase();
  const clock = new ManualClock();
  const lines = await logged(async (logging) => {
    await using listener = await TestListener.start({ db, clock, logger: logging.logger("ingest") });
    for (let i = 0; i < 20; i++) await listener.post([conn("C1")], TOKENS.zeek);
    for (let i = 0; i < 20; i++) await listener.post([conn("C1")], "wrong-token-of-sixteen");
    clock.micros += 10_000_000;
    await listener.post([conn("C1")], TOKENS.zeek);
  });
  assert.deepEqual(lines.map((line) => [line.outcome, line.sensor_id, line.suppressed]), [
    ["503", "zeek-1", undefined],
    ["401", null, undefined],
    ["503", "zeek-1", 19],
  ]);
  assert.match(JSON.stringify(lines[0]!.cause), /ECONNREFUSED/);
  await db.close();
});
