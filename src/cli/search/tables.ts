import type { Device } from "../../contract/device/device.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { Flow } from "../../contract/flow/flow.ts";
import type { Incident } from "../../contract/incident/incident.ts";
import type { Found } from "../../domain/search/csv.ts";
import { type RecordOrigin, shownIp } from "../../kit/net/shown-ip.ts";
import { hostPort, size } from "../../kit/text.ts";
import { parseTimestamp } from "../../kit/time.ts";
import { wallTime } from "../../kit/zone.ts";

/** A column of a table: its header, and the cell of an object. */
type Column<T> = [header: string, cell: (item: T, zone: string) => string | number | null];

const FLOW: Column<Flow>[] = [
  ["START", ({ start }, zone) => localTime(start, zone)],
  ["SOURCE", ({ src, primary_evidence }) => endpoint(src, primary_evidence)],
  ["DESTINATION", ({ dst, primary_evidence }) => endpoint(dst, primary_evidence)],
  ["COUNTRY", ({ dst, src }) => dst.geo?.country ?? src.geo?.country ?? null],
  ["PROTO", ({ proto }) => proto],
  ["SERVICE", ({ service }) => service],
  ["SENT", ({ counters }) => bytes(counters.src_to_dst.bytes)],
  ["RECEIVED", ({ counters }) => bytes(counters.dst_to_src.bytes)],
  ["NAME", ({ server_name, names }) => server_name ?? names[0]?.name ?? null],
];

const DEVICE: Column<Device>[] = [
  ["LAST SEEN", ({ last_seen }, zone) => localTime(last_seen, zone)],
  ["NAME", ({ display_name }) => display_name],
  ["TYPE", ({ device_type }) => device_type],
  ["OWNER", ({ owner }) => owner],
  ["SCORE", ({ score }) => score],
  ["INCIDENTS", ({ incident_count }) => incident_count],
  ["FIRST SEEN", ({ first_seen }, zone) => localTime(first_seen, zone)],
  ["ADDRESSES", ({ addresses }) => addresses.join(" ")],
];

const INCIDENT: Column<Incident>[] = [
  ["LAST SEEN", ({ last_seen }, zone) => localTime(last_seen, zone)],
  ["SEVERITY", ({ severity }) => severity],
  ["SCORE", ({ score }) => score],
  ["STATUS", ({ status }) => status],
  ["TITLE", ({ title }) => title],
];

const TABLES = { flows: FLOW, devices: DEVICE, incidents: INCIDENT };

export function tableHeaders(kind: ResultKind): string[] {
  return TABLES[kind].map(([header]) => header);
}

/** Cells of an object of the kind; `-` for what is unknown. Times are in the zone. */
export function tableCells(kind: ResultKind, item: Found, zone: string): string[] {
  const columns = TABLES[kind] as Column<Found>[];
  return columns.map(([, cell]) => String(cell(item, zone) ?? "-"));
}

function endpoint({ ip, port }: Flow["src"], origin: RecordOrigin): string {
  const shown = shownIp(ip, origin);
  return port === 0 ? shown : hostPort(shown, port);
}

/** `2026-01-31 08:15:00` in the zone. */
export function localTime(timestamp: string, zone: string): string {
  const micros = parseTimestamp(timestamp)?.micros;
  if (micros === undefined) return timestamp;
  const { year, month, day, hour, minute, second } = wallTime(micros, zone);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function bytes(count: number | bigint | null): string | null {
  return count === null ? null : size(count);
}
