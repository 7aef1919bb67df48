import { z } from "@hono/zod-openapi";
import { Counters } from "../flow/flow.ts";
import { IntelReference } from "../intel/intel.ts";
import { Facts } from "../record/facts.ts";
import {
  EVIDENCE_KINDS,
  EVIDENCE_SOURCES,
  INCIDENT_STATUSES,
  RECORD_KINDS,
  SEVERITIES,
  TRUST_CLASSES,
} from "../record/kinds.ts";
import { Confidence, Id, Ip, Score, Timestamp } from "../request/common.ts";
import { PHASE_IDS, RelatedIncident, SubScore } from "./incident.ts";
import { IncidentParty, IncidentTalk } from "./talk.ts";

// The file of an incident for a colleague who has no access to the service: `ndr.case.v1`.

export const CASE_SCHEMA = "ndr.case.v1";

/** Evidence items of a case, the newest. */
export const MAX_CASE_EVIDENCE = 500;
/** Length of a text of a record in a case, in UTF-16 units; the raw records have all of it. */
export const MAX_CASE_TEXT = 1000;
/** Entries of a list of a record in a case, such as the answers to a query. */
export const MAX_CASE_ENTRIES = 50;

/** Labels of the Traffic Light Protocol. */
export const TLP_LABELS = ["clear", "green", "amber", "red"] as const;
export type TlpLabel = (typeof TLP_LABELS)[number];

/** Files that an incident can be handed over as. */
export const CASE_FORMATS = ["json", "html", "markdown", "navigator", "records", "stix"] as const;
export type CaseFormat = (typeof CASE_FORMATS)[number];

const CaseDestination = z.object({
  ip: z.string().nullable(),
  name: z.string().nullable(),
  port: z.number().int().nullable(),
}).openapi("CaseDestination");

const CaseTactic = z.object({ id: z.string(), name: z.string() }).openapi("CaseTactic");

const CaseFinding = z.object({
  analysis_id: Id,
  model_id: z.string().openapi({ description: "The detector." }),
  title: z.string(),
  sentence: z.string().openapi({ description: "What happened." }),
  explanation: z.string().openapi({
    description: "Why it is suspicious, possible benign causes, and what to check next.",
  }),
  severity: z.enum(SEVERITIES),
  score: Score,
  confidence: Confidence,
  leading: z.boolean().openapi({ description: "Whether it has the highest score of all findings." }),
  technique: z.string().nullable(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  device_id: Id.nullable(),
  device_name: z.string().nullable(),
  destinations: z.array(CaseDestination),
  reasons: z.array(z.string()).openapi({ description: "What its score is made of, in words." }),
  evidence_ids: z.array(Id).openapi({ description: "Its items in `evidence`, oldest first." }),
}).openapi("CaseFinding");
export type CaseFinding = z.infer<typeof CaseFinding>;

export const CasePhase = z.object({
  phase: z.enum(PHASE_IDS),
  name: z.string(),
  severity: z.enum(SEVERITIES).openapi({ description: "The highest of its findings." }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  findings: z.array(CaseFinding).openapi({ description: "By their start." }),
}).openapi("CasePhase");
export type CasePhase = z.infer<typeof CasePhase>;

const CaseTechnique = z.object({
  technique: z.string(),
  name: z.string(),
  tactics: z.array(CaseTactic),
  url: z.string().nullable(),
  severity: z.enum(SEVERITIES),
  score: Score.openapi({ description: "The highest of its findings." }),
  analysis_ids: z.array(Id),
}).openapi("CaseTechnique");
export type CaseTechnique = z.infer<typeof CaseTechnique>;

const CaseDevice = z.object({
  device_id: Id,
  name: z.string(),
  device_type: z.string(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  addresses: z.array(Ip),
  mac_addresses: z.array(z.string()),
  first_seen: Timestamp,
  last_seen: Timestamp,
}).openapi("CaseDevice");
export type CaseDevice = z.infer<typeof CaseDevice>;

const CaseFlow = z.object({
  flow_id: Id,
  start: Timestamp,
  end: Timestamp,
  src: IncidentParty,
  dst: IncidentParty,
  proto: z.string().nullable().openapi({ description: "Null if the flow itself is no longer retained." }),
  service: z.string().nullable(),
  counters: Counters.nullable(),
  community_id: z.string().nullable(),
  names: z.array(z.string()),
}).openapi("CaseFlow");
export type CaseFlow = z.infer<typeof CaseFlow>;

const CaseEvidence = z.object({
  evidence_id: Id,
  flow_id: Id,
  kind: z.enum(EVIDENCE_KINDS),
  record_kind: z.enum(RECORD_KINDS),
  source: z.enum(EVIDENCE_SOURCES),
  sensor_id: z.string(),
  trust: z.enum(TRUST_CLASSES),
  observed_at: Timestamp,
  received_at: Timestamp,
  start: Timestamp,
  end: Timestamp,
  summary: z.string(),
  src: IncidentParty,
  dst: IncidentParty,
  counters: Counters.nullable(),
  facts: Facts.nullable().openapi({
    description:
      `The record's parsed content. Texts are cut after ${MAX_CASE_TEXT} characters and lists after ${MAX_CASE_ENTRIES} entries.`,
  }),
}).openapi("CaseEvidence");
export type CaseEvidence = z.infer<typeof CaseEvidence>;

const CaseIndicator = IntelReference.extend({
  first_seen: Timestamp,
  last_seen: Timestamp,
  flow_ids: z.array(Id),
  evidence_ids: z.array(Id),
}).openapi("CaseIndicator");
export type CaseIndicator = z.infer<typeof CaseIndicator>;

const CaseEntry = z.object({
  at: Timestamp,
  actor: z.string().openapi({ description: "Name of the person; the subject if it is unknown." }),
  action: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  comment: z.string().nullable(),
}).openapi("CaseEntry");

/** All of an incident that a colleague without access to the service needs. */
export const IncidentCase = z.object({
  schema: z.literal(CASE_SCHEMA),
  tlp: z.enum(TLP_LABELS).nullable(),
  site: z.object({ site_id: z.string(), display_name: z.string() }),
  incident: z.object({
    id: Id,
    title: z.string(),
    summary: z.string(),
    severity: z.enum(SEVERITIES),
    score: Score,
    status: z.enum(INCIDENT_STATUSES),
    assignee: z.string().nullable(),
    first_seen: Timestamp,
    last_seen: Timestamp,
    revision: z.number().int().positive(),
    suppressed: z.object({ reason: z.string(), until: Timestamp }).nullable(),
    continues: Id.nullable(),
    score_parts: z.array(SubScore),
    url: z.string().nullable().openapi({
      description: "Its page in the dashboard; null without a configured dashboard origin.",
    }),
  }),
  phases: z.array(CasePhase).openapi({ description: "By their first finding." }),
  techniques: z.array(CaseTechnique),
  devices: z.array(CaseDevice),
  talks: z.array(IncidentTalk).openapi({
    description: "Who talked to whom in the flows of the evidence, most bytes first.",
  }),
  intelligence: z.array(CaseIndicator),
  flows: z.array(CaseFlow),
  evidence: z.array(CaseEvidence).openapi({
    description: `The newest ${MAX_CASE_EVIDENCE} records, oldest first.`,
  }),
  evidence_truncated: z.boolean(),
  unresolved_evidence_ids: z.array(Id),
  history: z.array(CaseEntry),
  score_history: z.array(z.object({ at: Timestamp, score: Score, reason: z.string() })),
  related: z.array(RelatedIncident),
  next_steps: z.array(z.string()),
}).openapi("IncidentCase");
export type IncidentCase = z.infer<typeof IncidentCase>;

const NavigatorEntry = z.object({ name: z.string(), value: z.string() }).openapi("NavigatorEntry");

/** A layer of the ATT&CK Navigator, format 4.5, with the properties that the service uses. */
export const NavigatorLayer = z.object({
  name: z.string(),
  versions: z.object({ attack: z.string(), navigator: z.string(), layer: z.literal("4.5") }),
  domain: z.literal("enterprise-attack"),
  description: z.string(),
  sorting: z.number().int(),
  layout: z.object({
    layout: z.string(),
    showID: z.boolean(),
    showName: z.boolean(),
    expandedSubtechniques: z.string(),
  }),
  hideDisabled: z.boolean(),
  techniques: z.array(z.object({
    techniqueID: z.string(),
    score: Score.optional().openapi({
      description: "Absent for a parent that only shows its sub-techniques.",
    }),
    color: z.string(),
    comment: z.string(),
    enabled: z.boolean(),
    metadata: z.array(NavigatorEntry),
    showSubtechniques: z.boolean(),
  })),
  gradient: z.object({ colors: z.array(z.string()), minValue: z.number(), maxValue: z.number() }),
  legendItems: z.array(z.object({ label: z.string(), color: z.string() })),
  metadata: z.array(NavigatorEntry),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
}).openapi("NavigatorLayer");
export type NavigatorLayer = z.infer<typeof NavigatorLayer>;

export const CaseQuery = z.object({
  format: z.enum(CASE_FORMATS).default("json").openapi({
    description:
      `\`json\`: the whole case (\`${CASE_SCHEMA}\`); \`html\`: a report to read, print and archive, in one file; ` +
      "`markdown`: the report for tickets and wikis; `navigator`: its techniques as a layer of the ATT&CK Navigator; " +
      "`stix`: a bundle of STIX 2.1 with its observables, techniques and matched indicators; `records`: the raw records behind its evidence with their exact payloads, one JSON object per line.",
    example: "json",
  }),
  tlp: z.enum(TLP_LABELS).optional().openapi({
    description:
      "Label of the Traffic Light Protocol to mark the file with. Without effect on `records`, which stay as sensors sent them.",
    example: "amber",
  }),
});

export const CaseFile = z.union([
  IncidentCase,
  NavigatorLayer,
  z.string().openapi({ description: "The text of another format." }),
]);

export const CASE_TEXT =
  `The newest ${MAX_CASE_EVIDENCE} records of its evidence. \`X-Result-Limit\` states this limit; \`X-Result-Truncated\` is \`true\` ` +
  "if the incident has more evidence. A file has no time of its own: as long as the incident does not change, it is the same " +
  "byte for byte. Times are in UTC. A file of raw records that is not complete, for whatever reason, ends with the line " +
  '`{"truncated":true,"records":500,"reason":"..."}`.';
