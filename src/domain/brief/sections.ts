// A brief as headings, sentences and tables, which its text and its document have in common.

import type { BriefFigure, DailyBrief } from "../../contract/brief/brief.ts";
import { exact, size } from "../../kit/text.ts";
import { clockOf, dateInWords, dayAt, microsOf } from "./day.ts";

/** `number`: aligned to the right. */
interface BriefColumn {
  name: string;
  number?: boolean;
}

export interface BriefTable {
  title: string;
  columns: readonly BriefColumn[];
  rows: readonly (readonly string[])[];
  /** Rows that are not listed. */
  more: number;
}

export interface BriefSection {
  id: "incidents" | "decisions" | "devices" | "traffic" | "detectors" | "sensors" | "budget";
  title: string;
  sentences: readonly string[];
  /** Those with rows. */
  tables: readonly BriefTable[];
}

/** A number of the day beside that of the day before. */
export interface ShownFigure {
  name: string;
  value: string;
  previous: string;
  /** 1: more than the day before, -1: less; null: equal, unknown, or the day is not over. */
  change: 1 | -1 | null;
}

/** `Friday, 30 January 2026, Europe/Berlin`. */
export function dayInWords({ date, time_zone, complete }: DailyBrief): string {
  return `${dateInWords(date)}, ${time_zone}${complete ? "" : ", so far"}`;
}

const UNKNOWN = "unknown";

export function figuresOf({ figures, complete }: DailyBrief): ShownFigure[] {
  const shown = (name: string, { value, previous }: BriefFigure, text = amount): ShownFigure => ({
    name,
    value: value === null ? UNKNOWN : text(value),
    previous: previous === null ? UNKNOWN : text(previous),
    change: !complete || value === null || previous === null || value === previous
      ? null
      : value > previous
      ? 1
      : -1,
  });
  return [
    shown("Incidents opened", figures.opened_incidents),
    shown("Incidents closed", figures.closed_incidents),
    shown("New devices", figures.new_devices),
    shown("Flows", figures.flows),
    shown("Traffic", figures.traffic_bytes, size),
    shown("Silent sensor hours", figures.silent_hours),
  ];
}

function amount(value: number | bigint): string {
  return exact(value);
}

export function sectionsOf(brief: DailyBrief): BriefSection[] {
  const sections: BriefSection[] = [
    section("incidents", "Incidents", brief.incident_changes.sentences, incidentTables(brief)),
    section("decisions", "Waiting for a decision", brief.decisions.sentences, decisionTables(brief)),
    section("devices", "Devices seen for the first time", brief.devices.sentences, deviceTables(brief)),
    section("traffic", "Traffic", brief.traffic.sentences, trafficTables(brief)),
    section("detectors", "Detectors and suppressions", brief.detectors.sentences, detectorTables(brief)),
    section("sensors", "Sensors and health", brief.sensors.sentences, sensorTables(brief)),
  ];
  const budget = brief.analyst_budget;
  if (budget !== null) {
    const limit = budget.limit_microusd === null ? "no limit" : `a limit of ${money(budget.limit_microusd)}`;
    sections.push(
      section("budget", "Analyst budget", [
        `Analyst runs cost ${money(budget.spent_microusd)} of ${limit}; ${
          money(budget.reserved_microusd)
        } are reserved for runs whose cost is not known.`,
      ], []),
    );
  }
  return sections;
}

function section(
  id: BriefSection["id"],
  title: string,
  sentences: readonly string[],
  tables: readonly BriefTable[],
): BriefSection {
  return { id, title, sentences, tables: tables.filter(({ rows }) => rows.length > 0) };
}

/** `2.50 USD`. */
function money(microUsd: number | bigint): string {
  return `${(Number(microUsd) / 1e6).toFixed(2)} USD`;
}

function incidentTables({ incident_changes: { opened, closed }, time_zone }: DailyBrief): BriefTable[] {
  return [
    {
      title: "Opened",
      columns: [{ name: "Severity" }, { name: "Incident" }, { name: "Device" }, { name: "Status" }, {
        name: "Score",
        number: true,
      }],
      rows: opened.items.map(({ severity, title, device, status, score }) => [
        severity,
        title,
        device?.name ?? "–",
        inWords(status),
        String(Math.floor(score)),
      ]),
      more: opened.more,
    },
    {
      title: "Closed",
      columns: [{ name: "Closed" }, { name: "Incident" }, { name: "Device" }, { name: "Status" }],
      rows: closed.items.map(({ closed_at, title, device, status }) => [
        timeIn(closed_at, time_zone),
        title,
        device?.name ?? "–",
        inWords(status),
      ]),
      more: closed.more,
    },
  ];
}

function decisionTables({ decisions: { actions, proposals }, time_zone }: DailyBrief): BriefTable[] {
  return [
    {
      title: "Response actions",
      columns: [{ name: "Action" }, { name: "Target" }, { name: "Severity" }, { name: "Proposed" }],
      rows: actions.items.map(({ kind, target, severity, proposed_at }) => [
        inWords(kind),
        target,
        severity,
        momentIn(proposed_at, time_zone),
      ]),
      more: actions.more,
    },
    {
      title: "Proposals",
      columns: [{ name: "Kind" }, { name: "Reason" }, { name: "Created" }],
      rows: proposals.items.map((
        { kind, reason, created_at },
      ) => [kind, reason, momentIn(created_at, time_zone)]),
      more: proposals.more,
    },
  ];
}

function deviceTables({ devices: { appeared }, time_zone }: DailyBrief): BriefTable[] {
  return [{
    title: "First seen",
    columns: [{ name: "At" }, { name: "Device" }, { name: "Type" }, { name: "Address" }],
    rows: appeared.items.map(({ first_seen, name, device_type, address }) => [
      timeIn(first_seen, time_zone),
      name,
      inWords(device_type),
      address ?? "–",
    ]),
    more: appeared.more,
  }];
}

function trafficTables({ traffic: { movers }, complete }: DailyBrief): BriefTable[] {
  return [{
    title: complete ? "Largest changes" : "Most traffic",
    columns: [{ name: "Device" }, { name: "Day", number: true }, { name: "Day before", number: true }],
    rows: movers.items.map(({ name, bytes, previous_bytes }) => [
      name,
      size(bytes),
      previous_bytes === null ? UNKNOWN : size(previous_bytes),
    ]),
    more: movers.more,
  }];
}

function detectorTables({ detectors: { noisy, expiring }, time_zone }: DailyBrief): BriefTable[] {
  return [
    {
      title: "Most incidents",
      columns: [{ name: "Detector" }, { name: "Opened", number: true }, {
        name: "False positives",
        number: true,
      }],
      rows: noisy.items.map((
        { title, opened, false_positives },
      ) => [title, String(opened), String(false_positives)]),
      more: noisy.more,
    },
    {
      title: "Suppressions that expire",
      columns: [{ name: "Expires" }, { name: "Suppression" }],
      rows: expiring.items.map(({ expires_at, reason }) => [momentIn(expires_at, time_zone), reason]),
      more: expiring.more,
    },
  ];
}

function sensorTables({ sensors: { coverage, transitions }, time_zone }: DailyBrief): BriefTable[] {
  return [
    {
      title: "Hours with records",
      columns: [{ name: "Sensor" }, { name: "Received", number: true }, { name: "Silent", number: true }, {
        name: "Unknown",
        number: true,
      }],
      rows: coverage.items.map(({ sensor_id, received }) => [
        sensor_id,
        ...[true, false, null].map((state) => String(received.filter((one) => one === state).length)),
      ]),
      more: coverage.more,
    },
    {
      title: "Changes of health",
      columns: [{ name: "At" }, { name: "Component" }, { name: "Change" }],
      rows: transitions.items.map(({ at, component_id, from, to }) => [
        timeIn(at, time_zone),
        component_id,
        `${from} to ${to}`,
      ]),
      more: transitions.more,
    },
  ];
}

/** `and 12 more`; null if there are none. */
export function moreInWords({ more }: BriefTable): string | null {
  return more === 0 ? null : `and ${exact(more)} more`;
}

/** `false_positive` as `false positive`. */
function inWords(name: string): string {
  return name.replaceAll("_", " ");
}

/** `14:05`. */
function timeIn(timestamp: string, zone: string): string {
  return clockOf(microsOf(timestamp), zone);
}

/** `2026-01-30 14:05`. */
function momentIn(timestamp: string, zone: string): string {
  const at = microsOf(timestamp);
  return `${dayAt(at, zone)} ${clockOf(at, zone)}`;
}
