/** Whole microseconds since the Unix epoch, UTC; a safe integer until the year 2255. */
export type Micros = number;

/** A non-negative integer counter: `bigint` only where it exceeds 2^53 - 1. */
export type Count = number | bigint;

export interface Endpoint {
  /** Canonical address text. */
  ip: string;
  /** `null` where the protocol has none or the record does not say. ICMP uses `icmp` instead. */
  port: number | null;
}
