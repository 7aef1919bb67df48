import { queryOptions } from "@tanstack/react-query";
import type { Device } from "../../../contract/device/device.ts";
import type { Incident } from "../../../contract/incident/incident.ts";
import { ApiFailure, call } from "../../base/api.ts";
import { to } from "../../base/links.ts";
import { plural } from "../../ui/format.ts";
import { currentZone } from "../../base/time/zone.ts";
import { isIdentifier, type Jump, wordsFilter } from "./jumps.ts";

const MOST = 5;
/** Letters from which signatures are searched for. */
const LEAST = 3;
const MONTH = 30 * 86_400_000;

/** Absent objects are no failure: the identifier may be of another kind. */
async function lookUp<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

function incidentJump({ id, title }: Pick<Incident, "id" | "title">): Jump {
  return { id: `incident ${id}`, label: title, note: "Incident", icon: "incidents", target: to.incident(id) };
}

function deviceJump({ device_id, display_name }: Pick<Device, "device_id" | "display_name">): Jump {
  const target = to.device(device_id);
  return { id: `device ${device_id}`, label: display_name, note: "Device", icon: "devices", target };
}

async function byIdentifier(id: string, signal: AbortSignal): Promise<Jump[]> {
  const [incident, device, flow] = await Promise.all([
    lookUp(call("getIncident", { params: { incident_id: id }, signal })),
    lookUp(call("getDevice", { params: { device_id: id }, signal })),
    lookUp(call("getFlowEvidence", { params: { flow_id: id }, signal })),
  ]);
  return [
    ...incident === null ? [] : [incidentJump(incident)],
    ...device === null ? [] : [deviceJump(device)],
    ...flow === null || flow.length === 0
      ? []
      : [{ id: `flow ${id}`, label: id, note: "Flow", icon: "flows", target: to.flow(id) } satisfies Jump],
  ];
}

/** Signatures whose name or number has the text, those with the most alerts of the last 30 days first. */
async function signatures(text: string, csrf: string, signal: AbortSignal): Promise<Jump[]> {
  const now = Date.now();
  const window = { from: new Date(now - MONTH).toISOString(), to: new Date(now + 60_000).toISOString() };
  const { groups } = await call("aggregateSearch", {
    body: {
      filter: {
        version: 1,
        kind: "flows",
        where: { field: "alert", op: "matches", value: text },
        window,
        zone: currentZone(),
      },
      group_by: ["alert"],
      limit: MOST,
    },
    csrf,
    signal,
  });
  return groups.flatMap(({ key: [name], total }): Jump[] =>
    typeof name !== "string" || !name.toLowerCase().includes(text.toLowerCase()) ? [] : [{
      id: `signature ${name}`,
      label: name,
      note: `Signature, ${plural(Number(total), "flow")} in 30 days`,
      icon: "signature",
      target: to.signature(name),
    }]
  );
}

async function byWords(text: string, csrf: string, signal: AbortSignal): Promise<Jump[]> {
  const filter = wordsFilter(text);
  const now = Date.now();
  const month = { from: new Date(now - MONTH).toISOString(), to: new Date(now + 60_000).toISOString() };
  const asked = { filter, zone: currentZone(), limit: MOST };
  const [devices, incidents, alerts] = await Promise.all([
    call("listDevices", { query: asked, signal }),
    call("listIncidents", { query: { ...asked, ...month }, signal }),
    // A search for alerts may be refused, such as for one that examines too much; the other objects are found.
    text.length < LEAST ? [] : signatures(text, csrf, signal).catch((error) => {
      if (error instanceof ApiFailure) return [];
      throw error;
    }),
  ]);
  return [...devices.map(deviceJump), ...incidents.map(incidentJump), ...alerts];
}

/** Devices, and incidents and signatures of the last 30 days, that the text finds, or the object with that identifier. */
export const found = (tenant: string, text: string, csrf: string) =>
  queryOptions({
    queryKey: [tenant, "palette", text, currentZone()],
    queryFn: ({ signal }) =>
      isIdentifier(text) ? byIdentifier(text.toLowerCase(), signal) : byWords(text, csrf, signal),
    enabled: text.length > 1,
    // The palette also works without an answer.
    retry: false,
    staleTime: 30_000,
  });
