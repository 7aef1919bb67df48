// The daily brief in sentences: facts in, no clock and no model.

import {
  BRIEF_ROWS,
  type BriefFigure,
  type BriefMover,
  type DailyBrief,
} from "../../contract/brief/brief.ts";
import { SEVERITIES } from "../../contract/record/kinds.ts";
import { exact, list, plural, shortened, size } from "../../kit/text.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Count, Micros } from "../record/observation.ts";
import { clockOf, dateInWords, dayAt, microsOf } from "./day.ts";
import type { BriefFacts, Listed, SensorHours } from "./facts.ts";

const HOUR: Micros = 3_600_000_000;
/** A detector that opened fewer incidents on a day is not noisy. */
export const NOISY_FROM = 3;
/** Longest text of a row, in characters: two lines of a printed table. */
const MAX_TITLE = 90;
const MAX_NAME = 48;

/** The brief of a day. */
export function composeBrief(facts: BriefFacts): DailyBrief {
  const { date, siteName, zone, from, to, now } = facts;
  const complete = to <= now;
  const sensors = bySilence(facts.sensors);
  return {
    date,
    site_name: siteName,
    time_zone: zone,
    start: formatMillis(from),
    end: formatMillis(to),
    complete,
    delivery: "local_only",
    summary: summaryOf(facts, complete),
    unknown: unknownOf(facts),
    figures: {
      opened_incidents: facts.opened,
      closed_incidents: facts.closed,
      new_devices: facts.newDevices,
      flows: facts.flows,
      traffic_bytes: facts.bytes,
      silent_hours: facts.silentHours,
    },
    incident_changes: {
      sentences: incidentSentences(facts),
      opened: bounded(facts.openedIncidents, BRIEF_ROWS.incidents, withShortTexts),
      closed: bounded(facts.closedIncidents, BRIEF_ROWS.closed, withShortTexts),
    },
    decisions: {
      sentences: [decisionSentence(facts)],
      actions: bounded(facts.actions, BRIEF_ROWS.actions, (one) => ({
        ...one,
        target: shortened(one.target, MAX_NAME),
      })),
      proposals: bounded(facts.proposals, BRIEF_ROWS.proposals, (one) => ({
        ...one,
        reason: shortened(one.reason, MAX_TITLE),
      })),
    },
    devices: {
      sentences: [deviceSentence(facts)],
      appeared: bounded(facts.devices, BRIEF_ROWS.devices, withShortName),
    },
    traffic: {
      sentences: trafficSentences(facts, complete),
      movers: bounded(facts.movers, BRIEF_ROWS.movers, withShortName),
    },
    detectors: {
      sentences: detectorSentences(facts),
      noisy: bounded(facts.noisy, BRIEF_ROWS.detectors),
      expiring: bounded(facts.expiring, BRIEF_ROWS.suppressions, (one) => ({
        ...one,
        reason: shortened(one.reason, MAX_TITLE),
      })),
    },
    sensors: {
      sentences: sensorSentences(facts),
      hours: facts.hours.map(formatMillis),
      coverage: bounded(
        {
          items: sensors.map(({ sensorId, received }) => ({ sensor_id: sensorId, received: [...received] })),
          total: sensors.length,
        },
        BRIEF_ROWS.sensors,
      ),
      transitions: bounded(facts.transitions, BRIEF_ROWS.transitions),
    },
    analyst_budget: null,
  };
}

/** Hours of all sensors in which nothing was received; null if no hour of any sensor is known. */
export function silentHours(sensors: readonly SensorHours[]): number | null {
  const known = sensors.flatMap(({ received }) => received.filter((one) => one !== null));
  return known.length === 0 ? null : known.filter((one) => !one).length;
}

function bounded<T, U = T>(
  { items, total }: Listed<T>,
  rows: number,
  shown: (item: T) => U = (item) => item as unknown as U,
): { items: U[]; more: number } {
  const first = items.slice(0, rows).map(shown);
  return { items: first, more: Math.max(0, total - first.length) };
}

function withShortName<T extends { name: string }>(item: T): T {
  return { ...item, name: shortened(item.name, MAX_NAME) };
}

function withShortTexts<T extends { title: string; device: { device_id: string; name: string } | null }>(
  item: T,
): T {
  return {
    ...item,
    title: shortened(item.title, MAX_TITLE),
    device: item.device && withShortName(item.device),
  };
}

function silenceOf({ received }: SensorHours): number {
  return received.filter((one) => one === false).length;
}

function bySilence(sensors: readonly SensorHours[]): SensorHours[] {
  return [...sensors].sort((a, b) =>
    silenceOf(b) - silenceOf(a) || (a.sensorId < b.sensorId ? -1 : a.sensorId > b.sensorId ? 1 : 0)
  );
}

/** A subject with its verb: `no incident was`, `1 incident was`, `3 incidents were`. */
function were(count: Count, noun: string): string {
  return `${counted(count, noun)} ${count === 0 || count === 1 ? "was" : "were"}`;
}

/** `no incident`, `1 incident`, `1,204 incidents`. */
function counted(count: Count, noun: string): string {
  if (count === 0) return `no ${noun}`;
  return `${exact(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function summaryOf(facts: BriefFacts, complete: boolean): string[] {
  const { opened, closed, newDevices } = facts;
  if (opened.value === null && !closed.value && newDevices.value === null) {
    return [
      "What happened on the network on this day is unknown: no records of it are kept.",
      openSentence(facts),
    ];
  }
  const isQuiet = !opened.value && !closed.value && !newDevices.value;
  const texts = isQuiet
    ? [
      `The day ${complete ? "was" : "has been"} quiet${
        complete ? "" : " so far"
      }: no incident was opened or closed, and no device was seen for the first time.`,
    ]
    : [
      openedSentence(facts),
      ...(closed.value ? [sentence(`${were(closed.value, "incident")} closed`)] : []),
      ...(newDevices.value ? [sentence(`${were(newDevices.value, "device")} seen for the first time`)] : []),
    ];
  texts.push(openSentence(facts));
  if (!isQuiet && facts.silentHours.value) {
    texts.push(
      `Sensors were silent for ${plural(Number(facts.silentHours.value), "hour")} altogether, so ` +
        "activity may be missing from this brief.",
    );
  }
  return texts;
}

function openedText({ opened, openedBySeverity }: BriefFacts): string {
  const parts = [...SEVERITIES].reverse().flatMap((severity) => {
    const count = openedBySeverity[severity] ?? 0;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const text = `${were(opened.value ?? 0, "incident")} opened`;
  return parts.length === 0 ? text : `${text}: ${list(parts)}`;
}

/** What is open and what waits, when the brief is made. */
function openSentence({ openNow, actions, proposals }: BriefFacts): string {
  const open = openNow === 0
    ? "No incident is open"
    : `${plural(openNow, "incident")} ${areOf(openNow)} open`;
  const waiting = waitingParts(actions.total, proposals.total);
  return waiting.length === 0
    ? `${open}, and nothing waits for a decision.`
    : `${open}, and ${list(waiting)} ${
      areOf(actions.total + proposals.total, "waits", "wait")
    } for a decision.`;
}

function areOf(count: number, one = "is", many = "are"): string {
  return count === 1 ? one : many;
}

function waitingParts(actions: number, proposals: number): string[] {
  return [
    ...(actions > 0 ? [plural(actions, "response action")] : []),
    ...(proposals > 0 ? [plural(proposals, "proposal")] : []),
  ];
}

function openedSentence(facts: BriefFacts): string {
  return facts.opened.value === null
    ? "Whether incidents were opened on this day is unknown."
    : sentence(openedText(facts));
}

function incidentSentences(facts: BriefFacts): string[] {
  const { opened, stillOpen, openNow, unassignedNow } = facts;
  const texts = [openedSentence(facts)];
  if (opened.value === null) return texts;
  if (opened.value > 0) {
    texts.push(
      stillOpen === 0
        ? "None of them is open any more."
        : `${stillOpen} of them ${areOf(stillOpen)} still open.`,
    );
  }
  const earlier = Math.max(0, openNow - stillOpen);
  if (earlier > 0) {
    texts.push(`${plural(earlier, "incident")} of other days ${areOf(earlier)} open.`);
  }
  if (unassignedNow > 0) {
    texts.push(
      `${unassignedNow} of the open incidents ${
        areOf(unassignedNow, "has", "have")
      } no assignee: assign them in Triage.`,
    );
  }
  return texts;
}

function decisionSentence({ actions, proposals, zone }: BriefFacts): string {
  const waiting = waitingParts(actions.total, proposals.total);
  if (waiting.length === 0) return "Nothing waits for a decision.";
  const oldest =
    [...actions.items.map((one) => one.proposed_at), ...proposals.items.map((one) => one.created_at)]
      .sort()[0];
  const since = oldest === undefined
    ? ""
    : `, the oldest since ${dateInWords(dayAt(microsOf(oldest), zone))}`;
  return `${
    sentence(
      `${list(waiting)} ${areOf(actions.total + proposals.total, "waits", "wait")} for a decision${since}`,
    )
  }`;
}

function deviceSentence({ newDevices }: BriefFacts): string {
  if (newDevices.value === null) return "Whether new devices appeared on this day is unknown.";
  return sentence(`${were(newDevices.value, "device")} seen for the first time`);
}

function trafficSentences(facts: BriefFacts, complete: boolean): string[] {
  const { flows, bytes, movers } = facts;
  if (flows.value === null || bytes.value === null) {
    return ["The traffic of this day is unknown."];
  }
  if (flows.value === 0) return ["No flow was observed."];
  const total = `${counted(flows.value, "flow")} carried ${size(bytes.value)}`;
  if (!complete) return [`${sentence(`${total} so far`)} The comparison follows when the day is over.`];
  if (bytes.previous === null) {
    return [`${sentence(total)} The day before is unknown, so nothing is compared.`];
  }
  const change = changeInWords(bytes);
  const texts = [sentence(`${total}, ${change} the day before (${size(bytes.previous)})`)];
  const top = movers.items[0];
  if (top !== undefined && top.previous_bytes !== null && top.bytes !== top.previous_bytes) {
    texts.push(moverSentence(top));
  }
  return texts;
}

function moverSentence({ name, bytes, previous_bytes }: BriefMover): string {
  return `The largest change is that of ${shortened(name, MAX_NAME)}: ${size(bytes)} after ${
    size(previous_bytes!)
  }.`;
}

/** `12 % more than`, `as much as`, `4.2 times as much as`. Both values are known. */
function changeInWords({ value, previous }: BriefFigure): string {
  const [now, before] = [Number(value), Number(previous)];
  if (before === 0) return now === 0 ? "as much as" : "after nothing on";
  const ratio = now / before;
  if (ratio >= 2) {
    return `${ratio >= 10 ? exact(Math.round(ratio)) : ratio.toFixed(1)} times as much as`;
  }
  const share = Math.round(Math.abs(ratio - 1) * 100);
  if (share === 0) return "about as much as";
  return `${share} % ${ratio > 1 ? "more" : "less"} than`;
}

function detectorSentences({ noisy, expiring }: BriefFacts): string[] {
  const texts: string[] = [];
  const first = noisy.items[0];
  if (first === undefined) texts.push(`No detector opened ${NOISY_FROM} or more incidents.`);
  else {
    const wrong = first.false_positives > 0
      ? `, ${first.false_positives} of them false ${first.false_positives === 1 ? "positive" : "positives"}`
      : "";
    texts.push(`"${first.title}" opened the most incidents: ${first.opened}${wrong}.`);
  }
  texts.push(
    expiring.total === 0 ? "No suppression expires within a week after the day." : `${
      sentence(
        `${plural(expiring.total, "suppression")} ${
          areOf(expiring.total, "expires", "expire")
        } within a week after the day: renew what is still needed`,
      )
    }`,
  );
  return texts;
}

function sensorSentences({ sensors, silentHours: silent, transitions, hours }: BriefFacts): string[] {
  if (sensors.length === 0) return ["No sensor is configured: add one to sources.yaml."];
  const texts: string[] = [];
  if (silent.value === null) texts.push("In which hours the sensors delivered records is unknown.");
  else if (silent.value === 0) {
    texts.push(
      sentence(
        `${sensors.length === 1 ? "the sensor" : `all ${sensors.length} sensors`} delivered records in ` +
          "every hour that is known",
      ),
    );
  } else {
    const gaps = bySilence(sensors).filter((one) => silenceOf(one) > 0);
    const named = gaps.slice(0, 3).map((one) =>
      `${shortened(one.sensorId, MAX_NAME)} in ${silenceOf(one)} of ${plural(hours.length, "hour")}`
    );
    const rest = gaps.length - named.length;
    texts.push(
      `No records came from ${
        list(rest > 0 ? [...named, plural(rest, "more sensor")] : named)
      }: check these sensors in Health.`,
    );
  }
  texts.push(
    sentence(
      `${counted(transitions.total, "change")} of health ${
        areOf(transitions.total === 0 ? 1 : transitions.total, "was", "were")
      } recorded`,
    ),
  );
  return texts;
}

function unknownOf(
  { recordsSince, from, to, zone, foldedElsewhere, flows, silentHours: silent, sensors, now }: BriefFacts,
): string[] {
  const texts: string[] = [];
  const length = (to - from) / HOUR;
  if (length !== 24) texts.push(`The clocks changed on this day, so it has ${length} hours.`);
  if (recordsSince === null) {
    texts.push("No records are kept, so sensors and traffic of this day are unknown.");
  } else if (recordsSince >= to) {
    const oldest = `${dateInWords(dayAt(recordsSince, zone))} at ${clockOf(recordsSince, zone)} (${zone})`;
    texts.push(
      `The oldest records that are kept were received on ${oldest}, so what the sensors delivered before is unknown.`,
    );
  } else if (recordsSince > from + HOUR) {
    texts.push(`Records are kept only from ${clockOf(recordsSince, zone)} (${zone}) of this day on.`);
  }
  if (foldedElsewhere && flows.value === null) {
    texts.push(
      "The traffic of this day was added up while the site had another time zone, so it is unknown.",
    );
  }
  if (silent.value !== null && to <= now && sensors.some(({ received }) => received.includes(null))) {
    texts.push(
      "Some hours of sensors are unknown: they began before the sensor was configured or are no longer kept.",
    );
  }
  return texts;
}
