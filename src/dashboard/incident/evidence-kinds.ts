import type { EvidenceKind } from "../../contract/record/kinds.ts";

/** What a piece of evidence is, in a word. */
export const EVIDENCE_KINDS: Record<EvidenceKind, string> = {
  flow_observation: "Flow",
  dns: "DNS",
  tls: "TLS",
  http: "HTTP",
  ssh: "SSH",
  alert: "Alert",
  model_result: "Model",
};
