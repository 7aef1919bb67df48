import type { Device } from "../../../contract/device/device.ts";
import type { Flow, FlowObservation } from "../../../contract/flow/flow.ts";
import {
  CASE_SCHEMA,
  type CaseDevice,
  type CaseEvidence,
  type CaseFinding,
  type CaseFlow,
  type CaseIndicator,
  type CasePhase,
  type CaseTechnique,
  type IncidentCase,
  MAX_CASE_ENTRIES,
  MAX_CASE_TEXT,
  type TlpLabel,
} from "../../../contract/incident/case.ts";
import type { IncidentDetail, ModelResult } from "../../../contract/incident/incident.ts";
import type { Facts } from "../../../contract/record/facts.ts";
import { tacticName, tacticsOf, techniqueName, techniqueUrl } from "../../../kit/attack.ts";
import { mapStrings, storable } from "../../../kit/plain-text.ts";
import { shortened } from "../../../kit/text.ts";
import { namedFlow, type PartyNames, partyOf } from "../parties.ts";
import { phasesOf } from "../phases.ts";
import { severityOf } from "../severity.ts";
import { nextSteps } from "./next-steps.ts";
import { talkKey, talksOf, withAllFlows } from "../talks.ts";

/** A device with the hardware addresses of its leases. */
type DeviceOfCase = Device & { mac_addresses: string[] };

/** What a case is built from, as the API shows it. */
export interface CaseInput {
  site: IncidentCase["site"];
  tlp: TlpLabel | null;
  /** The incident's page; null without a dashboard origin. */
  url: string | null;
  incident: IncidentDetail;
  /** Of the incident's evidence, oldest first; their raw records are not used. */
  observations: readonly FlowObservation[];
  /** Flows of the evidence that are retained. */
  flows: readonly Flow[];
  devices: readonly DeviceOfCase[];
  /** Names of devices at any end of the flows, by id. */
  deviceNames: ReadonlyMap<string, string>;
  /** Names of people by subject. */
  people: ReadonlyMap<string, string>;
}

/** The case that every format is rendered from. Equal input gives an equal case: it has no time of its own. */
export function buildCase(input: CaseInput): IncidentCase {
  const { incident, people } = input;
  const evidence = input.observations.map((one) => evidenceOf(one, input));
  const flows = flowsOf(input);
  const findings = findingsOf(incident, input);
  const phases = phasesOf(findings).map(({ id, name, firstSeen, lastSeen, findings: own }): CasePhase => ({
    phase: id,
    name,
    severity: severityOf(Math.max(...own.map(({ score }) => score))),
    first_seen: firstSeen,
    last_seen: lastSeen,
    findings: own,
  }));
  const nameOf = (subject: string) => people.get(subject) ?? subject;
  const head: IncidentCase["incident"] = {
    id: incident.id,
    title: incident.title,
    summary: incident.summary,
    severity: incident.severity,
    score: incident.score,
    status: incident.status,
    assignee: incident.assignee && nameOf(incident.assignee),
    first_seen: incident.first_seen,
    last_seen: incident.last_seen,
    revision: incident.revision,
    suppressed: incident.suppressed &&
      { reason: incident.suppressed.reason, until: incident.suppressed.until },
    continues: incident.continues,
    score_parts: incident.score_parts,
    url: input.url,
  };
  const sums = new Map(incident.talks.map((talk) => [talkKey(talk), talk.all_flows]));
  const talks = withAllFlows(talksOf({ flows, evidence, findings }), sums);
  const history = incident.workflow_history.map(({ at, actor, action, from, to, comment }) => ({
    at,
    actor: nameOf(actor),
    action,
    from: action === "assigned" && from !== null ? nameOf(from) : from,
    to: action === "assigned" && to !== null ? nameOf(to) : to,
    comment,
  }));
  const value: IncidentCase = {
    schema: CASE_SCHEMA,
    tlp: input.tlp,
    site: input.site,
    incident: head,
    phases,
    techniques: techniquesOf(findings),
    devices: devicesOf(input),
    talks,
    intelligence: intelligenceOf(input.flows, evidence),
    flows,
    evidence,
    evidence_truncated: incident.evidence_truncated,
    unresolved_evidence_ids: incident.unresolved_evidence_ids,
    history,
    score_history: incident.score_history,
    related: incident.related,
    next_steps: nextSteps({ incident: head, phases, talks, history }),
  };
  // A text that is cut, or that a sensor sent, may have half a character, which UTF-8 cannot carry.
  return mapStrings(value, storable);
}

function findingsOf(incident: IncidentDetail, { deviceNames }: PartyNames): CaseFinding[] {
  const order = new Map(incident.evidence.map(({ evidence_id }, at) => [evidence_id, at]));
  const results = incident.model_results;
  const highest = results.reduce<ModelResult | null>(
    (best, one) => best === null || one.score > best.score ? one : best,
    null,
  );
  return results.map((result) => ({
    analysis_id: result.analysis_id,
    model_id: result.model_id,
    title: result.title,
    sentence: result.summary === "" ? result.title : result.summary,
    explanation: result.explanation,
    severity: severityOf(result.score),
    score: result.score,
    confidence: result.confidence,
    leading: result === highest,
    technique: result.technique,
    first_seen: result.first_seen,
    last_seen: result.last_seen,
    device_id: result.device_id,
    device_name: result.device_id === null
      ? null
      : incident.device_names[result.device_id] ?? deviceNames.get(result.device_id) ?? null,
    destinations: result.destinations,
    reasons: [...result.sub_scores, ...result.modifiers].map(({ detail }) => detail),
    evidence_ids: result.evidence_ids.filter((id) => order.has(id)).sort((a, b) =>
      order.get(a)! - order.get(b)!
    ),
  }));
}

function techniquesOf(findings: readonly CaseFinding[]): CaseTechnique[] {
  const groups = Map.groupBy(findings.filter(({ technique }) => technique !== null), (one) => one.technique!);
  return [...groups].map(([technique, own]) => {
    const score = Math.max(...own.map(({ score }) => score));
    return {
      technique,
      name: techniqueName(technique),
      tactics: tacticsOf(technique).map((id) => ({ id, name: tacticName(id) })),
      url: techniqueUrl(technique),
      severity: severityOf(score),
      score,
      analysis_ids: own.map(({ analysis_id }) => analysis_id),
    };
  }).sort((a, b) => b.score - a.score || (a.technique < b.technique ? -1 : 1));
}

/** The devices of the incident, in its order. */
function devicesOf({ incident, devices }: CaseInput): CaseDevice[] {
  const byId = new Map(devices.map((device) => [device.device_id, device]));
  return incident.device_ids.flatMap((id) => {
    const device = byId.get(id);
    if (device === undefined) return [];
    const { device_type, owner, tags, addresses, mac_addresses, first_seen, last_seen } = device;
    return [{
      device_id: id,
      name: device.display_name,
      device_type,
      owner,
      tags,
      addresses,
      mac_addresses,
      first_seen,
      last_seen,
    }];
  });
}

function flowsOf(input: CaseInput): CaseFlow[] {
  const retained = input.flows.map((flow) => namedFlow(flow, input));
  const known = new Set(retained.map(({ flow_id }) => flow_id));
  const kept = Map.groupBy(
    input.observations.filter(({ flow_id }) => !known.has(flow_id)),
    ({ flow_id }) => flow_id,
  );
  const dropped = [...kept.values()].map((own): CaseFlow => {
    const best = own.find(({ preferred }) => preferred) ?? own[0]!;
    return {
      flow_id: best.flow_id,
      start: best.start,
      end: best.end,
      src: partyOf(best.src, input, best),
      dst: partyOf(best.dst, input, best),
      proto: null,
      service: null,
      counters: best.counters,
      community_id: best.community_id,
      names: [],
    };
  });
  return [...retained, ...dropped].sort((a, b) =>
    a.start < b.start ? -1 : a.start > b.start ? 1 : a.flow_id < b.flow_id ? -1 : 1
  );
}

function evidenceOf(observation: FlowObservation, names: PartyNames): CaseEvidence {
  return {
    evidence_id: observation.evidence_id,
    flow_id: observation.flow_id,
    kind: observation.kind,
    record_kind: observation.record_kind,
    source: observation.source,
    sensor_id: observation.sensor_id,
    trust: observation.trust,
    observed_at: observation.observed_at,
    received_at: observation.received_at,
    start: observation.start,
    end: observation.end,
    summary: observation.summary,
    src: partyOf(observation.src, names, observation),
    dst: partyOf(observation.dst, names, observation),
    counters: observation.counters,
    facts: observation.facts && boundedFacts(observation.facts),
  };
}

/** Facts of a size that fits into a file with hundreds of them, whatever a sensor sent. */
function boundedFacts(facts: Facts): Facts {
  return bounded(facts) as Facts;
}

function bounded(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_CASE_TEXT);
  if (Array.isArray(value)) return value.slice(0, MAX_CASE_ENTRIES).map(bounded);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, MAX_CASE_ENTRIES);
  return Object.fromEntries(entries.map(([key, one]) => [key, bounded(one)]));
}

function intelligenceOf(flows: readonly Flow[], evidence: readonly CaseEvidence[]): CaseIndicator[] {
  const byFlow = Map.groupBy(evidence, ({ flow_id }) => flow_id);
  const found = new Map<string, CaseIndicator>();
  for (const flow of flows) {
    for (const reference of flow.intel) {
      const key = `${reference.kind} ${reference.indicator}`;
      const known = found.get(key) ??
        { ...reference, first_seen: flow.start, last_seen: flow.end, flow_ids: [], evidence_ids: [] };
      if (flow.start < known.first_seen) known.first_seen = flow.start;
      if (flow.end > known.last_seen) known.last_seen = flow.end;
      known.flow_ids.push(flow.flow_id);
      known.evidence_ids.push(...(byFlow.get(flow.flow_id) ?? []).map(({ evidence_id }) => evidence_id));
      found.set(key, known);
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}
