import { z } from "@hono/zod-openapi";
import { Count, Id, NullableCount, Score, Timestamp } from "../request/common.ts";
import { HEALTH_STATUSES, INCIDENT_STATUSES, SEVERITIES } from "../record/kinds.ts";
import { PROPOSAL_KINDS } from "../review/proposal.ts";
import { RESPONSE_KINDS } from "../review/response.ts";
import { DEVICE_ID, INCIDENT_ID } from "../openapi/examples/ids.ts";

/** Rows of each list of a brief, so that it always fits on two printed pages. */
export const BRIEF_ROWS = {
  incidents: 8,
  closed: 4,
  actions: 4,
  proposals: 3,
  devices: 6,
  movers: 6,
  detectors: 4,
  suppressions: 4,
  sensors: 6,
  transitions: 4,
} as const;

/** Whether a text names a day of the calendar, from 1970 to 9999. */
function isDay(text: string): boolean {
  if (!/^(?:19[7-9]\d|[2-9]\d{3})-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const CalendarDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/).openapi({
  description: "A day of the site's calendar.",
  example: "2026-01-30",
});

export const BriefQuery = z.object({
  date: z.string().refine(isDay, "expected a day such as 2026-01-30").optional().openapi({
    format: "date",
    description:
      "The day, in the site's time zone (`time_zone` in sites.yaml). Default: yesterday. Today gives the brief so far; a " +
      "day that has not begun is refused.",
    example: "2026-01-30",
  }),
});

export const BriefCalendarQuery = z.object({
  month: z.string().refine((text) => isDay(`${text}-01`), "expected a month such as 2026-01").optional()
    .openapi({
      description: "The month, in the site's time zone. Default: the present one.",
      example: "2026-01",
    }),
});

/** A bounded list: the first items, and how many more there are. */
function bounded<T extends z.ZodType>(item: T, rows: number) {
  return z.object({
    items: z.array(item).max(rows),
    more: z.number().int().nonnegative().openapi({ description: "Further ones that are not listed." }),
  });
}

const Sentences = z.array(z.string()).openapi({ description: "The section in words." });

export const BriefFigure = z.object({
  value: NullableCount.openapi({ description: "Of the day. Null: unknown, which is not zero." }),
  previous: NullableCount.openapi({ description: "Of the whole day before. Null: unknown." }),
}).openapi("BriefFigure");
export type BriefFigure = z.infer<typeof BriefFigure>;

const BriefIncident = z.object({
  id: Id.openapi({ example: INCIDENT_ID }),
  title: z.string(),
  severity: z.enum(SEVERITIES),
  score: Score,
  status: z.enum(INCIDENT_STATUSES).openapi({ description: "When the brief was made." }),
  device: z.object({ device_id: Id, name: z.string() }).nullable().openapi({
    description: "The device for which it was opened.",
  }),
}).openapi("BriefIncident");
export type BriefIncident = z.infer<typeof BriefIncident>;

const ClosedIncident = BriefIncident.extend({ closed_at: Timestamp }).openapi("BriefClosedIncident");
export type ClosedIncident = z.infer<typeof ClosedIncident>;

const BriefAction = z.object({
  action_id: Id,
  kind: z.enum(RESPONSE_KINDS),
  target: z.string(),
  severity: z.enum(SEVERITIES),
  proposed_at: Timestamp,
}).openapi("BriefAction");
export type BriefAction = z.infer<typeof BriefAction>;

const BriefProposal = z.object({
  proposal_id: Id,
  kind: z.enum(PROPOSAL_KINDS),
  reason: z.string(),
  created_at: Timestamp,
}).openapi("BriefProposal");
export type BriefProposal = z.infer<typeof BriefProposal>;

const BriefDevice = z.object({
  device_id: Id.openapi({ example: DEVICE_ID }),
  name: z.string(),
  device_type: z.string(),
  address: z.string().nullable(),
  first_seen: Timestamp,
}).openapi("BriefDevice");
export type BriefDevice = z.infer<typeof BriefDevice>;

const BriefMover = z.object({
  device_id: Id,
  name: z.string(),
  bytes: Count.openapi({ description: "Sent and received on the day." }),
  previous_bytes: NullableCount.openapi({ description: "On the whole day before. Null: unknown." }),
}).openapi("BriefMover");
export type BriefMover = z.infer<typeof BriefMover>;

const NoisyDetector = z.object({
  model_id: z.string(),
  title: z.string(),
  opened: z.number().int().positive().openapi({ description: "Incidents that it opened on the day." }),
  false_positives: z.number().int().nonnegative().openapi({
    description: "Those of them that are `false_positive`.",
  }),
}).openapi("NoisyDetector");
export type NoisyDetector = z.infer<typeof NoisyDetector>;

const ExpiringSuppression = z.object({
  suppression_id: Id,
  reason: z.string(),
  expires_at: Timestamp,
}).openapi("ExpiringSuppression");
export type ExpiringSuppression = z.infer<typeof ExpiringSuppression>;

const SensorDay = z.object({
  sensor_id: z.string(),
  received: z.array(z.boolean().nullable()).max(25).openapi({
    description:
      "One per hour of `hours`: whether records were received. Null: unknown, because the hour is not over, began before " +
      "the sensor was configured, or is older than the oldest record that is kept.",
  }),
}).openapi("SensorDay");
type SensorDay = z.infer<typeof SensorDay>;

const BriefTransition = z.object({
  transition_id: Id,
  at: Timestamp,
  component_id: z.string(),
  from: z.enum(HEALTH_STATUSES),
  to: z.enum(HEALTH_STATUSES),
}).openapi("BriefTransition");
export type BriefTransition = z.infer<typeof BriefTransition>;

const AnalystBudget = z.object({
  limit_microusd: NullableCount.openapi({ description: "Null: no provider is configured." }),
  spent_microusd: Count,
  reserved_microusd: Count.openapi({ description: "Reserved for runs whose cost is not known." }),
}).openapi("BriefBudget");

/** One day of a site in facts and sentences. */
export const DailyBrief = z.object({
  date: CalendarDay,
  site_name: z.string(),
  time_zone: z.string().openapi({ example: "Europe/Bucharest" }),
  start: Timestamp.openapi({ description: "When the day began." }),
  end: Timestamp.openapi({ description: "When it ended or will end: after 23 to 25 hours, usually 24." }),
  complete: z.boolean().openapi({ description: "False: the day is not over, and this is the brief so far." }),
  delivery: z.literal("local_only").openapi({
    description: "Retrieving the brief sends nothing.",
  }),
  summary: Sentences,
  unknown: z.array(z.string()).openapi({ description: "What is not known of the day, and why." }),
  figures: z.object({
    opened_incidents: BriefFigure,
    closed_incidents: BriefFigure,
    new_devices: BriefFigure,
    flows: BriefFigure,
    traffic_bytes: BriefFigure,
    silent_hours: BriefFigure.openapi({
      description: "Hours without records, added up over all sensors.",
    }),
  }),
  incident_changes: z.object({
    sentences: Sentences,
    opened: bounded(BriefIncident, BRIEF_ROWS.incidents).openapi({
      description: "Opened on the day by the time of their evidence: open ones first, then by score.",
    }),
    closed: bounded(ClosedIncident, BRIEF_ROWS.closed).openapi({
      description: "Resolved or marked as false positives on the day, newest first.",
    }),
  }),
  decisions: z.object({
    sentences: Sentences,
    actions: bounded(BriefAction, BRIEF_ROWS.actions),
    proposals: bounded(BriefProposal, BRIEF_ROWS.proposals),
  }).openapi({ description: "What waits for a decision when the brief is made, oldest first." }),
  devices: z.object({ sentences: Sentences, appeared: bounded(BriefDevice, BRIEF_ROWS.devices) }),
  traffic: z.object({
    sentences: Sentences,
    movers: bounded(BriefMover, BRIEF_ROWS.movers).openapi({
      description:
        "The devices whose traffic changed most against the day before; those with the most traffic while the day is not " +
        "over or the day before is unknown.",
    }),
  }),
  detectors: z.object({
    sentences: Sentences,
    noisy: bounded(NoisyDetector, BRIEF_ROWS.detectors),
    expiring: bounded(ExpiringSuppression, BRIEF_ROWS.suppressions).openapi({
      description: "Suppressions that end on the day or within seven days after it, the first one first.",
    }),
  }),
  sensors: z.object({
    sentences: Sentences,
    hours: z.array(Timestamp).max(25).openapi({ description: "Starts of the hours of the day." }),
    coverage: bounded(SensorDay, BRIEF_ROWS.sensors).openapi({
      description: "Configured sensors, those with the most silent hours first.",
    }),
    transitions: bounded(BriefTransition, BRIEF_ROWS.transitions).openapi({
      description: "Changes of health on the day, newest first. Kept for 90 days.",
    }),
  }),
  analyst_budget: AnalystBudget.nullable().openapi({
    description:
      "What analyst runs cost on the UTC day of the same date. Null: there were none, and no provider is configured.",
  }),
}).openapi("DailyBrief");
export type DailyBrief = z.infer<typeof DailyBrief>;

export const BriefDocument = z.string().openapi("BriefDocument", {
  description: "The text of the document.",
  example: "<!doctype html>",
});

export const BriefCalendar = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  time_zone: z.string(),
  today: CalendarDay,
  calendar: z.array(z.object({
    date: CalendarDay,
    opened: z.number().int().nonnegative().openapi({
      description: "Incidents of severity `medium` or higher that were opened on the day.",
    }),
    highest: z.enum(SEVERITIES).nullable().openapi({ description: "The highest severity among them." }),
  })).max(31).openapi({ description: "Every day of the month that has begun." }),
}).openapi("BriefCalendar");
export type BriefCalendar = z.infer<typeof BriefCalendar>;
