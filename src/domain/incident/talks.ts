import type { CaseFlow } from "../../contract/incident/case.ts";
import type { ModelResult } from "../../contract/incident/incident.ts";
import { type IncidentParty, type IncidentTalk, MAX_TALK_PORTS } from "../../contract/incident/talk.ts";
import { SEVERITIES, type Severity } from "../../contract/record/kinds.ts";
import { isUnstatedIp } from "../../kit/net/ip.ts";

type Bytes = IncidentTalk["bytes_out"];
type TalkFlow = Pick<
  CaseFlow,
  "flow_id" | "start" | "end" | "src" | "dst" | "proto" | "service" | "counters"
>;

interface TalkSource<F extends TalkFlow> {
  flows: readonly F[];
  /** Oldest first. */
  evidence: readonly { evidence_id: string; flow_id: string }[];
  findings: readonly { severity: Severity; evidence_ids: readonly string[] }[];
}

/**
 * Who talked to whom: the flows by source and destination, ports of clients aside. Most bytes first; of equal ones, the
 * earliest.
 */
export function talksOf<F extends TalkFlow>({ flows, evidence, findings }: TalkSource<F>): IncidentTalk[] {
  const severities = severityByFlow(evidence, findings);
  const records = Map.groupBy(evidence, ({ flow_id }) => flow_id);
  const order = new Map(evidence.map(({ evidence_id }, at) => [evidence_id, at]));
  const groups = Map.groupBy(flows, talkKey);
  return [...groups.values()].map((own): IncidentTalk => ({
    src: { ...own[0]!.src, port: null },
    dst: { ...named(own.map(({ dst }) => dst)), port: commonPort(own) },
    services: servicesOf(own),
    ports: portsOf(own),
    flows: own.length,
    bytes_out: sumOf(own.map(({ counters }) => counters?.src_to_dst.bytes ?? null)),
    bytes_in: sumOf(own.map(({ counters }) => counters?.dst_to_src.bytes ?? null)),
    all_flows: null,
    first_seen: own.map(({ start }) => start).reduce((a, b) => a < b ? a : b),
    last_seen: own.map(({ end }) => end).reduce((a, b) => a > b ? a : b),
    severity: own.map(({ flow_id }) => severities.get(flow_id) ?? null).reduce(higher),
    evidence_ids: own.flatMap(({ flow_id }) => records.get(flow_id) ?? [])
      .map(({ evidence_id }) => evidence_id).sort((a, b) => order.get(a)! - order.get(b)!),
  })).sort((a, b) => {
    const [left, right] = [total(a), total(b)];
    return left > right ? -1 : left < right ? 1 : a.first_seen < b.first_seen ? -1 : 1;
  });
}

type NamingResult =
  & Pick<ModelResult, "device_id" | "destinations" | "evidence_ids" | "first_seen" | "last_seen">
  & { severity: Severity };

interface NamedSource {
  results: readonly NamingResult[];
  flows: readonly Pick<CaseFlow, "src" | "dst" | "names">[];
  /** Evidence that no talk of flows has. */
  unplaced: readonly string[];
  deviceNames: Readonly<Record<string, string>>;
}

/**
 * Destinations that results name although no flow of the evidence reaches them. A result with a single destination brings
 * the evidence that no other talk has.
 */
export function namedTalks({ results, flows, unplaced, deviceNames }: NamedSource): IncidentTalk[] {
  const shown = new Set(
    flows.flatMap(({ src, dst, names }) => [src.ip, dst.ip, src.name, dst.name, ...names]).filter((one) =>
      one !== null
    ),
  );
  const free = new Set(unplaced);
  const talks = new Map<string, IncidentTalk>();
  for (const result of results) {
    const { device_id, destinations, severity, first_seen, last_seen } = result;
    if (device_id === null) continue;
    for (const { ip: stated, name, port } of destinations) {
      const ip = stated === null || isUnstatedIp(stated) ? null : stated;
      if (ip === null && name === null) continue;
      if ((ip !== null && shown.has(ip)) || (name !== null && isNamed(shown, name))) continue;
      const key = `${device_id} ${ip ?? name}`;
      const known = talks.get(key);
      const own = destinations.length > 1 ? [] : result.evidence_ids.filter((id) => free.delete(id));
      const ports = port === null ? [] : [port];
      talks.set(key, {
        src: {
          ip: null,
          port: null,
          device_id,
          name: deviceNames[device_id] ?? null,
          country: null,
        },
        dst: { ip, port, device_id: null, name, country: null },
        services: [],
        flows: 0,
        bytes_out: null,
        bytes_in: null,
        all_flows: null,
        ports: [...new Set([...known?.ports ?? [], ...ports])].slice(0, MAX_TALK_PORTS),
        first_seen: known !== undefined && known.first_seen < first_seen ? known.first_seen : first_seen,
        last_seen: known !== undefined && known.last_seen > last_seen ? known.last_seen : last_seen,
        severity: higher(known?.severity ?? null, severity),
        evidence_ids: [...known?.evidence_ids ?? [], ...own],
      });
    }
  }
  return [...talks.values()];
}

/** A registered domain is shown already if one of its hosts is. */
function isNamed(shown: ReadonlySet<string>, name: string): boolean {
  return shown.has(name) || [...shown].some((one) => one.endsWith(`.${name}`));
}

/** Equal for flows of one talk, and for the talk itself. */
export function talkKey({ src, dst }: Pick<IncidentTalk, "src" | "dst">): string {
  return `${partyKey(src)} ${partyKey(dst)}`;
}

/** The talks with what all flows of the pair add up to, by `talkKey`. */
export function withAllFlows(
  talks: readonly IncidentTalk[],
  sums: ReadonlyMap<string, IncidentTalk["all_flows"]>,
): IncidentTalk[] {
  return talks.map((talk) => ({ ...talk, all_flows: sums.get(talkKey(talk)) ?? null }));
}

function partyKey({ device_id, ip }: IncidentParty): string {
  return device_id ?? ip ?? "-";
}

/** The first end with a name; without one, the first. */
function named(parties: readonly IncidentParty[]): IncidentParty {
  return parties.find(({ name }) => name !== null) ?? parties[0]!;
}

function commonPort(flows: readonly TalkFlow[]): number | null {
  const ports = new Set(flows.map(({ dst }) => dst.port));
  return ports.size === 1 ? flows[0]!.dst.port : null;
}

function servicesOf(flows: readonly TalkFlow[]): string[] {
  return frequent(
    flows.map(({ service, proto, dst }) =>
      service ?? (dst.port === null ? proto : `${dst.port}/${proto ?? "ip"}`)
    ),
  );
}

function portsOf(flows: readonly TalkFlow[]): number[] {
  return frequent(flows.map(({ dst }) => dst.port)).slice(0, MAX_TALK_PORTS);
}

/** The different values, most frequent first. */
function frequent<T extends string | number>(values: readonly (T | null)[]): T[] {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([value]) => value);
}

/** Null if all are; exact beyond 2^53. */
export function sumOf(values: readonly Bytes[]): Bytes {
  const stated = values.filter((value) => value !== null);
  if (stated.length === 0) return null;
  const exact = stated.reduce<bigint>((a, b) => a + BigInt(b), 0n);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

function total({ bytes_out, bytes_in }: IncidentTalk): bigint {
  return BigInt(bytes_out ?? 0) + BigInt(bytes_in ?? 0);
}

function severityByFlow(
  evidence: TalkSource<TalkFlow>["evidence"],
  findings: TalkSource<TalkFlow>["findings"],
): Map<string, Severity> {
  const flowOf = new Map(evidence.map(({ evidence_id, flow_id }) => [evidence_id, flow_id]));
  const found = new Map<string, Severity>();
  for (const { severity, evidence_ids } of findings) {
    for (const id of evidence_ids) {
      const flow = flowOf.get(id);
      if (flow !== undefined) found.set(flow, higher(found.get(flow) ?? null, severity)!);
    }
  }
  return found;
}

function higher(a: Severity | null, b: Severity | null): Severity | null {
  if (a === null || b === null) return a ?? b;
  return SEVERITIES.indexOf(a) < SEVERITIES.indexOf(b) ? b : a;
}
