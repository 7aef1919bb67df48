import assert from "node:assert/strict";
import { MAX_NAMES_OF_ADDRESS, MAX_OTHER_ANSWERS } from "../../../src/domain/flow/dns-names.ts";
import { MAX_FACTS_OF_KIND } from "../../../src/domain/device/fact.ts";
import { applyRetention } from "../../../src/core/jobs/retention.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { recordSamples, samplesSince, type StoredSample } from "../../../src/store/health/capture-samples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { factsOfDevices, recordDeviceFacts, type StoredFact } from "../../../src/store/device/facts.ts";
import { answersFor, type DnsAnswer, recordAnswers } from "../../../src/store/flow/dns-answers.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { expireRows } from "../../../src/store/upkeep/retention.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { MINUTE, NOW, SURICATA, ZEEK } from "../../contract/api.ts";
import { dhcpAck, dns, rawLine, ssl } from "../../contract/records.ts";
import { testDatabases } from "../../support/database.ts";
import { push, pushBatch, settle } from "../../support/record/pipeline.ts";
import { DAY, NOON } from "../record/records.ts";

const SECOND = 1_000_000;
const MIDNIGHT = Math.floor(NOON / DAY) * DAY;

function id(n: number): string {
  return timeUuid(NOON, new Uint8Array(10).fill(n));
}

function answer(more: Partial<DnsAnswer> = {}): DnsAnswer {
  return {
    clientIp: "10.0.0.5",
    address: "192.0.2.1",
    name: "a.example",
    day: MIDNIGHT,
    firstSeen: NOON,
    lastSeen: NOON,
    receivedAt: NOON,
    evidenceId: id(1),
    flowId: id(2),
    ...more,
  };
}

const LOOK_UP = { clientIp: "10.0.0.5", address: "192.0.2.1", day: MIDNIGHT };

testDatabases(
  "answers of one day share a row with the evidence of the earliest, in any order of arrival",
  async (db) => {
    const found = await db.tenant("main", async (tx) => {
      await recordAnswers(tx, "main", [answer()]);
      await recordAnswers(tx, "main", [answer({ lastSeen: NOON + SECOND, evidenceId: id(3) })]);
      const earlier = NOON - SECOND;
      await recordAnswers(tx, "main", [
        answer({ firstSeen: earlier, lastSeen: earlier, evidenceId: id(4), flowId: id(5) }),
      ]);
      await recordAnswers(tx, "main", [answer({ day: MIDNIGHT - DAY, name: "yesterday.example" })]);
      return await answersFor(tx, "main", [LOOK_UP]);
    });
    assert.deepEqual(found, [[{
      clientIp: "10.0.0.5",
      name: "a.example",
      firstSeen: NOON - SECOND,
      lastSeen: NOON + SECOND,
      evidenceId: id(4),
      flowId: id(5),
    }]]);
  },
);

testDatabases(
  "a lookup reads a bounded number of answers, other clients' only without own ones",
  async (db) => {
    const named = (count: number, more: Partial<DnsAnswer>) =>
      Array.from({ length: count }, (_, n) => answer({ name: `n${n}.example`, ...more }));
    const others = Array.from(
      { length: 20 },
      (_, n) => answer({ clientIp: `10.0.1.${n}`, address: "192.0.2.2" }),
    );
    const found = await db.tenant("main", async (tx) => {
      await recordAnswers(tx, "main", [
        ...named(100, {}),
        ...others,
        ...named(2, { clientIp: "2001:db8::5", address: "2001:db8::1" }),
        answer({ clientIp: "10.0.0.9" }),
      ]);
      return await answersFor(tx, "main", [
        LOOK_UP,
        { ...LOOK_UP, address: "192.0.2.2" },
        { ...LOOK_UP, address: "192.0.2.3" },
        { ...LOOK_UP, day: MIDNIGHT - DAY },
        { ...LOOK_UP, clientIp: "2001:db8::5", address: "2001:db8::1" },
        { ...LOOK_UP, clientIp: "10.0.0.9" },
        { ...LOOK_UP, clientIp: "10.0.1.7", address: "192.0.2.2" },
      ]);
    });
    const counts = found.map(({ length }) => length);
    assert.deepEqual(counts, [MAX_NAMES_OF_ADDRESS + 1, MAX_OTHER_ANSWERS, 0, 0, 2, 1, 1]);
    const askedBy = (at: number) => new Set(found[at]!.map(({ clientIp }) => clientIp));
    assert.deepEqual(
      [0, 4, 5, 6].map(askedBy),
      ["10.0.0.5", "2001:db8::5", "10.0.0.9", "10.0.1.7"].map((clientIp) => new Set([clientIp])),
    );
    assert.deepEqual(await db.tenant("branch", (tx) => answersFor(tx, "branch", [LOOK_UP])), [[]]);
  },
);

function fact(value: string, more: Partial<StoredFact> = {}): StoredFact {
  return {
    deviceId: id(9),
    kind: "domain",
    value,
    detail: null,
    firstSeen: NOON,
    lastSeen: NOON,
    receivedAt: NOON,
    count: 1,
    sources: ["zeek"],
    evidenceId: id(1),
    flowId: id(2),
    ...more,
  };
}

testDatabases("a fact counts its observations and refers to the newest evidence", async (db) => {
  const [found] = await db.tenant("main", async (tx) => {
    await recordDeviceFacts(tx, "main", [fact("a.example", { count: 2 })]);
    const later = { lastSeen: NOON + SECOND, evidenceId: id(3), flowId: id(4), receivedAt: NOON + 1 };
    await recordDeviceFacts(tx, "main", [
      fact("a.example", { ...later, sources: ["suricata"], detail: "d" }),
    ]);
    await recordDeviceFacts(tx, "main", [fact("a.example", { firstSeen: NOON - 1, lastSeen: NOON - 1 })]);
    return await factsOfDevices(tx, "main", [id(9)], 10);
  });
  assert.deepEqual(
    found,
    fact("a.example", {
      count: 4,
      detail: "d",
      firstSeen: NOON - 1,
      lastSeen: NOON + SECOND,
      receivedAt: NOON + 1,
      evidenceId: id(3),
      flowId: id(4),
      sources: ["zeek", "suricata"],
    }),
  );
});

testDatabases("facts of merged devices are combined", async (db) => {
  const found = await db.tenant("main", async (tx) => {
    await recordDeviceFacts(tx, "main", [
      fact("a.example", { count: 2, evidenceId: id(1) }),
      fact("a.example", { deviceId: id(8), lastSeen: NOON + 1, evidenceId: id(7), flowId: id(6) }),
      fact("b.example", { deviceId: id(8) }),
      fact("c.example", { deviceId: id(7) }),
    ]);
    return await factsOfDevices(tx, "main", [id(9), id(8)], 10);
  });
  assert.deepEqual(
    found.map(({ value, count, evidenceId, flowId }) => [value, count, evidenceId, flowId]),
    [["a.example", 3, id(7), id(6)], ["b.example", 1, id(1), id(2)]],
  );
});

testDatabases("upkeep keeps the newest facts of each device and kind", async (db) => {
  const many = (count: number, more: Partial<StoredFact>) =>
    Array.from({ length: count }, (_, n) => fact(`v${n}`, { lastSeen: NOON + n, ...more }));
  await db.tenant("main", async (tx) => {
    await recordDeviceFacts(tx, "main", [
      ...many(MAX_FACTS_OF_KIND + 7, {}),
      ...many(MAX_FACTS_OF_KIND, { kind: "user_agent" }),
      ...many(3, { deviceId: id(8) }),
    ]);
    await expireRows(tx, "main", NOON, 30);
    const limit = 2 * MAX_FACTS_OF_KIND;
    const domains = await factsOfDevices(tx, "main", [id(9)], limit, ["domain"]);
    assert.equal(domains.length, MAX_FACTS_OF_KIND);
    assert.deepEqual([domains[0]!.value, domains.at(-1)!.value], [`v${MAX_FACTS_OF_KIND + 6}`, "v7"]);
    assert.equal(
      (await factsOfDevices(tx, "main", [id(9)], limit, ["user_agent"])).length,
      MAX_FACTS_OF_KIND,
    );
    assert.equal((await factsOfDevices(tx, "main", [id(8)], limit)).length, 3);
  });
});

testDatabases("the newest report of a capture process is kept", async (db) => {
  const sample: StoredSample = {
    sensorId: "zeek-1",
    recordKind: "zeek.stats",
    peer: null,
    at: NOON,
    receivedAt: NOON,
    interval: null,
    packets: 2n ** 60n,
    dropped: 0,
    lossPercent: 0,
  };
  const last = { ...sample, at: NOON - 5, receivedAt: NOON + 1, interval: 900 * SECOND, lossPercent: 12.5 };
  await db.tenant("main", async (tx) => {
    await recordSamples(tx, "main", [sample, { ...sample, peer: "w" }]);
    await recordSamples(tx, "main", [last]);
    assert.deepEqual(await samplesSince(tx, "main", NOON), [last, { ...sample, peer: "w" }]);
    assert.deepEqual(await samplesSince(tx, "main", NOON + 1), [last]);
  });
});

async function counts(db: Database): Promise<Record<string, number>> {
  const tables = ["dns_answer", "device_fact", "dhcp_lease", "capture_sample"];
  return await db.tenant("main", async (tx) => {
    const rows = await Promise.all(tables.map(async (table) => {
      const [row] = await tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`);
      return [table, row!.n];
    }));
    return Object.fromEntries(rows);
  });
}

testDatabases(
  "facts expire like records: by day, or by receipt if their time cannot be trusted",
  async (db) => {
    await registerTenants(db, ["main"]);
    await createPartitions(db, NOW, 30);
    const loss = '{"ts":1700000000,"percent_lost":1,"acks":5}';
    const lines = [
      dns({ at: NOW - MINUTE }),
      ssl({ at: NOW - MINUTE, more: { server_name: "a.example.net" } }),
      rawLine("zeek.capture_loss", "2026-01-31T07:00:00Z", loss),
      // A recording from years ago, and a clock years ahead.
      dns({ at: NOW - 3000 * DAY, srcPort: 50_001, query: "old.example.org" }),
      dns({ at: NOW + 3000 * DAY, srcPort: 50_002, query: "ahead.example.org" }),
    ];
    await pushBatch(db, ZEEK, lines, NOW);
    await pushBatch(db, SURICATA, [dhcpAck("10.0.0.77", "9c:b6:d0:00:00:01")], NOW);
    await settle(db);
    const all = { dns_answer: 3, device_fact: 3, dhcp_lease: 1, capture_sample: 1 };
    assert.deepEqual(await counts(db), all);
    await applyRetention(db, NOW + 29 * DAY, 30);
    assert.deepEqual(await counts(db), all);
    await applyRetention(db, NOW + 32 * DAY, 30);
    assert.deepEqual(await counts(db), { dns_answer: 0, device_fact: 0, dhcp_lease: 0, capture_sample: 0 });
  },
);

testDatabases("impossible times do not block the pipeline", async (db) => {
  const wild = (day: string, srcPort: number) =>
    dns({ at: 0, srcPort, more: { ts: undefined } }).replace(
      /"observed_at":"[^"]+"/,
      `"observed_at":"${day}T00:00:00Z"`,
    );
  const days = ["0000-01-01", "0000-01-02", "0001-01-01", "9999-12-30", "9999-12-31"];
  await pushBatch(db, ZEEK, days.map((day, n) => wild(day, 50_000 + n)));
  await settle(db);
  const rows = await db.tenant("main", (tx) => tx.rows(sql`select day from dns_answer`));
  assert.equal(
    rows.length,
    2,
    "times before the first day count on it, times far after the receipt at the receipt",
  );
});

testDatabases("a round with only flows writes only flows", async (db) => {
  await push(db, ZEEK, [
    rawLine("zeek.conn", "2026-01-31T07:00:00Z", '{"id.orig_h":"10.0.0.5","id.orig_p":1}'),
  ]);
  await settle(db);
  assert.deepEqual(await counts(db), { dns_answer: 0, device_fact: 0, dhcp_lease: 0, capture_sample: 0 });
});
