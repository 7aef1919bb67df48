import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import { eventHeadsAfter } from "../store/connector/connectors.ts";
import type { Database } from "../store/engine/database.ts";
import { deviceNames } from "../store/device/read.ts";
import { eventsAfter, logEdges, type NumberedEvent } from "../store/connector/event-log.ts";
import type { LogPage, PendingQueue } from "./queue.ts";

interface LogReaderDeps {
  db: Database;
  logger: Logger;
  /** Device ids of an event, whose names are sent with it. */
  devicesOf: (event: NumberedEvent) => string[];
}

/** An event with the current names of its devices. */
export interface ReadEvent {
  event: NumberedEvent;
  names: ReadonlyMap<string, string>;
}

const PAGE = 1_000;
const BODIES = 32;

/** Reads a tenant's event log for one instance, page by page, in short transactions. */
export class LogReader {
  constructor(
    private readonly of: { tenantId: string; instance: string },
    private readonly deps: LogReaderDeps,
  ) {}

  /** Log entries after a number. */
  page(after: number): Promise<LogPage> {
    const { tenantId } = this.of;
    return this.deps.db.tenant(tenantId, async (tx) => {
      const heads = await eventHeadsAfter(tx, tenantId, after, PAGE);
      const isLast = heads.length < PAGE;
      if (heads.length > 0) return { heads, end: heads.at(-1)!.eventNo, isLast };
      // If no event is left, only the edge shows what was pruned.
      const { first } = await logEdges(tx, tenantId);
      return { heads, end: Math.max(after, first - 1), isLast };
    });
  }

  /**
   * The next events from `first` on that are to be delivered, with their bodies; without those that the log
   * no longer has.
   */
  async read(first: number, queue: PendingQueue): Promise<ReadEvent[]> {
    const { db, devicesOf, logger } = this.deps;
    const { tenantId, instance } = this.of;
    const events = (await db.tenant(tenantId, (tx) => eventsAfter(tx, tenantId, first - 1, BODIES)))
      .filter(({ eventNo }) => queue.has(eventNo));
    const ids = [...new Set(events.flatMap(devicesOf))];
    // In a transaction of its own: a failure costs the names, never the event.
    const names = await db.tenant(tenantId, (tx) => deviceNames(tx, tenantId, ids)).catch(
      (error: unknown) => {
        const fields = { tenant: tenantId, connector: instance, message: messageOf(error) };
        logger.warn("events are sent without device names", fields);
        return new Map<string, string>();
      },
    );
    return events.map((event) => ({ event, names }));
  }
}
