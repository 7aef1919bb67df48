// The same records yield the same results, however they are cut into batches and however many are processed
// at once.

import assert from "node:assert/strict";
import { STATE_TYPES } from "../../../src/domain/detect/registry.ts";
import type { Source } from "../../../src/config/sources.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { compileIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { applyRetention } from "../../../src/core/jobs/retention.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { DEFAULT_ENGINES, freshDatabase, testDatabase } from "../../support/database.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { line, linesOfFiles, push, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { assertSameSnapshot, type Snapshot, snapshot } from "../../support/record/snapshot.ts";

const SAMPLE = new URL("../../data/sample/", import.meta.url).pathname;
const CAPTURES = new URL("../../data/captures/", import.meta.url).pathname;
const BROBEAT = `${CAPTURES}brobeat/`;
/** A fixed list of addresses and names that occur in the recordings. */
const INTEL = new IntelSet(
  compileIntel([{ name: "feed.txt", pieces: ["188.173.32.149\n216.0.0.0/8\ngoogle.com\n8.8.8.8\n"] }]).data,
);
const ZEEK = sensor("zeek-1");
const SURICATA = sensor("suricata-1");

interface Arrival {
  source: Source;
  line: string;
}

/** Leases that change their holders, and the names their holders report, in random order. */
function namesOfMachines(): string[] {
  const random = randomFrom(77);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: 90 }, (_, n) => {
    const at = formatMicros(1_769_860_800_000_000 + Math.floor(random() * 3600) * 1_000_000);
    const ends = {
      src_ip: `10.0.2.${pick([15, 16])}`,
      src_port: 50_000 + n,
      dest_ip: "10.0.2.3",
      proto: "TCP",
    };
    switch (pick(["ask", "ack", "smb", "krb5"])) {
      case "ask":
        return dhcp(at, {
          type: "request",
          dhcp_type: "request",
          hostname: pick(["ana", "ben", "eve", undefined]),
        });
      case "ack":
        return dhcp(at, { type: "reply", dhcp_type: "ack", lease_time: pick([600, undefined]) });
      case "smb":
        return line("suricata.smb", at, {
          ...ends,
          timestamp: at,
          dest_port: 445,
          smb: {
            status: "STATUS_SUCCESS",
            ntlmssp: { user: "u", domain: "CORP", host: pick(["WS-1", "WS-2"]) },
          },
        });
      default:
        return line("suricata.krb5", at, {
          ...ends,
          timestamp: at,
          dest_port: 88,
          krb5: { msg_type: "KRB_AS_REP", cname: pick(["ana", "WS-3$"]), realm: "CORP.EXAMPLE" },
        });
    }
  });

  function dhcp(at: string, message: Record<string, unknown>): string {
    const ip = `10.0.2.${pick([15, 16, 17])}`;
    const isReply = message.type === "reply";
    return line("suricata.dhcp", at, {
      timestamp: at,
      src_ip: isReply ? "10.0.2.3" : "0.0.0.0",
      src_port: isReply ? 67 : 68,
      dest_ip: "255.255.255.255",
      dest_port: isReply ? 68 : 67,
      proto: "UDP",
      dhcp: {
        ...message,
        client_mac: pick(["9c:b6:d0:00:00:01", "9c:b6:d0:00:00:02"]),
        ...(isReply ? { assigned_ip: ip } : { requested_ip: ip }),
      },
    });
  }
}

/**
 * Connections, DNS transactions and alerts of two sensors, partly about the same flows, in alternating runs
 * of each sensor. The recordings lie years apart, and each run continues one of them, so much arrives late.
 */
async function arrivals(): Promise<Arrival[]> {
  const streams = [
    { source: ZEEK, lines: await linesOfFiles(`${SAMPLE}brobeat/conn.log`, `${SAMPLE}brobeat/dns.log`) },
    { source: SURICATA, lines: await (await linesOfFiles(`${SAMPLE}wrccdc-2017/alerts.json`)).slice(-80) },
    { source: ZEEK, lines: await linesOfFiles(`${CAPTURES}two-sensors/conn.log`) },
    { source: SURICATA, lines: (await linesOfFiles(`${CAPTURES}two-sensors/eve.ndjson.gz`)).slice(-60) },
    {
      source: ZEEK,
      lines: (await linesOfFiles(`${SAMPLE}saitama/conn.ndjson`, `${SAMPLE}saitama/dns.ndjson`)).slice(0, 60),
    },
    { source: SURICATA, lines: (await linesOfFiles(`${SAMPLE}cdmcs/eve.ndjson.gz`)).slice(0, 130) },
    {
      source: ZEEK,
      lines: await linesOfFiles(...["stats", "capture_loss"].map((log) => `${BROBEAT}${log}.log`)),
    },
    { source: ZEEK, lines: (await linesOfFiles(`${BROBEAT}http.log`, `${BROBEAT}ssl.log`)).slice(0, 80) },
    { source: SURICATA, lines: namesOfMachines() },
  ];
  const random = randomFrom(20_260_131);
  const all: Arrival[] = [];
  for (;;) {
    const left = streams.filter(({ lines }) => lines.length > 0);
    if (left.length === 0) return all;
    const { source, lines } = left[Math.floor(random() * left.length)]!;
    for (const line of lines.splice(0, 1 + Math.floor(random() * 60))) all.push({ source, line });
  }
}

interface Manner {
  batchSize: number;
  batchesPerRound: number;
  /** Requests are sent again, in full or starting with lines sent before. */
  repeats: boolean;
  /** Whether the pipeline runs while records arrive, or only after all of them are stored. */
  follow: boolean;
}

const MANNERS: Manner[] = [
  { batchSize: 1, batchesPerRound: 5, repeats: false, follow: true },
  { batchSize: 7, batchesPerRound: 1, repeats: true, follow: true },
  { batchSize: 100, batchesPerRound: 2, repeats: true, follow: false },
  { batchSize: 1000, batchesPerRound: 4, repeats: false, follow: true },
];

async function run(db: Database, all: readonly Arrival[], manner: Manner): Promise<Snapshot> {
  const { batchSize, batchesPerRound, repeats, follow } = manner;
  const random = randomFrom(batchSize);
  for (let from = 0; from < all.length;) {
    const { source } = all[from]!;
    let to = from;
    while (to < all.length && to < from + batchSize && all[to]!.source === source) to++;
    await pushBatch(db, source, all.slice(from, to).map(({ line }) => line));
    if (repeats && random() < 0.5) {
      let again = from;
      while (again > from - random() * batchSize && all[again - 1]?.source === source) again--;
      const { accepted } = await pushBatch(db, source, all.slice(again, to).map(({ line }) => line));
      assert.equal(accepted, 0);
    }
    if (follow && random() < 0.15) await settle(db, { batchesPerRound, intel: INTEL });
    from = to;
  }
  await settle(db, { batchesPerRound, intel: INTEL });
  return await snapshot(db);
}

/** A repeatable source of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`batches of any size, repeated or not, yield the same results (${engine})`, async () => {
    const all = await arrivals();
    // One request for each run of a sensor, all processed in one transaction.
    const whole = { batchSize: 1000, batchesPerRound: 1000, repeats: false, follow: false };
    let reference: Snapshot | null = null;
    for (const manner of [whole, ...MANNERS]) {
      const db = await freshDatabase(engine);
      try {
        const taken = await run(db, all, manner);
        reference ??= taken;
        assertSameSnapshot(taken, reference, JSON.stringify(manner));
      } finally {
        await db.close();
      }
    }
    // The comparison is meaningful only if every part has content.
    const parts = [
      "flow",
      "evidence",
      "device_score",
      "detector_state",
      "incident",
      "incident_mark",
      "event_log",
    ];
    for (
      const part of [
        ...parts,
        "device_fact",
        "dhcp_lease",
        "dns_answer",
        "intel_match",
        "term",
        "flow_term",
        "address_geo",
      ]
    ) {
      assert.ok(reference![part]!.length > 3, part);
    }
    assert.equal(reference!.capture_sample!.length, 2);
    const named = reference!.device!.filter((row) => /"display_name_source": "(?!address)/.test(row));
    assert.ok(named.length > 2);
  });
}

testDatabase("a recording replayed again after it has expired joins what is left of it", async (db) => {
  await registerTenants(db, ["main"]);
  const lines = await linesOfFiles(`${SAMPLE}brobeat/conn.log`, `${SAMPLE}brobeat/dns.log`);
  await push(db, ZEEK, lines);
  await settle(db);
  const before = await snapshot(db);

  const days = 86_400_000_000;
  await applyRetention(db, systemClock.now() + 40 * days, 30);
  const between = await snapshot(db);
  assert.deepEqual([between.raw_record, between.evidence, between.flow], [[], [], []]);
  const lasting = new Set(STATE_TYPES.filter(({ keepDays }) => keepDays > 40).map(({ id }) => id));
  const left = between.detector_state!.map((row) => JSON.parse(row).state_type);
  assert.ok(left.length > 0 && left.every((memory) => lasting.has(memory)), `memories left: ${left}`);
  assert.deepEqual(between.incident, before.incident);

  const { accepted } = await pushBatch(db, ZEEK, lines);
  assert.equal(accepted, lines.length);
  await settle(db);
  const after = await snapshot(db);
  for (const part of ["raw_record", "evidence", "flow", "device", "incident", "incident_evidence"]) {
    assert.deepEqual(after[part], before[part], part);
  }
});
