import type { HeatColumn } from "./heat-map.tsx";
import { axisLabels, spanLabel } from "./time-axis.ts";

/** The columns of a heat map over time. */
export function columnsOf(starts: readonly number[], step: number, zone: string): HeatColumn[] {
  return starts.map((start) => ({
    key: String(start),
    short: axisLabels([start], step, zone)[0]!.split("\n")[0]!,
    text: spanLabel(start, start + step, zone),
  }));
}
