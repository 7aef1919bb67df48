import type { Severity } from "../../../contract/record/kinds.ts";
import { SEVERITY_ORDER } from "../severity.ts";

interface Placed {
  lane: string;
  severity: Severity;
}

/** Events of one lane that are drawn as one mark. */
export interface MarkGroup<T> {
  /** In order of time; at least one. */
  events: T[];
  lane: string;
  /** The worst of its events. */
  severity: Severity;
  /** Its middle, in pixels. */
  x: number;
  /** In pixels. */
  width: number;
}

const MARK = 12;
const DIGIT = 7;
const GAP = 2;

function widthOf(count: number): number {
  return count === 1 ? MARK : MARK + 4 + String(count).length * DIGIT;
}

interface Open<T> {
  events: T[];
  first: number;
  last: number;
}

const middleOf = <T>({ first, last }: Open<T>) => (first + last) / 2;

function overlaps<T>(one: Open<T>, other: Open<T>): boolean {
  const room = (widthOf(one.events.length) + widthOf(other.events.length)) / 2 + GAP;
  return middleOf(other) - middleOf(one) < room;
}

/**
 * Joins events of a lane whose marks would cover each other. A group is as wide as its count, so a dense lane becomes a
 * row of counts, never one mark.
 *
 * @param events In order of time.
 * @param x The position of an event, in pixels.
 */
export function groupMarks<T extends Placed>(
  events: readonly T[],
  x: (event: T) => number,
): MarkGroup<T>[] {
  const lanes = new Map<string, Open<T>[]>();
  for (const event of events) {
    const at = x(event);
    let groups = lanes.get(event.lane);
    if (groups === undefined) lanes.set(event.lane, groups = []);
    groups.push({ events: [event], first: at, last: at });
    // A group that grows may reach the one before it.
    for (let last = groups.length - 1; last > 0 && overlaps(groups[last - 1]!, groups[last]!); last--) {
      const [before, after] = groups.splice(last - 1, 2) as [Open<T>, Open<T>];
      groups.push({
        events: [...before.events, ...after.events],
        first: before.first,
        last: Math.max(before.last, after.last),
      });
    }
  }
  const marks = [...lanes].flatMap(([lane, groups]) =>
    groups.map((group) => ({
      lane,
      events: group.events,
      severity: worstOf(group.events),
      x: middleOf(group),
      width: widthOf(group.events.length),
    }))
  );
  return marks.sort((a, b) => a.x - b.x);
}

function worstOf(events: readonly Placed[]): Severity {
  const ranks = events.map(({ severity }) => SEVERITY_ORDER.indexOf(severity));
  return SEVERITY_ORDER[Math.min(...ranks)]!;
}
