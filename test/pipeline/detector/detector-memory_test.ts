// Detector states in memory are bounded, and eviction changes nothing: evicted states are read again.

import assert from "node:assert/strict";
import type { Detector, StateType } from "../../../src/domain/detect/kernel/detector.ts";
import { DETECTORS } from "../../../src/domain/detect/registry.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { freshDatabase, testDatabase } from "../../support/database.ts";
import { line, linesOfFiles, push, sensor } from "../../support/record/pipeline.ts";
import { type Snapshot, snapshot } from "../../support/record/snapshot.ts";

const SAMPLE = new URL("../../data/sample/", import.meta.url).pathname;
const MAIN = { tenantId: "main", settings: defaultSite("main") };
const ZEEK = sensor("zeek-1");
/** Far less than the flood takes, and less than two rounds use. */
const FEW_BYTES = 300_000;
const SIZE = { batches: 2, records: 500 };
const PARTS = [
  "incident",
  "incident_device",
  "incident_evidence",
  "incident_score",
  "model_result",
  "detector_state",
];

/** Connections and DNS queries with hardly any address or name twice. */
function flood(count: number): string[] {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 2_147_483_648 * below);
  };
  return Array.from({ length: count }, (_, at) => {
    const seconds = 1_349_620_000 + at * 0.5;
    const ends = {
      ts: seconds,
      uid: `F${at}`,
      "id.orig_h": `172.16.253.${10 + random(40)}`,
      "id.orig_p": 1024 + random(60_000),
    };
    const when = new Date(seconds * 1000).toISOString();
    if (at % 4 === 0) {
      const name = `${random(2 ** 30).toString(36)}.${random(2 ** 30).toString(36)}.com`;
      const lookup = { ...ends, "id.resp_h": "172.16.253.2", "id.resp_p": 53, proto: "udp", query: name };
      return line("zeek.dns", when, {
        ...lookup,
        qtype_name: "A",
        rcode_name: "NOERROR",
        answers: ["198.51.100.7"],
      });
    }
    const server = `${20 + random(160)}.${random(256)}.${random(256)}.${1 + random(250)}`;
    return line("zeek.conn", when, {
      ...ends,
      "id.resp_h": server,
      "id.resp_p": [80, 443, 8080, 22][random(4)],
      proto: "tcp",
      duration: 0.4,
      orig_bytes: 300,
      resp_bytes: 900,
      orig_pkts: 5,
      resp_pkts: 5,
      conn_state: "SF",
    });
  });
}

/** The recording with the beacon, and the flood, in the order of time. */
async function records(floods: number): Promise<string[]> {
  const real = await linesOfFiles(`${SAMPLE}brobeat/conn.log`, `${SAMPLE}brobeat/dns.log`);
  const at = (text: string) => JSON.parse(text).observed_at as string;
  return [...real, ...flood(floods)].sort((a, b) => at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0);
}

/** Processes everything; each round is prepared before the one before it is written. */
async function processAll(db: Database, states: StateCache): Promise<number> {
  let peak = 0;
  let round = await prepareRound(db, { ...MAIN, size: SIZE, states });
  while (round !== null) {
    const next = await prepareRound(db, { ...MAIN, previous: round, size: SIZE, states });
    await applyRound(db, round, { now: systemClock.now() });
    states.committed(round.basis.last);
    peak = Math.max(peak, states.bytes);
    assert.deepEqual(states.faults.take(), []);
    round = next;
  }
  return peak;
}

function detected(taken: Snapshot): Snapshot {
  return Object.fromEntries(PARTS.map((part) => [part, taken[part]!]));
}

async function outcome(
  db: Database,
  lines: string[],
  states: StateCache,
): Promise<{ peak: number; taken: Snapshot }> {
  await registerTenants(db, ["main"]);
  await push(db, ZEEK, lines, 250);
  const peak = await processAll(db, states);
  return { peak, taken: detected(await snapshot(db)) };
}

testDatabase("a flood of random addresses and names: bounded memory, same incidents", async (db) => {
  const lines = await records(4_000);
  const small = await outcome(db, lines, new StateCache(() => FEW_BYTES));
  const other = await freshDatabase();
  const large = await outcome(other, lines, new StateCache());
  await other.close();

  assert.ok(large.peak > 8 * FEW_BYTES, `the flood takes only ${large.peak} bytes`);
  // States of the last three rounds cannot be evicted before they are stored.
  assert.ok(small.peak < large.peak / 3, `${small.peak} of ${large.peak} bytes`);
  assert.deepEqual(small.taken, large.taken);
  assert.ok(large.taken.incident!.some((incident) => incident.includes("188.173.32.149")));
});

/** A state that can be read and written only while it is empty. */
const BRITTLE: StateType<number> = {
  id: 9_999,
  name: "brittle",
  keepDays: 1,
  maxBytes: 8,
  empty: () => 0,
  encode(state) {
    if (state > 0) throw new RangeError("cannot be written");
    return Uint8Array.of(7);
  },
  decode() {
    throw new RangeError("cannot be read");
  },
  size: () => 8,
};

/** Fails in every way that a detector can, on ordinary connections. */
const FAILING: Detector = {
  info: {
    modelId: "failing",
    version: "1",
    title: "-",
    technique: null,
    description: "-",
    meaning: "-",
    checks: [],
    sources: "-",
    baseline: "-",
    reports: [],
    ignores: [],
  },
  states: [BRITTLE],
  feeds: ["connection"],
  match({ dst }, states) {
    if (dst.port === 80) throw new Error("cannot be matched");
    const entry = states(BRITTLE, "one");
    return () => {
      if (dst.port === 91) throw new Error("cannot be evaluated");
      entry.save(entry.state + 1);
      return null;
    };
  },
};

testDatabase("a failing detector affects no other one and does not stop the pipeline", async (db) => {
  await registerTenants(db, ["main"]);
  await push(db, ZEEK, await linesOfFiles(`${SAMPLE}brobeat/conn.log`), 10);
  const failed = new Set<string>();
  for (;;) {
    const states = new StateCache();
    const round = await prepareRound(db, {
      ...MAIN,
      size: { batches: 2, records: 1_000 },
      states,
      detectors: [FAILING, ...DETECTORS],
    });
    if (round === null) break;
    await applyRound(db, round, { now: systemClock.now() });
    for (const { what, message, count } of states.faults.take()) {
      assert.ok(count > 0);
      failed.add(`${what}: ${message}`);
    }
  }
  assert.deepEqual([...failed].sort(), [
    "detector failing: cannot be evaluated",
    "detector failing: cannot be matched",
    'state "brittle", reading: cannot be read',
    'state "brittle", writing: cannot be written',
  ]);
  const { incident } = await snapshot(db);
  assert.ok(incident!.some((row) => row.includes("188.173.32.149")), "the beacon is found");
});
