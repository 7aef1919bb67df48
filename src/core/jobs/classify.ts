import { classifyDevice, RULES_VERSION } from "../../domain/device/classify/classify.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { readBehaviour, type Span } from "../../store/device/behaviour.ts";
import {
  type ClassifiedDevice,
  type DueDevice,
  dueDevices,
  writeClassification,
} from "../../store/device/classification.ts";

/** How far back a device's records are looked at, from the newest of them. */
const WINDOW = 7 * 86_400_000_000;
/** A device that goes on is judged again after this time, in microseconds. */
const AGAIN_AFTER = 600_000_000;
/** Devices looked at in one transaction. */
const CHUNK = 20;

/**
 * Judges the devices whose turn it is by what their records show, at most about `limit` of them. Returns how many.
 * `now` in microseconds.
 */
export async function classifyDue(
  db: Database,
  tenantId: string,
  now: number,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  while (count < limit && !signal?.aborted) {
    const chunk = await db.tenant(tenantId, (tx) => judgeChunk(tx, tenantId, now));
    for (const judged of chunk) {
      await db.tenant(tenantId, (tx) => writeClassification(tx, tenantId, judged, RULES_VERSION, now));
    }
    count += chunk.length;
    if (chunk.length < CHUNK) break;
  }
  return count;
}

async function judgeChunk(tx: Tx, tenantId: string, now: number): Promise<ClassifiedDevice[]> {
  const judged: ClassifiedDevice[] = [];
  for (const device of await dueDevices(tx, tenantId, RULES_VERSION, now - AGAIN_AFTER, CHUNK)) {
    const deviceIds = [device.device_id, ...device.merged];
    const behaviour = await readBehaviour(tx, tenantId, deviceIds, spanOf(device, now));
    const { serves, uses, userAgents, hostNames, vendorClasses, domains, sshSoftware } = behaviour;
    const seen = [serves, uses, userAgents, hostNames, vendorClasses, domains, sshSoftware];
    const empty = seen.every((list) => list.length === 0);
    judged.push({ device, classification: empty ? null : classifyDevice(behaviour) });
  }
  return judged;
}

/** The newest records of a recording may be old; those of a clock that is ahead of ours do not hide the others. */
function spanOf({ first_seen: first, last_seen: last }: DueDevice, now: number): Span {
  const newest = last <= now || first > now ? last : now;
  return { from: Math.max(first, newest - WINDOW), to: newest + 1 };
}
