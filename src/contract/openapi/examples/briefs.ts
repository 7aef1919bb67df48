import type { BriefCalendar, DailyBrief } from "../../brief/brief.ts";
import type { Trends } from "../../brief/trends.ts";
import * as ids from "./ids.ts";

const NONE = { items: [], more: 0 };

export const DAILY_BRIEF: DailyBrief = {
  date: "2026-01-31",
  site_name: "Head office",
  time_zone: "Europe/Bucharest",
  start: "2026-01-30T22:00:00.000Z",
  end: "2026-01-31T22:00:00.000Z",
  complete: true,
  delivery: "local_only",
  summary: [
    "1 incident was opened: 1 high.",
    "1 device was seen for the first time.",
    "1 incident is open, and 1 response action waits for a decision.",
  ],
  unknown: [],
  figures: {
    opened_incidents: { value: 1, previous: 0 },
    closed_incidents: { value: 0, previous: 2 },
    new_devices: { value: 1, previous: 0 },
    flows: { value: 182_400, previous: 163_020 },
    traffic_bytes: { value: 41_200_000_000, previous: 36_800_000_000 },
    silent_hours: { value: 0, previous: 0 },
  },
  incident_changes: {
    sentences: ["1 incident was opened: 1 high.", "1 of them is still open."],
    opened: {
      items: [{
        id: ids.INCIDENT_ID,
        title: "Beacon to a known botnet server",
        severity: "high",
        score: 74,
        status: "open",
        device: { device_id: ids.DEVICE_ID, name: "front-desk" },
      }],
      more: 0,
    },
    closed: NONE,
  },
  decisions: {
    sentences: ["1 response action waits for a decision, the oldest since Saturday, 31 January 2026."],
    actions: {
      items: [{
        action_id: ids.ACTION_ID,
        kind: "quarantine_device",
        target: "front-desk",
        severity: "high",
        proposed_at: "2026-01-31T07:14:00.000Z",
      }],
      more: 0,
    },
    proposals: NONE,
  },
  devices: {
    sentences: ["1 device was seen for the first time."],
    appeared: {
      items: [{
        device_id: ids.DEVICE_ID,
        name: "front-desk",
        device_type: "workstation",
        address: "10.0.0.5",
        first_seen: "2026-01-31T07:05:00.000Z",
      }],
      more: 0,
    },
  },
  traffic: {
    sentences: ["182,400 flows carried 41.2 GB, 12 % more than the day before (36.8 GB)."],
    movers: {
      items: [{
        device_id: ids.DEVICE_ID,
        name: "front-desk",
        bytes: 2_400_000_000,
        previous_bytes: 180_000_000,
      }],
      more: 41,
    },
  },
  detectors: {
    sentences: [
      "No detector opened 3 or more incidents.",
      "No suppression expires within a week after the day.",
    ],
    noisy: NONE,
    expiring: NONE,
  },
  sensors: {
    sentences: [
      "The sensor delivered records in every hour that is known.",
      "No change of health was recorded.",
    ],
    hours: Array.from(
      { length: 24 },
      (_, hour) => new Date(Date.UTC(2026, 0, 30, 22 + hour)).toISOString(),
    ),
    coverage: { items: [{ sensor_id: "zeek-1", received: Array(24).fill(true) }], more: 0 },
    transitions: NONE,
  },
  analyst_budget: null,
};

export const BRIEF_CALENDAR: BriefCalendar = {
  month: "2026-01",
  time_zone: "Europe/Bucharest",
  today: "2026-01-31",
  calendar: Array.from({ length: 31 }, (_, at) => ({
    date: `2026-01-${String(at + 1).padStart(2, "0")}`,
    opened: at === 30 ? 1 : 0,
    highest: at === 30 ? "high" as const : null,
  })),
};

export const TRENDS: Trends = {
  time_zone: "Europe/Bucharest",
  counted_at: "2026-01-31T14:00:00.000Z",
  start: "2026-01-30T22:00:00.000Z",
  counts: {
    opened_incidents: { today: 3, yesterday: 5, week_before: 2 },
    closed_incidents: { today: 2, yesterday: 4, week_before: 0 },
    new_devices: { today: 1, yesterday: 0, week_before: null },
  },
  traffic: {
    flows: { today: 48_210, yesterday: 91_377, week_before: null },
    traffic_bytes: { today: 3_120_000_000, yesterday: 7_450_000_000, week_before: null },
  },
  work: {
    opened: { value: 21, previous: 17 },
    closed: { value: 19, previous: 12 },
    median_close_seconds: { value: 7_860, previous: 12_300 },
    false_positives: [{ model_id: "beacon", title: "Beaconing", closed: 4, false_positives: 3 }],
  },
};
