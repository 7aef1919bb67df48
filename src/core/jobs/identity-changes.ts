import type { Join } from "../../domain/device/identity/clusters.ts";
import type { PlannedMerge } from "../../domain/device/identity/identity-plan.ts";
import { randomUuid } from "../../kit/id.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  activeMerges,
  type EndCause,
  endMerges,
  insertMerges,
  lockDevices,
  type MergeRow,
  type MergeSide,
  writeSides,
} from "../../store/device/merge.ts";
import { rescoreDevices } from "../../store/device/scores.ts";
import { flowsByIds } from "../../store/flow/read.ts";
import { addHistory } from "../../store/incident/history.ts";
import { incidentFlowsOf, nameInIncidents } from "../../store/incident/devices.ts";

/** The actor of the job's entries in device histories. */
const ACTOR = "identity job";

/** A merge to undo. */
interface Undo extends Join {
  mergeId: string;
  cause: EndCause;
  reason: string;
}

interface Changes {
  undo: readonly Undo[];
  merge: readonly PlannedMerge[];
}

/** The changes that were made. */
export interface Applied {
  merged: PlannedMerge[];
  separated: Undo[];
}

/**
 * Applies planned changes in one transaction. A device that a user has confirmed in the meantime is not
 * merged into another; the next round plans again.
 */
export async function applyIdentityChanges(
  tx: Tx,
  tenantId: string,
  { undo, merge }: Changes,
  now: number,
): Promise<Applied> {
  const active = await activeMerges(tx, tenantId);
  const inForce = new Set(active.map((one) => one.merge_id));
  const separated = undo.filter(({ mergeId }) => inForce.has(mergeId));
  const ending = new Set(separated.map(({ mergeId }) => mergeId));
  const before = new Forest(active.map(toJoin));
  const left = active.filter((one) => !ending.has(one.merge_id)).map(toJoin);
  const candidates = new Forest([...left, ...merge]);

  const devices = await lockDevices(tx, tenantId, [
    ...[...separated, ...merge].flatMap((
      { from, into },
    ) => [from, into, before.rootOf(into), candidates.rootOf(into)]),
    ...before.changedIn(candidates),
  ]);
  const merged = merge.filter(({ from, into }) =>
    devices.has(into) && devices.get(from)?.confirmed === false
  );
  if (separated.length + merged.length === 0) return { merged, separated };
  const after = new Forest([...left, ...merged]);

  await endMerges(tx, tenantId, separated, now);
  await insertMerges(tx, tenantId, merged.map((one) => newMerge(one, now)));
  const touched = [...separated, ...merged];
  const sides = newSides(devices, touched, before, after);
  await writeSides(tx, tenantId, sides);
  await recordHistory(
    tx,
    tenantId,
    { merged, separated },
    new Map(sides.map((side) => [side.device_id, side])),
    now,
  );
  for (const { from, into } of separated) {
    const [side, rest] = [from, into].map((id) => after.allOf(after.rootOf(id)));
    if (after.rootOf(from) !== after.rootOf(into)) await shareIncidents(tx, tenantId, side!, rest!);
  }
  await rescoreDevices(
    tx,
    tenantId,
    sides.map((side) => side.device_id),
    now,
    "the set of merged devices changed",
  );
  return { merged, separated };
}

function toJoin(row: MergeRow): Join {
  return { from: row.from_device_id, into: row.into_device_id };
}

function newMerge({ from, into, reason, weight, support }: PlannedMerge, at: number) {
  return { merge_id: randomUuid(), from_device_id: from, into_device_id: into, at, reason, weight, support };
}

/**
 * The devices' new merge state. Both sides of each change get the same new revision, above either's former
 * one, so that concurrent edits of either conflict.
 */
function newSides(
  devices: ReadonlyMap<string, MergeSide>,
  touched: readonly Join[],
  before: Forest,
  after: Forest,
): MergeSide[] {
  const revisions = new Map([...devices.values()].map((side) => [side.device_id, side.revision]));
  for (const { from, into } of touched) {
    const both = [from, into, before.rootOf(into), after.rootOf(into)].filter((id) => revisions.has(id));
    const next = Math.max(...both.map((id) => revisions.get(id)!)) + 1;
    for (const id of both) revisions.set(id, next);
  }
  return [...devices.values()].map((side) => {
    const root = after.rootOf(side.device_id);
    const merged_into = root === side.device_id ? null : root;
    return { ...side, merged_into, revision: revisions.get(side.device_id)! };
  }).filter((side) =>
    side.revision !== devices.get(side.device_id)!.revision ||
    side.merged_into !== devices.get(side.device_id)!.merged_into
  );
}

/** Records the changes in the histories of both sides. */
async function recordHistory(
  tx: Tx,
  tenantId: string,
  { merged, separated }: Applied,
  sides: ReadonlyMap<string, MergeSide>,
  at: number,
): Promise<void> {
  const entries = [
    ...separated.map((one) => ({ ...one, action: "devices_separated" })),
    ...merged.map((one) => ({ ...one, action: "devices_merged" })),
  ];
  for (const { from, into, action, reason } of entries) {
    for (const deviceId of [from, into]) {
      const side = sides.get(deviceId);
      if (!side) continue;
      const entry = { at, actor: ACTOR, action, from, to: into, comment: reason, revision: side.revision };
      await addHistory(tx, tenantId, deviceId, entry);
    }
  }
}

/**
 * Adds the devices of one side to the other side's incidents that rest on their flows and arose while both
 * were merged. The incidents also stay with the other side.
 */
async function shareIncidents(
  tx: Tx,
  tenantId: string,
  side: readonly string[],
  rest: readonly string[],
): Promise<void> {
  const links = await incidentFlowsOf(tx, tenantId, rest);
  const flows = await flowsByIds(tx, tenantId, [...new Set(links.map(({ flowId }) => flowId))]);
  const named = new Map<string, { incidentId: string; deviceId: string }>();
  for (const { incidentId, flowId } of links) {
    const flow = flows.get(flowId);
    for (const deviceId of [flow?.srcDeviceId, flow?.dstDeviceId]) {
      if (deviceId && side.includes(deviceId)) {
        named.set(`${incidentId} ${deviceId}`, { incidentId, deviceId });
      }
    }
  }
  await nameInIncidents(tx, tenantId, [...named.values()]);
}

/** The merge relation, by device id. */
class Forest {
  readonly #into: ReadonlyMap<string, string>;

  constructor(joins: readonly Join[]) {
    this.#into = new Map(joins.map(({ from, into }) => [from, into]));
  }

  rootOf(deviceId: string): string {
    let root = deviceId;
    for (let next = this.#into.get(root); next !== undefined; next = this.#into.get(root)) root = next;
    return root;
  }

  /** The devices merged into `root`, itself first. */
  allOf(root: string): string[] {
    return [root, ...[...this.#into.keys()].filter((id) => this.rootOf(id) === root)];
  }

  /** The devices whose root differs in `other`. */
  changedIn(other: Forest): string[] {
    return [...new Set([...this.#into.keys(), ...other.#into.keys()])].filter((id) =>
      this.rootOf(id) !== other.rootOf(id)
    );
  }
}
