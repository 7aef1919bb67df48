import { isUnstatedIp } from "./ip.ts";

/** The record that an address is from, as the API has it. */
export interface RecordOrigin {
  source: string;
  sensor_id: string;
}

/**
 * An address as a person reads it. One that the record does not state is the resolver that wrote the record, named by
 * its sensor, or "not stated".
 */
export function shownIp(ip: string, origin?: RecordOrigin): string {
  if (!isUnstatedIp(ip)) return ip;
  return origin?.source === "unbound" ? origin.sensor_id : "not stated";
}
