// The captures that are generated while they are replayed, instead of kept as files.

import type { Capture } from "../capture.ts";
import type { Labels } from "../labels.ts";
import { MODEL_IDS } from "../models.ts";
import { ACTIONS, INDICATORS } from "./attacks/actions.ts";
import { type Attack, scenarioOf } from "./attacks/attack.ts";
import { CONTROL, LATE_CONTROL } from "./attacks/control.ts";
import { LATE_ACTIONS } from "./attacks/late.ts";
import { OFFICE_LOOKALIKES } from "./office/lookalikes.ts";
import { Office } from "./office/office.ts";
import {
  BEGIN,
  DAY,
  DOMAIN_CONTROLLER,
  LARGE,
  NETWORK,
  type OfficeSize,
  type Roster,
} from "./office/roster.ts";
import { Random } from "./random.ts";
import { type GeneratedRecord, SENSORS, Traffic } from "./traffic.ts";

/** `short` takes a minute; `long` opens as many pages as people do, and repeats the attacks with other seeds. */
export type Form = "short" | "long";

/** Pages that a person opens per day. */
const PAGES = { short: 20, long: 150 } as const;
/** Offices with attacks show detection, so their people open fewer pages. */
const QUIET_SHARE = 0.4;
const SEED = "2026-03";

/** Generated captures, those with the most records first. */
export function generatedCaptures(form: Form): Capture[] {
  const seeds = form === "long" ? ["", "-2", "-3"] : [""];
  return [
    office(form),
    ...seeds.map((seed) =>
      intrusion(`intrusions-late${seed}`, form, {
        title: "Attacks in the second week of an office, which begins without history",
        attacks: [...LATE_CONTROL, ...LATE_ACTIONS],
        days: 10,
        startOf: (index) => 7 + index % 2,
      })
    ),
    ...seeds.map((seed) =>
      intrusion(`intrusions-early${seed}`, form, {
        title: "Attacks in the first three days of an office, while its habits are unknown",
        attacks: [...CONTROL, ...ACTIONS],
        days: 3,
        // Those that last several days begin at once.
        startOf: (_, { jitter }) => jitter === undefined ? 1 : 0,
      })
    ),
  ];
}

function office(form: Form): Capture {
  return captureOf("office", {
    title: "An office of 60 devices on ten days, without an attack",
    size: LARGE,
    pages: PAGES[form],
    days: 10,
    labels: () => ({ verdict: "benign", scenarios: [], lookalikes: OFFICE_LOOKALIKES, tolerated: [] }),
    write: () => {},
  });
}

interface Intrusion {
  title: string;
  attacks: readonly Attack[];
  days: number;
  /** The day on which the attack at this place begins. */
  startOf: (index: number, attack: Attack) => number;
}

/** The first people have habits of their own; the last ones are colleagues whom attackers move to. */
const FIRST_VICTIM = 10;
const COLLEAGUES = 4;
const NEW_EMPLOYEE = 17;

/** An office in which each attack happens to a device of its own. */
function intrusion(name: string, form: Form, { title, attacks, days, startOf }: Intrusion): Capture {
  const size = { ...LARGE, people: FIRST_VICTIM + attacks.length + 1 + COLLEAGUES };
  const deviceOf = (index: number, attack: Attack, roster: Roster) =>
    attack.device?.(roster) ??
      roster.people[FIRST_VICTIM + index + (FIRST_VICTIM + index >= NEW_EMPLOYEE ? 1 : 0)]!.ip;
  return captureOf(name, {
    title,
    size,
    pages: PAGES[form] * QUIET_SHARE,
    days,
    labels: (roster) => {
      const devices = attacks.map((attack, index) => deviceOf(index, attack, roster));
      return {
        verdict: "malicious",
        scenarios: attacks.map((attack, index) => scenarioOf(attack, devices[index]!)),
        lookalikes: [],
        // Detectors that are not expected to find an attack may still describe it.
        tolerated: attacks.map(({ id, peers = [] }, index) => ({
          detectors: [...MODEL_IDS],
          devices: [devices[index]!],
          peers: [...peers],
          reason: `Part of ${id}.`,
        })),
      };
    },
    write: (traffic, random, roster, day) => {
      for (const [index, attack] of attacks.entries()) {
        if (startOf(index, attack) !== day) continue;
        const ip = deviceOf(index, attack, roster);
        attack.write({ traffic, random: random.fork(attack.id), ip, midnight: BEGIN + day * DAY, roster });
      }
    },
  });
}

interface Plan {
  title: string;
  size: OfficeSize;
  pages: number;
  days: number;
  labels: (roster: Roster) => Pick<Labels, "verdict" | "scenarios" | "lookalikes" | "tolerated">;
  /** Writes what begins on this day beside the ordinary traffic. */
  write: (traffic: Traffic, random: Random, roster: Roster, day: number) => void;
}

function captureOf(name: string, { title, size, pages, days, labels, write }: Plan): Capture {
  const random = new Random(`${SEED}|${name}`);
  const { roster } = new Office(random.fork("office"), size, pages);
  function* records(): Generator<GeneratedRecord> {
    const traffic = new Traffic(random.fork("traffic"), DOMAIN_CONTROLLER);
    const benign = new Office(random.fork("office"), size, pages);
    for (let day = 0; day < days; day++) {
      benign.writeDay(traffic, day);
      write(traffic, random.fork("attacks"), roster, day);
      yield* traffic.take(day === days - 1 ? Infinity : BEGIN + (day + 1) * DAY);
    }
  }
  const sensors = SENSORS.map((sensorId) => ({ sensorId, trust: "packet" as const, files: [] }));
  return {
    name,
    labels: { title, networks: [NETWORK], sensors, order: "time", ...labels(roster) },
    generated: { records, types: typesOf(roster), indicators: INDICATORS },
  };
}

/** The types that an inventory states. */
function typesOf({ printers, cameras, deskPhones, things }: Roster): Map<string, string> {
  const lists = { printer: printers, camera: cameras, voip_phone: deskPhones, iot: things };
  return new Map(Object.entries(lists).flatMap(([type, ips]) => ips.map((ip) => [ip, type] as const)));
}
