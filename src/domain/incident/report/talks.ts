import type {
  CaseEvidence,
  CaseFinding,
  CaseFlow,
  CaseParty,
  IncidentCase,
} from "../../../contract/incident/case.ts";
import { SEVERITIES, type Severity } from "../../../contract/record/kinds.ts";

type Talk = IncidentCase["talks"][number];
type Bytes = Talk["bytes_out"];

interface TalkSource {
  flows: readonly CaseFlow[];
  evidence: readonly CaseEvidence[];
  findings: readonly CaseFinding[];
}

/**
 * Who talked to whom: the flows by source and destination, ports of clients aside. Most bytes first; of equal ones, the
 * earliest.
 */
export function talksOf({ flows, evidence, findings }: TalkSource): Talk[] {
  const severities = severityByFlow(evidence, findings);
  const groups = Map.groupBy(flows, ({ src, dst }) => `${partyKey(src)} ${partyKey(dst)}`);
  return [...groups.values()].map((own): Talk => ({
    src: { ...own[0]!.src, port: null },
    dst: { ...named(own.map(({ dst }) => dst)), port: commonPort(own) },
    services: servicesOf(own),
    flows: own.length,
    bytes_out: sum(own.map(({ counters }) => counters?.src_to_dst.bytes ?? null)),
    bytes_in: sum(own.map(({ counters }) => counters?.dst_to_src.bytes ?? null)),
    first_seen: own.map(({ start }) => start).reduce((a, b) => a < b ? a : b),
    last_seen: own.map(({ end }) => end).reduce((a, b) => a > b ? a : b),
    severity: own.map(({ flow_id }) => severities.get(flow_id) ?? null).reduce(higher),
  })).sort((a, b) => {
    const [left, right] = [total(a), total(b)];
    return left > right ? -1 : left < right ? 1 : a.first_seen < b.first_seen ? -1 : 1;
  });
}

function partyKey({ device_id, ip }: CaseParty): string {
  return device_id ?? ip ?? "-";
}

/** The first end with a name; without one, the first. */
function named(parties: readonly CaseParty[]): CaseParty {
  return parties.find(({ name }) => name !== null) ?? parties[0]!;
}

function commonPort(flows: readonly CaseFlow[]): number | null {
  const ports = new Set(flows.map(({ dst }) => dst.port));
  return ports.size === 1 ? flows[0]!.dst.port : null;
}

function servicesOf(flows: readonly CaseFlow[]): string[] {
  const counts = new Map<string, number>();
  for (const { service, proto, dst } of flows) {
    const port = dst.port === null ? proto : `${dst.port}/${proto ?? "ip"}`;
    const name = service ?? port;
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
}

/** Null if all are; exact beyond 2^53. */
function sum(values: readonly Bytes[]): Bytes {
  const stated = values.filter((value) => value !== null);
  if (stated.length === 0) return null;
  const exact = stated.reduce<bigint>((a, b) => a + BigInt(b), 0n);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

function total({ bytes_out, bytes_in }: Talk): bigint {
  return BigInt(bytes_out ?? 0) + BigInt(bytes_in ?? 0);
}

function severityByFlow(
  evidence: readonly CaseEvidence[],
  findings: readonly CaseFinding[],
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
