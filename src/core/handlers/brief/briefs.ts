import { type BriefCalendar, type DailyBrief } from "../../../contract/brief/brief.ts";
import { SEVERITIES } from "../../../contract/record/kinds.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { composeBrief } from "../../../domain/brief/compose.ts";
import { briefDocument } from "../../../domain/brief/document.ts";
import { dayAt, dayOf, daysOfMonth, shiftDay } from "../../../domain/brief/day.ts";
import { ledgerSum } from "../../../store/analyst/ledger.ts";
import { briefFacts } from "../../../store/brief/facts.ts";
import { openingsByDay } from "../../../store/brief/incidents.ts";
import { trendsOf } from "../../../store/brief/trends.ts";
import { fieldError } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps, TenantView } from "../deps.ts";

type BriefOperation = "getDailyBrief" | "getBriefDocument" | "getBriefCalendar" | "getTrends";

export function briefHandlers(deps: HandlerDeps): Pick<Handlers, BriefOperation> {
  return {
    async getDailyBrief({ caller, query, now }) {
      return { data: await briefOf(deps, caller.tenantId, query.date, now) };
    },
    async getBriefDocument({ caller, query, now }) {
      const brief = await briefOf(deps, caller.tenantId, query.date, now);
      const bytes = new TextEncoder().encode(briefDocument(brief));
      return {
        data: {
          fileName: `brief-${brief.date}.html`,
          contentType: "text/html; charset=utf-8",
          bytes: bytes.length,
          isDocument: true,
          body: ReadableStream.from([bytes]),
        },
      };
    },
    async getBriefCalendar({ caller: { tenantId }, query, now }) {
      const zone = tenantOf(deps, tenantId).site.time_zone;
      const today = dayAt(now, zone);
      const month = query.month ?? today.slice(0, 7);
      if (month > today.slice(0, 7)) {
        throw fieldError("month", `expected a month that has begun: this one is ${today.slice(0, 7)}`);
      }
      const dates = daysOfMonth(month).filter((date) => date <= today);
      const windows = dates.map((date) => dayOf(date, zone));
      const openings = await deps.db.tenant(tenantId, (tx) => openingsByDay(tx, tenantId, windows));
      const calendar: BriefCalendar["calendar"] = dates.map((date, at) => {
        const ofDay = openings.filter(({ day }) => day === windows[at]!.from);
        const severities = ofDay.map(({ severity }) => SEVERITIES.indexOf(severity));
        return {
          date,
          opened: ofDay.reduce((total, { opened }) => total + opened, 0),
          highest: ofDay.length === 0 ? null : SEVERITIES[Math.max(...severities)]!,
        };
      });
      return { data: { month, time_zone: zone, today, calendar } };
    },
    async getTrends({ caller: { tenantId }, now }) {
      const zone = tenantOf(deps, tenantId).site.time_zone;
      return { data: await deps.db.tenant(tenantId, (tx) => trendsOf(tx, tenantId, zone, now)) };
    },
  };
}

/**
 * The brief of a date, by default of yesterday.
 *
 * @throws ApiError invalid_request for a day that has not begun
 */
async function briefOf(
  deps: HandlerDeps,
  tenantId: string,
  asked: string | undefined,
  now: number,
): Promise<DailyBrief> {
  const { site, sensors } = tenantOf(deps, tenantId);
  const today = dayAt(now, site.time_zone);
  const date = asked ?? shiftDay(today, -1);
  if (date > today) {
    throw fieldError("date", `expected a day that has begun: today is ${today} in ${site.time_zone}`);
  }
  const subject = {
    date,
    siteName: site.display_name,
    zone: site.time_zone,
    sensorIds: sensors.map(({ sensorId }) => sensorId),
    now,
  };
  const limit = deps.analyst?.plan(tenantId)?.dailyBudgetMicrousd ?? null;
  return await deps.db.tenant(tenantId, async (tx) => {
    const brief = composeBrief(await briefFacts(tx, tenantId, subject));
    return { ...brief, analyst_budget: budgetOf(limit, await ledgerSum(tx, tenantId, date)) };
  });
}

/** Null for a tenant that has no provider and used none. */
function budgetOf(
  limit: number | null,
  { reserved, spent }: { reserved: number; spent: number },
): DailyBrief["analyst_budget"] {
  if (limit === null && reserved + spent === 0) return null;
  return { limit_microusd: limit, spent_microusd: spent, reserved_microusd: reserved };
}

function tenantOf({ tenants }: HandlerDeps, tenantId: string): TenantView {
  const tenant = tenants.get(tenantId);
  if (!tenant) throw new ApiError("not_found");
  return tenant;
}
