import type { CaseEvidence, IncidentCase, TlpLabel } from "../../../../contract/incident/case.ts";
import { stringifyJson } from "../../../../kit/json/json.ts";
import { formatMillis } from "../../../../kit/time.ts";
import { scoreText } from "../words.ts";
import { ownId, type StixObject } from "./ids.ts";
import { indicatorPattern } from "./indicator-pattern.ts";
import { Observables, stated } from "./observables.ts";

/** Addresses of one device that the bundle relates to it. */
const MAX_ADDRESSES = 20;
/** When objects that never change were created, as far as a reader compares versions. */
const FIXED = "2025-01-01T00:00:00.000Z";
/** The marking definitions of the specification (section 7.2.1.4), which are fixed. */
const TLP: Record<TlpLabel, { id: string; name: string }> = {
  clear: { id: "marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9", name: "white" },
  green: { id: "marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da", name: "green" },
  amber: { id: "marking-definition--f88d31f6-486f-44da-b317-01333bde0b82", name: "amber" },
  red: { id: "marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed", name: "red" },
};

/** The case as a STIX 2.1 bundle: a report that refers to all objects. */
export function renderStix(value: IncidentCase): string {
  return `${stringifyJson(new Bundle(value).build())}\n`;
}

class Bundle {
  readonly #observables: Observables;
  readonly #objects = new Map<string, StixObject>();
  readonly #site: string;
  readonly #times: { created: string; modified: string };

  constructor(private readonly value: IncidentCase) {
    this.#observables = new Observables(value.evidence);
    this.#site = ownId("identity", "site", value.site.site_id, value.site.display_name);
    this.#times = timesOf(value);
  }

  build(): StixObject {
    const { incident, site, tlp } = this.value;
    const id = incident.id;
    const incidentId = this.#incident();
    const techniques = this.#techniques(incidentId);
    const observed = this.#observedData();
    this.#devices(incidentId);
    this.#findings(incidentId, techniques, observed);
    this.#intelligence(observed);
    const marking = tlp === null ? [] : [TLP[tlp].id];
    const content = [...this.#observables.objects, ...this.#objects.values()];
    const report = this.#object("report", ownId("report", id), this.#times, {
      name: incident.title,
      description: incident.summary,
      report_types: ["observed-data"],
      published: this.#times.modified,
      object_refs: content.map((one) => one.id),
      external_references: incident.url === null
        ? undefined
        : [{ source_name: "ndr", url: incident.url, external_id: id }],
    });
    const identity = this.#object("identity", this.#site, { created: FIXED, modified: FIXED }, {
      name: site.display_name,
      identity_class: "organization",
    });
    const marked = [identity, report, ...content].map((one) =>
      marking.length === 0 ? one : { ...one, object_marking_refs: marking }
    );
    return {
      type: "bundle",
      id: ownId("bundle", id, String(incident.revision), this.#times.modified),
      objects: [...tlp === null ? [] : [markingOf(tlp)], ...marked],
    };
  }

  #object(
    type: string,
    id: string,
    { created, modified }: { created: string; modified: string },
    properties: Record<string, unknown>,
  ): StixObject {
    return {
      type,
      spec_version: "2.1",
      id,
      created_by_ref: this.#site,
      created,
      modified,
      ...stated(properties),
    };
  }

  /** Adds an object once and returns its identifier; `about` is what the identifier is made of. */
  #add(
    type: string,
    about: readonly string[],
    properties: Record<string, unknown>,
    times = this.#times,
  ): string {
    const id = ownId(type, ...about);
    if (!this.#objects.has(id)) this.#objects.set(id, this.#object(type, id, times, properties));
    return id;
  }

  #relate(source: string, relationship_type: string, target: string): void {
    const { id } = this.value.incident;
    this.#add("relationship", [id, source, relationship_type, target], {
      relationship_type,
      source_ref: source,
      target_ref: target,
    });
  }

  #incident(): string {
    const { incident } = this.value;
    return this.#add("incident", [incident.id], {
      name: incident.title,
      description: incident.summary,
      labels: [
        `severity:${incident.severity}`,
        `status:${incident.status}`,
        `score:${scoreText(incident.score)}`,
      ],
      external_references: [{ source_name: "ndr", external_id: incident.id, ...urlOf(incident.url) }],
    });
  }

  /** The attack patterns by technique. */
  #techniques(incidentId: string): Map<string, string> {
    return new Map(
      this.value.techniques.filter(({ url }) => url !== null).map(({ technique, name, tactics, url }) => {
        const id = this.#add("attack-pattern", [this.#site, technique], {
          name,
          kill_chain_phases: tactics.length === 0
            ? undefined
            : tactics.map((tactic) => ({ kill_chain_name: "mitre-attack", phase_name: tactic.id })),
          external_references: [{ source_name: "mitre-attack", external_id: technique, url }],
        }, { created: FIXED, modified: FIXED });
        this.#relate(incidentId, "uses", id);
        return [technique, id] as const;
      }),
    );
  }

  /** One observation each, by evidence; none for a record that names nothing STIX has an object for. */
  #observedData(): Map<string, string> {
    const flows = new Map(this.value.flows.map((flow) => [flow.flow_id, flow]));
    return new Map(this.value.evidence.flatMap((evidence) => {
      const flow = flows.get(evidence.flow_id);
      const traffic = flow === undefined ? [] : this.#observables.traffic(flow);
      const refs = [...new Set([...traffic, ...this.#observables.content(evidence)])];
      if (refs.length === 0) return [];
      const id = this.#add("observed-data", [evidence.evidence_id], {
        ...spanOf(evidence),
        number_observed: 1,
        object_refs: refs,
        external_references: [{
          source_name: "ndr",
          external_id: evidence.evidence_id,
          description: `${evidence.record_kind} of ${evidence.sensor_id}: ${evidence.summary}`,
        }],
      });
      return [[evidence.evidence_id, id] as const];
    }));
  }

  #devices(incidentId: string): void {
    for (const device of this.value.devices) {
      const id = this.#add("identity", ["device", device.device_id], {
        name: device.name,
        description: `${device.device_type.replaceAll("_", " ")}${
          device.owner === null ? "" : `, owner ${device.owner}`
        }`,
        identity_class: "system",
        labels: device.tags.length === 0 ? undefined : device.tags,
      }, { created: device.first_seen, modified: later(device.first_seen, device.last_seen) });
      this.#relate(incidentId, "related-to", id);
      const found = [
        ...device.addresses.slice(0, MAX_ADDRESSES).map((ip) => this.#observables.address(ip)),
        ...device.mac_addresses.slice(0, MAX_ADDRESSES).map((mac) => this.#observables.mac(mac)),
      ];
      for (const target of found) if (target !== null) this.#relate(id, "related-to", target);
    }
  }

  /** A note for each finding, on its technique and its observations. */
  #findings(
    incidentId: string,
    techniques: ReadonlyMap<string, string>,
    observed: ReadonlyMap<string, string>,
  ): void {
    for (const finding of this.value.phases.flatMap(({ findings }) => findings)) {
      const technique = finding.technique === null ? undefined : techniques.get(finding.technique);
      this.#add("note", [finding.analysis_id], {
        abstract: finding.title,
        content: [finding.sentence, finding.explanation].filter((text) => text !== "").join("\n\n") ||
          finding.title,
        confidence: Math.round(finding.confidence * 100),
        labels: [`severity:${finding.severity}`, `detector:${finding.model_id}`],
        object_refs: [
          incidentId,
          ...technique === undefined ? [] : [technique],
          ...finding.evidence_ids.flatMap((id) => observed.get(id) ?? []),
        ],
      });
    }
  }

  #intelligence(observed: ReadonlyMap<string, string>): void {
    const { incident, intelligence } = this.value;
    for (const known of intelligence) {
      const pattern = indicatorPattern(known);
      if (pattern === null) continue;
      const about = [known.list, known.kind, known.indicator];
      const id = this.#add("indicator", [incident.id, ...about], {
        name: known.indicator,
        description: known.description ?? undefined,
        indicator_types: ["malicious-activity"],
        pattern,
        pattern_type: "stix",
        pattern_version: "2.1",
        valid_from: known.first_seen,
        confidence: known.confidence === null ? undefined : Math.round(known.confidence * 100),
        labels: [`list:${known.list}`],
      });
      const refs = known.evidence_ids.flatMap((one) => observed.get(one) ?? []);
      this.#add("sighting", [incident.id, ...about], {
        sighting_of_ref: id,
        first_seen: known.first_seen,
        last_seen: later(known.first_seen, known.last_seen),
        count: Math.max(1, known.evidence_ids.length),
        observed_data_refs: refs.length === 0 ? undefined : refs,
        where_sighted_refs: [this.#site],
      });
    }
  }
}

function markingOf(label: TlpLabel): StixObject {
  const { id, name } = TLP[label];
  return {
    type: "marking-definition",
    spec_version: "2.1",
    id,
    created: "2017-01-20T00:00:00.000Z",
    definition_type: "tlp",
    name: `TLP:${name.toUpperCase()}`,
    definition: { tlp: name },
  };
}

/**
 * When the incident was made, which its identifier states, and when it last changed. Source times may lie ahead, and an
 * object must not be changed before it was made.
 */
function timesOf({ incident, history, score_history }: IncidentCase): { created: string; modified: string } {
  const created = formatMillis(parseInt(incident.id.slice(0, 8) + incident.id.slice(9, 13), 16) * 1000);
  const changes = [...history, ...score_history].map(({ at }) => at);
  return { created, modified: [incident.last_seen, ...changes].reduce(later, created) };
}

function spanOf({ start, end }: CaseEvidence): { first_observed: string; last_observed: string } {
  return { first_observed: start, last_observed: later(start, end) };
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function urlOf(url: string | null): { url?: string } {
  return url === null ? {} : { url };
}
