// When each record of a track plays, and by how much its times are shifted for that.

import { hash64 } from "../../kit/hash64.ts";
import type { Track } from "./tracks.ts";

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** A record to send. All times are in microseconds. */
export interface Due {
  /** Position of the record in its track. */
  index: number;
  /** When the sensor would have sent it. */
  at: number;
  /** Whole seconds by which its times are shifted. */
  shift: number;
}

export interface Anchor {
  /** When the sample was first loaded: its history ends there. */
  loadedAt: number;
  /** Difference between local time and UTC then, in minutes. */
  zoneMinutes: number;
}

/** The plan of one track, in rounds: each repeats the recording. */
export interface Plan {
  /** Zero if the track plays once. */
  period: number;
  /** When the first round starts, and how long a round may last. */
  from: number;
  length: number;
  /** The records of a round that are due after `after` and until `until`, in any order. */
  round(number: number, after: number, until: number): Due[];
}

/** Plans a track from the recorded times of its records. */
export function planTrack(track: Track, times: readonly number[], anchor: Anchor): Plan {
  const { plays } = track;
  if (plays.at === "clock") return planByClock(times, plays.recordedZone, anchor);
  const from = anchor.loadedAt - plays.hoursAgo * HOUR;
  const period = (plays.everyMinutes ?? 0) * 60 * SECOND;
  return plays.scatter === true
    ? planScattered(track.id, times, from, period)
    : planInOrder(times, from, period, plays.stretch ?? 1);
}

/** Moves each record by whole days, and by the difference of zones, into the day before the anchor. */
function planByClock(times: readonly number[], recordedZone: number, anchor: Anchor): Plan {
  const zones = recordedZone * HOUR - anchor.zoneMinutes * 60 * SECOND;
  const dues = times.map((micros, index) => {
    const days = Math.floor((anchor.loadedAt - micros - zones) / DAY);
    return dueAt(micros, index, micros + zones + days * DAY);
  });
  return repeating(dues, anchor.loadedAt - DAY, DAY);
}

function planInOrder(times: readonly number[], from: number, period: number, stretch: number): Plan {
  const origin = times.reduce((least, micros) => Math.min(least, micros), Infinity);
  const dues = times.map((micros, index) => dueAt(micros, index, from + (micros - origin) * stretch));
  return repeating(dues, from - SECOND, period);
}

function repeating(first: readonly Due[], from: number, period: number): Plan {
  const length = first.reduce((most, { at }) => Math.max(most, at - from), 0);
  return {
    period,
    from,
    length,
    round: (number, after, until) => {
      const moved = number * period;
      return first.filter(({ at }) => at + moved > after && at + moved <= until)
        .map(({ index, at, shift }) => ({ index, at: at + moved, shift: shift + moved / SECOND }));
    },
  };
}

/** Records of the same second stay together, and each such second plays at a random time of the round. */
function planScattered(id: string, times: readonly number[], from: number, period: number): Plan {
  return {
    period,
    from: from - SECOND,
    length: period + SECOND,
    round: (number, after, until) =>
      times.map((micros, index) => {
        const second = Math.floor(micros / SECOND);
        const place = Number(BigInt.asUintN(64, hash64(`${id} ${number} ${second}`))) / 2 ** 64;
        return dueAt(micros, index, from + (number + place) * period + (micros - second * SECOND));
      }).filter(({ at }) => at > after && at <= until),
  };
}

/** Due within a second of the given time, because times are shifted by whole seconds. */
function dueAt(micros: number, index: number, wanted: number): Due {
  const shift = Math.floor(wanted / SECOND) - Math.floor(micros / SECOND);
  return { index, at: micros + shift * SECOND, shift };
}

/** The records due after `after` and until `until`, by time. */
export function dueBetween(plan: Plan, after: number, until: number): Due[] {
  const { from, length, period } = plan;
  if (period === 0) return plan.round(0, after, until).sort(byTime);
  const dues: Due[] = [];
  const earliest = Math.max(0, Math.floor((after - from - length) / period));
  for (let number = earliest; from + number * period <= until; number++) {
    dues.push(...plan.round(number, after, until));
  }
  return dues.sort(byTime);
}

function byTime(a: Due, b: Due): number {
  return a.at - b.at || a.index - b.index;
}
