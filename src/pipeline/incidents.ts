import { createHash } from "node:crypto";
import type { Incident } from "../contract/incident.ts";
import type { DetectorResult } from "../domain/detect/result.ts";
import {
  applyResult,
  type IncidentState,
  incidentToJoin,
  opens,
  type ScoreEntry,
} from "../domain/incident/lifecycle.ts";
import { timeUuid } from "../kit/id.ts";
import { formatMillis } from "../kit/time.ts";
import type { Tx } from "../store/database.ts";
import { appendEvents, type LoggedEvent, takeNumbers } from "../store/event-log.ts";
import { type IncidentRow, incidentsOfGroups } from "../store/incident-read.ts";
import {
  appendScores,
  insertResults,
  linkEvidence,
  type StoredIncident,
  type StoredResult,
  writeIncidents,
} from "../store/incident-write.ts";
import { DeviceScores } from "./device-scores.ts";

/** A result and the evidence whose arrival brought it. */
export interface Finding {
  trigger: string;
  result: DetectorResult;
}

/**
 * Lets each finding open or join its incident, in order, and writes what came of it: incidents, results, evidence
 * links, scores, and one event for each that the outside should hear of.
 */
export class IncidentRound {
  readonly #open = new Map<string, StoredIncident[]>();
  readonly #touched = new Set<StoredIncident>();
  readonly #created: StoredIncident[] = [];
  readonly #results: StoredResult[] = [];
  readonly #scores: { incidentId: string; entry: ScoreEntry }[] = [];
  readonly #links: { incidentId: string; ref: DetectorResult["evidence"][number] }[] = [];
  readonly #events: LoggedEvent[] = [];

  private constructor(
    private readonly tenantId: string,
    private readonly now: number,
    private readonly deviceScores: DeviceScores,
  ) {}

  static async load(
    tx: Tx,
    tenantId: string,
    findings: readonly Finding[],
    now: number,
  ): Promise<IncidentRound> {
    const groups = new Map(findings.map(({ result }) => [groupOf(result), result]));
    const known = await incidentsOfGroups(tx, tenantId, [...groups.values()]);
    const deviceIds = [
      ...known.flatMap((row) => row.device_ids),
      ...findings.flatMap(({ result }) => result.deviceIds),
    ];
    const round = new IncidentRound(tenantId, now, await DeviceScores.load(tx, tenantId, deviceIds));
    for (const row of known) {
      round.#remember({ incidentId: row.incident_id, incidentNo: row.incident_no, state: toState(row) });
    }
    for (const finding of findings) round.#apply(finding);
    return round;
  }

  /** Call it last in the transaction: it takes the tenant's numbers. */
  async write(tx: Tx): Promise<void> {
    const { tenantId } = this;
    if (this.#created.length > 0) {
      const last = await takeNumbers(tx, tenantId, "incident_no", this.#created.length);
      this.#created.forEach((incident, index) =>
        incident.incidentNo = last - this.#created.length + 1 + index
      );
    }
    await writeIncidents(tx, tenantId, [...this.#touched]);
    await insertResults(tx, tenantId, this.#results);
    await linkEvidence(tx, tenantId, this.#links);
    await appendScores(tx, tenantId, this.#scores);
    await this.deviceScores.write(tx, tenantId);
    await appendEvents(tx, tenantId, this.#events);
  }

  #remember(incident: StoredIncident): void {
    const group = groupOf(incident.state);
    const known = this.#open.get(group);
    if (known) known.push(incident);
    else this.#open.set(group, [incident]);
  }

  #apply({ trigger, result }: Finding): void {
    const known = incidentToJoin(this.#open.get(groupOf(result)) ?? [], result);
    if (!known && !opens(result)) {
      this.#keepResult(trigger, result, null);
      return;
    }
    const applied = applyResult(known?.state ?? null, result);
    const incident = known ?? this.#create(result, applied.incident);
    incident.state = applied.incident;
    this.#touched.add(incident);
    this.#keepResult(trigger, result, incident.incidentId);
    for (const ref of result.evidence) this.#links.push({ incidentId: incident.incidentId, ref });
    if (applied.scoreEntry) this.#scores.push({ incidentId: incident.incidentId, entry: applied.scoreEntry });
    if (applied.created) this.#log("incident.created", incident, {});
    if (applied.escalated) {
      this.#log("incident.escalated", incident, { previous_score: applied.previousScore });
    }
    const { at, reason } = applied.scoreEntry ?? { at: result.at, reason: result.title };
    this.deviceScores.follow(incident.incidentId, incident.state, at, reason);
  }

  #create(result: DetectorResult, state: IncidentState): StoredIncident {
    const entropy = createHash("sha256").update(`${this.tenantId}\n${groupOf(result)}\n${result.firstSeen}`)
      .digest();
    const incident = { incidentId: timeUuid(result.firstSeen, entropy), incidentNo: 0, state };
    this.#created.push(incident);
    this.#remember(incident);
    return incident;
  }

  #keepResult(trigger: string, result: DetectorResult, incidentId: string | null): void {
    const entropy = createHash("sha256").update(`${this.tenantId}\n${groupOf(result)}\n${trigger}`).digest();
    this.#results.push({
      analysisId: timeUuid(result.at, entropy),
      incidentId,
      groupKey: result.groupKey,
      at: result.at,
      body: {
        model_id: result.modelId,
        model_version: result.modelVersion,
        technique: result.technique,
        at: formatMillis(result.at),
        device_id: result.deviceId,
        subject: result.subject,
        score: result.score,
        confidence: result.confidence,
        sub_scores: result.subScores,
        modifiers: result.modifiers,
        explanation: result.explanation,
        evidence_ids: result.evidence.map((ref) => ref.evidenceId),
      },
    });
  }

  #log(type: string, { incidentId, state }: StoredIncident, extra: Record<string, unknown>): void {
    const identity = createHash("sha256").update(
      `${this.tenantId}\n${incidentId}\n${state.revision}\n${type}`,
    );
    this.#events.push({
      eventId: `evt_${identity.digest("hex").slice(0, 32)}`,
      type,
      occurredAt: this.now,
      body: { incident: { ...incidentFields(incidentId, state), ...extra } },
    });
  }
}

function groupOf({ modelId, groupKey }: { modelId: string; groupKey: string }): string {
  return `${modelId}\n${groupKey}`;
}

function toState(row: IncidentRow): IncidentState {
  return {
    modelId: row.model_id,
    groupKey: row.group_key,
    modelScores: row.model_scores,
    title: row.title,
    summary: row.summary,
    severity: row.severity,
    score: row.score,
    status: row.status,
    deviceIds: row.device_ids,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    revision: row.revision,
  };
}

/** The incident list fields, as an event carries them. */
function incidentFields(id: string, state: IncidentState): Incident {
  return {
    id,
    title: state.title,
    severity: state.severity,
    score: state.score,
    status: state.status,
    device_ids: [...state.deviceIds],
    model_ids: Object.keys(state.modelScores).sort(),
    summary: state.summary,
    first_seen: formatMillis(state.firstSeen),
    last_seen: formatMillis(state.lastSeen),
    revision: state.revision,
  };
}
