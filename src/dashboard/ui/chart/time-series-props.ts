import type { ReactNode } from "react";
import type { Window } from "../../base/time/range.ts";
import type { ChartColour } from "./colour.ts";
import type { Unit } from "./unit.ts";

export interface Series {
  id: string;
  label: string;
  colour: ChartColour;
  /** One per bucket; null if unknown. */
  values: (number | null)[];
  /** Drawn as a line over the others, not stacked. */
  line?: boolean;
  /** The entry of the legend, such as a link. Default: the label. */
  legend?: ReactNode;
}

export interface TimeSeriesProps {
  label: string;
  /** What the axis covers. */
  window: Window;
  /** Starts of the buckets, in milliseconds, oldest first. */
  starts: number[];
  /** Length of a bucket in milliseconds. */
  step: number;
  series: Series[];
  /** `areas` and `bars` are stacked, `lines` are not. */
  shape: "areas" | "bars" | "lines";
  unit: Unit;
  height?: number;
  /** Selects a span, by pointer or keyboard. */
  onBrush?: (window: Window) => void;
}
