import type { IncidentState } from "../../domain/incident/lifecycle.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  appendDeviceScores,
  type DeviceScore,
  type DeviceStanding,
  deviceStandings,
} from "../../store/device/scores.ts";

/**
 * Tracks device scores, each of which is the score of the device's worst open incident, from finding to finding. Every
 * change is an entry of its own, however many findings a transaction has.
 */
export class DeviceScores {
  readonly #entries: DeviceScore[] = [];

  private constructor(private readonly standings: ReadonlyMap<string, DeviceStanding>) {}

  static async load(tx: Tx, tenantId: string, deviceIds: Iterable<string>): Promise<DeviceScores> {
    const standings = await deviceStandings(tx, tenantId, [...new Set(deviceIds)]);
    return new DeviceScores(
      new Map(
        standings.flatMap((standing) => standing.requested.map((deviceId) => [deviceId, standing] as const)),
      ),
    );
  }

  /** Updates the scores of an incident's devices. */
  follow(incidentId: string, incident: IncidentState, at: number, reason: string): void {
    if (incident.status !== "open" && incident.status !== "investigating") return;
    for (const named of incident.deviceIds) {
      const standing = this.standings.get(named);
      if (!standing) continue;
      const { deviceId } = standing;
      standing.incidents.set(incidentId, incident.score);
      const score = Math.max(...standing.incidents.values());
      if (score === standing.score) continue;
      standing.score = score;
      this.#entries.push({ deviceId, at, score, reason });
    }
  }

  async write(tx: Tx, tenantId: string): Promise<void> {
    await appendDeviceScores(tx, tenantId, this.#entries);
  }
}
