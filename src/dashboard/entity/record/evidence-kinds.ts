import type { EvidenceKind } from "../../../contract/record/kinds.ts";

/** The name of each kind of evidence. */
export const EVIDENCE_KINDS: Record<EvidenceKind, string> = {
  flow_observation: "Flow",
  dns: "DNS",
  tls: "TLS",
  http: "HTTP",
  ssh: "SSH",
  alert: "Alert",
  model_result: "Model",
};
