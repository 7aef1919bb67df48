import type { HealthComponent, HealthTransition } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { isOff } from "../entity/health/health-labels.ts";

/** The component of the history that says when the others were observed. */
const OBSERVATION = "observation";

/** A time during which a component had one status. */
export interface StatusSpan {
  /** Milliseconds. */
  from: number;
  to: number;
  status: HealthStatus;
  /** The reason, for administrators. */
  message: string | null;
}

export interface StatusLane {
  id: string;
  kind: string;
  spans: StatusSpan[];
}

type Component = Pick<HealthComponent, "id" | "kind" | "status" | "message" | "since">;

/**
 * The statuses of each component over a window, from its transitions in the window in any order. A component without
 * transitions kept its present status since it was first observed. One that is gone was `ok` after its last transition.
 * There is no span for times without observations.
 */
export function lanesOf(
  components: readonly Component[],
  transitions: readonly HealthTransition[],
  window: { from: number; to: number },
): StatusLane[] {
  const present = new Map(components.map((one) => [one.id, one]));
  const byComponent = Map.groupBy(transitions, ({ component_id }) => component_id);
  const observed = observedSpans(byComponent.get(OBSERVATION) ?? [], window);
  byComponent.delete(OBSERVATION);
  const ids = [...present.keys(), ...[...byComponent.keys()].filter((id) => !present.has(id))];
  return ids.map((id) => {
    const own = byTime(byComponent.get(id) ?? []);
    const kind = present.get(id)?.kind ?? own[0]!.kind;
    const spans = spansOf(own, present.get(id), window);
    return {
      id,
      kind,
      spans: spans.flatMap((span) => observed.flatMap((time) => within(span, time))),
    };
  });
}

/** The parts of the window in which health was observed. */
function observedSpans(transitions: readonly HealthTransition[], window: { from: number; to: number }) {
  const marks = byTime(transitions);
  if (marks.length === 0) return [window];
  return spansOf(marks, undefined, window).filter(({ status }) => status === "ok");
}

/** The part of a span that is within a time. */
function within(span: StatusSpan, time: { from: number; to: number }): StatusSpan[] {
  const [from, to] = [Math.max(span.from, time.from), Math.min(span.to, time.to)];
  return from < to ? [{ ...span, from, to }] : [];
}

function byTime(transitions: readonly HealthTransition[]): HealthTransition[] {
  return transitions.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function spansOf(
  transitions: readonly HealthTransition[],
  present: Component | undefined,
  { from, to }: { from: number; to: number },
): StatusSpan[] {
  const [first] = transitions;
  if (first === undefined) {
    if (present === undefined || present.since === null) return [];
    const { status, message, since } = present;
    const observed = Math.max(from, Date.parse(since));
    return observed >= to ? [] : [{ from: observed, to, status, message }];
  }
  const spans: StatusSpan[] = [];
  const add = (start: number, end: number, status: HealthStatus, message: string | null) => {
    if (end > start) spans.push({ from: start, to: end, status, message });
  };
  add(from, Date.parse(first.at), first.from, null);
  transitions.forEach(({ at, to: status, message }, index) => {
    const next = transitions[index + 1];
    add(Math.max(from, Date.parse(at)), next === undefined ? to : Date.parse(next.at), status, message);
  });
  return spans;
}

/** What a span is drawn as: switched off is not a fault. */
export function stateOf(span: StatusSpan): HealthStatus | "off" {
  return isOff(span) ? "off" : span.status;
}

/** Milliseconds of a lane in which its status is known. */
export function observedTime({ spans }: StatusLane): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Milliseconds that a lane spent in another state than `ok` or switched off. */
export function troubledTime({ spans }: StatusLane): number {
  return spans.reduce(
    (sum, span) => ["ok", "off"].includes(stateOf(span)) ? sum : sum + span.to - span.from,
    0,
  );
}
