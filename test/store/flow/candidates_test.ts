import assert from "node:assert/strict";
import fc from "fast-check";
import type { FlowState } from "../../../src/domain/flow/flow.ts";
import { located, observation } from "../../support/domain/flow-fixtures.ts";
import { flowToJoin } from "../../../src/domain/flow/join.ts";
import { isCounted, newFlow } from "../../../src/domain/flow/merge.ts";
import { normalisedTuple } from "../../../src/domain/record/community-id.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { loadCandidates } from "../../../src/pipeline/stages/candidates.ts";
import { RecentFlows } from "../../../src/pipeline/state/recent-flows.ts";
import { SeenTuples } from "../../../src/pipeline/state/seen-tuples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { advanceCursor, readCursor } from "../../../src/store/record/pending.ts";
import { flowsByIds } from "../../../src/store/flow/read.ts";
import { insertFlows, updateFlows } from "../../../src/store/flow/flows.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import type { ParsedRecord } from "../../../src/pipeline/run/parsed-record.ts";
import { Api, MINUTE, NOW, ZEEK } from "../../contract/api.ts";
import { conn } from "../../contract/records.ts";
import { testDatabases } from "../../support/database.ts";
import { NOON } from "../record/records.ts";

const SECOND = 1_000_000;
const PROPERTIES = { numRuns: 300 };

const { proto, src, dst, icmp } = observation(0, 1);
const TUPLE = normalisedTuple({
  proto,
  srcIp: src.ip,
  srcPort: src.port,
  dstIp: dst.ip,
  dstPort: dst.port,
  icmp,
});

let made = 0;

/** A flow of the test's tuple, as it may be stored; times in seconds after noon. */
function stored(start: number, end: number, more: Partial<FlowState> = {}, counted = true): FlowState {
  const entropy = new Uint8Array(10);
  new DataView(entropy.buffer).setUint32(0, ++made);
  const anchor = NOON + start * SECOND;
  const flowId = timeUuid(anchor, entropy);
  const plain = newFlow(located(observation(0, 1, counted ? {} : { counters: null })), flowId, anchor);
  return {
    ...plain,
    start: anchor,
    end: NOON + end * SECOND,
    tuple: TUPLE,
    primary: { ...plain.primary, evidenceId: flowId },
    folded: null,
    ...more,
  };
}

/** The flows that a record of the test's tuple may join, as read for its round. */
async function candidates(
  db: Database,
  record: { start: number; end: number; nativeHash: bigint | null },
  longestFlow: number,
  { recent = new RecentFlows(), latestEnd = Infinity } = {},
): Promise<FlowState[]> {
  const { start, end, nativeHash } = record;
  const parsed = { observation: { ...observation(0, 1), tuple: TUPLE, start, end }, nativeHash };
  const { byTuple } = await db.tenant("main", (tx) =>
    loadCandidates(tx, {
      tenantId: "main",
      records: [parsed as ParsedRecord],
      last: 2,
      before: { batchNo: 1, longestFlow, latestEnd },
      recent,
      seen: new SeenTuples(),
    }));
  return byTuple.get(TUPLE!)!.flows ?? [];
}

const HOURS = 3600;

testDatabases(
  "candidates: of a tuple with many flows, the newest and all joinable ones are read",
  async (db) => {
    const newest = Array.from({ length: 32 }, (_, at) => stored(500 + at, 600 + at));
    const near = stored(-30, -20);
    const named = stored(-1800, -1790, { nativeHashes: [7n] });
    const ofTwoSensors = stored(-1700, -1690, { nativeHashes: [8n, 9n] });
    const long = stored(-3 * HOURS, -10);
    // Too long ago to be joined by its native id; joining checks that, reading does not.
    const namedEarly = stored(-3 * HOURS, -2 * HOURS, { nativeHashes: [7n] });
    const others = [
      stored(-1600, -1590),
      stored(-1500, -1490, { nativeHashes: [5n] }),
      stored(200, 310),
    ];
    const wanted = [...newest, near, named, ofTwoSensors, long, namedEarly];
    await db.tenant("main", (tx) => tx.run(insertFlows("main", [...others, ...wanted])));
    const read = await candidates(
      db,
      { start: NOON, end: NOON + SECOND, nativeHash: 7n },
      3 * HOURS * SECOND,
    );
    assert.deepEqual(read.map((one) => one.flowId).sort(), wanted.map((one) => one.flowId).sort());
  },
);

testDatabases("candidates: a tuple that was read is known from then on", async (db) => {
  const [late, early] = [stored(-3000, -2990), stored(-2 * HOURS, -HOURS - 1)];
  await db.tenant("main", (tx) => tx.run(insertFlows("main", [late, early])));
  const recent = new RecentFlows();
  const seen = new SeenTuples();
  const round = async (batchNo: number) => {
    const start = NOON + batchNo * SECOND;
    const record = {
      observation: { ...observation(0, 1), tuple: TUPLE, start, end: start },
      nativeHash: null,
    };
    recent.begin(batchNo, null);
    const { byTuple } = await db.tenant("main", (tx) =>
      loadCandidates(tx, {
        tenantId: "main",
        records: [record as ParsedRecord],
        last: batchNo + 1,
        before: { batchNo, longestFlow: 2 * HOURS * SECOND, latestEnd: NOON },
        recent,
        seen,
      }));
    recent.end(batchNo + 1, { byTuple, created: [], updated: [] });
    return byTuple.get(TUPLE!)!.flows!.map((one) => one.flowId);
  };
  assert.deepEqual(await round(1), [late.flowId]);
  // Inserted behind the cache's back, it shows whether the store is read again.
  await db.tenant("main", (tx) => tx.run(insertFlows("main", [stored(-3000, -2990)])));
  assert.deepEqual(await round(2), [late.flowId]);
});

testDatabases("candidates: a record of hours does not widen the reads of other tuples", async (db) => {
  const [old, near] = [stored(-5 * HOURS, -4 * HOURS), stored(-30, -20)];
  const fillers = Array.from({ length: 40 }, (_, at) => stored(-3 * HOURS - at, -3 * HOURS - at));
  await db.tenant("main", (tx) => tx.run(insertFlows("main", [...fillers, old, near])));
  const of = (tuple: string | null, start: number) => ({
    observation: { ...observation(0, 1), tuple, start: NOON + start * SECOND, end: NOON },
    nativeHash: null,
  });
  const { byTuple } = await db.tenant("main", (tx) =>
    loadCandidates(tx, {
      tenantId: "main",
      records: [of("6|10.0.0.5|1|203.0.113.7|1", -6 * HOURS), of(TUPLE, 0)] as ParsedRecord[],
      last: 2,
      before: { batchNo: 1, longestFlow: 6 * HOURS * SECOND, latestEnd: Infinity },
      recent: new RecentFlows(),
      seen: new SeenTuples(),
    }));
  assert.deepEqual(byTuple.get(TUPLE!)!.flows!.map((one) => one.flowId), [near.flowId]);
});

testDatabases(
  "candidates: a record joins the same flow as if all flows of its tuple were read",
  async (db) => {
    const time = fc.integer({ min: -9000, max: 9000 });
    const length = fc.oneof({ weight: 9, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.nat(7200) });
    const hash = fc.bigInt({ min: 1n, max: 12n });
    const any = fc.record({
      start: fc.oneof(time, fc.integer({ min: -240, max: 240 })),
      length,
      hashes: fc.uniqueArray(hash, { maxLength: 2 }),
      counted: fc.boolean(),
      source: fc.constantFrom("zeek" as const, "suricata" as const),
    });
    const flows = fc.sample(any, { numRuns: 80, seed: 5 }).map(({ start, length, hashes, counted, source }) =>
      stored(start, start + length, { nativeHashes: hashes, sources: [source] }, counted)
    );
    await db.tenant("main", (tx) => tx.run(insertFlows("main", flows)));
    const all = await db.tenant("main", (tx) => flowsByIds(tx, "main", flows.map((one) => one.flowId)));
    const longest = Math.max(...flows.map((one) => one.end - one.start));
    const tried = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(any, async ({ start, length, hashes: [nativeHash = null], counted, source }) => {
        const [from, to] = [NOON + start * SECOND, NOON + (start + length) * SECOND];
        const key = { start: from, end: to, nativeHash, source, counted };
        const read = await candidates(db, key, longest);
        const joined = flowToJoin([...all.values()], key);
        assert.equal(flowToJoin(read, key)?.flowId, joined?.flowId);
        const outcome = joined === null ? "none" : isCounted(joined) ? "counted" : "open";
        tried.set(outcome, (tried.get(outcome) ?? 0) + 1);
      }),
      PROPERTIES,
    );
    assert.deepEqual([...tried.keys()].sort(), ["counted", "none", "open"]);
  },
);

testDatabases("candidates: a tuple is not read as far as it is known", async (db) => {
  const [here, other] = [stored(-30, -20), stored(-10, -5)];
  // The other flow is not in the cache: it shows whether the store is read.
  await db.tenant("main", (tx) => tx.run(insertFlows("main", [here, other])));
  const read = async (othersEnd: number) => {
    const recent = new RecentFlows();
    recent.begin(0, null);
    const byTuple = new Map([[TUPLE!, { flows: [here], shared: 0, othersEnd }]]);
    recent.end(1, { byTuple, created: [here], updated: [] });
    recent.begin(1, null);
    const record = { start: NOON, end: NOON + SECOND, nativeHash: null };
    return (await candidates(db, record, 5000 * SECOND, { recent })).map((one) => one.flowId);
  };
  assert.deepEqual(await read(NOON - 3601 * SECOND), [here.flowId]);
  assert.deepEqual(
    await read(NOON - 3600 * SECOND),
    [here.flowId, other.flowId],
    "within an hour it may be joined by its native id",
  );
});

testDatabases(
  "candidates: nothing is read if all flows ended long ago, however long they were",
  async (db) => {
    const [flow, long] = [stored(-30, -20), stored(-90_000, -5000)];
    await db.tenant("main", (tx) => tx.run(insertFlows("main", [flow, long])));
    const read = async (latestEnd: number) => {
      const record = { start: NOON, end: NOON + SECOND, nativeHash: null };
      return (await candidates(db, record, 85_000 * SECOND, { latestEnd })).map((one) => one.flowId);
    };
    // The given end is wrong on purpose: it shows whether the store is read.
    assert.deepEqual(await read(NOON - 3601 * SECOND), []);
    assert.deepEqual(await read(flow.end), [flow.flowId]);
  },
);

testDatabases(
  "candidates: a far-future end from a wrong clock is ignored once its flow has expired",
  async (db) => {
    const [old, other] = [stored(-9000, -8990), stored(-8000, -7990)];
    await db.tenant("main", (tx) => tx.run(insertFlows("main", [old])));
    const seen = new SeenTuples();
    const record = {
      observation: { ...observation(0, 1), tuple: "6|10.0.0.5|1|203.0.113.7|1", start: NOON, end: NOON },
      nativeHash: null,
    };
    await db.tenant("main", (tx) =>
      loadCandidates(tx, {
        tenantId: "main",
        records: [record as ParsedRecord],
        last: 2,
        before: { batchNo: 1, longestFlow: 10 * SECOND, latestEnd: NOON + 1e15 },
        recent: new RecentFlows(),
        seen,
      }));
    assert.ok(seen.noneAfter(TUPLE!) < other.end);
    assert.ok(seen.noneAfter(TUPLE!) >= old.end);
  },
);

testDatabases("the cursor has the latest end of all flows, also one of an earlier version", async (db) => {
  const flow = stored(-30, -20);
  const cursor = () => db.tenant("main", (tx) => readCursor(tx, "main"));
  const none = await cursor();
  assert.equal(none.latestEnd, null);
  const next = { batchNo: 1, longestFlow: 60 * SECOND, historySince: flow.start, latestEnd: flow.end };
  await db.tenant("main", async (tx) => {
    await tx.run(insertFlows("main", [flow]));
    await advanceCursor(tx, "main", none, next);
  });
  assert.deepEqual(await cursor(), next);
  await db.tenant(
    "main",
    (tx) => tx.run(sql`update pipeline_cursor set latest_end = null where tenant_id = 'main'`),
  );
  assert.equal((await cursor()).latestEnd, flow.anchor + 60 * SECOND);
});

testDatabases("a round updates the latest end in the cursor", async (db) => {
  const api = new Api(db);
  const lasting = (seconds: number, at = NOW - 2 * MINUTE) => conn({ at, seconds, srcPort: 50000 + seconds });
  const ends = async () => {
    const [cursor, rows] = await db.tenant("main", (tx) =>
      Promise.all([
        readCursor(tx, "main"),
        tx.rows<{ end_at: number }>(sql`select max(end_at) as end_at from flow where tenant_id = 'main'`),
      ]));
    assert.equal(cursor.latestEnd, rows[0]!.end_at);
    return cursor.latestEnd! - (NOW - 2 * MINUTE);
  };
  await api.take(ZEEK, [lasting(60, NOW - 10 * MINUTE), lasting(3), lasting(7)]);
  assert.equal(await ends(), 7 * SECOND);
  await api.take(ZEEK, [lasting(5)]);
  assert.equal(await ends(), 7 * SECOND);
  await api.take(ZEEK, [lasting(9)]);
  assert.equal(await ends(), 9 * SECOND);
});

testDatabases("candidates: a flow of another tuple with the same hash is skipped", async (db) => {
  const [mine, other] = [stored(-30, -20), stored(-30, -20, { src: { ip: "10.9.9.9", port: 1 } })];
  await db.tenant("main", (tx) => tx.run(insertFlows("main", [mine, other])));
  const read = await candidates(db, { start: NOON, end: NOON + SECOND, nativeHash: null }, 0);
  assert.deepEqual(read.map((one) => one.flowId), [mine.flowId]);
});

testDatabases("the cost of inserting a flow does not grow with the flows of its tuple", async (db) => {
  // A hash index visits all rows of a value to insert one more: after 300,000 it took 73 µs, in a B-tree 1.6 µs.
  const hashed = await db.owner((tx) =>
    tx.rows(sql`select c.relname from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'hash'`)
  );
  assert.deepEqual(hashed, []);
});

testDatabases("updating a flow that retention has dropped inserts it again", async (db) => {
  const [kept, taken] = [stored(0, 1), stored(2, 3)];
  await db.tenant("main", async (tx) => {
    await tx.run(insertFlows("main", [kept]));
    const grown = [kept, taken].map((one) => ({ ...one, end: one.end + SECOND, observationCount: 2 }));
    await tx.run(updateFlows("main", grown));
    const now = await flowsByIds(tx, "main", [kept.flowId, taken.flowId]);
    assert.deepEqual(
      grown.map(({ flowId }) => now.get(flowId)).map((one) => [one?.end, one?.observationCount]),
      grown.map((one) => [one.end, 2]),
    );
  });
});
