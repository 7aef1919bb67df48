import assert from "node:assert/strict";
import fc from "fast-check";
import { MINUTE, plus, type TrafficChange } from "./traffic.ts";
import { TrafficLog } from "./traffic-log.ts";
import type { AddressTraffic } from "./traffic-table.ts";

const ADDRESSES = ["10.0.0.1", "10.0.0.2", "192.0.2.7", "2001:db8::1"];
const MINUTES = 12;

const COUNT = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n }),
);

/** Rows of up to eight batches, in their order. */
const ROWS = fc.array(
  fc.record({
    batchNo: fc.integer({ min: 1, max: 8 }),
    minute: fc.nat(MINUTES - 1).map((minute) => minute * MINUTE),
    low: fc.constantFrom(...ADDRESSES),
    high: fc.constantFrom(...ADDRESSES),
    service: fc.constantFrom(null, "dns", "http"),
    bytesUp: COUNT,
    bytesDown: COUNT,
    packets: COUNT,
    flows: fc.integer({ min: -3, max: 3 }),
    firstSeen: fc.nat(MINUTES * MINUTE),
    lastSeen: fc.nat(MINUTES * MINUTE),
  }),
  { maxLength: 60 },
).map((rows) => rows.sort((a, b) => a.batchNo - b.batchNo));

type Row = TrafficChange & { batchNo: number };

function filled(rows: readonly Row[], since = 0): TrafficLog {
  const log = new TrafficLog(since);
  for (const row of rows) log.append(row, row.batchNo);
  return log;
}

/** By pair, from the rows themselves. */
function expected(rows: readonly Row[], from: number, to: number, through: number) {
  const sums = new Map<string, unknown[]>();
  for (const row of rows) {
    if (row.batchNo > through || row.minute < from || row.minute >= to) continue;
    const turned = row.low > row.high;
    const key = turned ? `${row.high} ${row.low}` : `${row.low} ${row.high}`;
    const [up, down] = turned ? [row.bytesDown, row.bytesUp] : [row.bytesUp, row.bytesDown];
    const [a, b, packets, flows, first, last, services] =
      (sums.get(key) ?? [0, 0, 0, 0, Infinity, -Infinity, {}]) as [
        number,
        number,
        number,
        number,
        number,
        number,
        Record<string, number>,
      ];
    if (row.service !== null) services[row.service] = (services[row.service] ?? 0) + row.flows;
    sums.set(key, [
      plus(a, up),
      plus(b, down),
      plus(packets, row.packets),
      flows + row.flows,
      Math.min(first, row.firstSeen),
      Math.max(last, row.lastSeen),
      services,
    ]);
  }
  return sums;
}

function shown({ addresses, table }: AddressTraffic) {
  const services = Array.from({ length: table.size }, (): Record<string, number> => ({}));
  const { size, entry, service, flows, names } = table.services;
  for (let row = 0; row < size; row++) services[entry[row]!]![names[service[row]!]!] = flows[row]!;
  return new Map(services.map((services, at) => {
    const { bytesUp, bytesDown, packets, flows, firstSeen, lastSeen } = table.traffic(at);
    const sum = [bytesUp, bytesDown, packets, flows, firstSeen, lastSeen, services];
    return [`${addresses[table.low[at]!]} ${addresses[table.high[at]!]}`, sum];
  }));
}

const WINDOW = fc.tuple(fc.nat(MINUTES), fc.nat(MINUTES)).map(([a, b]) =>
  [Math.min(a, b) * MINUTE, Math.max(a, b) * MINUTE] as const
);

Deno.test("traffic in memory: any window, as any batch has left it, is the sum of its rows", () => {
  fc.assert(fc.property(ROWS, WINDOW, fc.nat(9), (rows, [from, to], through) => {
    assert.deepEqual(shown(filled(rows).sum({ from, to }, through)), expected(rows, from, to, through));
  }));
});

Deno.test("traffic in memory: dropping old minutes changes no later window", () => {
  fc.assert(fc.property(ROWS, WINDOW, fc.nat(9), (rows, [from, to], through) => {
    const log = filled(rows).without(from);
    assert.equal(log.rows, rows.filter(({ minute }) => minute >= from).length);
    assert.deepEqual(shown(log.sum({ from, to }, through)), expected(rows, from, to, through));
  }));
});

Deno.test("traffic in memory: many pairs are each counted once", () => {
  const [row] = fc.sample(ROWS.filter((rows) => rows.length > 0), 1)[0]!;
  const rows = Array.from({ length: 20_000 }, (_, at): Row => ({
    ...row!,
    batchNo: 1,
    minute: 0,
    low: `10.0.${Math.floor(at / 200) % 100}.${at % 200}`,
    high: `192.0.2.${at % 7}`,
    service: null,
    bytesUp: at,
  }));
  const pairs = new Set(rows.map(({ low, high }) => `${low} ${high}`));
  const { table } = filled(rows).sum({ from: 0, to: MINUTE }, 1);
  assert.equal(table.size, pairs.size);
  assert.equal(
    Array.from({ length: table.size }, (_, at) => table.bytesUp.get(at)).reduce(plus),
    20_000 * 19_999 / 2,
  );
});
