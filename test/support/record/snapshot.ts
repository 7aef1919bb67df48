// The stored result of records as comparable text; the same records must give the same result, however they
// arrived.

import assert from "node:assert/strict";
import { decodeBlock } from "../../../src/store/record/block.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { flushJournal } from "../../../src/store/detector/journal.ts";
import { plainArray } from "../../../src/store/engine/literals.ts";
import { identifier, type Sql, sql } from "../../../src/store/engine/sql.ts";
import { countTerms } from "../../../src/store/search/term-counts.ts";

/** Rows as JSON text, by subject. Text keeps all digits of 64-bit integers. */
export type Snapshot = Record<string, string[]>;

interface Part {
  table: string;
  /** Columns that differ between runs: receipt times and byte positions. */
  without?: string[];
  /** Selects rows that do not derive from records. */
  but?: Sql;
  order: Sql;
}

/** Whether a flow equals its primary observation depends on when both were received. */
const FOLDED = ["folded_observed_at", "folded_batch_no", "folded_position"];

const PARTS: Part[] = [
  { table: "rejected_line", without: ["received_at"], order: sql`sensor_id, line_hash` },
  { table: "flow", without: ["received_at", ...FOLDED], order: sql`flow_id` },
  // A job classifies devices at its own time.
  { table: "device", without: ["seen_batch", "device_type", "confidence"], order: sql`device_id` },
  { table: "device_address", order: sql`ip` },
  { table: "device_vlan", order: sql`device_id, vlan_id` },
  { table: "device_tag", order: sql`device_id, tag` },
  { table: "device_score", order: sql`device_id, entry_no` },
  { table: "device_fact", without: ["received_at"], order: sql`device_id, kind, value` },
  { table: "dhcp_lease", without: ["received_at"], order: sql`ip, mac` },
  { table: "dns_answer", without: ["received_at"], order: sql`address, day, client_ip, name` },
  { table: "term", without: ["received_at"], order: sql`term_id, day` },
  { table: "address_geo", without: ["seen_day"], order: sql`ip` },
  { table: "capture_sample", without: ["received_at"], order: sql`sensor_id, peer, record_kind` },
  { table: "detector_state", without: ["updated_at"], order: sql`state_type, key_hash` },
  { table: "incident", order: sql`incident_no` },
  // The hour in which a record is received differs between runs.
  { table: "incident_opening", but: sql`by_receipt`, order: sql`hour, model_id, severity` },
  { table: "incident_device", order: sql`incident_id, ordinal` },
  { table: "incident_mark", order: sql`incident_id, mark` },
  { table: "incident_evidence", order: sql`incident_id, evidence_id` },
  { table: "incident_pair", order: sql`incident_id, low, high` },
  { table: "incident_score", order: sql`incident_id, entry_no` },
  { table: "model_result", without: ["result_no", "created_at"], order: sql`result_no` },
  { table: "response_action", without: ["proposed_at"], order: sql`action_id` },
  { table: "workflow_history", order: sql`object_id, entry_no` },
  { table: "intel_match", without: ["received_at"], order: sql`party_ip, kind, indicator` },
  // Health incidents of the appliance itself may occur in between.
  {
    table: "event_log",
    without: ["occurred_at", "event_no"],
    but: sql`type = 'health.transition'`,
    order: sql`event_no`,
  },
  { table: "pipeline_cursor", without: ["batch_no", "last_batch_at"], order: sql`tenant_id` },
  { table: "graph_mark", order: sql`minute, low, high, kind, indicator` },
  { table: "tenant_counter", without: ["batch_no", "event_no"], order: sql`tenant_id` },
];

/** Unprocessed records are only in `raw_record`, so settle first. */
export async function snapshot(db: Database, tenantId = "main"): Promise<Snapshot> {
  return await db.tenant(tenantId, async (tx) => {
    // The time at which states reach the table differs between runs.
    await flushJournal(tx, tenantId);
    while (!await countTerms(tx, tenantId));
    const records = await recordsByPlace(tx);
    const taken: Snapshot = {
      raw_record: await rawRecords(tx, records),
      evidence: await evidence(tx, records),
      flow_term: await flowTerms(tx),
      graph_traffic: await graphTraffic(tx),
    };
    for (const { table, without = [], but = sql`false`, order } of PARTS) {
      const rows = await tx.rows<{ row: string }>(sql`
        select (to_jsonb(t) - ${plainArray(["tenant_id", ...without])}::text[])::text as row
        from ${identifier(table)} t where not (${but}) order by ${order}`);
      const texts = rows.map(({ row }) => row);
      taken[table] = table === "event_log" ? withEscalationsMerged(texts) : texts;
    }
    return taken;
  });
}

/**
 * Escalations of one batch are one event, so their number depends on how records were split into batches. Merges all
 * escalations of an incident: the score before the first one, in the last event.
 */
function withEscalationsMerged(rows: readonly string[]): string[] {
  const merged = new Map<string, { event: Record<string, unknown>; from: unknown }>();
  const events = rows.map((row) => JSON.parse(row));
  const kept = new Set(events);
  for (const event of events.filter(({ type }) => type === "incident.escalated")) {
    const { incident } = event.body;
    const earlier = merged.get(incident.id);
    if (earlier !== undefined) kept.delete(earlier.event);
    const from = earlier?.from ?? incident.previous_score;
    incident.previous_score = from;
    merged.set(incident.id, { event, from });
  }
  return [...kept].map((event) => JSON.stringify(event));
}

/** Compares part by part, so that a failure shows only the difference. */
export function assertSameSnapshot(actual: Snapshot, expected: Snapshot, what: string): void {
  for (const part of Object.keys(expected)) {
    const [have, want] = [new Set(actual[part]), new Set(expected[part])];
    const missing = expected[part]!.filter((row) => !have.has(row)).slice(0, 3);
    const surplus = actual[part]!.filter((row) => !want.has(row)).slice(0, 3);
    assert.deepEqual({ surplus, missing }, { surplus: [], missing: [] }, `${what}: ${part}`);
    assert.deepEqual(actual[part], expected[part], `${what}: ${part}, number or order of rows`);
  }
}

/** Each flow of each term: rounds determine how they are grouped, and whether a flow is listed again. */
async function flowTerms(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ row: string }>(sql`
    select distinct term_id || ' ' || day || ' ' || unnest(flow_ids) as row from flow_term order by 1`);
  return rows.map(({ row }) => row);
}

/**
 * What the changes of all rounds add up to: the counters of each minute, pair and service, and what is known of each
 * minute and pair. The flows tell how it must be, so that is asserted, too.
 */
async function graphTraffic(tx: Tx): Promise<string[]> {
  const added = await addedUp(
    tx,
    sql`select minute, low, high, service, bytes_up, bytes_down, packets, flows, first_seen, last_seen
      from graph_traffic`,
  );
  const expected = await addedUp(
    tx,
    sql`select date_bin('1 minute', anchor_at, timestamptz 'epoch') as minute, low, high, service,
        least(coalesce(case when up then src_bytes else dst_bytes end, 0), 1::bigint << 50) as bytes_up,
        least(coalesce(case when up then dst_bytes else src_bytes end, 0), 1::bigint << 50) as bytes_down,
        least(coalesce(src_packets, 0), 1::bigint << 50) + least(coalesce(dst_packets, 0), 1::bigint << 50) as packets,
        1 as flows, start_at as first_seen, end_at as last_seen
      from flow, lateral (select host(src_ip) collate "C" <= host(dst_ip) collate "C" as up) o,
        lateral (select case when up then src_ip else dst_ip end as low, case when up then dst_ip else src_ip end as high) e`,
  );
  assert.deepEqual(
    added.map(({ counts }) => counts),
    expected.map(({ counts }) => counts),
    "traffic of the flows",
  );
  assert.deepEqual(added.map(({ times }) => times), expected.map(({ times }) => times), "times of the flows");
  return added.map((row) => JSON.stringify(row));
}

interface AddedTraffic {
  counts: string;
  times: string;
}

async function addedUp(tx: Tx, rows: Sql): Promise<AddedTraffic[]> {
  return await tx.rows<AddedTraffic>(sql`
    with entry as (${rows}), counts as (
      select minute, low, high, service, jsonb_build_array(sum(bytes_up), sum(bytes_down), sum(packets), sum(flows)) as sums
      from entry group by minute, low, high, service
      having sum(flows) <> 0 or sum(bytes_up) <> 0 or sum(bytes_down) <> 0 or sum(packets) <> 0
    ), times as (
      select minute, low, high, min(first_seen) as first_seen, max(last_seen) as last_seen
      from entry group by minute, low, high
    )
    select t.minute || ' ' || t.low || ' ' || t.high || ' ' || t.first_seen || ' ' || t.last_seen as times,
      (select jsonb_agg(jsonb_build_array(c.service, c.sums) order by c.service)::text from counts c
        where c.minute = t.minute and c.low = t.low and c.high = t.high) as counts
    from times t order by t.minute, t.low, t.high`);
}

type RecordsByPlace = Map<string, { eventId: string; payload: string }>;

function place(blockId: bigint | number, position: number): string {
  return `${blockId} ${position}`;
}

async function recordsByPlace(tx: Tx): Promise<RecordsByPlace> {
  const blocks = await tx.rows<{ block_id: bigint | number; body: Uint8Array }>(
    sql`select block_id, body from raw_block`,
  );
  const records: RecordsByPlace = new Map();
  for (const { block_id: blockId, body } of blocks) {
    for (const [position, { eventId, payload }] of decodeBlock(body).entries()) {
      records.set(place(blockId, position), { eventId: eventId.toHex(), payload });
    }
  }
  return records;
}

async function rawRecords(tx: Tx, records: RecordsByPlace): Promise<string[]> {
  const rows = await tx.rows<{ id: string; row: string; block_id: bigint | number; position: number }>(sql`
    select encode(event_id, 'hex') as id, block_id, position,
      (to_jsonb(r) - '{tenant_id,received_at,block_id,position}'::text[])::text as row
    from raw_record r order by observed_at, event_id`);
  return rows.map(({ id, row, block_id, position }) => {
    const stored = records.get(place(block_id, position));
    assert.equal(stored?.eventId, id, "a raw record's block must hold it");
    return `${row} ${stored!.payload}`;
  });
}

async function evidence(tx: Tx, records: RecordsByPlace): Promise<string[]> {
  const rows = await tx.rows<{ row: string; block_id: bigint | number; position: number }>(sql`
    select b.block_id, e.position, b.sensor_id || ' ' || b.trust || ' '
      || (to_jsonb(e) - '{tenant_id,received_at,batch_no,position,folded}'::text[])::text as row
    from observation e join raw_batch b on b.tenant_id = e.tenant_id and b.batch_no = e.batch_no
    order by e.evidence_id`);
  return rows.map(({ row, block_id, position }) => {
    const stored = records.get(place(block_id, position));
    assert.ok(stored, "the block of an evidence item must hold its record");
    return `${row} ${stored.eventId}`;
  });
}
