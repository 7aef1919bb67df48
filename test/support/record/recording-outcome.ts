// The result of a recording in a form that can be verified against its files.

import { namesOfFlows } from "../../../src/core/handlers/flow/names.ts";
import type { RecordKind } from "../../../src/contract/record/kinds.ts";
import type { ShownFlow } from "../../../src/store/flow/shown-flows.ts";
import type { Facts } from "../../../src/domain/record/facts.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { toFacts } from "../../../src/store/flow/read.ts";
import { asShown } from "../../../src/store/device/group.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { searchPlan } from "../store/search-plan.ts";
import { kindOf } from "../../../src/store/record/vocabulary.ts";

export interface Outcome {
  /** Stored records by kind. */
  records: Record<string, number>;
  unparsed: { kind: string; reason: string; count: number }[];
  /** Rejected ingest lines by reason. */
  rejected: Record<string, number>;
  flows: {
    count: number;
    observations: number;
    /** Number of flows by number of observations. */
    joined: Record<string, number>;
    protocols: Record<string, number>;
    services: Record<string, number>;
    /** Flows without a connection record. */
    uncounted: number;
    /** Flows seen by several sensors or sensor types. */
    shared: number;
  };
  devices: { count: number; named: Record<string, string>; unnamed: string[] };
  names: {
    /** Flows by the provenance of the server's name; `none` for no name. */
    flows: Record<string, number>;
    /** The named servers with most flows. */
    servers: { address: string; flows: number; names: Record<string, number> }[];
  };
  /**
   * By protocol: the number of records, and for each field the number of records with it and of distinct
   * values.
   */
  facts: Record<string, Record<string, string>>;
  leases: string[];
  capture: string[];
  warnings: Record<string, number>;
}

const MAX_SERVERS = 20;
const MAX_NAMES = 5;
const EVERY_FLOW = 1_000_000;

export async function outcomeOf(db: Database, tenantId: string): Promise<Outcome> {
  return await db.tenant(tenantId, async (tx) => {
    const everything = searchPlan("flows", "", {
      from: -Number.MAX_SAFE_INTEGER,
      to: Number.MAX_SAFE_INTEGER,
    });
    const page = await searchFlows(tx, tenantId, everything, null, EVERY_FLOW);
    const flows = await asShown(tx, tenantId, page.rows);
    const stored = await tx.rows<Omit<Told, "facts"> & { facts: string | null }>(
      sql`select flow_id, record_kind_no, facts, warnings, sensor_id from observation e
        join raw_batch b on b.tenant_id = e.tenant_id and b.batch_no = e.batch_no`,
    );
    const observations = stored.map((one): Told => ({ ...one, facts: toFacts(one.facts) }));
    return {
      ...await recordsOf(tx),
      rejected: await rejectedOf(tx),
      flows: flowsOf(flows, observations),
      devices: await devicesOf(tx),
      names: await serverNamesOf(tx, tenantId, flows),
      facts: factsOf(observations),
      leases: await leasesOf(tx),
      capture: await captureOf(tx),
      warnings: sorted(tally(observations.flatMap(({ warnings }) => warnings ?? []))),
    };
  });
}

interface Told {
  flow_id: string;
  record_kind_no: number;
  facts: Facts | null;
  warnings: string[] | null;
  sensor_id: string;
}

async function recordsOf(tx: Tx): Promise<Pick<Outcome, "records" | "unparsed">> {
  const rows = await tx.rows<{ kind: RecordKind; reason: string | null; count: number }>(sql`
    select kind, parse_reason as reason, count(*)::int as count from raw_record group by 1, 2 order by 1, 2`);
  const records: Record<string, number> = {};
  for (const { kind, count } of rows) records[kind] = (records[kind] ?? 0) + count;
  const unparsed = rows.flatMap(({ kind, reason, count }) =>
    reason === null ? [] : [{ kind, reason, count }]
  );
  return { records, unparsed };
}

async function rejectedOf(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.rows<{ reason: string }>(sql`select reason from rejected_line`);
  return sorted(tally(rows.map(({ reason }) => reason)));
}

function flowsOf(flows: readonly ShownFlow[], observations: readonly Told[]): Outcome["flows"] {
  const sensors = new Map<string, Set<string>>();
  for (const { flow_id, sensor_id } of observations) {
    const known = sensors.get(flow_id);
    if (known) known.add(sensor_id);
    else sensors.set(flow_id, new Set([sensor_id]));
  }
  return {
    count: flows.length,
    observations: flows.reduce((sum, flow) => sum + flow.observationCount, 0),
    joined: tally(flows.map((flow) => String(flow.observationCount))),
    protocols: sorted(tally(flows.map((flow) => flow.proto))),
    services: sorted(tally(flows.map((flow) => flow.service ?? "not known"))),
    uncounted: flows.filter((flow) => flow.counters.semantics === "unknown").length,
    shared: [...sensors.values()].filter((set) => set.size > 1).length,
  };
}

async function devicesOf(tx: Tx): Promise<Outcome["devices"]> {
  const rows = await tx.rows<{ ip: string; name: string; source: string }>(sql`
    select host(a.ip) as ip, d.display_name as name, d.display_name_source as source
    from device d join device_address a on a.tenant_id = d.tenant_id and a.device_id = d.device_id
    order by a.ip`);
  const named = rows.filter(({ source }) => source !== "address");
  return {
    count: rows.length,
    named: Object.fromEntries(named.map(({ ip, name, source }) => [ip, `${name} (${source})`])),
    unnamed: rows.filter(({ source }) => source === "address").map(({ ip }) => ip),
  };
}

async function serverNamesOf(
  tx: Tx,
  tenantId: string,
  flows: readonly ShownFlow[],
): Promise<Outcome["names"]> {
  const namesByFlow = await namesOfFlows(tx, tenantId, flows);
  const provenances: string[] = [];
  const servers = new Map<string, { flows: number; names: string[] }>();
  for (const flow of flows) {
    const names = namesByFlow.get(flow.flowId)!;
    const vias = new Set(names.map(({ via, same_client }) => same_client ? via : `${via} of another client`));
    provenances.push(...vias.size === 0 ? ["none"] : vias);
    for (const address of new Set(names.map(({ of }) => flow[of].ip))) {
      const ofAddress = names.filter(({ of }) => flow[of].ip === address);
      const server = servers.get(address) ?? { flows: 0, names: [] };
      server.flows++;
      server.names.push(...ofAddress.map(({ name, via }) => `${name}, ${via}`));
      servers.set(address, server);
    }
  }
  const list = [...servers].map(([address, { flows, names }]) => ({
    address,
    flows,
    names: mostOf(tally(names)),
  }));
  list.sort((a, b) => b.flows - a.flows || (a.address < b.address ? -1 : 1));
  return { flows: sorted(tally(provenances)), servers: list.slice(0, MAX_SERVERS) };
}

function factsOf(observations: readonly Told[]): Outcome["facts"] {
  const byType = new Map<string, Facts[]>();
  for (const { facts, record_kind_no } of observations) {
    if (facts === null) continue;
    const type = `${facts.type} of ${kindOf(record_kind_no).split(".", 1)[0]}`;
    const same = byType.get(type);
    if (same) same.push(facts);
    else byType.set(type, [facts]);
  }
  const types = [...byType].sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(types.map(([type, facts]) => [type, fieldsOf(facts)]));
}

/** `dns: {records: "8", query: "8 with 5 values", …}`; fields without values are omitted. */
function fieldsOf(facts: readonly Facts[]): Record<string, string> {
  const fields: Record<string, string> = { records: String(facts.length) };
  for (const name of new Set(facts.flatMap((fact) => Object.keys(fact)))) {
    if (name === "type") continue;
    const values = facts.map((fact) => Object.entries(fact).find(([key]) => key === name)?.[1]).filter(
      isSaid,
    );
    if (values.length === 0) continue;
    const different = tally(values.map((value) => typeof value === "string" ? value : JSON.stringify(value)));
    const count = Object.keys(different).length;
    fields[name] = typeof values[0] === "boolean"
      ? Object.entries(sorted(different)).map(([value, n]) => `${value} ${n}`).join(", ")
      : `${values.length} with ${count} ${count === 1 ? "value" : "values"}`;
  }
  return fields;
}

function isSaid(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

async function leasesOf(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ ip: string; mac: string; host_name: string | null; granted: boolean }>(sql`
    select host(ip) as ip, mac, host_name, granted_at is not null as granted from dhcp_lease order by 1, 2`);
  return rows.map(({ ip, mac, host_name, granted }) =>
    `${ip} ${granted ? "granted to" : "asked for by"} ${mac}, host name ${host_name ?? "not said"}`
  );
}

async function captureOf(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ text: string }>(sql`
    select record_kind || ' of ' || case peer when '' then 'no peer' else peer end || ': '
      || coalesce(packets::text, '?') || ' packets, ' || coalesce(dropped::text, '?') || ' dropped, '
      || coalesce(loss_percent::text, '?') || ' % lost' as text
    from capture_sample order by sensor_id, peer, record_kind`);
  return rows.map(({ text }) => text);
}

function mostOf(names: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(sorted(names)).slice(0, MAX_NAMES));
}

function tally(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1));
}

/** Most frequent first. */
function sorted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a));
}
