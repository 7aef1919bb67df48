import { healthReport, redactReport, storeDownReport } from "../../domain/health/report.ts";
import { StoreUnavailable } from "../../store/database.ts";
import { ingestFacts } from "../../store/health-read.ts";
import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";

const FIVE_MINUTES = 300_000_000;

export function healthHandlers(deps: HandlerDeps): Pick<Handlers, "getHealth"> {
  const report = async (tenantId: string, now: number) => {
    try {
      const facts = await deps.db.tenant(tenantId, (tx) => ingestFacts(tx, tenantId, now - FIVE_MINUTES));
      const sensors = (deps.tenants.get(tenantId)?.sensors ?? []).map(({ sensorId }) => ({
        sensorId,
        lastEventAt: facts.lastEventBySensor.get(sensorId) ?? null,
      }));
      return healthReport({ now, sensors, ingest: facts, room: deps.room?.() });
    } catch (error) {
      if (error instanceof StoreUnavailable) return storeDownReport(deps.room?.());
      throw error;
    }
  };
  return {
    async getHealth({ caller, now }) {
      const full = await report(caller.tenantId, now);
      const data = caller.roles.includes("admin") ? full : redactReport(full);
      return { data, status: data.status === "unavailable" ? 503 : 200 };
    },
  };
}
