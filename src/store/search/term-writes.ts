import type { TermKind } from "../../contract/filter/field.ts";
import { NAME_KINDS } from "../../domain/search/terms.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import { type Column, relation } from "../engine/rows.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { useWrites } from "./term-counts.ts";
import { termIdsOf, termKindNumber } from "./term-id.ts";

/** What a round's records say of a term on one day. Times in microseconds. */
export interface TermUse {
  kind: TermKind;
  /** As `termText` gives it. */
  text: string;
  /** The first record's spelling. */
  shown: string;
  /** Start of the UTC day of the flows' anchors. */
  day: number;
  /** Each once. */
  flowIds: readonly string[];
  /** Records that state the term; at least as many as flows. */
  records: number;
  /** The earliest and the latest anchor. */
  from: number;
  to: number;
  /** Latest receipt. */
  receivedAt: number;
}

/** A prepared statement of this folder that writes. */
export type SearchStatement = Sql;

type NumberedUse = TermUse & { termId: bigint };

/** The flows of one id and day: of one text, unless texts share the id. */
type PostingRow = Pick<NumberedUse, "termId" | "day" | "flowIds" | "records" | "from" | "to" | "receivedAt">;

const TERM: Column<NumberedUse>[] = [
  { name: "term_id", type: "bigint", of: (use) => use.termId },
  { name: "day", type: "timestamptz", of: (use) => use.day },
  { name: "kind", type: "smallint", of: (use) => termKindNumber(use.kind) },
  { name: "text", type: "text", of: (use) => use.text },
  { name: "shown", type: "text", of: (use) => use.shown === use.text ? null : use.shown },
  { name: "received_at", type: "timestamptz", of: (use) => use.receivedAt },
];

const POSTING: Column<PostingRow & { first: number; last: number }>[] = [
  { name: "term_id", type: "bigint", of: (use) => use.termId },
  { name: "day", type: "timestamptz", of: (use) => use.day },
  { name: "from_at", type: "timestamptz", of: (use) => use.from },
  { name: "to_at", type: "timestamptz", of: (use) => use.to },
  { name: "received_at", type: "timestamptz", of: (use) => use.receivedAt },
  { name: "records", type: "integer", of: (use) => use.records },
  { name: "first", type: "integer", of: (use) => use.first },
  { name: "last", type: "integer", of: (use) => use.last },
];

/** The kinds that are searched by their ends. */
const NAME_NUMBERS = `{${[...NAME_KINDS].map(termKindNumber).join(",")}}`;

/** Rows per statement: takes a few milliseconds to encode. */
const CHUNK = 1000;

/**
 * The statements that add a round's new terms to the dictionary and the flows of all of them to the postings; each term
 * and day at most once. Made lazily, because encoding is most of the work on the client side. `countTerms` adds up the
 * records later: a text that is in use would be written in every round.
 *
 * @param batchNo The round's last batch, which no other round has.
 * @param isNew Whether the dictionary may lack the text on that day.
 */
export function* termWrites(
  tenantId: string,
  batchNo: number,
  uses: readonly TermUse[],
  isNew: (use: TermUse) => boolean = () => true,
): Generator<SearchStatement> {
  const idsOf = new Map<TermKind, (text: string) => bigint>();
  const numbered = uses.map((use): NumberedUse => {
    let idOf = idsOf.get(use.kind);
    if (idOf === undefined) idsOf.set(use.kind, idOf = termIdsOf(tenantId, use.kind));
    return { ...use, termId: idOf(use.text) };
  });
  const postings = postingRows(numbered);
  const unwritten = numbered.filter(isNew);
  for (let from = 0; from < unwritten.length; from += CHUNK) {
    yield addTerms(tenantId, unwritten.slice(from, from + CHUNK));
  }
  for (let from = 0; from < postings.length; from += CHUNK) {
    yield addPostings(tenantId, batchNo, postings.slice(from, from + CHUNK));
  }
  yield* useWrites(tenantId, batchNo, postings);
}

/** One row for each id and day: texts that share an id share the row. */
function postingRows(uses: readonly NumberedUse[]): readonly PostingRow[] {
  const rows = new Map<bigint, PostingRow[]>();
  let isShared = false;
  for (const use of uses) {
    const ofId = rows.get(use.termId);
    if (ofId === undefined) {
      rows.set(use.termId, [use]);
      continue;
    }
    const at = ofId.findIndex(({ day }) => day === use.day);
    if (at < 0) ofId.push(use);
    else {
      ofId[at] = joined(ofId[at]!, use);
      isShared = true;
    }
  }
  return isShared ? [...rows.values()].flat() : uses;
}

function joined(a: PostingRow, b: PostingRow): PostingRow {
  return {
    ...a,
    flowIds: [...new Set([...a.flowIds, ...b.flowIds])],
    records: a.records + b.records,
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    receivedAt: Math.max(a.receivedAt, b.receivedAt),
  };
}

function addTerms(tenantId: string, rows: readonly NumberedUse[]): Sql {
  return sql`
    insert into term (tenant_id, reversed, term_id, day, kind, text, shown, received_at)
    select ${tenantId}, case when kind = any(${NAME_NUMBERS}::smallint[]) then reverse(text) end, u.*
    from ${relation(TERM, rows)}
    on conflict do nothing`;
}

/** The flow ids of all rows are one array, of which each row takes a slice: an array per row would be sent as text. */
function addPostings(tenantId: string, batchNo: number, postings: readonly PostingRow[]): Sql {
  let last = 0;
  const rows = postings.map((row) => ({ ...row, first: last + 1, last: last += row.flowIds.length }));
  const flowIds = binaryArray("uuid", rows.flatMap((use) => use.flowIds));
  return sql`
    insert into flow_term (tenant_id, batch_no, term_id, day, from_at, to_at, received_at, record_count, flow_ids)
    select ${tenantId}, ${batchNo}::bigint, u.term_id, u.day, u.from_at, u.to_at, u.received_at, u.records,
      (${flowIds}::uuid[])[u.first : u.last]
    from ${relation(POSTING, rows)}`;
}
