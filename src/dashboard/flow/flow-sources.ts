import type { EvidenceSource } from "../../contract/record/kinds.ts";

/** Sources that can observe a flow; `inventory` and `model` never do. */
export const FLOW_SOURCES = ["zeek", "suricata", "netflow", "unbound"] as const satisfies EvidenceSource[];
