import { MAX_COVERAGE_DAYS, type SensorCoverage } from "../../../contract/health/coverage.ts";
import { formatMillis } from "../../../kit/time.ts";
import { configuredSensors } from "../../../store/health/configured-sensors.ts";
import { receivedHours } from "../../../store/health/coverage.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";

const HOUR = 3_600_000_000;

export function coverageHandlers(deps: HandlerDeps): Pick<Handlers, "getCoverage"> {
  return {
    async getCoverage({ caller, query, now }) {
      const window = readWindow(query, now, MAX_COVERAGE_DAYS);
      const from = Math.floor(window.from / HOUR) * HOUR;
      const to = Math.ceil(window.to / HOUR) * HOUR;
      const hours: number[] = [];
      for (let hour = from; hour < to; hour += HOUR) hours.push(hour);
      const ids = (deps.tenants.get(caller.tenantId)?.sensors ?? []).map(({ sensorId }) => sensorId).sort();
      const sensors = await deps.db.tenant(
        caller.tenantId,
        async (tx): Promise<SensorCoverage["sensors"]> => {
          const since = await configuredSensors(tx, caller.tenantId);
          const received = await receivedHours(tx, caller.tenantId, ids, { from, to });
          return ids.map((sensor_id) => {
            const heard = received.get(sensor_id)!;
            const isKnown = (hour: number) =>
              hour >= (since.get(sensor_id) ?? Infinity) && hour + HOUR <= now;
            return {
              sensor_id,
              received: hours.map((hour) => heard.has(hour) ? true : isKnown(hour) ? false : null),
            };
          });
        },
      );
      return { data: { hours: hours.map(formatMillis), sensors } };
    },
  };
}
