import { single } from "../request/common.ts";
import { read, type Route } from "../request/route.ts";
import { Trends } from "./trends.ts";
import { BriefCalendar, BriefCalendarQuery, BriefDocument, BriefQuery, DailyBrief } from "./brief.ts";

export const BRIEF_ROUTES = {
  getDailyBrief: {
    ...read,
    path: "/api/v1/briefs/daily",
    summary: "Get the brief of one day of the site",
    description:
      "What changed, what is new and open, what waits for a decision, first-seen devices, traffic against the day before, " +
      "noisy detectors, suppressions that expire, and the state of the sensors, in facts and sentences. Built from recorded " +
      "data without a model, and from rollups rather than flows. Incidents, devices and traffic count by source time, " +
      "sensors by receipt. Statuses and pending decisions are those of the time of the request.",
    tag: "Briefs",
    query: BriefQuery,
    response: single(DailyBrief),
  },
  getBriefDocument: {
    ...read,
    path: "/api/v1/briefs/daily/document",
    summary: "Get the brief of one day as a self-contained HTML document that prints on two pages of A4",
    description:
      "Needs nothing else: no script, font or picture from elsewhere. Its policy puts it into a sandbox, so nothing in it " +
      "runs, and it cannot use the session. Open it in a tab of its own and print it, or save it.",
    tag: "Briefs",
    query: BriefQuery,
    download: { types: ["text/html"], document: true },
    response: BriefDocument,
  },
  getBriefCalendar: {
    ...read,
    path: "/api/v1/briefs/calendar",
    summary: "Get the days of a month on which incidents of medium severity or higher were opened",
    tag: "Briefs",
    query: BriefCalendarQuery,
    response: single(BriefCalendar),
  },
  getTrends: {
    ...read,
    path: "/api/v1/trends",
    summary: "Compare today with yesterday and the week before, and a week of work with the one before",
    description:
      "Incidents, devices and traffic count by source time, closings by the time of the change. Built from rollups and " +
      "histories rather than flows.",
    tag: "Briefs",
    response: single(Trends),
  },
} as const satisfies Record<string, Route>;
