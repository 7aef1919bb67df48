// Incidents to export, built from the examples of the API document.
import type { Flow, FlowObservation } from "../../../src/contract/flow/flow.ts";
import type { IncidentCase } from "../../../src/contract/incident/case.ts";
import { INCIDENT_DETAIL } from "../../../src/contract/openapi/examples/incidents.ts";
import { DEVICE } from "../../../src/contract/openapi/examples/devices.ts";
import { ALERT_OBSERVATION, CONN_OBSERVATION, FLOW } from "../../../src/contract/openapi/examples/flows.ts";
import { buildCase, type CaseInput } from "../../../src/domain/incident/report/build-case.ts";

/** Texts that an attacker may put into names, titles and records. */
export const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `</style></svg><iframe src=//evil.example>`,
  `![x](https://evil.example/p.png) [click](javascript:alert(1)) <https://evil.example>`,
  `| a | b | \`code\` **bold** _it_ ~~no~~ # heading`,
  `# heading`,
  `- item`,
  `1. item`,
  `=HYPERLINK("http://evil.example","x")`,
  `\u001b[31mred\u001b[0m \u0007`,
  `\u202egnp.exe \u2066x\u2069 \u200b`,
  `nul\u0000byte \ud800`,
  `line one\n# line two\r\n---\n\`\`\``,
  `&lt;b&gt; &#60;i&#62;`,
  `https://evil.example www.evil.example mailto:a@evil.example`,
] as const;

export function caseInput(more: Partial<CaseInput> = {}): CaseInput {
  return {
    site: { site_id: "main", display_name: "Headquarters" },
    tlp: null,
    url: null,
    incident: {
      ...INCIDENT_DETAIL,
      evidence: [CONN_OBSERVATION, ALERT_OBSERVATION].map(itemOf),
    },
    observations: [CONN_OBSERVATION, ALERT_OBSERVATION],
    flows: [FLOW],
    devices: [{ ...DEVICE, mac_addresses: ["3c:22:fb:10:20:30"] }],
    deviceNames: new Map([[DEVICE.device_id, DEVICE.display_name]]),
    people: new Map([["ada", "Ada Lovelace"]]),
    ...more,
  };
}

export function exampleCase(more: Partial<CaseInput> = {}): IncidentCase {
  return buildCase(caseInput(more));
}

/** The observation as a detail lists it. */
function itemOf(observation: FlowObservation): IncidentCaseItem {
  const {
    evidence_id,
    kind,
    source,
    sensor_id,
    observed_at,
    received_at,
    trust,
    summary,
    flow_id,
    record_kind,
  } = observation;
  return {
    evidence_id,
    kind,
    source,
    sensor_id,
    observed_at,
    received_at,
    trust,
    summary,
    flow_id,
    record_kind,
  };
}
type IncidentCaseItem = CaseInput["incident"]["evidence"][number];

/** The same incident with a text in every place that an attacker or a person may fill. */
export function hostileCase(text: string): IncidentCase {
  const input = caseInput();
  const { incident } = input;
  const observations = input.observations.map((one): FlowObservation => ({
    ...one,
    summary: text,
    sensor_id: text,
    facts: {
      type: "http",
      method: text,
      host: text,
      uri: text,
      user_agent: text,
      referrer: text,
      version: text,
      status: 200,
      content_type: text,
      request_bytes: null,
      response_bytes: null,
      username: text,
    },
  }));
  const flows = input.flows.map((flow): Flow => ({
    ...flow,
    service: text,
    server_name: text,
    names: flow.names.map((name) => ({ ...name, name: text })),
    intel: [
      { list: text, kind: "domain", indicator: text, description: text, confidence: 0.5, listed: true },
      { list: text, kind: "url", indicator: text, description: text, confidence: null, listed: true },
    ],
  }));
  return buildCase({
    ...input,
    tlp: "amber",
    site: { site_id: text, display_name: text },
    incident: {
      ...incident,
      title: text,
      summary: text,
      assignee: "ada",
      evidence: observations.map(itemOf),
      suppressed: { suppression_id: incident.id, reason: text, until: incident.last_seen },
      model_results: incident.model_results.map((result) => ({
        ...result,
        title: text,
        summary: text,
        explanation: text,
        destinations: [{ ip: text, name: text, port: 443 }],
        sub_scores: [{ name: text, value: 1, weight: 1, detail: text }],
      })),
      workflow_history: [
        {
          at: incident.last_seen,
          actor: "ada",
          action: "commented",
          from: null,
          to: null,
          comment: text,
          revision: 2,
        },
      ],
      device_names: Object.fromEntries(incident.device_ids.map((id) => [id, text])),
      related: incident.related.map((one) => ({ ...one, title: text })),
    },
    observations,
    flows,
    devices: input.devices.map((device) => ({
      ...device,
      display_name: text,
      owner: text,
      tags: [text],
      device_type: text,
      mac_addresses: [text],
    })),
    deviceNames: new Map(incident.device_ids.map((id) => [id, text])),
    people: new Map([["ada", text]]),
  });
}
