import { digestBytes } from "../../kit/web-crypto.ts";
import type { Summary } from "../../contract/summary.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  newestIncident,
  type OpenWork,
  openWork,
  progressOf,
  undecided,
} from "../../store/incident/summary.ts";
import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";

/** How long counts of open work are kept, in microseconds: a suppression that expires changes no incident. */
const KEPT_FOR = 30 * 1_000_000;
const MAX_KEPT = 1000;

export function summaryHandlers(deps: HandlerDeps): Pick<Handlers, "getSummary"> {
  const counts = new OpenWorkCounts();
  return {
    async getSummary({ caller: { tenantId, subject }, now }) {
      const { work, waiting, newest, progress } = await deps.db.tenant(tenantId, async (tx) => {
        // Read before the counts, so that a change in between leads to another count at the next poll.
        const progress = await progressOf(tx, tenantId);
        const [work, waiting, newest] = await Promise.all([
          counts.of(tx, { tenantId, subject, changes: progress.incidents, now }),
          undecided(tx, tenantId),
          newestIncident(tx, tenantId),
        ]);
        return { work, waiting, newest, progress };
      });
      const { incidents, devices, decisions, batch, processed_at, health } = progress;
      const data: Summary = {
        open_incidents: work.open,
        high_incidents: work.high,
        unassigned_incidents: work.unassigned,
        mine: work.mine,
        pending_decisions: waiting.actions,
        pending_proposals: waiting.proposals,
        newest_incident: newest && {
          id: newest.incident_id,
          revision: newest.revision,
          last_seen: formatMillis(newest.last_seen),
        },
        incident_mark: String(incidents),
        // The risk of a device depends on its incidents.
        device_mark: [batch, incidents, devices].join("-"),
        flow_mark: String(batch),
        decision_mark: String(decisions),
        health,
        watermark: processed_at === null ? null : formatMillis(processed_at),
      };
      return { data, etag: await contentTag(data) };
    },
  };
}

/** Counts of open work, which are counted again only when an incident has changed. */
class OpenWorkCounts {
  readonly #kept = new BoundedMap<string, { changes: number; at: number; work: OpenWork }>(MAX_KEPT);

  async of(
    tx: Tx,
    { tenantId, subject, changes, now }: { tenantId: string; subject: string; changes: number; now: number },
  ): Promise<OpenWork> {
    const key = JSON.stringify([tenantId, subject]);
    const kept = this.#kept.get(key);
    if (kept?.changes === changes && Math.abs(now - kept.at) < KEPT_FOR) return kept.work;
    const work = await openWork(tx, tenantId, subject, now);
    this.#kept.set(key, { changes, at: now, work });
    return work;
  }
}

/** An entity tag of an answer's content, which does not contain the time of the answer. */
async function contentTag(data: unknown): Promise<string> {
  const digest = await digestBytes(JSON.stringify(data));
  return digest.toBase64({ alphabet: "base64url" }).slice(0, 22);
}
