import { formatBytes, formatCount, formatExact } from "../format.ts";

/** What a chart's numbers are: bytes, or things that are counted. */
export type Unit = "bytes" | { one: string; many: string };

export const FLOWS: Unit = { one: "flow", many: "flows" };
export const INCIDENTS: Unit = { one: "incident", many: "incidents" };

/** A number on an axis. */
export function formatTick(unit: Unit, value: number): string {
  return unit === "bytes" ? formatBytes(value) : formatCount(value);
}

/** A number with its unit, in full where it is counted. */
export function formatAmount(unit: Unit, value: number | null): string {
  if (value === null) return "unknown";
  if (unit === "bytes") return formatBytes(value);
  return `${formatExact(value)} ${value === 1 ? unit.one : unit.many}`;
}

/** A number in a column whose head names the unit. */
export function formatCell(unit: Unit, value: number | null): string {
  if (value === null) return "–";
  return unit === "bytes" ? formatBytes(value) : formatExact(value);
}

export function unitName(unit: Unit): string {
  return unit === "bytes" ? "Bytes" : unit.many.charAt(0).toUpperCase() + unit.many.slice(1);
}
