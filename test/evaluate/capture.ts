// A capture: labels, and records from files or from a generator.

import type { GeneratedRecord } from "./generate/traffic.ts";
import type { Labels } from "./labels.ts";

export interface Capture {
  /** The folder's name, or that of the generated capture. */
  name: string;
  labels: Labels;
  /** Where the records come from if not from the files of the labels. */
  generated?: GeneratedTraffic;
}

/** Records that are made while they are replayed, and what is known about the site beforehand. */
export interface GeneratedTraffic {
  records(): Iterable<GeneratedRecord>;
  /** Confirmed device types by address. */
  types: ReadonlyMap<string, string>;
  /** A threat intelligence list: one indicator per line. */
  indicators: string;
}
