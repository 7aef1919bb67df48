import type { Plan } from "../../../contract/telemetry/heartbeat.ts";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import type { LearningPhase } from "../../detect/kernel/learning.ts";

/** One tenant's facts from the store. Counts may stop at the start of the last bucket. */
export interface TenantFacts {
  devices: number;
  /** Enabled instances by connector type. */
  connectors: ReadonlyMap<string, number>;
  learning: LearningPhase;
  /** Lines of the last 24 hours that were rejected or not understood. */
  ingestErrors: number;
}

/** Facts from the machine; null if unavailable. */
export interface MachineFacts {
  /** Text of os-release. */
  osRelease: string | null;
  /** `6.1.0-18-amd64` */
  kernelRelease: string | null;
  /** `x86_64` */
  arch: string;
  uptimeSeconds: number | null;
}

/** Facts from the licence: the hash of its key identifier, never the key. */
export interface PlanFacts {
  plan: Plan;
  keyIdHash: string | null;
}

export interface HeartbeatFacts {
  installId: string;
  productVersion: string;
  bundleVersion: string;
  machine: MachineFacts;
  license: PlanFacts;
  /** Kinds that enabled sensors may send, in any order, possibly repeated. */
  recordKinds: Iterable<RecordKind>;
  /** One entry per configured tenant. */
  tenants: readonly TenantFacts[];
  /** Microseconds. */
  now: number;
}
