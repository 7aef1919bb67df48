import type { SensorCoverage } from "../../contract/health/coverage.ts";

const HOUR = 3_600_000;
/** Columns for which there is room. */
const MOST = 36;

/** Hours that one column stands for: one, or a divisor of a day. */
export function hoursPerColumn(hours: number): number {
  return [1, 2, 3, 4, 6, 12, 24].find((each) => hours / each <= MOST) ?? 24;
}

interface CoverageColumns {
  /** Starts in milliseconds. */
  starts: number[];
  step: number;
  /** By sensor: hours with records of those known; null if nothing is known of the column. */
  sensors: { sensor: string; cells: ({ received: number; known: number } | null)[] }[];
}

/** The hours of the coverage in columns. */
export function coverageColumns({ hours, sensors }: SensorCoverage): CoverageColumns {
  const each = hoursPerColumn(hours.length);
  const step = each * HOUR;
  const times = hours.map((hour) => Date.parse(hour));
  const starts = [...new Set(times.map((time) => Math.floor(time / step) * step))];
  return {
    starts,
    step,
    sensors: sensors.map(({ sensor_id, received }) => ({
      sensor: sensor_id,
      cells: starts.map((start) => {
        const known = received.filter((value, at) =>
          value !== null && times[at]! >= start && times[at]! < start + step
        );
        return known.length === 0 ? null : { received: known.filter(Boolean).length, known: known.length };
      }),
    })),
  };
}
