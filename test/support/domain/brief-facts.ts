// Facts of days for tests of the daily brief.

import { BRIEF_ROWS, type BriefIncident } from "../../../src/contract/brief/brief.ts";
import { dayOf } from "../../../src/domain/brief/day.ts";
import type { BriefFacts } from "../../../src/domain/brief/facts.ts";

const HOUR = 3_600_000_000;
const ZONE = "Europe/Berlin";
const ID = "019c12e4-7cd0-7319-af1b-974baf36b021";
const NONE = { items: [], total: 0 };
const ZERO = { value: 0, previous: 0 };

export function incident(more: Partial<BriefIncident> = {}): BriefIncident {
  return {
    id: ID,
    title: "Beacon to a known botnet server",
    severity: "high",
    score: 74,
    status: "open",
    device: { device_id: ID, name: "front-desk" },
    ...more,
  };
}

/** A day, 2026-01-30 in Berlin, on which one sensor delivered records and nothing happened. */
export function briefOfNothing(more: Partial<BriefFacts> = {}): BriefFacts {
  const day = { ...dayOf("2026-01-30", ZONE), ...more };
  const hours: number[] = [];
  for (let hour = day.from; hour < day.to; hour += HOUR) hours.push(hour);
  return {
    date: "2026-01-30",
    siteName: "Head office",
    zone: ZONE,
    ...day,
    now: day.to,
    recordsSince: day.from - 24 * HOUR,
    foldedElsewhere: false,
    opened: ZERO,
    closed: ZERO,
    newDevices: ZERO,
    flows: ZERO,
    bytes: ZERO,
    silentHours: ZERO,
    openedBySeverity: {},
    openedIncidents: NONE,
    stillOpen: 0,
    closedIncidents: NONE,
    openNow: 0,
    unassignedNow: 0,
    actions: NONE,
    proposals: NONE,
    devices: NONE,
    movers: NONE,
    noisy: NONE,
    expiring: NONE,
    hours,
    sensors: [{ sensorId: "zeek-1", received: hours.map(() => true) }],
    transitions: NONE,
    ...more,
  };
}

/** The fullest day: every list is full of the longest texts, and hundreds more are not listed. */
export function manyFacts(more: Partial<BriefFacts> = {}): BriefFacts {
  const title = "Beacon to <b>updates.example.org</b> & many further very suspicious destinations at once "
    .repeat(2);
  const name = "WORKSTATION-OF-SOMEBODY-WITH-A-VERY-LONG-NAME.office.example.org";
  const at = "2026-01-30T11:30:00.000Z";
  const many = <T>(rows: number, item: (at: number) => T) => ({
    items: Array.from({ length: rows }, (_, n) => item(n)),
    total: 500,
  });
  return briefOfNothing({
    siteName: "The head office of an organisation with a long name",
    opened: { value: 500, previous: 20 },
    closed: { value: 120, previous: 0 },
    newDevices: { value: 1200, previous: 3 },
    flows: { value: 10_000_000, previous: 9_000_000 },
    bytes: { value: 9_000_000_000_000_000, previous: 1_000_000 },
    silentHours: { value: 300, previous: null },
    openedBySeverity: { info: 1, low: 300, medium: 150, high: 40, critical: 9 },
    stillOpen: 380,
    openNow: 2000,
    unassignedNow: 1999,
    openedIncidents: many(BRIEF_ROWS.incidents, () => incident({ title, device: { device_id: ID, name } })),
    closedIncidents: many(
      BRIEF_ROWS.closed,
      () => ({ ...incident({ title, status: "false_positive" }), closed_at: at }),
    ),
    actions: many(BRIEF_ROWS.actions, () => ({
      action_id: ID,
      kind: "quarantine_device" as const,
      target: name,
      severity: "critical" as const,
      proposed_at: at,
    })),
    proposals: many(BRIEF_ROWS.proposals, () => ({
      proposal_id: ID,
      kind: "classification" as const,
      reason: title,
      created_at: at,
    })),
    devices: many(BRIEF_ROWS.devices, () => ({
      device_id: ID,
      name,
      device_type: "domain_controller",
      address: "2001:db8:1111:2222:3333:4444:5555:6666",
      first_seen: at,
    })),
    movers: many(BRIEF_ROWS.movers, (n) => ({
      device_id: ID,
      name,
      bytes: 4_000_000_000_000 / (n + 1),
      previous_bytes: n % 2 === 0 ? 1_000_000 * n : 8_000_000_000_000,
    })),
    noisy: many(BRIEF_ROWS.detectors, () => ({
      model_id: "lateral-movement",
      title: "Lateral movement over administrative services",
      opened: 120,
      false_positives: 44,
    })),
    expiring: many(BRIEF_ROWS.suppressions, () => ({ suppression_id: ID, reason: title, expires_at: at })),
    sensors: Array.from({ length: 40 }, (_, n) => ({
      sensorId: `suricata-of-the-data-centre-in-building-${n}`,
      received: Array.from({ length: 24 }, (_, hour) => hour % 5 === 0 ? null : hour % 3 !== 0),
    })),
    transitions: many(BRIEF_ROWS.transitions, () => ({
      transition_id: ID,
      at,
      component_id: "sensor:suricata-of-the-data-centre-in-building-7",
      from: "ok" as const,
      to: "unavailable" as const,
    })),
    ...more,
  });
}
