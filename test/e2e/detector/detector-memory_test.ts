// What detectors remember is bounded, whatever they see, and forgetting in memory changes nothing: it is read again.

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
const SITE = defaultSite("main");
const ZEEK = sensor("zeek-1");
/** Far less than the flood would take, and less than two rounds use. */
const FEW_BYTES = 300_000;
const SIZE = { batches: 2, records: 500 };
const PARTS = [
  "incident",
  "incident_device",
  "incident_evidence",
  "incident_score",
  "model_result",
  "detector_memory",
];

/** Connections to addresses, and questions for names, of which hardly two are the same. */
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
      const asked = { ...ends, "id.resp_h": "172.16.253.2", "id.resp_p": 53, proto: "udp", query: name };
      return line("zeek.dns", when, {
        ...asked,
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

/** The beacon of the recording and the flood, in the order of time. */
async function records(floods: number): Promise<string[]> {
  const real = await linesOfFiles(`${SAMPLE}brobeat/conn.log`, `${SAMPLE}brobeat/dns.log`);
  const at = (text: string) => JSON.parse(text).observed_at as string;
  return [...real, ...flood(floods)].sort((a, b) => at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0);
}

/** Takes everything up, each round prepared before the one before it is written, as on a fast machine. */
async function takeUp(db: Database, memories: StateCache): Promise<number> {
  let peak = 0;
  let round = await prepareRound(db, "main", SITE, null, { size: SIZE, memories });
  while (round !== null) {
    const next = await prepareRound(db, "main", SITE, round, { size: SIZE, memories });
    await applyRound(db, "main", SITE, round, systemClock.now());
    memories.committed(round.next.batchNo);
    peak = Math.max(peak, memories.bytes);
    assert.deepEqual(memories.faults.take(), []);
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
  memories: StateCache,
): Promise<{ peak: number; taken: Snapshot }> {
  await registerTenants(db, ["main"]);
  await push(db, ZEEK, lines, 250);
  const peak = await takeUp(db, memories);
  return { peak, taken: detected(await snapshot(db)) };
}

testDatabase("a flood of random addresses and names: bounded memory, and the same incidents", async (db) => {
  const lines = await records(4_000);
  const small = await outcome(db, lines, new StateCache(() => FEW_BYTES));
  const other = await freshDatabase();
  const large = await outcome(other, lines, new StateCache());
  await other.close();

  assert.ok(large.peak > 8 * FEW_BYTES, `the flood takes only ${large.peak} bytes`);
  // What three rounds use cannot be forgotten before it is stored.
  assert.ok(small.peak < large.peak / 3, `${small.peak} of ${large.peak} bytes`);
  assert.deepEqual(small.taken, large.taken);
  assert.ok(large.taken.incident!.some((incident) => incident.includes("188.173.32.149")));
});

/** A memory that can be read and written only while it is empty. */
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

/** Fails in every way that a detector can, at ordinary connections. */
const FAILING: Detector = {
  info: {
    modelId: "failing",
    version: "1",
    title: "-",
    technique: null,
    description: "-",
    sources: "-",
    baseline: "-",
    reports: [],
    ignores: [],
  },
  states: [BRITTLE],
  feeds: ["connection"],
  match({ dst }, need) {
    if (dst.port === 80) throw new Error("cannot be attended to");
    const slot = need(BRITTLE, "one");
    return () => {
      if (dst.port === 91) throw new Error("cannot be judged");
      slot.save(slot.state + 1);
      return null;
    };
  },
};

testDatabase("a detector that fails harms no other one, and holds up nothing", async (db) => {
  await registerTenants(db, ["main"]);
  await push(db, ZEEK, await linesOfFiles(`${SAMPLE}brobeat/conn.log`), 10);
  const failed = new Set<string>();
  for (;;) {
    const memories = new StateCache();
    const round = await prepareRound(db, "main", SITE, null, {
      size: { batches: 2, records: 1_000 },
      memories,
      detectors: [FAILING, ...DETECTORS],
    });
    if (round === null) break;
    await applyRound(db, "main", SITE, round, systemClock.now());
    for (const { what, message, count } of memories.faults.take()) {
      assert.ok(count > 0);
      failed.add(`${what}: ${message}`);
    }
  }
  assert.deepEqual([...failed].sort(), [
    "detector failing: cannot be attended to",
    "detector failing: cannot be judged",
    'memory "brittle", reading: cannot be read',
    'memory "brittle", writing: cannot be written',
  ]);
  const { incident } = await snapshot(db);
  assert.ok(incident!.some((row) => row.includes("188.173.32.149")), "the beacon is found all the same");
});
