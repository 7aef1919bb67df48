import type { Site } from "../../contract/site.ts";
import type { RoomFacts } from "../../domain/health/report.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Database } from "../../store/database.ts";
import type { Cursors } from "../cursor.ts";

/** What configuration says of a tenant. */
export interface TenantView {
  site: Site;
  sensors: readonly { sensorId: string; trust: string }[];
}

export interface HandlerDeps {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  tenants: ReadonlyMap<string, TenantView>;
  /** What is known now of the room for records; without it health says nothing of it. */
  room?: () => RoomFacts;
}
