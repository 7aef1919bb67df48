import { sha256Bytes } from "../../kit/hash.ts";
import type { EventResponse } from "../../contract/connector/event.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { IdentityGrade } from "../../contract/review/response.ts";
import {
  type Candidate,
  candidates,
  type EarlierAction,
  type Gates,
} from "../../domain/review/response/automatic.ts";
import { identityGrade } from "../../domain/review/response/identity.ts";
import { CLOSED_STATUSES } from "../../domain/incident/status.ts";
import { timeUuid } from "../../kit/id.ts";
import type { Tx } from "../../store/engine/database.ts";
import { anchorsOfGroups } from "../../store/device/anchor.ts";
import { addHistory } from "../../store/incident/history.ts";
import type { StoredIncident } from "../../store/incident/write.ts";
import {
  earlierActions,
  insertActions,
  latestAddresses,
  type NewAction,
} from "../../store/review/response-actions.ts";

/** Actor of actions that no person proposed. */
const AUTOMATIC = "automatic";

interface Proposed extends Candidate {
  actionId: string;
  incidentId: string;
  severity: Severity;
  reason: string;
}

/**
 * Proposes response actions in one round, for a person to approve; it executes nothing. Actions are proposed as each
 * result changes its incident, so the outcome does not depend on how results are cut into rounds.
 */
export class AutomaticActions {
  readonly #proposed: Proposed[] = [];

  private constructor(
    private readonly tenantId: string,
    private readonly gates: Gates,
    /** By incident; includes the actions proposed here. */
    private readonly earlier: Map<string, EarlierAction[]>,
  ) {}

  static async load(
    tx: Tx,
    tenantId: string,
    gates: Gates,
    incidents: readonly StoredIncident[],
  ): Promise<AutomaticActions> {
    const earlier = new Map<string, EarlierAction[]>();
    if (Object.keys(gates).length > 0) {
      const rows = await earlierActions(tx, tenantId, incidents.map(({ incidentId }) => incidentId));
      for (const { incident_id: id, device_id: deviceId, kind, status, severity } of rows) {
        earlier.set(id, [...earlier.get(id) ?? [], { kind, deviceId, status, severity }]);
      }
    }
    return new AutomaticActions(tenantId, gates, earlier);
  }

  /** Proposes actions after a result of source time `at` (microseconds) changed an incident; returns their ids. */
  consider({ incidentId, state }: StoredIncident, at: number): string[] {
    // A person has reviewed it.
    if (CLOSED_STATUSES.has(state.status)) return [];
    const known = this.earlier.get(incidentId) ?? [];
    const proposed: string[] = [];
    for (const candidate of candidates(state, this.gates, known)) {
      const { kind, deviceId } = candidate;
      const { severity, score } = state;
      known.push({ kind, deviceId, status: "proposed", severity });
      const actionId = timeUuid(at, this.#entropy(incidentId, kind, deviceId, severity));
      const gate = this.gates[kind]!.minScore;
      const reason = `The incident's score reached ${score}; this is proposed from ${gate} on.`;
      this.#proposed.push({ ...candidate, incidentId, severity, actionId, reason });
      proposed.push(actionId);
    }
    this.earlier.set(incidentId, known);
    return proposed;
  }

  /**
   * Writes the actions, after their incidents. Returns the response part of the events by action id; an action that a
   * person has proposed meanwhile is skipped.
   */
  async write(tx: Tx, now: number): Promise<Map<string, EventResponse>> {
    if (this.#proposed.length === 0) return new Map();
    const { tenantId } = this;
    const devices = [...new Set(this.#proposed.map(({ deviceId }) => deviceId))];
    const addresses = await latestAddresses(tx, tenantId, devices);
    const anchors = await anchorsOfGroups(tx, tenantId, devices);
    const facts = (deviceId: string) => ({
      address: addresses.get(deviceId) ?? null,
      identity: identityGrade(anchors.get(deviceId) ?? []),
    });
    const written = await insertActions(
      tx,
      tenantId,
      this.#proposed.map((one) => toRow(one, facts(one.deviceId), now)),
    );
    const held = this.#proposed.filter(({ actionId }) => written.has(actionId));
    for (const { actionId, reason } of held) {
      await addHistory(tx, tenantId, actionId, {
        at: now,
        actor: AUTOMATIC,
        action: "proposed",
        from: null,
        to: null,
        comment: reason,
        revision: 1,
      });
    }
    return new Map(held.map((one) => [one.actionId, toResponse(one, facts(one.deviceId))]));
  }

  /** The same for the same records, and different each time the severity of the incident rises. */
  #entropy(...parts: string[]): Uint8Array {
    return sha256Bytes([this.tenantId, ...parts].join("\n"));
  }
}

interface DeviceFacts {
  address: string | null;
  identity: IdentityGrade;
}

function toRow(
  { actionId, incidentId, severity, kind, deviceId, reason }: Proposed,
  { address, identity }: DeviceFacts,
  now: number,
): NewAction {
  return {
    action_id: actionId,
    incident_id: incidentId,
    kind,
    mode: "automatic",
    device_id: deviceId,
    address,
    identity,
    severity,
    reason,
    proposed_by: AUTOMATIC,
    proposed_at: now,
  };
}

function toResponse(
  { actionId, incidentId, kind, deviceId, reason }: Proposed,
  { address, identity }: DeviceFacts,
): EventResponse {
  return {
    action_id: actionId,
    incident_id: incidentId,
    kind,
    mode: "automatic",
    status: "proposed",
    device_id: deviceId,
    address,
    identity,
    detail: reason,
  };
}
