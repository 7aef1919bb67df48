import type { SuppressionCreation, SuppressionDetail } from "../../../src/contract/review/suppression.ts";
import { formatMillis } from "../../../src/kit/time.ts";
import { type Api, checked, DAY, MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

type Pattern = SuppressionCreation["pattern"];

export function creation(pattern: Pattern, more: Partial<SuppressionCreation> = {}): SuppressionCreation {
  return { pattern, reason: "the vendor's updater", expires_at: formatMillis(NOW + 7 * DAY), ...more };
}

export async function create(
  api: Api,
  pattern: Pattern,
  more: Partial<SuppressionCreation> = {},
): Promise<SuppressionDetail> {
  const response = await api.change("createSuppression", {}, { body: creation(pattern, more) });
  return (await checked("createSuppression", response)).data;
}

export async function revoke(api: Api, one: SuppressionDetail): Promise<SuppressionDetail> {
  const change = { revision: one.revision, body: { reason: "it was a mistake" } };
  return (await checked("revokeSuppression", await api.change("revokeSuppression", one, change))).data;
}

/** One incident of device 10.0.0.5 with 198.51.100.7, and another device's. */
export async function twoIncidents(
  api: Api,
): Promise<{ incident_id: string; device_id: string; other_id: string }> {
  await api.take(SURICATA, [alert(), alert({ src: "10.0.0.6", dst: "192.0.2.66", at: NOW - 2 * MINUTE })]);
  const { data } = await api.read("listIncidents");
  const devices = (await api.read("listDevices")).data;
  const device = devices.find(({ addresses }) => addresses.includes("10.0.0.5"))!;
  const own = data.find(({ device_ids }) => device_ids[0] === device.device_id)!;
  const other = data.find(({ id }) => id !== own.id)!;
  return { incident_id: own.id, device_id: device.device_id, other_id: other.id };
}
