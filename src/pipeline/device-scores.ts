import type { IncidentState } from "../domain/incident/lifecycle.ts";
import type { Tx } from "../store/database.ts";
import {
  appendDeviceScores,
  type DeviceScore,
  type DeviceStanding,
  deviceStandings,
} from "../store/device-scores.ts";

/**
 * Follows the scores of devices, which are those of their worst open incident, from finding to finding: each change
 * is an entry of its own, however many findings one transaction brings.
 */
export class DeviceScores {
  readonly #entries: DeviceScore[] = [];

  private constructor(private readonly standings: ReadonlyMap<string, DeviceStanding>) {}

  static async load(tx: Tx, tenantId: string, deviceIds: Iterable<string>): Promise<DeviceScores> {
    const standings = await deviceStandings(tx, tenantId, [...new Set(deviceIds)]);
    return new DeviceScores(new Map(standings.map((standing) => [standing.deviceId, standing])));
  }

  /** Takes up an incident as it stands now. */
  follow(incidentId: string, incident: IncidentState, at: number, reason: string): void {
    if (incident.status !== "open" && incident.status !== "investigating") return;
    for (const deviceId of incident.deviceIds) {
      const standing = this.standings.get(deviceId);
      if (!standing) continue;
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
