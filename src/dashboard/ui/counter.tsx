import { ABSENT, formatBytes, formatCount, formatExact } from "./format.ts";

type Counter = number | bigint | null;

/** A counter, abbreviated, with all digits in the title; a missing counter is shown as unmeasured. */
export function Bytes({ value }: { value: Counter }) {
  if (value === null) return <span className="muted" title="Not measured">{ABSENT}</span>;
  return <span title={`${formatExact(value)} bytes`}>{formatBytes(value)}</span>;
}

export function Packets({ value }: { value: Counter }) {
  if (value === null) return <span className="muted" title="Not measured">{ABSENT}</span>;
  return <span title={`${formatExact(value)} packets`}>{formatCount(value)}</span>;
}
