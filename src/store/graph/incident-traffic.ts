// The traffic that is evidence of an incident, whatever its age.

import { MINUTE, minuteOf, type PairTraffic } from "../../domain/graph/traffic.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import { lookUps, timeOfId } from "../flow/read.ts";
import { type MinuteWindow, pairsOf, SUMS_OF_FLOWS, type TrafficRow } from "./traffic.ts";

/** What an incident's evidence consists of, for a graph. */
export interface IncidentTraffic {
  incidentId: string;
  /** The flows of its evidence. */
  flowIds: readonly string[];
  /** From its first flow or record to its last one. */
  window: MinuteWindow;
}

/** The flows of an incident's evidence and when they were; null if there is no such incident. */
export async function incidentTraffic(
  tx: Tx,
  tenantId: string,
  incidentId: string,
): Promise<IncidentTraffic | null> {
  const [incident] = await tx.rows<{ first_seen: number; last_seen: number }>(sql`
    select first_seen, last_seen from incident
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  if (incident === undefined) return null;
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct flow_id from incident_evidence
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid`);
  const flowIds = rows.map((row) => row.flow_id);
  // A flow may have begun long before the record that is evidence.
  const times = [incident.first_seen, incident.last_seen, ...flowIds.map(timeOfId)];
  const [first, last] = [Math.min, Math.max].map((pick) => times.reduce((a, b) => pick(a, b)));
  return { incidentId, flowIds, window: { from: minuteOf(first!), to: minuteOf(last!) + MINUTE } };
}

/**
 * The traffic of the flows that are evidence of an incident, as `trafficOfFlows` states it, of those whose anchor is in
 * the window. If the window is the whole one of the incident, pairs of addresses whose flows are no longer stored have
 * an entry without flows.
 */
export async function trafficOfIncident(
  tx: Tx,
  tenantId: string,
  { incidentId, flowIds, window: whole }: IncidentTraffic,
  window: MinuteWindow,
  byService = false,
): Promise<PairTraffic[]> {
  const ids = flowIds.filter((id) => timeOfId(id) >= window.from && timeOfId(id) < window.to);
  const pairs = ids.length === 0 ? [] : pairsOf(
    await tx.rows<TrafficRow>(sql`
    select src_ip as low, dst_ip as high, service, ${SUMS_OF_FLOWS}
    from (${lookUps(ids, [sql`tenant_id = ${tenantId}`])}) flow
    group by src_ip, dst_ip, service`),
    byService,
  );
  if (window.from > whole.from || window.to < whole.to) return pairs;
  const known = new Set(pairs.map(({ low, high }) => `${low} ${high}`));
  const ends = await tx.rows<{ low: string; high: string }>(sql`
    select low, high from incident_pair
    where tenant_id = ${tenantId} and incident_id = ${incidentId}::uuid order by low, high`);
  const gone = ends.map(({ low, high }) => [fromInet(low), fromInet(high)].sort() as [string, string])
    .filter(([low, high]) => !known.has(`${low} ${high}`));
  return [...pairs, ...gone.map(([low, high]) => withoutFlows(low, high, window))];
}

/** Traffic of which only the ends are known. */
function withoutFlows(low: string, high: string, { from, to }: MinuteWindow): PairTraffic {
  return {
    low,
    high,
    services: new Map(),
    bytesUp: 0,
    bytesDown: 0,
    packets: 0,
    flows: 0,
    firstSeen: from,
    lastSeen: to,
  };
}
