import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Observation } from "../../domain/record/observation.ts";
import { timeUuid } from "../../kit/id.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { tupleHash } from "./flows.ts";
import { EVIDENCE_COLUMNS, type EvidenceRow, linkedEvidence, timeOfId, toEvidenceRow } from "./read.ts";

/** A raw record, found by the evidence id that follows from its time and event id. */
interface RawKey {
  event_id: Uint8Array;
  kind: RecordKind;
  parse_status: "parsed" | "unparsed";
  received_at: number;
  block_id: number | bigint;
  position: number;
}

/** Two milliseconds: a time in far years, whose microseconds are not exact, may be slightly later than the time in its id. */
const ID_SPAN = 2000;

/** The raw record whose evidence has this id, or would have it if it had been normalised; null if there is none. */
export async function rawOfEvidence(tx: Tx, tenantId: string, evidenceId: string): Promise<RawKey | null> {
  // An index-only scan of the millisecond first: sensors with coarse clocks give thousands of records the same time.
  const [row] = await tx.rows<RawKey>(sql`
    with found as materialized (
      select observed_at, event_id from raw_record
      where tenant_id = ${tenantId} and ${observedNear(evidenceId)} and ${hasIdOf(evidenceId)}
      limit 1
    )
    select r.event_id, r.kind, r.parse_status, r.received_at, r.block_id, r.position
    from found join raw_record r on r.tenant_id = ${tenantId} and r.observed_at = found.observed_at
      and r.event_id = found.event_id
    limit 1`);
  return row ?? null;
}

function observedNear(evidenceId: string): Sql {
  const time = timeOfId(evidenceId);
  // Times before 1970 count as 1970 in an id.
  const from = time === 0 ? sql`'-infinity'` : sql`${timestampLiteral(time)}`;
  return sql`observed_at >= ${from}::timestamptz and observed_at < ${
    timestampLiteral(time + ID_SPAN)
  }::timestamptz`;
}

/** Compares the bits of an event id that `timeUuid` keeps: all but those of the UUID's version and variant. */
function hasIdOf(evidenceId: string): Sql {
  const id = sql`uuid_send(${evidenceId}::uuid)`;
  return sql`get_byte(event_id, 0) & 15 = get_byte(${id}, 6) & 15
    and substring(event_id from 2 for 1) = substring(${id} from 8 for 1)
    and get_byte(event_id, 2) & 63 = get_byte(${id}, 8) & 63
    and substring(event_id from 4 for 7) = substring(${id} from 10 for 7)`;
}

/** The evidence of a raw record whose observation is given; null if the pipeline has not stored it yet. */
export async function evidenceById(
  tx: Tx,
  tenantId: string,
  evidenceId: string,
  { eventId, observation }: { eventId: Uint8Array; observation: Observation },
): Promise<EvidenceRow | null> {
  const [row] = await tx.rows<Parameters<typeof toEvidenceRow>[0]>(sql`
    select ${EVIDENCE_COLUMNS} from (
      select flow_id, ${evidenceId}::uuid as evidence_id, ${
    timestampLiteral(timeOfId(evidenceId))
  }::timestamptz
        as observed_at
      from (${flowsOf(tenantId, eventId, observation)}) f offset 0
    ) x
    ${linkedEvidence(tenantId)}
    limit 1`);
  return row ? toEvidenceRow(row) : null;
}

/** The flows that an observation can have joined: they have its tuple and span its time. */
function flowsOf(tenantId: string, eventId: Uint8Array, { tuple, start, end }: Observation): Sql {
  // Nothing joins the flow of a record without a tuple, so its id follows from the record (`createFlow`).
  if (tuple === null) return sql`select ${timeUuid(start, eventId, 16)}::uuid as flow_id`;
  const hash = sql`${tupleHash(tenantId)(tuple)}::bigint`;
  return sql`
    select flow_id from flow
    where tenant_id = ${tenantId} and tuple_hash = ${hash} and tuple_hash >= ${hash} and tuple_hash <= ${hash}
      and start_at <= ${timestampLiteral(start)}::timestamptz and end_at >= ${
    timestampLiteral(end)
  }::timestamptz`;
}
