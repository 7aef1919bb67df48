import { textTable } from "../table.ts";
import type { FoundRecord } from "./read.ts";

const HEADERS = ["RECEIVED (UTC)", "TENANT", "SENSOR", "KIND", "STATUS", "REASON AND RAW TEXT"];
/** Longest raw text in a table, in characters; --json prints it whole. */
const MAX_RAW = 200;

/** A line of the table, as short as it can be kept until all lines are known. */
export function tableCells(record: FoundRecord): string[] {
  return [
    record.received_at.replace("T", " ").replace("Z", ""),
    record.tenant_id,
    record.sensor_id,
    record.kind ?? "-",
    record.status,
    `${record.reason} | ${rawText(record)}`,
  ];
}

/** Lines for people: a header and one line per record. `columns`: where to cut lines, null for no limit. */
export function recordTable(cells: readonly string[][], columns: number | null): string[] {
  return textTable([HEADERS, ...cells], columns);
}

function rawText({ raw, raw_bytes: bytes }: FoundRecord): string {
  if (raw === null) return "(past its retention)";
  return raw.length <= MAX_RAW ? raw : `${raw.slice(0, MAX_RAW)}… (${bytes} bytes)`;
}
