import { classifyDevice, RULES_VERSION } from "../../domain/device/classify/classify.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { readBehaviour, type Span } from "../../store/device/behaviour.ts";
import {
  type ClassifiedDevice,
  type DueDevice,
  dueDevices,
  writeClassification,
} from "../../store/device/classification.ts";

/** Span of records considered per device, back from its newest one, in microseconds. */
const WINDOW = 7 * 86_400_000_000;
/** Microseconds until an active device is classified again. */
const RECLASSIFY_AFTER = 600_000_000;
/** Devices read per transaction. */
const CHUNK = 20;

/**
 * Classifies due devices by their observed behaviour, about `limit` of them at most. Returns their number.
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
    const chunk = await db.tenant(tenantId, (tx) => classifyChunk(tx, tenantId, now));
    for (const classified of chunk) {
      await db.tenant(tenantId, (tx) => writeClassification(tx, tenantId, classified, RULES_VERSION, now));
    }
    count += chunk.length;
    if (chunk.length < CHUNK) break;
  }
  return count;
}

async function classifyChunk(tx: Tx, tenantId: string, now: number): Promise<ClassifiedDevice[]> {
  const classified: ClassifiedDevice[] = [];
  for (const device of await dueDevices(tx, tenantId, RULES_VERSION, now - RECLASSIFY_AFTER, CHUNK)) {
    const deviceIds = [device.device_id, ...device.merged];
    const behaviour = await readBehaviour(tx, tenantId, deviceIds, spanOf(device, now));
    const { serves, uses, userAgents, hostNames, vendorClasses, domains, sshSoftware } = behaviour;
    const observed = [serves, uses, userAgents, hostNames, vendorClasses, domains, sshSoftware];
    const empty = observed.every((list) => list.length === 0);
    classified.push({ device, classification: empty ? null : classifyDevice(behaviour) });
  }
  return classified;
}

/**
 * Ends at the newest record, which in replays may be old; records with future timestamps do not hide the
 * others.
 */
function spanOf({ first_seen: first, last_seen: last }: DueDevice, now: number): Span {
  const newest = last <= now || first > now ? last : now;
  return { from: Math.max(first, newest - WINDOW), to: newest + 1 };
}
