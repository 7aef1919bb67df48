// Real sensor output through the ingest and back out of the store, byte for byte, on both engines.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import type { RecordKind } from "../../../src/contract/record/kinds.ts";
import { eveKindOf, observedAtOf } from "../../../src/domain/record/derive-envelope.ts";
import { parseJson } from "../../../src/kit/json/json.ts";
import { testDatabase } from "../../support/database.ts";
import { counts, storedRecords, storedRejections, TestListener } from "./ingest-harness.ts";

const DATA = new URL("../../data/ingest/", import.meta.url);

interface Line {
  /** The line in the sensor's file. */
  record: string;
  envelope: string;
}

/** Wraps each line as a transport would, with the record's text unchanged. */
function recording(file: string, kindOf: (record: Record<string, unknown>) => RecordKind | null): Line[] {
  const lines: Line[] = [];
  for (const record of Deno.readTextFileSync(new URL(file, DATA)).split("\n")) {
    if (record === "") continue;
    const parsed = tryParse(record);
    const kind = parsed === null ? "suricata.http" : kindOf(parsed);
    if (kind === null) continue;
    const observedAt = (parsed && observedAtOf(kind, parsed as never)) ?? "2017-01-30T15:12:26Z";
    lines.push({ record, envelope: `{"kind":"${kind}","observed_at":"${observedAt}","payload":${record}}` });
  }
  return lines;
}

function tryParse(text: string): Record<string, unknown> | null {
  try {
    return parseJson(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const ZEEK = [
  ...recording("zeek-conn.ndjson", () => "zeek.conn"),
  ...recording("zeek-dns.ndjson", () => "zeek.dns"),
];
const FLOWS = recording("goflow2.ndjson", () => "netflow.flow");
const EVE = recording("eve-broken.ndjson", (record) => eveKindOf(String(record.event_type)));

/** The recordings do contain some records twice: each of those is one record. */
function distinct(lines: readonly Line[]): string[] {
  return [...new Set(lines.map((line) => line.record))];
}

testDatabase("recordings come back byte for byte, once, whatever is repeated", async (db) => {
  await using listener = await TestListener.start({ db });
  const lines = [...ZEEK, ...FLOWS];
  const records = distinct(lines);
  const body = lines.map((line) => line.envelope).join("\n");
  const zipped = { body: gzipSync(body), headers: { "content-encoding": "gzip" } };
  const repeats = lines.length - records.length;
  assert.deepEqual(counts(await listener.send(zipped)), {
    accepted: records.length,
    duplicates: repeats,
    rejected: 0,
  });
  assert.deepEqual(counts(await listener.send({ body })), {
    accepted: 0,
    duplicates: lines.length,
    rejected: 0,
  });
  const stored = await storedRecords(db);
  assert.deepEqual(stored.map((record) => record.payload), records);
  const unparsed = stored.filter((record) => record.parse_status === "unparsed");
  assert.deepEqual(unparsed.map((record) => `${record.kind} ${record.parse_reason}`), []);
});

const BROKEN = EVE.filter((line) => tryParse(line.record) === null);
const WHOLE = EVE.filter((line) => tryParse(line.record) !== null);

testDatabase("broken lines are rejected and stored, the others accepted", async (db) => {
  await using listener = await TestListener.start({ db });
  assert.ok(BROKEN.length >= 3 && WHOLE.length > 50);
  const records = distinct(WHOLE);
  const answer = await listener.post(EVE.map((line) => line.envelope));
  assert.deepEqual(counts(answer), {
    accepted: records.length,
    duplicates: WHOLE.length - records.length,
    rejected: BROKEN.length,
  });
  assert.deepEqual((await storedRecords(db)).map((record) => record.payload), records);
  assert.deepEqual(
    (await storedRejections(db)).map((row) => Buffer.from(row.line, "latin1").toString()).sort(),
    BROKEN.map((line) => line.envelope).sort(),
  );
});

testDatabase("many senders of the same records store each once", async (db) => {
  await using listener = await TestListener.start({ db });
  const lines = [...ZEEK, ...EVE];
  const records = distinct([...ZEEK, ...WHOLE]).length;
  const senders = 6;
  const orders = Array.from({ length: senders }, (_, i) => [...lines.slice(i * 9), ...lines.slice(0, i * 9)]);
  const answers = await Promise.all(orders.map((order) => listener.post(order.map((line) => line.envelope))));
  const sum = (name: keyof ReturnType<typeof counts>) =>
    answers.map(counts).reduce((total, answer) => total + answer[name], 0);
  const sent = (lines.length - BROKEN.length) * senders;
  assert.deepEqual([sum("accepted"), sum("duplicates"), sum("rejected")], [
    records,
    sent - records,
    BROKEN.length * senders,
  ]);
  assert.equal((await storedRecords(db)).length, records);
  assert.equal((await storedRejections(db)).length, BROKEN.length);
});
