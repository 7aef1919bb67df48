import { redactReport } from "../../../domain/health/redact.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";

export function healthHandlers(deps: HandlerDeps): Pick<Handlers, "getHealth"> {
  return {
    async getHealth({ caller, now }) {
      const full = await deps.health.report(caller.tenantId, now);
      const data = caller.roles.includes("admin") ? full : redactReport(full);
      return { data, status: data.status === "unavailable" ? 503 : 200 };
    },
  };
}
