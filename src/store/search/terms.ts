import type { TermKind } from "../../contract/filter/field.ts";
import { NAME_KINDS, reversedText, termPart, termText } from "../../domain/search/terms.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { dayOf } from "../engine/schema/partitions.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { termIdsOf, termKindNumber } from "./term-id.ts";
import { MAX_MAGNITUDE } from "./term-counts.ts";

/** A text of the dictionary, as records spell it. */
interface CompletedTerm {
  text: string;
  /** Records that state it, of the days asked for. */
  records: number;
}

// Rows are read in the order of the index. Without `order by`, the planner expects to find enough rows of a magnitude
// early in the table, and reads all of it if the magnitude is rare.

/** Most used first, so that a scan that is cut loses the rare ones. */
const MAGNITUDES_DOWN = sql`generate_series(${MAX_MAGNITUDE}::integer, 0, -1) as m`;
/** Rows read of each magnitude for a completion: seven times as many take about 10 ms. */
const MAX_COMPLETED = 1000;

/**
 * The texts that begin with `prefix`, letter case aside, most used first. Only days from that of `since` (microseconds)
 * on count. Of more than 1000 texts that are used similarly often (within a factor of 16), the first in alphabetical
 * order are considered.
 */
export async function completeTerms(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  prefix: string,
  since: number,
  limit: number,
): Promise<CompletedTerm[]> {
  const rows = await tx.rows<{ text: string; records: number }>(sql`
    select coalesce(min(t.shown), t.text) as text, sum(${recordsOf(tenantId)})::bigint as records
    from ${MAGNITUDES_DOWN} cross join lateral (
      select term_id, day, text, shown, record_count from term
      where tenant_id = ${tenantId} and kind = ${termKindNumber(kind)}::smallint and magnitude = m::smallint
        and day >= ${timestampLiteral(dayOf(since))}::timestamptz and ${
    startsWith(sql`text`, termPart(kind, prefix))
  }
      order by text limit ${MAX_COMPLETED}
    ) t
    group by t.text order by records desc, t.text limit ${limit}`);
  return rows;
}

/** The records that state term `t`: as last counted, at most a minute ago, or all of them if it is new since then. */
function recordsOf(tenantId: string): Sql {
  return sql`case when t.record_count > 0 then t.record_count else coalesce((
    select sum(p.record_count) from flow_term p
    where p.tenant_id = ${tenantId} and p.term_id = t.term_id and p.day = t.day), 0) end`;
}

/** A recorded spelling of each text of a kind that records spell in another letter case, of the days given. */
export async function recordedSpellings(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  texts: readonly string[],
  days: TermDays,
): Promise<Map<string, string>> {
  const ids = texts.map(termIdsOf(tenantId, kind));
  const rows = await tx.rows<{ text: string; shown: string }>(sql`
    select text, min(shown collate "C") as shown from term
    where tenant_id = ${tenantId} and kind = ${termKindNumber(kind)}::smallint and shown is not null
      and term_id = any(${plainArray(ids)}::bigint[]) and ${ofDays(days)}
    group by text`);
  return new Map(rows.map(({ text, shown }) => [text, shown]));
}

/** How texts are compared, letter case aside. `*` in a wildcard stands for any characters or none. */
export type TermMatch =
  | { exact: string }
  | { wildcard: string }
  | { suffix: string }
  | { contains: string }
  /** Whole numbers, both ends inclusive; null is open. */
  | { number: { from: number | null; to: number | null } };

/** UTC days of flows' anchors that count, as times in microseconds, both inclusive. Null is every day. */
export type TermDays = { from: number; to: number } | null;

export interface FoundTerms {
  ids: bigint[];
  /** True if there may be more: a bound was reached. */
  cut: boolean;
}

/** Dictionary rows that one lookup reads at most: about 100 ms. */
const MAX_SCANNED = 100_000;

/**
 * The ids of a kind's texts that match: the `max` most used ones. A text that is matched from its beginning, or a name
 * from its end, is found by an index; for other matches the whole dictionary of the days is read, most used texts first,
 * up to a bound. An exact text is not looked up: its id may stand for no term.
 */
export async function termIds(
  tx: Tx,
  tenantId: string,
  kind: TermKind,
  match: TermMatch,
  days: TermDays,
  max: number,
): Promise<FoundTerms> {
  if ("exact" in match) {
    return { ids: [termIdsOf(tenantId, kind)(termText(kind, match.exact))], cut: false };
  }
  const { by, range, rest } = accessOf(kind, match);
  const read = sql`
    select term_id, text, magnitude from term
    where tenant_id = ${tenantId} and kind = ${termKindNumber(kind)}::smallint and ${ofDays(days)}`;
  const most = sql`limit ${MAX_SCANNED + 1}`;
  const scan = {
    magnitude: sql`${read} order by magnitude desc, text desc ${most}`,
    prefix: sql`
      select t.* from ${MAGNITUDES_DOWN} cross join lateral (
        ${read} and magnitude = m::smallint and ${range} order by text ${most}
      ) t ${most}`,
    suffix: sql`${read} and ${range} ${most}`,
  }[by];
  // The condition is no index condition, so the bound on the rows read comes first. Several days have the same term.
  const rows = await tx.rows<{ term_id: bigint | number | null; scanned: number }>(sql`
    with scanned as materialized (${scan}),
    found as (
      select term_id from scanned where ${rest}
      group by term_id order by max(magnitude) desc, term_id limit ${max + 1}
    )
    select (select count(*) from scanned)::integer as scanned, term_id
    from (select) one left join found on true`);
  const ids = rows.flatMap(({ term_id: id }) => id === null ? [] : [BigInt(id)]);
  return { ids: ids.slice(0, max), cut: ids.length > max || rows[0]!.scanned > MAX_SCANNED };
}

function ofDays(days: TermDays): Sql {
  if (days === null) return sql`true`;
  const [from, to] = [days.from, days.to].map((at) => timestampLiteral(dayOf(at)));
  return sql`day >= ${from}::timestamptz and day <= ${to}::timestamptz`;
}

interface Access {
  /** How the rows are found: all of the kind, by their beginning, or by their end. */
  by: "magnitude" | "prefix" | "suffix";
  /** A condition that the index answers. */
  range: Sql;
  /** What remains to be compared of each row. */
  rest: Sql;
}

/** Whether every text of the kind is compared, because no index finds the matching ones. */
export function readsWholeKind(kind: TermKind, match: TermMatch): boolean {
  return !("exact" in match) && accessOf(kind, match).by === "magnitude";
}

function accessOf(kind: TermKind, match: Exclude<TermMatch, { exact: string }>): Access {
  const everything = { by: "magnitude", range: sql`true` } as const;
  if ("number" in match) return { ...everything, rest: isBetween(match.number) };
  if ("contains" in match) {
    return { ...everything, rest: sql`strpos(text, ${termPart(kind, match.contains)}) > 0` };
  }
  const pattern = "suffix" in match ? `*${match.suffix}` : match.wildcard;
  const parts = termPart(kind, pattern).split("*");
  const rest = sql`text like ${parts.map(likeText).join("%")}`;
  const [prefix, suffix] = [parts[0]!, parts.at(-1)!];
  if (prefix !== "") return { by: "prefix", range: startsWith(sql`text`, prefix), rest };
  if (parts.length === 1 || suffix === "" || !NAME_KINDS.has(kind)) return { ...everything, rest };
  const range = sql`reversed is not null and ${startsWith(sql`reversed`, reversedText(suffix))}`;
  return { by: "suffix", range, rest };
}

/** Texts of other kinds than numbers never match. */
function isBetween({ from, to }: { from: number | null; to: number | null }): Sql {
  // 18 digits fit into a bigint. The order of `and` is not that of evaluation, that of `case` is.
  return sql`case when text ~ '^[0-9]{1,18}$' then ${
    all([
      ...from === null ? [] : [sql`text::bigint >= ${from}::numeric`],
      ...to === null ? [] : [sql`text::bigint <= ${to}::numeric`],
    ])
  } else false end`;
}

/** Escapes what `like` takes for a pattern. */
function likeText(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** `like` would use no index under row-level security. */
function startsWith(column: Sql, prefix: string): Sql {
  if (prefix === "") return sql`true`;
  const end = endOfPrefix(prefix);
  return end === null ? sql`${column} >= ${prefix}` : sql`${column} >= ${prefix} and ${column} < ${end}`;
}

const LAST_CHARACTER = 0x10ffff;
const SURROGATES = { first: 0xd800, last: 0xdfff } as const;

/** The first text, in the order of code points, after all that begin with this one; null if there is none. */
export function endOfPrefix(prefix: string): string | null {
  const characters = [...prefix];
  while (characters.length > 0) {
    const last = characters.pop()!.codePointAt(0)!;
    if (last === LAST_CHARACTER) continue;
    const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
    return characters.join("") + String.fromCodePoint(next);
  }
  return null;
}
