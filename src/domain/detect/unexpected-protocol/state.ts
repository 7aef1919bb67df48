// Servers with which one device speaks unexpected protocols.
import type { Micros } from "../../record/observation.ts";
import { DESTINATION_FIELDS, type DestinationUsage, MAX_KEPT_TEXT } from "../kernel/destination-usage.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { defineState, float, list, record, textOrNull, varint } from "../kernel/state/schema.ts";

export const MAX_UNEXPECTED = 8;
/** Servers with unexpected protocols are counted exactly up to about this number. */
export const MANY_UNEXPECTED = 16;
/** Newest servers with an FTP control connection: FTP data uses arbitrary ports. */
export const MAX_FTP_SERVERS = 4;

export interface UnexpectedDestination extends DestinationUsage {
  /** As the sensor names it; null if it recognized none. */
  service: string | null;
  serverName: string | null;
  bytesIn: number;
  bytesOut: number;
  /** Duration of the longest connection. */
  longest: Micros;
}

export interface UnexpectedProtocols {
  destinations: UnexpectedDestination[];
  servers: Distinct;
  /** Hashes of addresses. */
  ftpServers: number[];
}

/** Keys: device. Stored only for devices with unexpected protocols. */
export const UNEXPECTED = defineState<UnexpectedProtocols>({
  id: 44,
  name: "unexpected protocols",
  keepDays: 7,
  version: 1,
  empty: () => ({ destinations: [], servers: new Distinct(MANY_UNEXPECTED), ftpServers: [] }),
  fields: record<UnexpectedProtocols>({
    destinations: list(
      record<UnexpectedDestination>({
        ...DESTINATION_FIELDS,
        service: textOrNull(MAX_KEPT_TEXT),
        serverName: textOrNull(MAX_KEPT_TEXT),
        bytesIn: float,
        bytesOut: float,
        longest: float,
      }),
      MAX_UNEXPECTED,
    ),
    servers: distinct(MANY_UNEXPECTED),
    ftpServers: list(varint, MAX_FTP_SERVERS),
  }),
});
