import type { ResponseAction, ResponseActionCreation } from "../../src/contract/review/response.ts";
import { type Api, checked, MINUTE, NOW, SURICATA } from "./api.ts";
import { alert } from "./records.ts";

/** An incident of device 10.0.0.5 with 198.51.100.7, and one of another device. */
export interface Scene {
  incident_id: string;
  device_id: string;
  other_id: string;
  other_device: string;
}

export async function scene(api: Api): Promise<Scene> {
  await api.take(SURICATA, [alert(), alert({ src: "10.0.0.6", dst: "192.0.2.66", at: NOW - 2 * MINUTE })]);
  const incidents = (await api.read("listIncidents")).data;
  const devices = (await api.read("listDevices")).data;
  const deviceOf = (ip: string) => devices.find(({ addresses }) => addresses.includes(ip))!.device_id;
  const [device_id, other_device] = [deviceOf("10.0.0.5"), deviceOf("10.0.0.6")];
  const incidentOf = (id: string) => incidents.find(({ device_ids }) => device_ids[0] === id)!.id;
  return { incident_id: incidentOf(device_id), other_id: incidentOf(other_device), device_id, other_device };
}

export const RESPONDER = { roles: ["responder"] as "responder"[], subject: "rosa" };

export async function propose(
  api: Api,
  incident_id: string,
  body: Omit<ResponseActionCreation, "reason">,
): Promise<ResponseAction> {
  const sent = { ...RESPONDER, body: { reason: "it talks to a known bad host", ...body } };
  const response = await api.change("proposeResponseAction", { incident_id }, sent);
  return (await checked("proposeResponseAction", response)).data;
}

export async function decide(
  api: Api,
  action: ResponseAction,
  decision: string,
  comment?: string,
): Promise<ResponseAction> {
  const sent = {
    ...RESPONDER,
    subject: "bob",
    revision: action.revision,
    body: { decision, ...(comment === undefined ? {} : { comment }) },
  };
  const response = await api.change("decideResponseAction", { action_id: action.action_id }, sent);
  return (await checked("decideResponseAction", response)).data;
}
