import type { Plan } from "../../../contract/telemetry/heartbeat.ts";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import type { LearningPhase } from "../../detect/kernel/learning.ts";

/** What the store tells of one tenant. Counts may stop above the last bucket's start. */
export interface TenantFacts {
  devices: number;
  /** Enabled instances by connector type. */
  connectors: ReadonlyMap<string, number>;
  learning: LearningPhase;
  /** Lines of the last 24 hours that were rejected or could not be understood. */
  ingestErrors: number;
}

/** What the machine tells. Null where it does not, or may not be asked. */
export interface MachineFacts {
  /** Text of os-release. */
  osRelease: string | null;
  /** `6.1.0-18-amd64` */
  kernelRelease: string | null;
  /** `x86_64` */
  arch: string;
  uptimeSeconds: number | null;
}

/** What the licence tells: the hash of its key identifier, never the key. */
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
  /** Kinds that enabled sensors may send, in any order, however often. */
  recordKinds: Iterable<RecordKind>;
  /** One entry a configured tenant. */
  tenants: readonly TenantFacts[];
  /** Microseconds. */
  now: number;
}
