import type { DeviceBehaviour, ServiceUse } from "../../domain/device/classify/behaviour.ts";
import { SERVER_PORTS } from "../../domain/device/classify/roles.ts";
import type { DeviceFactKind } from "../../domain/device/fact.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { semanticsNumber } from "../record/vocabulary.ts";

/** Newest flows examined on each side. */
const FLOW_LIMIT = 2000;
/** Services returned for each side, those with the most flows. */
const SERVICE_LIMIT = 200;
/** Newest texts returned of each kind. */
const TEXT_LIMIT = 50;

export interface Span {
  /** Microseconds, half-open, on a flow's start. */
  from: number;
  to: number;
}

interface ServiceRow {
  proto: string;
  port: number | null;
  service: string | null;
  flow_count: number;
  peer_count: number;
  outside_count: number;
  /** Whether the device serves, rather than uses, the service. */
  serves: boolean;
}

/** The behaviour of devices that are one machine, from records in `span`. */
export async function readBehaviour(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  span: Span,
): Promise<DeviceBehaviour> {
  const [incoming, outgoing, facts, leases] = await Promise.all([
    services(tx, incomingFlows(tenantId, deviceIds, span)),
    services(tx, outgoingFlows(tenantId, deviceIds, span)),
    textsOf(tx, tenantId, deviceIds),
    leasesOf(tx, tenantId, deviceIds),
  ]);
  const texts = (kinds: DeviceFactKind[]) =>
    distinct(facts.filter((fact) => kinds.includes(fact.kind)).map((fact) => fact.value));
  return {
    ...span,
    serves: [...incoming, ...outgoing].filter((row) => row.serves).map(toUse),
    uses: outgoing.filter((row) => !row.serves).map(toUse),
    userAgents: texts(["user_agent"]),
    domains: texts(["domain"]),
    sshSoftware: texts(["ssh_server", "ssh_client"]),
    hostNames: distinct([
      ...leases.map((lease) => lease.host_name),
      ...texts(["smb_host"]),
      ...facts.map((fact) => fact.kind === "kerberos_principal" ? fact.detail : null),
    ]),
    vendorClasses: distinct(leases.map((lease) => lease.vendor_class)),
  };
}

function incomingFlows(tenantId: string, deviceIds: readonly string[], span: Span): Sql {
  return sql`
    select proto, dst_port as port, service, src_ip as peer, src_device_id as peer_device, true as serves
    from (${newest(tenantId, sql`dst_device_id`, deviceIds, span)}) f where ${ANSWERED}`;
}

/**
 * Flows that the device sent. If an exporter's record of the answer came first, it shows a service of the
 * sender.
 */
function outgoingFlows(tenantId: string, deviceIds: readonly string[], span: Span): Sql {
  return sql`
    select proto, case when ${IS_ANSWER} then src_port else dst_port end as port, service, dst_ip as peer,
      dst_device_id as peer_device, ${IS_ANSWER} as serves
    from (${newest(tenantId, sql`src_device_id`, deviceIds, span)}) f`;
}

/** One scan for each device, so that each uses the index in time order. */
function newest(tenantId: string, end: Sql, deviceIds: readonly string[], { from, to }: Span): Sql {
  const since = sql`${timestampLiteral(from)}::timestamptz`;
  const until = sql`${timestampLiteral(to)}::timestamptz`;
  const limit = Math.ceil(FLOW_LIMIT / deviceIds.length);
  const scans = deviceIds.map((deviceId) =>
    sql`
    (select proto, src_ip, src_port, src_device_id, dst_ip, dst_port, dst_device_id, dst_bytes, dst_packets,
      semantics_no, service
    from flow
    where tenant_id = ${tenantId} and ${end} = ${deviceId}::uuid and start_at >= ${since} and start_at < ${until}
      and anchor_at >= ${since} - interval '1 millisecond'
    order by start_at desc limit ${limit})`
  );
  return scans.reduce((left, right) => sql`${left} union all ${right}`);
}

const UNKNOWN = sql`${semanticsNumber("unknown")}`;
const EXPORT = sql`${semanticsNumber("unidirectional_export")}`;
const PORTS = sql`any(${plainArray(SERVER_PORTS)}::integer[])`;

/**
 * The destination answered. A single TCP packet is a refusal; a transaction without counters counts if the
 * sensor parsed it.
 */
const ANSWERED = sql`(
  (dst_bytes > 0 and (proto <> 'tcp' or coalesce(dst_packets, 2) >= 2))
  or (semantics_no = ${UNKNOWN} and service is not null))`;

/** An exporter's record of a server's response. */
const IS_ANSWER = sql`coalesce(
  semantics_no = ${EXPORT} and src_port = ${PORTS} and not dst_port = ${PORTS}, false)`;

async function services(tx: Tx, flows: Sql): Promise<ServiceRow[]> {
  return await tx.rows<ServiceRow>(sql`
    select proto, port, service, serves, count(*)::int as flow_count, count(distinct peer)::int as peer_count,
      (count(distinct peer) filter (where peer_device is null))::int as outside_count
    from (${flows}) s group by proto, port, service, serves
    order by flow_count desc, proto, port, service, serves limit ${SERVICE_LIMIT}`);
}

function toUse(row: ServiceRow): ServiceUse {
  return {
    proto: row.proto,
    port: row.port,
    service: row.service,
    flowCount: row.flow_count,
    peerCount: row.peer_count,
    outsideCount: row.outside_count,
  };
}

interface TextRow {
  kind: DeviceFactKind;
  value: string;
  detail: string | null;
}

const TEXT_KINDS: DeviceFactKind[] = [
  "user_agent",
  "domain",
  "ssh_server",
  "ssh_client",
  "smb_host",
  "kerberos_principal",
];

async function textsOf(tx: Tx, tenantId: string, deviceIds: readonly string[]): Promise<TextRow[]> {
  return await tx.rows<TextRow>(sql`
    select k.kind, f.value, f.detail from unnest(${plainArray(TEXT_KINDS)}::text[]) as k (kind)
    cross join lateral (
      select value, detail from device_fact
      where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and kind = k.kind
      order by last_seen desc, value limit ${TEXT_LIMIT}
    ) f`);
}

/** Self-descriptions of the clients that the device's addresses were last leased to. */
async function leasesOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<{ host_name: string | null; vendor_class: string | null }[]> {
  return await tx.rows(sql`
    select l.host_name, l.vendor_class from device_address a
    cross join lateral (
      select host_name, vendor_class from dhcp_lease
      where tenant_id = ${tenantId} and ip = a.ip and granted_at is not null
      order by granted_at desc, mac limit 1
    ) l
    where a.tenant_id = ${tenantId} and a.device_id = any(${plainArray(deviceIds)}::uuid[]) order by a.ip`);
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.filter((text) => text !== null))].slice(0, TEXT_LIMIT);
}
