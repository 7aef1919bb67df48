/** Whole microseconds since the Unix epoch, UTC; a safe integer until the year 2255. */
export type Micros = number;

/** A non-negative integer counter; `bigint` only above 2^53 - 1. */
export type Count = number | bigint;

export interface Endpoint {
  /** Canonical address text. */
  ip: string;
  /** Null if the protocol has no ports or the record does not state it. ICMP uses `icmp` instead. */
  port: number | null;
}
