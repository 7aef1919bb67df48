import type { DeviceDetail } from "../../../contract/device/device.ts";
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
  listDevices,
  positionOf,
} from "../../../store/device/read.ts";
import { vlansOfDevices } from "../../../store/device/vlans.ts";
import { leasesOfDevices } from "../../../store/device/dhcp-leases.ts";
import { flowsToProfile } from "../../../store/flow/profile.ts";
import { readHistory } from "../../../store/incident/history.ts";
import { matchedAddresses, matchesAtPeers, matchesOfAddresses } from "../../../store/intel/match.ts";
import { inventoryOfDevices } from "../../../store/device/inventory.ts";
import { devicesFound } from "../../../store/search/listed.ts";
import type { Handlers } from "../../handler.ts";
import { readTimestamp, readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { confirmDevice, formerValues } from "./confirm.ts";
import { identitiesOrNone, NO_IDENTITIES, readIdentities } from "./identities.ts";
import { type DetailParts, deviceDetailView, deviceView } from "./view.ts";
import { intelOfDestinations } from "../flow/intel.ts";
import { geoFinder } from "../intel/intel-view.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, pathId } from "../params.ts";
import { listPlan } from "../search/plan.ts";
import { listing } from "../../search/searching.ts";

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
  });
  return {
    async listDevices({ caller, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "listDevices", filter: query };
      const after = deps.cursors.open<DevicePosition & { now: number }>(scope, query.cursor, now);
      // Relative times of the filter stay those of the first page.
      const since = after?.now ?? now;
      const filter = {
        query: query.query,
        vlanId: query.vlan_id,
        deviceType: query.device_type,
        riskMin: query.risk_min,
        seenAfter: query.seen_after === undefined ? undefined : readTimestamp("seen_after", query.seen_after),
      };
      const plan = query.filter === undefined ? null : listPlan(
        deps,
        caller,
        { ...query, kind: "devices", parameters: [] },
        { now: since, window: null },
      );
      const { rows, next } = await listing(
        deps.db,
        caller.tenantId,
        plan === null ? "list" : "search",
        async (tx) => {
          const deviceIds = plan === null ? undefined : await devicesFound(tx, caller.tenantId, plan);
          return await listDevices(tx, caller.tenantId, { ...filter, deviceIds }, {
            sort: query.sort,
            after,
            limit,
          });
        },
      );
      const { page: data } = endPage(rows.map(deviceView), next !== null, deps.pageBytes);
      const position = data.length < rows.length ? positionOf(rows[data.length - 1]!) : next;
      const nextCursor = position && deps.cursors.seal(scope, { ...position, now: since }, now);
      return { data, nextCursor };
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
  context: Pick<DetailParts, "vlanNames" | "geoOf">,
): Promise<DeviceDetail> {
  const group = await deviceGroup(tx, tenantId, row.device_id);
  const found = await flowsToProfile(tx, tenantId, group, window, TRAVERSAL_LIMIT + 1);
  const flows = found.slice(0, TRAVERSAL_LIMIT);
  const profile = profileDevice(row.device_id, flows, window.zone);
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
