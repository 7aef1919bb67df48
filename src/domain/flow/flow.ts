import type { EvidenceSource, RecordKind } from "../../contract/record/kinds.ts";
import type { Counters, Endpoint, Micros } from "../record/observation.ts";
import type { Report } from "./reports.ts";
import type { ServerName } from "./server-name.ts";

/** A flow as the pipeline merges it. Every field but the first two may change as observations join. */
export interface FlowState {
  flowId: string;
  /** Start of the first observation, to the millisecond; part of the flow's identity. */
  anchor: Micros;
  start: Micros;
  end: Micros;
  /** Newest receipt among its observations. */
  receivedAt: Micros;
  /** `normalisedTuple`; null if there is no Community ID, in which case nothing ever joins. */
  tuple: string | null;
  proto: string;
  src: Endpoint;
  dst: Endpoint;
  icmp: { type: number; code: number | null } | null;
  srcDeviceId: string | null;
  dstDeviceId: string | null;
  counters: Counters;
  service: string | null;
  /** The first server name its client asked for; null if none was seen. */
  serverName: ServerName | null;
  vlan: number | null;
  observationCount: number;
  sources: EvidenceSource[];
  /** Hashes of its sensors' own flow ids (`nativeHasher`), newest last. */
  nativeHashes: bigint[];
  primary: PrimaryEvidence;
  /** The delta reports of the primary's rank (`addReport`) if there are several; null for one or none. */
  reports: readonly Report[] | null;
  /** Location of the primary observation's record while the flow alone reproduces it; else null. */
  folded: FoldedRecord | null;
}

/** A record whose evidence needs no row of its own: the flow holds everything else about it. */
export interface FoldedRecord {
  observedAt: Micros;
  batchNo: number;
  /** Index in the batch's block. */
  position: number;
}

/** The preferred observation: counters and direction come from it. */
interface PrimaryEvidence {
  /** Lower is better; see `preference`. */
  rank: number;
  evidenceId: string;
  recordKind: RecordKind;
  sensorId: string;
  /** When this observation ended, which may be before the flow's end. */
  end: Micros;
  /** Its series (`SeriesHasher`) if it is an exporter's delta report. */
  series: number | null;
}
