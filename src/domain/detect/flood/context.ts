import type { Party } from "../kernel/detector.ts";

/** What is known of the last record, besides the target. */
export interface FloodContext {
  client: Party;
  server: Party;
  clientName: string;
  serverName: string;
  learned: boolean;
}

/** What was counted, for score and text. */
export interface Measured {
  sent: number;
  answered: number;
  bytes: number;
  first: number;
  last: number;
  /** Per second, in the ten minutes that were evaluated. */
  pace: number;
  sources: number;
  ports: number;
}
