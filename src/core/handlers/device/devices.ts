import type { DeviceDetail } from "../../../contract/device/device.ts";
import type { Comparison } from "../../../contract/filter/tree.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { profileDevice } from "../../../domain/device/classify/profile.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { observedClassification } from "../../../store/device/classification.ts";
import { factsOfDevices } from "../../../store/device/facts.ts";
import { deviceGroup } from "../../../store/device/group.ts";
import {
  deviceById,
  deviceNames,
  type DevicePosition,
  type DeviceRow,
  deviceScores,
} from "../../../store/device/read.ts";
import { vlansOfDevices } from "../../../store/device/vlans.ts";
import { leasesOfDevices } from "../../../store/device/dhcp-leases.ts";
import { flowsToProfile } from "../../../store/flow/profile.ts";
import { readHistory } from "../../../store/incident/history.ts";
import { matchedAddresses, matchesAtPeers, matchesOfAddresses } from "../../../store/intel/match.ts";
import { inventoryOfDevices } from "../../../store/device/inventory.ts";
import { broadcastsOf } from "../../../kit/net/ip.ts";
import type { Handlers } from "../../handler.ts";
import { readTimestamp, readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { confirmDevice, formerValues } from "./confirm.ts";
import { identitiesOrNone, NO_IDENTITIES, readIdentities } from "./identities.ts";
import { type DetailParts, deviceDetailView } from "./view.ts";
import { intelOfDestinations } from "../flow/intel.ts";
import { geoFinder } from "../intel/intel-view.ts";
import { DEFAULT_LIMIT, pathId } from "../params.ts";
import { equalities, listPlan } from "../search/plan.ts";
import { pageReaders } from "../search/run.ts";

/** Flows read for a detail, newest first; `telemetry_truncated` is set if there are more. */
const TRAVERSAL_LIMIT = 1000;
/** Facts shown per kind, and leases; documented in the contract. */
const FACT_LIMIT = 100;
/** Matches considered for marking destinations; address matches are not limited. */
const INTEL_LIMIT = 1000;
const MAX_DETAIL_DAYS = 31;

export function deviceHandlers(
  deps: HandlerDeps,
): Pick<Handlers, "listDevices" | "getDevice" | "patchDevice"> {
  const geoOf = geoFinder(deps.geoip);
  const contextOf = (tenantId: string) => ({
    vlanNames: new Map(deps.tenants.get(tenantId)?.site.vlans.map(({ vlan_id, name }) => [vlan_id, name])),
    geoOf,
    broadcasts: broadcastsOf(deps.tenants.get(tenantId)?.networks ?? []),
  });
  const read = pageReaders(deps);
  return {
    async listDevices({ caller, query, now }) {
      const scope = { tenantId: caller.tenantId, operation: "listDevices", filter: query };
      const after = deps.cursors.open<DevicePosition & { now: number }>(scope, query.cursor, now);
      // Relative times of the filter stay those of the first page.
      const since = after?.now ?? now;
      const { vlan_id, device_type, risk_min, seen_after } = query;
      const parameters: Comparison[] = equalities({ "device.vlan": vlan_id });
      if (risk_min !== undefined) parameters.push({ field: "device.score", op: ">=", value: risk_min });
      const plan = {
        ...listPlan(deps, caller, { ...query, kind: "devices", parameters }, { now: since, window: null }),
        // Times are whole microseconds.
        lastSeen: seen_after === undefined
          ? undefined
          : { from: readTimestamp("seen_after", seen_after) + 1, to: null },
        deviceType: device_type,
        text: query.query,
      };
      const { items, next } = await read.devices(caller.tenantId, plan, {
        after,
        limit: query.limit ?? DEFAULT_LIMIT,
        now,
        sort: query.sort,
        effort: query.filter === undefined ? "list" : "search",
      });
      return { data: items, nextCursor: next && deps.cursors.seal(scope, { ...next, now: since }, now) };
    },

    async getDevice({ caller, params, query, now }) {
      const deviceId = pathId(params, "device_id");
      const window = readWindow(query, now, MAX_DETAIL_DAYS);
      const data = await deps.db.tenant(caller.tenantId, async (tx) => {
        const row = await deviceById(tx, caller.tenantId, deviceId);
        if (!row) throw new ApiError("not_found");
        return await detail(
          tx,
          caller.tenantId,
          row,
          { ...window, zone: query.zone },
          contextOf(caller.tenantId),
        );
      });
      const identities = deps.identities
        ? await identitiesOrNone(deps.db, caller.tenantId, data.device_id, deps.identities.logger)
        : NO_IDENTITIES;
      return { data: { ...data, ...identities }, etag: data.revision };
    },

    async patchDevice({ caller, params, body, ifMatch, tx, now }) {
      const before = await deviceById(tx, caller.tenantId, pathId(params, "device_id"));
      if (!before) throw new ApiError("not_found");
      const deviceId = before.device_id;
      const change = { patch: body, revision: ifMatch, now, comment: null };
      const revision = await confirmDevice(tx, caller, before, change);
      const after = (await deviceById(tx, caller.tenantId, deviceId))!;
      if (revision === null) {
        throw new ApiError("revision_conflict", undefined, { revision: after.revision });
      }
      const window = readWindow({}, now, null);
      const data = await detail(tx, caller.tenantId, after, window, contextOf(caller.tenantId));
      const identities = deps.identities
        ? await readIdentities(tx, caller.tenantId, deviceId)
        : NO_IDENTITIES;
      const former = formerValues(before, body);
      return { data: { ...data, ...identities }, etag: data.revision, before: former };
    },
  };
}

async function detail(
  tx: Tx,
  tenantId: string,
  row: DeviceRow,
  window: Window & { zone?: string },
  { broadcasts, ...context }: Pick<DetailParts, "vlanNames" | "geoOf"> & { broadcasts: ReadonlySet<string> },
): Promise<DeviceDetail> {
  const group = await deviceGroup(tx, tenantId, row.device_id);
  const found = await flowsToProfile(tx, tenantId, group, window, TRAVERSAL_LIMIT + 1);
  const flows = found.slice(0, TRAVERSAL_LIMIT);
  const profile = profileDevice(row.device_id, flows, { zone: window.zone, broadcasts });
  const peers = [...profile.peers, ...profile.destinations].flatMap((peer) => peer.deviceId ?? []);
  const withMet = await matchedAddresses(tx, tenantId, row.addresses);
  const pairs = [...withMet].flatMap((partyIp) =>
    profile.destinations.map(({ ip: peerIp }) => ({ partyIp, peerIp }))
  );
  const matches = await matchesAtPeers(tx, tenantId, pairs, INTEL_LIMIT);
  return deviceDetailView({
    row,
    profile,
    truncated: found.length > TRAVERSAL_LIMIT,
    facts: await factsOfDevices(tx, tenantId, group, FACT_LIMIT),
    leases: await leasesOfDevices(tx, tenantId, group, FACT_LIMIT),
    scores: await deviceScores(tx, tenantId, row.device_id),
    history: await readHistory(tx, tenantId, row.device_id),
    names: await deviceNames(tx, tenantId, peers),
    vlans: await vlansOfDevices(tx, tenantId, group),
    observed: await observedClassification(tx, tenantId, row.device_id),
    inventory: await inventoryOfDevices(tx, tenantId, group),
    intel: await matchesOfAddresses(tx, tenantId, row.addresses, FACT_LIMIT),
    intelOf: intelOfDestinations(row.device_id, flows, matches),
    ...context,
  });
}
