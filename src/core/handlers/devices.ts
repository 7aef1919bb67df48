import type { DeviceDetail, DevicePatch } from "../../contract/device.ts";
import { ApiError } from "../../contract/errors.ts";
import { profileDevice } from "../../domain/device/profile.ts";
import type { Tx } from "../../store/database.ts";
import { patchDevice } from "../../store/device-patch.ts";
import {
  deviceById,
  deviceNames,
  type DeviceRow,
  deviceScores,
  domainsOfFlows,
  listDevices,
} from "../../store/device-read.ts";
import { listFlows } from "../../store/flow-read.ts";
import { addHistory, readHistory } from "../../store/history.ts";
import type { Handlers } from "../handler.ts";
import { readTimestamp, readWindow, type Window } from "../window.ts";
import type { HandlerDeps } from "./deps.ts";
import { deviceDetailView, deviceView } from "./device-view.ts";
import { DEFAULT_LIMIT, pathId } from "./params.ts";

/** Flows a detail looks at, newest first; beyond it `telemetry_truncated` says so. */
const TRAVERSAL_LIMIT = 5000;
/** Of the flows looked at, how many DNS ones the name list is made from. */
const DNS_FLOW_LIMIT = 500;
const TOP_DOMAINS = 50;
const MAX_DETAIL_DAYS = 31;

export function deviceHandlers(
  deps: HandlerDeps,
): Pick<Handlers, "listDevices" | "getDevice" | "patchDevice"> {
  return {
    async listDevices({ caller, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "listDevices", filter: query };
      const after = deps.cursors.open<string>(scope, query.cursor, now);
      const filter = {
        query: query.query,
        vlanId: query.vlan_id,
        deviceType: query.device_type,
        riskMin: query.risk_min,
        seenAfter: query.seen_after === undefined ? undefined : readTimestamp("seen_after", query.seen_after),
      };
      const rows = await deps.db.tenant(
        caller.tenantId,
        (tx) => listDevices(tx, caller.tenantId, filter, after, limit + 1),
      );
      const page = rows.slice(0, limit);
      return {
        data: page.map(deviceView),
        nextCursor: rows.length > limit ? deps.cursors.seal(scope, page.at(-1)!.device_id, now) : null,
      };
    },

    async getDevice({ caller, params, query, now }) {
      const deviceId = pathId(params, "device_id");
      const window = readWindow(query, now, MAX_DETAIL_DAYS);
      const data = await deps.db.tenant(caller.tenantId, async (tx) => {
        const row = await deviceById(tx, caller.tenantId, deviceId);
        if (!row) throw new ApiError("not_found");
        return await detail(tx, caller.tenantId, row, window);
      });
      return { data, etag: data.revision };
    },

    async patchDevice({ caller, params, body, ifMatch, tx, now }) {
      const deviceId = pathId(params, "device_id");
      const before = await deviceById(tx!, caller.tenantId, deviceId);
      if (!before) throw new ApiError("not_found");
      const revision = await patchDevice(tx!, caller.tenantId, deviceId, ifMatch!, body);
      const after = (await deviceById(tx!, caller.tenantId, deviceId))!;
      if (revision === null) {
        throw new ApiError("revision_conflict", undefined, { revision: after.revision });
      }
      await addHistory(tx!, caller.tenantId, deviceId, {
        at: now,
        actor: caller.subject,
        action: "classification_confirmed",
        from: describe(before, body),
        to: JSON.stringify(body),
        comment: null,
        revision,
      });
      const data = await detail(tx!, caller.tenantId, after, readWindow({}, now, null));
      return { data, etag: data.revision };
    },
  };
}

/** The former values of the fields a patch names. */
function describe(before: DeviceRow, patch: DevicePatch): string {
  const fields = Object.keys(patch) as (keyof DevicePatch)[];
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, before[field]])));
}

async function detail(tx: Tx, tenantId: string, row: DeviceRow, window: Window): Promise<DeviceDetail> {
  const found = await listFlows(tx, tenantId, { window, deviceId: row.device_id }, null, TRAVERSAL_LIMIT + 1);
  const flows = found.slice(0, TRAVERSAL_LIMIT);
  const profile = profileDevice(row.device_id, flows);
  const asked = flows.filter((flow) => flow.srcDeviceId === row.device_id && flow.service === "dns");
  const peers = [...profile.peers, ...profile.destinations].flatMap((peer) => peer.deviceId ?? []);
  return deviceDetailView({
    row,
    profile,
    truncated: found.length > TRAVERSAL_LIMIT,
    domains: await domainsOfFlows(
      tx,
      tenantId,
      asked.slice(0, DNS_FLOW_LIMIT).map((flow) => flow.flowId),
      TOP_DOMAINS,
    ),
    scores: await deviceScores(tx, tenantId, row.device_id),
    history: await readHistory(tx, tenantId, row.device_id),
    names: await deviceNames(tx, tenantId, peers),
  });
}
