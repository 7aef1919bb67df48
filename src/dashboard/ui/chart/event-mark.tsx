import type { Severity } from "../../../contract/record/kinds.ts";
import { colourClass } from "./colour.ts";

/** Shapes that differ without colour: a ring, a dot, a square, a diamond, a triangle. */
const PATHS: Record<Severity, string> = {
  info: "M0-3.5A3.5 3.5 0 1 1 0 3.5A3.5 3.5 0 1 1 0-3.5ZM0-1.5A1.5 1.5 0 1 0 0 1.5A1.5 1.5 0 1 0 0-1.5Z",
  low: "M0-4A4 4 0 1 1 0 4A4 4 0 1 1 0-4Z",
  medium: "M-4-4H4V4H-4Z",
  high: "M0-5.5L5.5 0L0 5.5L-5.5 0Z",
  critical: "M0-6L6 5H-6Z",
};

/** A moment on a lane. */
export function EventMark({ severity, x, y }: { severity: Severity; x: number; y: number }) {
  return (
    <path
      className={`chart-fill event-mark ${colourClass(severity)}`}
      d={PATHS[severity]}
      transform={`translate(${x} ${y})`}
    />
  );
}
