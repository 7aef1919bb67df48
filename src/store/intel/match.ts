import { type IndicatorKind, type Match } from "../../domain/intel/indicator.ts";
import type { Sightings } from "../../domain/intel/sightings.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, relation } from "../engine/rows.ts";
import { identifier, prepared, type Sql, sql } from "../engine/sql.ts";
import { viaSet, viasOf } from "../record/vocabulary.ts";

const MATCH: Column<Sightings>[] = [
  { name: "party_ip", type: "inet", of: (row) => row.partyIp },
  { name: "kind", type: "text", of: (row) => row.match.kind },
  { name: "indicator", type: "text", of: (row) => row.match.indicator },
  { name: "list", type: "text", of: (row) => row.match.list },
  { name: "description", type: "text", of: (row) => row.match.description },
  { name: "confidence", type: "double precision", of: (row) => row.match.confidence },
  { name: "exact", type: "boolean", of: (row) => row.match.exact },
  { name: "via_set", type: "smallint", of: (row) => viaSet(row.vias) },
  { name: "first_seen", type: "timestamptz", of: (row) => row.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (row) => row.lastSeen },
  { name: "received_at", type: "timestamptz", of: (row) => row.receivedAt },
  { name: "seen_count", type: "bigint", of: (row) => row.count },
  { name: "evidence_id", type: "uuid", of: (row) => row.evidenceId },
  { name: "flow_id", type: "uuid", of: (row) => row.flowId },
];

const NEWER =
  sql`(excluded.last_seen, excluded.evidence_id) > (intel_match.last_seen, intel_match.evidence_id)`;
const WIDENED = sql`
  via_set = intel_match.via_set | excluded.via_set,
  first_seen = least(intel_match.first_seen, excluded.first_seen),
  last_seen = greatest(intel_match.last_seen, excluded.last_seen),
  received_at = greatest(intel_match.received_at, excluded.received_at),
  seen_count = intel_match.seen_count + excluded.seen_count,
  evidence_id = case when ${NEWER} then excluded.evidence_id else intel_match.evidence_id end,
  flow_id = case when ${NEWER} then excluded.flow_id else intel_match.flow_id end`;

/** Adds the matches of a round's observations; each pair of address and indicator at most once. */
export async function recordMatches(tx: Tx, tenantId: string, matches: readonly Sightings[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    insert into intel_match (tenant_id, counted_after, ${columnNames()})
    select ${tenantId}, (select intel_batch from pipeline_cursor where tenant_id = ${tenantId}), u.*
    from ${relation(MATCH, matches)}
    on conflict (tenant_id, party_ip, kind, indicator) do update set ${WIDENED}`);
}

/**
 * Adds matches found in earlier batches; each pair of address and indicator at most once. Rows whose earlier
 * batches were counted before do not change.
 */
export async function recordPastMatches(
  tx: Tx,
  tenantId: string,
  matches: readonly Sightings[],
): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    insert into intel_match (tenant_id, counted_after, ${columnNames()})
    select ${tenantId}, 0, u.* from ${relation(MATCH, matches)}
    on conflict (tenant_id, party_ip, kind, indicator) do update set ${WIDENED}, counted_after = 0
    where intel_match.counted_after > 0`);
}

function columnNames(): Sql {
  return MATCH.map(({ name }) => identifier(name)).reduce((left, right) => sql`${left}, ${right}`);
}

/** A row's key, and the batch after which it counts. */
interface MatchProgress {
  party_ip: string;
  kind: IndicatorKind;
  indicator: string;
  counted_after: number;
}

export async function matchProgress(tx: Tx, tenantId: string): Promise<MatchProgress[]> {
  const rows = await tx.rows<MatchProgress>(sql`
    select party_ip, kind, indicator, counted_after from intel_match where tenant_id = ${tenantId}`);
  return rows.map((row) => ({ ...row, party_ip: fromInet(row.party_ip) }));
}

/** An indicator as stored with its matches. */
type MatchedIndicator = Match & { listed: boolean };

/** Every indicator with matches. */
export async function matchedIndicators(tx: Tx, tenantId: string): Promise<MatchedIndicator[]> {
  return await tx.rows<MatchedIndicator>(sql`
    select distinct kind, indicator, list, description, confidence, exact, listed from intel_match
    where tenant_id = ${tenantId}`);
}

const INDICATOR: Column<MatchedIndicator>[] = [
  { name: "kind", type: "text", of: (row) => row.kind },
  { name: "indicator", type: "text", of: (row) => row.indicator },
  { name: "list", type: "text", of: (row) => row.list },
  { name: "description", type: "text", of: (row) => row.description },
  { name: "confidence", type: "double precision", of: (row) => row.confidence },
  { name: "exact", type: "boolean", of: (row) => row.exact },
  { name: "listed", type: "boolean", of: (row) => row.listed },
];

/**
 * Updates matched indicators to the current lists. One that is listed again, or covers more than before, is
 * recounted, because records in the meantime were not matched. The cursor must already have the current
 * lists.
 */
export async function relistMatches(
  tx: Tx,
  tenantId: string,
  indicators: readonly MatchedIndicator[],
): Promise<void> {
  if (indicators.length === 0) return;
  const again = sql`(u.listed and (not m.listed or (m.exact and not u.exact)))`;
  await tx.run(sql`
    update intel_match m set list = u.list, description = u.description, confidence = u.confidence, exact = u.exact,
      listed = u.listed,
      seen_count = case when ${again} then 0 else m.seen_count end,
      counted_after = case when ${again}
        then (select intel_batch from pipeline_cursor where tenant_id = ${tenantId}) else m.counted_after end
    from ${relation(INDICATOR, indicators)}
    where m.tenant_id = ${tenantId} and m.kind = u.kind and m.indicator = u.indicator`);
}

/** A stored match. */
export type KnownMatch = Sightings & { listed: boolean };

/** The newest matches of these addresses, at most `limit`. */
export async function matchesOfAddresses(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
  limit: number,
): Promise<KnownMatch[]> {
  if (ips.length === 0) return [];
  const rows = await tx.rows<MatchRow>(sql`
    select * from intel_match where tenant_id = ${tenantId} and party_ip = any(${textArray(ips)}::inet[])
    order by last_seen desc, kind, indicator, party_ip limit ${limit}`);
  return rows.map(toKnownMatch);
}

/** One end of a flow, and the other. */
export interface PeerPair {
  partyIp: string;
  peerIp: string;
}

const PEER: Column<PeerPair>[] = [
  { name: "party_ip", type: "inet", of: (pair) => pair.partyIp },
  { name: "peer_ip", type: "text", of: (pair) => pair.peerIp },
];

/** Properties that tie a match to certain flows. */
interface MatchedBy {
  flowIds: readonly string[];
  /** Names of the flows' servers. */
  names: readonly string[];
}

/**
 * Matches that may belong to flows with these ends, whose first end has matches (see `matchedAddresses`):
 * those of the other end's exact address, and the newest `limit` of all other kinds, because an exposed host
 * may have matched very many addresses. With `by`, matches of other flows are left out.
 */
export async function matchesAtPeers(
  tx: Tx,
  tenantId: string,
  pairs: readonly PeerPair[],
  limit: number,
  by?: MatchedBy,
): Promise<KnownMatch[]> {
  if (pairs.length === 0) return [];
  const parties = binaryArray("inet", [...new Set(pairs.map(({ partyIp }) => partyIp))]);
  const domains = textArray([...new Set(by?.names.flatMap(withParents))]);
  // Subqueries are hashed, whereas a kept plan compares with array elements one by one.
  const isOfFlows = by === undefined ? sql`true` : sql`(kind = 'cidr'
    or (kind = 'domain' and indicator in (select unnest(${domains}::text[])))
    or flow_id in (select unnest(${binaryArray("uuid", by.flowIds)}::uuid[])))`;
  const ofParty = sql`tenant_id = ${tenantId} and party_ip = u.party_ip`;
  // The limits keep the planner from reading all matches. In key order, the other kinds are on either side of
  // `ip`.
  const others = (side: Sql) =>
    sql`
    (select m.* from unnest(${parties}::inet[]) as u (party_ip) cross join lateral (
      select * from intel_match where ${ofParty} and kind ${side} 'ip' and ${isOfFlows}
      order by last_seen desc limit ${limit}
    ) m)`;
  const statement = sql`
    select m.* from ${relation(PEER, pairs)} cross join lateral (
      select * from intel_match where ${ofParty} and kind = 'ip' and indicator = u.peer_ip limit 1
    ) m
    union all
    (select * from (${others(sql`<`)} union all ${others(sql`>`)}) m order by last_seen desc limit ${limit})`;
  const name = by === undefined ? "matches_at_peers" : "matches_met_by_flows";
  const rows = await tx.rows<MatchRow>(prepared(name, statement));
  return rows.map(toKnownMatch);
}

/** Those of the addresses that have any match, by one index lookup each. */
export async function matchedAddresses(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
): Promise<Set<string>> {
  if (ips.length === 0) return new Set();
  const rows = await tx.rows<{ party_ip: string }>(prepared(
    "matched_addresses",
    sql`
    select u.party_ip from unnest(${binaryArray("inet", [...new Set(ips)])}::inet[]) as u (party_ip)
    cross join lateral (select from intel_match where tenant_id = ${tenantId} and party_ip = u.party_ip limit 1) m`,
  ));
  return new Set(rows.map(({ party_ip }) => fromInet(party_ip)));
}

/** A name and its parent domains. */
function withParents(name: string): string[] {
  const labels = name.split(".");
  return labels.map((_, at) => labels.slice(at).join("."));
}

interface MatchRow extends Match {
  party_ip: string;
  listed: boolean;
  via_set: number;
  first_seen: number;
  last_seen: number;
  received_at: number;
  seen_count: number;
  evidence_id: string;
  flow_id: string;
}

function toKnownMatch(row: MatchRow): KnownMatch {
  const { list, indicator, kind, description, confidence, exact } = row;
  return {
    partyIp: fromInet(row.party_ip),
    match: { list, indicator, kind, description, confidence, exact },
    listed: row.listed,
    vias: viasOf(row.via_set),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    receivedAt: row.received_at,
    count: row.seen_count,
    evidenceId: row.evidence_id,
    flowId: row.flow_id,
  };
}

/** Deletes matches last received before `cutoff` (microseconds). */
export async function expireMatches(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from intel_match
    where tenant_id = ${tenantId} and received_at < ${timestampLiteral(cutoff)}::timestamptz`);
}
