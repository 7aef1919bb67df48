import assert from "node:assert/strict";
import fc from "fast-check";
import type { TermKind } from "../../../src/contract/filter/field.ts";
import { termPart, termText } from "../../../src/domain/search/terms.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions, dropPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { expireDefaults } from "../../../src/store/upkeep/retention.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { termIdsOf } from "../../../src/store/search/term-id.ts";
import { countTerms } from "../../../src/store/search/term-counts.ts";
import { type TermUse, termWrites } from "../../../src/store/search/term-writes.ts";
import {
  completeTerms,
  endOfPrefix,
  type TermDays,
  termIds,
  type TermMatch,
} from "../../../src/store/search/terms.ts";
import { scaled } from "../../support/scale.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON } from "../record/records.ts";

const TODAY = Math.floor(NOON / DAY) * DAY;
const RETENTION = 30;

function flowId(n: number): string {
  const entropy = new Uint8Array(10);
  new DataView(entropy.buffer).setUint32(0, n);
  return timeUuid(NOON, entropy);
}

function use(kind: TermKind, text: string, more: Partial<TermUse> = {}): TermUse {
  return {
    kind,
    text: termText(kind, text),
    shown: text,
    day: TODAY,
    flowIds: [flowId(1)],
    records: 1,
    from: NOON,
    to: NOON,
    receivedAt: NOON,
    ...more,
  };
}

async function write(
  db: Database,
  uses: readonly TermUse[],
  { batchNo = 1, tenantId = "main" } = {},
): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    for (const statement of termWrites(tenantId, batchNo, uses)) await tx.run(statement);
  });
}

function complete(db: Database, kind: TermKind, prefix: string, { since = TODAY, limit = 10 } = {}) {
  return db.tenant("main", (tx) => completeTerms(tx, "main", kind, prefix, since, limit));
}

interface Found {
  texts: string[];
  cut: boolean;
}

/** The texts that a lookup finds, sorted. */
async function find(
  db: Database,
  kind: TermKind,
  match: TermMatch,
  { days = null, max = 1000 }: { days?: TermDays; max?: number } = {},
): Promise<Found> {
  return await db.tenant("main", async (tx) => {
    const { ids, cut } = await termIds(tx, "main", kind, match, days, max);
    const rows = await tx.rows<{ text: string; term_id: bigint | number }>(
      sql`select distinct text, term_id from term where tenant_id = 'main'`,
    );
    const known = new Set(ids);
    return {
      texts: rows.filter((row) => known.has(BigInt(row.term_id))).map(({ text }) => text).sort(),
      cut,
    };
  });
}

async function count(db: Database): Promise<void> {
  while (!await db.tenant("main", (tx) => countTerms(tx, "main")));
}

testDatabases("terms: rounds add to the counts of a day and keep the first spelling", async (db) => {
  await write(db, [use("alert", "ET Malware", { records: 3 })]);
  await write(db, [use("alert", "et malware", { records: 2, receivedAt: NOON + 1 })], { batchNo: 2 });
  await count(db);
  await write(db, [use("alert", "ET MALWARE", { records: 70, day: TODAY - DAY })], { batchNo: 3 });
  await write(db, [use("alert", "ET MALWARE", { records: 5 })], { batchNo: 4, tenantId: "branch" });
  await Promise.all([count(db), count(db)]);
  const rows = await db.tenant("main", (tx) =>
    tx.rows(sql`
      select text, shown, record_count, magnitude, day, received_at, reversed from term order by day desc`));
  const term = { text: "et malware", reversed: null };
  assert.deepEqual(rows, [
    { ...term, shown: "ET Malware", record_count: 5, magnitude: 0, day: TODAY, received_at: NOON + 1 },
    { ...term, shown: "ET MALWARE", record_count: 70, magnitude: 1, day: TODAY - DAY, received_at: NOON },
  ]);
});

testDatabases("terms: each round's flows are one posting", async (db) => {
  const flowIds = [1, 2, 3].map(flowId);
  const times = { from: NOON - 5, to: NOON + 5 };
  await write(db, [
    use("dns_query", "a.example", { flowIds: flowIds.slice(0, 2), records: 4, ...times }),
    use("dns_query", "b.example", { flowIds, records: 3 }),
  ]);
  await write(db, [use("dns_query", "a.example", { flowIds: flowIds.slice(2) })], { batchNo: 2 });
  const id = termIdsOf("main", "dns_query")("a.example");
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ flow_ids: unknown }>(sql`
      select batch_no, from_at, to_at, array_to_string(flow_ids, ' ') as flow_ids from flow_term
      where tenant_id = 'main' and term_id = ${id}::bigint order by batch_no`));
  assert.deepEqual(rows, [
    { batch_no: 1, from_at: NOON - 5, to_at: NOON + 5, flow_ids: flowIds.slice(0, 2).join(" ") },
    { batch_no: 2, from_at: NOON, to_at: NOON, flow_ids: flowIds[2] },
  ]);
});

testDatabases("terms: a text that the dictionary has is only posted", async (db) => {
  const uses = [use("user_agent", "curl/8", { records: 2 }), use("user_agent", "wget", { records: 3 })];
  await db.tenant("main", async (tx) => {
    for (const statement of termWrites("main", 1, uses)) await tx.run(statement);
    await tx.run(sql`delete from term`);
    for (const statement of termWrites("main", 2, uses, ({ text }) => text === "wget")) {
      await tx.run(statement);
    }
  });
  assert.deepEqual(await complete(db, "user_agent", ""), [{ text: "wget", records: 6 }]);
  await count(db);
  assert.deepEqual(await complete(db, "user_agent", ""), [{ text: "wget", records: 6 }]);
});

testDatabases("terms: more than a statement's worth of them is written", async (db) => {
  const uses = Array.from(
    { length: 2500 },
    (_, n) => use("dns_query", `n${n}.example`, { flowIds: [flowId(n), flowId(n + 10_000)] }),
  );
  await write(db, uses);
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ text: string; flow_ids: string }>(sql`
      select text, array_to_string(flow_ids, ' ') as flow_ids from term
      join flow_term using (tenant_id, term_id, day)`));
  const expected = uses.map(({ text, flowIds }) => `${text} ${flowIds.join(" ")}`).sort();
  assert.deepEqual(rows.map(({ text, flow_ids }) => `${text} ${flow_ids}`).sort(), expected);
});

testDatabases(
  "terms: completion lists what is used most, of its kind and tenant, since a day",
  async (db) => {
    await write(db, [
      use("user_agent", "curl/8", { records: 3 }),
      use("user_agent", "Curl/7", { records: 500 }),
      use("user_agent", "custom", { records: 40 }),
      use("user_agent", "wget", { records: 9000 }),
      use("http_path", "/curl", { records: 9000 }),
      use("user_agent", "curl/1", { records: 9000, day: TODAY - 2 * DAY }),
      use("user_agent", "curl/8", { records: 60, day: TODAY - DAY }),
    ]);
    await write(db, [use("user_agent", "curl/other", { records: 9000 })], { tenantId: "branch" });
    const expectBest = async () => {
      assert.deepEqual(await complete(db, "user_agent", "CUR", { since: TODAY - DAY + 5 }), [
        { text: "Curl/7", records: 500 },
        { text: "curl/8", records: 63 },
      ]);
      assert.deepEqual(await complete(db, "user_agent", "cu"), [
        { text: "Curl/7", records: 500 },
        { text: "custom", records: 40 },
        { text: "curl/8", records: 3 },
      ]);
    };
    await expectBest();
    await count(db);
    await expectBest();
    assert.deepEqual(await complete(db, "user_agent", "", { limit: 1 }), [{ text: "wget", records: 9000 }]);
    assert.deepEqual(await complete(db, "user_agent", "%"), []);
  },
);

testDatabases("terms: a lookup finds names by wildcard, suffix and part, numbers by range", async (db) => {
  const names = [
    "example.com",
    "www.example.com",
    "example.com.test",
    "EXAMPLE.org",
    "a%b_c.test",
    "ä b.example.com",
  ];
  await write(db, [
    ...names.map((name) => use("server_name", name)),
    use("dns_query", "other.example.com"),
    use("http_status", "404"),
    use("http_status", "200"),
    use("http_status", "99999999999999999999"),
    use("http_status", "n404"),
  ]);
  await write(db, [use("server_name", "old.example.com", { day: TODAY - 3 * DAY })], { batchNo: 2 });
  await write(db, [use("server_name", "branch.example.com")], { tenantId: "branch" });

  const texts = async (match: TermMatch, days: TermDays = null) =>
    (await find(db, "server_name", match, { days })).texts;
  assert.deepEqual(await texts({ exact: "WWW.example.com." }), ["www.example.com"]);
  assert.deepEqual(await texts({ suffix: ".Example.com" }), [
    "old.example.com",
    "www.example.com",
    "ä b.example.com",
  ]);
  const days = { from: TODAY - DAY, to: TODAY + 5 };
  assert.deepEqual(await texts({ suffix: ".example.com" }, days), ["www.example.com", "ä b.example.com"]);
  assert.deepEqual(await texts({ wildcard: "EX*.com" }), ["example.com"]);
  assert.deepEqual(await texts({ wildcard: "*.example.*" }), [
    "old.example.com",
    "www.example.com",
    "ä b.example.com",
  ]);
  assert.deepEqual(await texts({ wildcard: "example.org" }), ["example.org"]);
  assert.deepEqual(await texts({ wildcard: "*" }, days), names.map((name) => name.toLowerCase()).sort());
  assert.deepEqual(await texts({ contains: "%b_" }), ["a%b_c.test"]);
  assert.deepEqual(await texts({ wildcard: "*%b_*" }), ["a%b_c.test"]);
  assert.deepEqual(await texts({ contains: "\\" }), []);
  assert.deepEqual(await texts({ contains: "none" }), []);

  const status = (from: number | null, to: number | null) =>
    find(db, "http_status", { number: { from, to } }).then(({ texts }) => texts);
  assert.deepEqual(await status(400, null), ["404"]);
  assert.deepEqual(await status(null, 404), ["200", "404"]);
  assert.deepEqual(await status(201, 403.5), []);
});

testDatabases("terms: a lookup says when it was cut, and keeps what is used most", async (db) => {
  await write(db, Array.from({ length: 6 }, (_, n) => use("user_agent", `agent ${n}`, { records: 16 ** n })));
  await write(db, [use("user_agent", "agent 5", { day: TODAY - DAY })], { batchNo: 2 });
  await count(db);
  assert.equal((await find(db, "user_agent", { contains: "agent" }, { max: 6 })).cut, false);
  for (const match of [{ contains: "agent" }, { wildcard: "agent*" }]) {
    assert.deepEqual(await find(db, "user_agent", match, { max: 2 }), {
      texts: ["agent 4", "agent 5"],
      cut: true,
    });
  }
});

testDatabases("terms: lookups agree with the same comparison in memory", async (db) => {
  const character = fc.constantFrom("a", "B", ".", "%", "_", "\\", "ä", "😀", "\u{10ffff}", "\ud7ff");
  const text = fc.string({ unit: character, minLength: 1, maxLength: 5 });
  const samples = fc.sample(text, { numRuns: 400, seed: 27 });
  const kinds = ["server_name", "user_agent"] as const;
  await write(
    db,
    kinds.flatMap((
      kind,
    ) => [...new Map(samples.map((sample) => [termText(kind, sample), use(kind, sample)])).values()]),
  );
  const part = fc.string({ unit: character, maxLength: 3 });
  const match: fc.Arbitrary<TermMatch> = fc.oneof(
    text.map((exact) => ({ exact })),
    part.map((suffix) => ({ suffix })),
    part.map((contains) => ({ contains })),
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => ({ wildcard: parts.join("*") })),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), match, async (kind, match) => {
      const all = new Set(samples.map((sample) => termText(kind, sample)));
      const expected = [...all].filter((one) => isMatch(kind, one, match)).sort();
      assert.deepEqual(await find(db, kind, match, { max: 5000 }).then(({ texts }) => texts), expected);
    }),
    { numRuns: scaled(60) },
  );
});

function isMatch(kind: TermKind, text: string, match: TermMatch): boolean {
  if ("exact" in match) return text === termText(kind, match.exact);
  if ("contains" in match) return text.includes(termPart(kind, match.contains));
  if ("suffix" in match) return text.endsWith(termPart(kind, match.suffix));
  if ("number" in match) throw new Error("not generated");
  const parts = termPart(kind, match.wildcard).split("*").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(text);
}

Deno.test("terms: the end of a prefix comes after everything that begins with it", () => {
  assert.equal(endOfPrefix("ab"), "ac");
  assert.equal(endOfPrefix("a\u{10ffff}"), "b");
  assert.equal(endOfPrefix("\u{10ffff}"), null);
  assert.equal(endOfPrefix("\ud7ff"), "\ue000", "no half of a character");
});

testDatabases("terms: days are dropped with their flows, and rows of wild clocks by receipt", async (db) => {
  await createPartitions(db, NOON, RETENTION);
  await write(db, [use("dns_query", "new.example"), use("dns_query", "wild.example", { day: 0 })]);
  const count = () =>
    db.tenant("main", async (tx) => {
      const [row] = await tx.rows<{ terms: number; postings: number }>(sql`
        select (select count(*) from term)::integer as terms, (select count(*) from flow_term)::integer as postings`);
      return [row!.terms, row!.postings];
    });
  await dropPartitions(db, NOON + RETENTION * DAY, RETENTION);
  await expireDefaults(db, NOON + (RETENTION - 1) * DAY, RETENTION);
  assert.deepEqual(await count(), [2, 2]);
  await dropPartitions(db, NOON + (RETENTION + 1) * DAY, RETENTION);
  assert.deepEqual(await count(), [1, 1]);
  assert.equal(await expireDefaults(db, NOON + (RETENTION + 1) * DAY, RETENTION), 2);
  assert.deepEqual(await count(), [0, 0]);
});

testDatabases("texts of one id, which anybody can craft, stop nothing and hide nothing", async (db) => {
  const crafted = ["knqzh!", "njkmg\ub776"];
  const idOf = termIdsOf("main", "user_agent");
  assert.equal(idOf(crafted[0]!), idOf(crafted[1]!));
  const uses = crafted.map((text, at) =>
    use("user_agent", text, { flowIds: [flowId(at + 1)], from: NOON - at, to: NOON + at })
  );
  await write(db, uses);
  await write(db, [uses[1]!], { batchNo: 2 });
  // An id leads to the flows of both.
  for (const text of crafted) {
    assert.deepEqual((await find(db, "user_agent", { contains: text })).texts, crafted.toSorted());
  }
  const postings = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ batch_no: number; flow_ids: string; span: number }>(sql`
      select batch_no, flow_ids::text as flow_ids, (extract(epoch from to_at - from_at) * 1000000)::integer as span
      from flow_term order by batch_no`),
  );
  assert.deepEqual(postings, [
    { batch_no: 1, flow_ids: `{${flowId(1)},${flowId(2)}}`, span: 2 },
    { batch_no: 2, flow_ids: `{${flowId(2)}}`, span: 2 },
  ]);
});
