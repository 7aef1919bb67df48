import type { Count, Counters, DirectionCounters, Micros } from "../record/observation.ts";

/** What an exporter counted of a flow since its previous report. */
export interface Report {
  /** `SeriesHasher`. */
  series: number;
  end: Micros;
  counters: Counters;
}

/** Reports kept per flow; of a longer series the oldest ones are kept as one. */
const MAX_REPORTS = 64;

/**
 * Active timeouts last a second or more: reports of a series whose ends are closer state the same packets, as
 * counted on another interface.
 */
const SAME_REPORT: Micros = 1_000_000;

const MAX_COUNT = 2n ** 63n - 1n;

/**
 * The reports with one more, in place of a known one that is the same but less complete; null if the known one is
 * more complete.
 */
export function withReport(reports: readonly Report[], report: Report): readonly Report[] | null {
  const same = reports.find(({ series, end }) =>
    series === report.series && Math.abs(end - report.end) < SAME_REPORT
  );
  if (same === undefined) return withinLimit([...reports, report]);
  return isAhead(report, same) ? reports.map((one) => one === same ? report : one) : null;
}

/**
 * The last report of the series that gives the flow's counters: the one that ends last, then the one that counted
 * most. Series are never added up: their exporters count the same packets.
 */
export function leadingReport(reports: readonly Report[]): Report {
  return reports.reduce((best, one) => isAhead(one, best) ? one : best);
}

/** What all reports of a series counted together. */
export function seriesCounters(reports: readonly Report[], { series, counters }: Report): Counters {
  const sum = reports.filter((one) => one.series === series).map((one) => one.counters).reduce(sumOf);
  return { ...sum, semantics: counters.semantics };
}

/** Bytes of both directions; a rounded sum is precise enough to compare. */
export function totalBytes({ srcToDst, dstToSrc }: Counters): number {
  return Number(srcToDst.bytes ?? 0) + Number(dstToSrc.bytes ?? 0);
}

function isAhead(a: Report, b: Report): boolean {
  if (a.end !== b.end) return a.end > b.end;
  const difference = totalBytes(a.counters) - totalBytes(b.counters);
  return difference !== 0 ? difference > 0 : a.series < b.series;
}

/** Adds the oldest report to the next one of its series. */
function withinLimit(reports: Report[]): Report[] {
  if (reports.length <= MAX_REPORTS) return reports;
  reports.sort((a, b) => a.end - b.end);
  const [oldest, ...rest] = reports;
  const next = rest.findIndex(({ series }) => series === oldest!.series);
  if (next !== -1) {
    const { counters } = rest[next]!;
    rest[next] = { ...rest[next]!, counters: { ...sumOf(oldest!.counters, counters) } };
  }
  return rest;
}

function sumOf(a: Counters, b: Counters): Counters {
  return {
    srcToDst: directionSum(a.srcToDst, b.srcToDst),
    dstToSrc: directionSum(a.dstToSrc, b.dstToSrc),
    semantics: b.semantics,
  };
}

function directionSum(a: DirectionCounters, b: DirectionCounters): DirectionCounters {
  return { bytes: countSum(a.bytes, b.bytes), packets: countSum(a.packets, b.packets) };
}

function countSum(a: Count | null, b: Count | null): Count | null {
  if (a === null || b === null) return a ?? b;
  const sum = Number(a) + Number(b);
  if (Number.isSafeInteger(sum)) return sum;
  const exact = BigInt(a) + BigInt(b);
  return exact > MAX_COUNT ? MAX_COUNT : exact;
}
