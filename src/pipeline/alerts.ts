import type { DetectorResult } from "../domain/detect/result.ts";
import {
  addAlert,
  type AlertGroupState,
  decodeAlertGroup,
  emptyAlertGroup,
  evaluateAlerts,
  isDueAlert,
  markAlertsEvaluated,
  type SignatureFamily,
  signatureFamily,
} from "../domain/detect/signature-alert.ts";
import type { AlertFacts } from "../domain/records/facts.ts";
import type { Tx } from "../store/database.ts";
import { readAlertGroups, writeAlertGroups } from "../store/detector-state.ts";
import type { Step } from "./correlate.ts";
import type { DeviceRoster } from "./devices.ts";

interface Alert {
  at: number;
  step: Step;
  facts: AlertFacts;
  family: SignatureFamily;
  /** The device the alert is about: its source where that is one, else its target; null where neither is. */
  deviceId: string | null;
  /** What the group is kept under: the device, or the target's address. */
  subject: string;
  outbound: boolean;
}

/** Groups this round's alerts and judges the groups that are due, each as it stood then. */
export async function groupAlerts(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  roster: DeviceRoster,
): Promise<{ at: number; result: DetectorResult }[]> {
  const alerts = steps.flatMap((step, at) => toAlert(step, at, roster) ?? []);
  if (alerts.length === 0) return [];
  const groups = await loadGroups(tx, tenantId, alerts);
  const results: { at: number; result: DetectorResult }[] = [];
  for (const alert of alerts) {
    const { observation } = alert.step.stored;
    const id = idOf(alert);
    let state = addAlert(groups.get(id)?.state ?? emptyAlertGroup(), {
      facts: alert.facts,
      at: observation.observedAt,
      peerIp: alert.outbound ? observation.dst.ip : observation.src.ip,
      outbound: alert.outbound,
      evidenceId: alert.step.stored.evidenceId,
      flowId: alert.step.stored.flowId,
    });
    if (isDueAlert(state)) {
      const result = evaluateAlerts(state, contextOf(alert, roster));
      if (result) results.push({ at: alert.at, result });
      state = markAlertsEvaluated(state);
    }
    groups.set(id, { subject: alert.subject, family: alert.family.key, state });
  }
  await writeAlertGroups(
    tx,
    tenantId,
    [...groups.values()].map((group) => ({ ...group, lastSeen: group.state.lastSeen })),
  );
  return results;
}

interface Group {
  subject: string;
  family: string;
  state: AlertGroupState;
}

async function loadGroups(tx: Tx, tenantId: string, alerts: readonly Alert[]): Promise<Map<string, Group>> {
  const keys = new Map(
    alerts.map((alert) => [idOf(alert), { subject: alert.subject, family: alert.family.key }]),
  );
  const stored = await readAlertGroups(tx, tenantId, [...keys.values()]);
  return new Map(
    stored.map((row) => [
      `${row.subject}\n${row.family}`,
      { subject: row.subject, family: row.family, state: decodeAlertGroup(row.state) },
    ]),
  );
}

function idOf(alert: Alert): string {
  return `${alert.subject}\n${alert.family.key}`;
}

function toAlert(step: Step, at: number, roster: DeviceRoster): Alert | null {
  const { facts, dst } = step.stored.observation;
  if (facts?.type !== "alert") return null;
  const deviceId = roster.survivorOf(step.srcDeviceId ?? step.dstDeviceId);
  return {
    at,
    step,
    facts,
    family: signatureFamily(facts),
    deviceId,
    subject: deviceId ?? dst.ip,
    outbound: step.srcDeviceId !== null,
  };
}

function contextOf(alert: Alert, roster: DeviceRoster): Parameters<typeof evaluateAlerts>[1] {
  const ends = [alert.step.srcDeviceId, alert.step.dstDeviceId];
  const devices = ends.map((id) => roster.survivorOf(id)).filter((id) => id !== null);
  return {
    deviceId: alert.deviceId,
    deviceName: alert.deviceId === null ? alert.subject : roster.nameOf(alert.deviceId),
    deviceIds: [...new Set(devices)],
    family: alert.family,
  };
}
