import { CAPTURE_CURRENT_SECONDS, captureLoss } from "../../domain/health/capture.ts";
import { healthReport, redactReport, storeDownReport } from "../../domain/health/report.ts";
import { samplesSince } from "../../store/capture-samples.ts";
import { StoreUnavailable } from "../../store/database.ts";
import { ingestFacts } from "../../store/health-read.ts";
import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";

const SECOND = 1_000_000;
const FIVE_MINUTES = 300 * SECOND;

export function healthHandlers(deps: HandlerDeps): Pick<Handlers, "getHealth"> {
  const report = async (tenantId: string, now: number) => {
    try {
      const [facts, samples] = await deps.db.tenant(tenantId, (tx) =>
        Promise.all([
          ingestFacts(tx, tenantId, now - FIVE_MINUTES),
          samplesSince(tx, tenantId, now - CAPTURE_CURRENT_SECONDS * SECOND),
        ]));
      const sensors = (deps.tenants.get(tenantId)?.sensors ?? []).map(({ sensorId }) => ({
        sensorId,
        lastEventAt: facts.lastEventBySensor.get(sensorId) ?? null,
      }));
      const capture = captureLoss(samples, sensors.map(({ sensorId }) => sensorId), now);
      const intelligence = deps.intelligence?.();
      return healthReport({ now, sensors, ingest: facts, capture, room: deps.room?.(), intelligence });
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
