import { isId } from "../../../contract/request/common.ts";
import type { IdentityGrade, ResponseActionCreation } from "../../../contract/review/response.ts";
import { identityGrade } from "../../../domain/review/response/identity.ts";
import { isOneHost } from "../../../kit/net/ip.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { anchorsOfGroups } from "../../../store/device/anchor.ts";
import { deviceById, type DeviceRow } from "../../../store/device/read.ts";
import { flowsByIds } from "../../../store/flow/read.ts";
import { evidenceLinks, type IncidentRow } from "../../../store/incident/read.ts";
import { latestAddresses, namesDestination } from "../../../store/review/response-actions.ts";
import { fieldError } from "../../field-error.ts";

interface Target {
  device_id: string | null;
  address: string | null;
  identity: IdentityGrade | null;
}

/** Evidence links searched for an address: all that are kept per incident. */
const MAX_LINKS = 2000;

/**
 * Returns the target of an action, which must be related to the incident.
 *
 * @throws ApiError invalid_request naming the invalid member of `target`
 */
export async function readTarget(
  tx: Tx,
  tenantId: string,
  incident: IncidentRow,
  { kind, target }: Pick<ResponseActionCreation, "kind" | "target">,
): Promise<Target> {
  const deviceId = target?.device_id ?? null;
  const address = target?.address ?? null;
  if (kind === "block_destination") {
    if (deviceId !== null) {
      throw fieldError("target.device_id", "expected no device: a destination is blocked for all devices");
    }
    return await destination(tx, tenantId, incident, address);
  }
  if (deviceId !== null) return await ofDevice(tx, tenantId, incident, deviceId, address);
  if (kind === "quarantine_device") throw fieldError("target.device_id", "expected a device of the incident");
  if (address !== null) {
    throw fieldError("target.address", "expected only together with the device that has the address");
  }
  return { device_id: null, address: null, identity: null };
}

async function ofDevice(
  tx: Tx,
  tenantId: string,
  incident: IncidentRow,
  deviceId: string,
  address: string | null,
): Promise<Target> {
  // The same error for another tenant's device, an unknown one and one of another incident.
  const device = isId(deviceId) ? await deviceById(tx, tenantId, deviceId) : null;
  if (!device || !incident.device_ids.includes(device.device_id)) {
    throw fieldError("target.device_id", "expected a device of the incident");
  }
  if (address !== null && !device.addresses.includes(address)) {
    throw fieldError("target.address", "expected an address of the device");
  }
  return {
    device_id: device.device_id,
    address: address ?? await newestAddress(tx, tenantId, device),
    identity: identityGrade(
      (await anchorsOfGroups(tx, tenantId, [device.device_id])).get(device.device_id) ?? [],
    ),
  };
}

async function newestAddress(tx: Tx, tenantId: string, { device_id: id }: DeviceRow): Promise<string | null> {
  return (await latestAddresses(tx, tenantId, [id])).get(id) ?? null;
}

async function destination(
  tx: Tx,
  tenantId: string,
  incident: IncidentRow,
  address: string | null,
): Promise<Target> {
  if (address === null) throw fieldError("target.address", "expected a destination of the incident");
  if (!isOneHost(address)) throw fieldError("target.address", "expected the address of one host");
  for (const deviceId of incident.device_ids) {
    const device = await deviceById(tx, tenantId, deviceId);
    if (device?.addresses.includes(address)) {
      throw fieldError("target.address", "expected a destination, not a device of the incident");
    }
  }
  const named = await namesDestination(tx, tenantId, incident.incident_id, address) ||
    await isEnd(tx, tenantId, incident.incident_id, address);
  if (!named) {
    throw fieldError("target.address", "expected an address from the incident's results or evidence");
  }
  return { device_id: null, address, identity: null };
}

/** Whether an address is an end of any evidence flow of the incident. */
async function isEnd(tx: Tx, tenantId: string, incidentId: string, address: string): Promise<boolean> {
  const links = await evidenceLinks(tx, tenantId, incidentId, MAX_LINKS);
  const flows = await flowsByIds(tx, tenantId, [...new Set(links.map((link) => link.flow_id))]);
  return flows.values().some(({ src, dst }) => src.ip === address || dst.ip === address);
}
