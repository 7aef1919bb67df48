import type { Flow } from "../../contract/flow/flow.ts";
import type { CaseFlow } from "../../contract/incident/case.ts";
import type { IncidentParty } from "../../contract/incident/talk.ts";
import { isUnstatedIp } from "../../kit/net/ip.ts";
import type { RecordOrigin } from "../../kit/net/shown-ip.ts";

/** What ends are named by. */
export interface PartyNames {
  /** Names of devices by id. */
  deviceNames: ReadonlyMap<string, string>;
}

/** An end as texts name it: by its device, its server name, or the sensor of a resolver that does not state its address. */
export function partyOf(
  end: Flow["src"],
  { deviceNames }: PartyNames,
  origin: RecordOrigin,
  serverName: string | null = null,
): IncidentParty {
  const isStated = !isUnstatedIp(end.ip);
  const name = !isStated && origin.source === "unbound" ? origin.sensor_id : serverName;
  const known = end.device_id === null ? undefined : deviceNames.get(end.device_id);
  return {
    ip: isStated ? end.ip : null,
    port: end.port === 0 ? null : end.port,
    device_id: end.device_id,
    name: known === undefined || known === end.ip ? name : known,
    country: end.geo?.country ?? null,
  };
}

/** What the ends of a flow are named by. */
type NamedFlow = Pick<
  Flow,
  | "flow_id"
  | "start"
  | "end"
  | "src"
  | "dst"
  | "proto"
  | "service"
  | "counters"
  | "community_id"
  | "names"
  | "primary_evidence"
>;

/** A flow with its ends as texts name them. */
export function namedFlow(flow: NamedFlow, names: PartyNames): CaseFlow {
  const [best] = flow.names;
  const nameAt = (end: "src" | "dst") => best !== undefined && best.of === end ? best.name : null;
  return {
    flow_id: flow.flow_id,
    start: flow.start,
    end: flow.end,
    src: partyOf(flow.src, names, flow.primary_evidence, nameAt("src")),
    dst: partyOf(flow.dst, names, flow.primary_evidence, nameAt("dst")),
    proto: flow.proto,
    service: flow.service,
    counters: flow.counters,
    community_id: flow.community_id,
    names: [...new Set(flow.names.map(({ name }) => name))],
  };
}
