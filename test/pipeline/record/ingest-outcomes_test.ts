// Every row of the interface's "Ingest outcomes" about storage, on both engines.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { INGEST_LIVE_PATH, INGEST_READY_PATH, IngestAnswer } from "../../../src/contract/record/ingest.ts";
import { testDatabase } from "../../support/database.ts";
import {
  conn,
  counts,
  ErrorBody,
  storedRecords,
  storedRejections,
  TestListener,
  TOKENS,
  unreachableDatabase,
} from "./ingest-harness.ts";

testDatabase("accepted records are stored raw, with the counts of the response", async (db) => {
  await using listener = await TestListener.start({ db });
  const payload = '{"b":1.50, "a" : "\\u00e4\\/", "n":18446744073709551615}';
  const answer = await listener.post([
    `{"observed_at":"2026-01-31T13:00:00.1234567890+01:00" , "payload":${payload}, "kind":"zeek.ssl"}`,
    conn("C1"),
  ]);
  assert.deepEqual(counts(answer), { accepted: 2, duplicates: 0, rejected: 0 });
  assert.deepEqual(IngestAnswer.parse(answer.json), answer.json);
  assert.equal(answer.headers["content-type"], "application/json");
  const [raw, flow] = await storedRecords(db);
  assert.equal(raw!.payload, payload);
  assert.equal(raw!.observed_at, "2026-01-31T12:00:00.123456789Z");
  assert.deepEqual([raw!.kind, raw!.sensor_id], ["zeek.ssl", "all-1"]);
  assert.deepEqual([flow!.parse_status, flow!.parse_reason], ["parsed", null]);
  assert.deepEqual(listener.committed, ["main"]);
});

testDatabase(
  "a malformed line is rejected and stored verbatim, and its siblings are accepted",
  async (db) => {
    await using listener = await TestListener.start({ db });
    const bad: [line: string | Uint8Array, reason: RegExp][] = [
      ["{", /^not JSON: /],
      ["[1,2]", /^not JSON: expected an object/],
      ["null", /^not JSON: expected an object/],
      ['{"observed_at":"2026-01-31T12:00:00Z","payload":{}}', /^kind: expected a string/],
      ['{"kind":null,"observed_at":"2026-01-31T12:00:00Z","payload":{}}', /^kind: expected a string/],
      [
        '{"kind":["zeek.conn"],"observed_at":"2026-01-31T12:00:00Z","payload":{}}',
        /^kind: expected a string/,
      ],
      ['{"kind":"zeek.conn","payload":{}}', /^observed_at: expected/],
      ['{"kind":"zeek.conn","observed_at":1769860800,"payload":{}}', /^observed_at: expected/],
      ['{"kind":"zeek.conn","observed_at":"2026-02-30T12:00:00Z","payload":{}}', /^observed_at: expected/],
      ['{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00","payload":{}}', /^observed_at: expected/],
      ['{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z"}', /^payload: expected an object/],
      [
        '{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":[]}',
        /^payload: expected an object/,
      ],
      [
        '{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":"{}"}',
        /^payload: expected an object/,
      ],
      ['{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{"a":1e999}}', /^not JSON: /],
      ['{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{"a":NaN}}', /^not JSON: /],
      ['{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{"a":"\\ud800"}}', /^not JSON: /],
      [
        `{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{"a":${"[".repeat(200)}`,
        /^not JSON: /,
      ],
      [Buffer.from('{"kind":"zeek.conn","x":"\xff\xfe"}', "latin1"), /^not UTF-8 text$/],
      [`{"\\u0000${"k".repeat(500)}":1,"\\u0000${"k".repeat(500)}":1}`, /^kind: expected a string/],
      ["\ufeff{}", /^not JSON: /],
      [`"${"long ".repeat(20_000)}`, /^not JSON: /],
    ];
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(conn("C1"))}\r\n\n`),
      ...bad.flatMap((
        [line],
      ) => [typeof line === "string" ? Buffer.from(line) : Buffer.from(line), Buffer.from("\n")]),
      Buffer.from(` \t \n${JSON.stringify(conn("C2"))}`),
    ]);
    const first = await listener.send({ body });
    assert.deepEqual(counts(first), { accepted: 2, duplicates: 0, rejected: bad.length });
    assert.equal((await storedRecords(db)).length, 2);

    const rejections = await storedRejections(db);
    assert.equal(rejections.length, bad.length);
    for (const [line, reason] of bad) {
      const bytes = Buffer.from(line);
      const row = rejections.find((one) => one.line === bytes.toString("latin1"));
      assert.ok(row, `not kept: ${bytes.subarray(0, 80)}`);
      assert.match(row.reason, reason);
      assert.ok(row.reason.length <= 200);
      assert.equal(row.line_hash, createHash("sha256").update(bytes).digest("hex"));
      assert.equal(row.sensor_id, "all-1");
    }

    // A retry counts the lines again and stores them once.
    const again = await listener.send({ body });
    assert.deepEqual(counts(again), { accepted: 0, duplicates: 2, rejected: bad.length });
    assert.deepEqual(await storedRejections(db), rejections);
  },
);

testDatabase("a record that cannot be normalised is stored raw as unparsed", async (db) => {
  await using listener = await TestListener.start({ db });
  const answer = await listener.post([
    { kind: "zeek.conn", observed_at: "2026-01-31T12:00:00Z", payload: {} },
    {
      kind: "zeek.conn",
      observed_at: "2026-01-31T12:00:00Z",
      payload: { proto: "tcp", "id.orig_h": "a\u0000b" },
    },
    { kind: "suricata.krb5", observed_at: "2026-01-31T12:00:00Z", payload: { any: "thing" } },
  ]);
  assert.deepEqual(counts(answer), { accepted: 3, duplicates: 0, rejected: 0 });
  for (const record of await storedRecords(db)) {
    assert.equal(record.parse_status, "unparsed");
    assert.ok(
      record.parse_reason !== null && record.parse_reason !== "" && record.parse_reason.length <= 200,
    );
  }
});

testDatabase(
  "a record with a repeated key is stored raw as unparsed, and its reason is bounded",
  async (db) => {
    await using listener = await TestListener.start({ db });
    for (const key of ["a", `\\u0000${"k".repeat(500)}`]) {
      const payload = `{"${key}":1,"${key}":2}`;
      const body = `{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":${payload}}`;
      const answer = await listener.send({ body: Buffer.from(body) });
      assert.deepEqual(counts(answer), { accepted: 1, duplicates: 0, rejected: 0 });
    }
    for (const record of await storedRecords(db)) {
      assert.equal(record.parse_status, "unparsed");
      assert.match(record.parse_reason!, /^repeated key "/);
      assert.ok(record.parse_reason!.length <= 200);
    }
  },
);

testDatabase("a flow of another exporter is stored as unparsed evidence", async (db) => {
  await using listener = await TestListener.start({ db });
  const flow = (sampler: unknown) => ({
    kind: "netflow.flow",
    observed_at: "2026-01-31T12:00:00Z",
    payload: {
      type: "NETFLOW_V9",
      sampler_address: sampler,
      src_addr: "10.0.0.1",
      dst_addr: "10.0.0.2",
      src_port: 1,
      dst_port: 2,
      proto: "UDP",
      bytes: 100,
      packets: 1,
      time_flow_start_ns: 1769860800000000000,
      time_flow_end_ns: 1769860801000000000,
    },
  });
  const answer = await listener.post(
    [flow("192.0.2.1"), flow("192.0.2.2"), flow("::ffff:192.0.2.1"), flow(undefined), flow("192.0.2.01")],
    TOKENS.flow,
  );
  assert.deepEqual(counts(answer), { accepted: 5, duplicates: 0, rejected: 0 });
  assert.deepEqual((await storedRecords(db)).map((record) => record.parse_status), [
    "parsed",
    "unparsed",
    "parsed",
    "unparsed",
    "unparsed",
  ]);
});

testDatabase("one forbidden kind refuses the whole request and nothing is stored", async (db) => {
  await using listener = await TestListener.start({ db });
  const kinds = [
    "suricata.flow",
    "zeek.conn ",
    "ZEEK.CONN",
    "zeek",
    "",
    "__proto__",
    "constructor",
    "\u0000",
  ];
  for (const kind of kinds) {
    const answer = await listener.post([conn("C1"), "not JSON", conn("C2", { kind })], TOKENS.zeek);
    assert.equal(answer.status, 403, kind);
    assert.equal(ErrorBody.parse(answer.json).error.code, "forbidden");
    assert.equal(answer.json.error.details.line, 3);
  }
  // Even if the line has another fault as well.
  const answer = await listener.post([conn("C1"), { kind: "unbound.query", payload: 1 }], TOKENS.zeek);
  assert.equal(answer.status, 403);
  assert.deepEqual([await storedRecords(db), await storedRejections(db)], [[], []]);
  assert.deepEqual(listener.committed, []);
});

testDatabase("1 to 1,000 non-empty lines; otherwise 422 and nothing stored", async (db) => {
  await using listener = await TestListener.start({ db });
  const lines = Array.from({ length: 1001 }, (_, i) => conn(`C${i}`));
  for (const body of ["", "\n", "\r\n \n\t\n", "\n".repeat(100_000)]) {
    const answer = await listener.send({ body });
    assert.deepEqual([answer.status, answer.json.error.code], [422, "invalid_request"], JSON.stringify(body));
  }
  const tooMany = await listener.post(lines);
  assert.deepEqual([tooMany.status, tooMany.json.error.details.reason], [422, "line_count"]);
  assert.equal((await listener.send({ body: "x\n".repeat(2_600_000) })).status, 422);
  assert.deepEqual(await storedRecords(db), []);

  const blanks = lines.slice(0, 1000).map((line) => `${JSON.stringify(line)}\r\n\n \n`).join("");
  assert.deepEqual(counts(await listener.send({ body: blanks })), {
    accepted: 1000,
    duplicates: 0,
    rejected: 0,
  });
});

testDatabase("readiness needs a token and a store that commits; liveness needs neither", async (db) => {
  await using listener = await TestListener.start({ db });
  const get = (path: string, token: string | null) => listener.send({ method: "GET", path, token });
  const live = await get(INGEST_LIVE_PATH, null);
  assert.deepEqual([live.status, live.json.data], [200, { status: "live" }]);
  assert.equal(typeof live.json.meta.request_id, "string");
  assert.equal((await get(INGEST_READY_PATH, null)).status, 401);
  assert.equal((await get(INGEST_READY_PATH, "wrong-token-of-sixteen")).status, 401);
  const ready = await get(INGEST_READY_PATH, TOKENS.zeek);
  assert.deepEqual([ready.status, ready.json.data], [200, { status: "ready" }]);
});

Deno.test("a store that cannot commit: 503 with Retry-After, and not ready, but alive", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({ db });
  const answer = await listener.post([conn("C1")]);
  assert.deepEqual([answer.status, answer.json.error.code, answer.json.error.details], [
    503,
    "source_unavailable",
    { reason: "store" },
  ]);
  assert.match(String(answer.headers["retry-after"]), /^[1-9][0-9]*$/);
  const ready = await listener.send({ method: "GET", path: INGEST_READY_PATH });
  assert.deepEqual([ready.status, ready.json.error.code], [503, "source_unavailable"]);
  assert.equal((await listener.send({ method: "GET", path: INGEST_LIVE_PATH, token: null })).status, 200);
  assert.deepEqual(listener.committed, []);
  await db.close();
});
