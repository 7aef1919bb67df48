import { sha256Bytes, sha256Hex } from "../../kit/hash.ts";
import type { EventResponse } from "../../contract/connector/event.ts";
import type { EventIncident } from "../../contract/incident/incident.ts";
import type { DetectorResult } from "../../domain/detect/kernel/result.ts";
import { hourOf, MAX_SHOWN_SOURCES, OpeningBounds } from "../../domain/incident/campaign.ts";
import {
  campaignToJoin,
  continuedIncident,
  incidentToJoin,
  type Marks,
  sourceMark,
  stormMark,
} from "../../domain/incident/joining.ts";
import type { Gates } from "../../domain/review/response/automatic.ts";
import {
  applyResult,
  type AttributedResult,
  type IncidentState,
  opens,
  type ScoreEntry,
} from "../../domain/incident/lifecycle.ts";
import { timeUuid } from "../../kit/id.ts";
import { plainLine, plainLines, plainValues } from "../../kit/plain-text.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../../store/engine/database.ts";
import { appendEvents, type LoggedEvent, takeIncidentNumbers } from "../../store/connector/event-log.ts";
import { addMarks } from "../../store/incident/join.ts";
import { openingsOf, saveOpenings } from "../../store/incident/openings.ts";
import {
  appendScores,
  insertResults,
  linkEvidence,
  type StoredIncident,
  type StoredResult,
  writeIncidents,
} from "../../store/incident/write.ts";
import { AutomaticActions } from "./automatic-actions.ts";
import { DeviceScores } from "./device-scores.ts";
import { IncidentContext, type SiteView } from "./incident-context.ts";
import { marksToStore } from "./incident-rows.ts";

/** A detector result and the id of the evidence that triggered it. */
export interface Finding {
  trigger: string;
  /** When the record with that evidence came, in microseconds; the time of the round for older records. */
  receivedAt?: number;
  result: DetectorResult;
}

interface IncidentOptions {
  tenantId: string;
  findings: readonly Finding[];
  site: SiteView;
  /** Microseconds since the epoch. */
  now: number;
  gates?: Gates;
}

/**
 * Applies findings in order, each of which opens or joins an incident, and writes incidents, results, evidence links,
 * scores and events. A finding that a suppression or a verdict covers is stored as a result only.
 */
export class IncidentRound {
  /** In the order of their numbers. */
  readonly #incidents: StoredIncident[];
  readonly #touched = new Set<StoredIncident>();
  readonly #created: StoredIncident[] = [];
  readonly #results: StoredResult[] = [];
  readonly #scores: { incidentId: string; entry: ScoreEntry }[] = [];
  readonly #links: { incidentId: string; ref: DetectorResult["evidence"][number] }[] = [];
  /** In the order in which the log numbers them. */
  readonly #events: PendingEvent[] = [];
  /** The latest escalation of each incident and the score before its first one. */
  readonly #escalations = new Map<StoredIncident, { event: PendingEvent; from: number | null }>();

  private constructor(
    private readonly tenantId: string,
    private readonly now: number,
    private readonly context: IncidentContext,
    private readonly deviceScores: DeviceScores,
    private readonly automatic: AutomaticActions,
    private readonly bounds: OpeningBounds,
  ) {
    this.#incidents = [...context.incidents];
  }

  static async load(
    tx: Tx,
    { tenantId, findings: reported, site, now, gates = {} }: IncidentOptions,
  ): Promise<IncidentRound> {
    const findings = reported.map((finding) => ({ ...finding, result: withPlainText(finding.result) }));
    const results = findings.map(({ result }) => result);
    const context = await IncidentContext.load(tx, { tenantId, results, site, now });
    const deviceIds = [
      ...context.incidents.flatMap(({ state }) => state.deviceIds),
      ...results.flatMap((result) => result.deviceIds),
    ];
    const times = findings.flatMap(({ receivedAt = now, result: { at } }) => [at, receivedAt]);
    const hours = [...new Set(times.map(hourOf))];
    const [scores, automatic, openings] = await Promise.all([
      DeviceScores.load(tx, tenantId, deviceIds),
      AutomaticActions.load(tx, tenantId, gates, context.incidents),
      openingsOf(tx, tenantId, hours),
    ]);
    const round = new IncidentRound(
      tenantId,
      now,
      context,
      scores,
      automatic,
      new OpeningBounds(openings),
    );
    for (const finding of findings) round.#apply(finding);
    return round;
  }

  /** Must be the last write of the transaction: it takes the tenant's incident and event numbers. */
  async write(tx: Tx): Promise<void> {
    const { tenantId } = this;
    if (this.#created.length > 0) {
      const last = await takeIncidentNumbers(tx, tenantId, this.#created.length);
      this.#created.forEach((incident, index) =>
        incident.incidentNo = last - this.#created.length + 1 + index
      );
    }
    const touched = [...this.#touched];
    // Started in this order without awaiting each: replies are read late while this thread computes.
    await Promise.all([
      writeIncidents(tx, tenantId, touched),
      addMarks(tx, tenantId, marksToStore(touched, this.context.storedMarks)),
      insertResults(tx, tenantId, this.#results),
      linkEvidence(tx, tenantId, this.#links),
      appendScores(tx, tenantId, this.#scores),
      saveOpenings(tx, tenantId, this.bounds.changed()),
      this.deviceScores.write(tx, tenantId),
      this.#writeEvents(tx),
    ]);
  }

  /** The response part of an event is known once the action is written. */
  async #writeEvents(tx: Tx): Promise<void> {
    const actions = await this.automatic.write(tx, this.now);
    await appendEvents(tx, this.tenantId, this.#events.flatMap((event) => withAction(event, actions)));
  }

  #apply({ trigger, result, receivedAt = this.now }: Finding): void {
    const suppressedBy = this.context.suppressor(result);
    if (suppressedBy !== null) {
      this.#keepResult(trigger, result, { suppressedBy });
      return;
    }
    const marks = this.context.marksOf(result);
    let known = incidentToJoin(this.#incidents, result, marks)?.incident ?? null;
    const heldBy = this.context.verdict(result);
    if (heldBy !== null && !(known !== null && isCorroborated(known.state, result, marks))) {
      this.#keepResult(trigger, result, { heldBy });
      return;
    }
    if (known === null && !opens(result)) {
      this.#keepResult(trigger, result, {});
      return;
    }
    const finding: AttributedResult = {
      result,
      marks,
      deviceName: this.context.nameOf(result),
      importance: this.context.importanceOf(result),
    };
    let applied = applyResult(known?.state ?? null, finding);
    if (
      known === null && !this.bounds.admit(result.modelId, applied.incident.severity, result.at, receivedAt)
    ) {
      const storm = stormMark(result.modelId, applied.incident.severity);
      known = campaignToJoin(this.#incidents, result, storm);
      applied = applyResult(known?.state ?? null, {
        ...finding,
        campaign: { storm, source: sourceMark(result) },
      });
    }
    const incident = known ?? this.#create(trigger, result, marks, applied.incident);
    if (known !== null) known.state = applied.incident;
    this.#touched.add(incident);
    this.#keepResult(trigger, result, { incidentId: incident.incidentId });
    const { campaign } = incident.state;
    const isShown = campaign === null || campaign.sources <= MAX_SHOWN_SOURCES;
    for (const ref of isShown ? result.evidence : []) {
      this.#links.push({ incidentId: incident.incidentId, ref });
    }
    if (applied.scoreEntry) this.#scores.push({ incidentId: incident.incidentId, entry: applied.scoreEntry });
    if (applied.created) this.#log("incident.created", incident, {});
    if (applied.escalated) this.#logEscalation(incident, applied.previousScore);
    // A campaign proposes no action: its sources may be forged.
    const actions = campaign === null ? this.automatic.consider(incident, result.at) : [];
    for (const actionId of actions) {
      this.#log("response.proposed", incident, {}, actionId);
    }
    const { at, reason } = applied.scoreEntry ?? { at: result.at, reason: result.title };
    this.deviceScores.follow(incident.incidentId, incident.state, at, reason);
  }

  /** The id is derived from the triggering evidence: a group may open another incident after a pause or a verdict. */
  #create(trigger: string, result: DetectorResult, marks: Marks, state: IncidentState): StoredIncident {
    const incident = {
      incidentId: timeUuid(result.firstSeen, this.#entropy(trigger, result)),
      incidentNo: 0,
      state: { ...state, continues: continuedIncident(this.#incidents, result, marks)?.incidentId ?? null },
    };
    this.#created.push(incident);
    this.#incidents.push(incident);
    return incident;
  }

  #entropy(trigger: string, { modelId, groupKey }: DetectorResult): Uint8Array {
    return sha256Bytes(`${this.tenantId}\n${modelId}\n${groupKey}\n${trigger}`);
  }

  #keepResult(
    trigger: string,
    result: DetectorResult,
    { incidentId = null, suppressedBy = null, heldBy = null }: Partial<
      Pick<StoredResult, "incidentId" | "suppressedBy" | "heldBy">
    >,
  ): void {
    this.#results.push({
      analysisId: timeUuid(result.at, this.#entropy(trigger, result)),
      incidentId,
      suppressedBy,
      heldBy,
      groupKey: result.groupKey,
      at: result.at,
      body: {
        model_id: result.modelId,
        model_version: result.modelVersion,
        technique: result.technique,
        at: formatMillis(result.at),
        first_seen: formatMillis(result.firstSeen),
        last_seen: formatMillis(result.lastSeen),
        device_id: result.deviceId,
        title: result.title,
        subject: result.subject,
        destinations: result.destinations,
        score: result.score,
        confidence: result.confidence,
        sub_scores: result.subScores,
        modifiers: result.modifiers,
        summary: result.summary,
        explanation: result.explanation,
        evidence_ids: result.evidence.map((ref) => ref.evidenceId),
      },
    });
  }

  /** One event for all escalations of an incident in this round: from its first previous score to its last score. */
  #logEscalation(incident: StoredIncident, previousScore: number | null): void {
    const earlier = this.#escalations.get(incident);
    if (earlier !== undefined) this.#events.splice(this.#events.indexOf(earlier.event), 1);
    const from = earlier === undefined ? previousScore : earlier.from;
    const event = this.#log("incident.escalated", incident, { previous_score: from });
    this.#escalations.set(incident, { event, from });
  }

  #log(
    type: string,
    { incidentId, state }: StoredIncident,
    extra: Record<string, unknown>,
    actionId: string | null = null,
  ): PendingEvent {
    const identity = sha256Hex(
      `${this.tenantId}\n${actionId ?? `${incidentId}\n${state.revision}`}\n${type}`,
    );
    const event: PendingEvent = {
      actionId,
      eventId: `evt_${identity.slice(0, 32)}`,
      type,
      occurredAt: this.now,
      body: { incident: { ...incidentFields(incidentId, state), ...extra } },
    };
    this.#events.push(event);
    return event;
  }
}

/** Every text of a result may contain what a sender chose: names, signatures, user agents. */
function withPlainText(result: DetectorResult): DetectorResult {
  return {
    ...result,
    subject: plainLine(result.subject),
    title: plainLine(result.title),
    ...(result.phrase === undefined ? {} : { phrase: plainLine(result.phrase) }),
    summary: plainLine(result.summary),
    explanation: plainLines(result.explanation),
    subScores: plainValues(result.subScores),
    modifiers: plainValues(result.modifiers),
  };
}

/** An event whose response part, if any, is added once the action is written. */
interface PendingEvent extends LoggedEvent {
  /** Null for an event without an action. */
  actionId: string | null;
  body: { incident: EventIncident };
}

/** The event as the log stores it; none if its action was not written. */
function withAction(
  { actionId, ...event }: PendingEvent,
  actions: ReadonlyMap<string, EventResponse>,
): LoggedEvent[] {
  if (actionId === null) return [event];
  const response = actions.get(actionId);
  return response === undefined ? [] : [{ ...event, body: { ...event.body, response } }];
}

/** Whether another detector has contributed to the incident of the same device. */
function isCorroborated(
  { modelScores, mainDevices, status }: IncidentState,
  { modelId }: DetectorResult,
  { device }: Marks,
): boolean {
  if (device === null || !mainDevices.includes(device)) return false;
  const worked = status === "open" || status === "investigating";
  return worked && Object.keys(modelScores).some((other) => other !== modelId);
}

/** The fields of the incident list, as events carry them. */
function incidentFields(id: string, state: IncidentState): EventIncident {
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
    suppressed: null,
  };
}
