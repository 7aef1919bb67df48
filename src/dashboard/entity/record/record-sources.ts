import type { EvidenceSource } from "../../../contract/record/kinds.ts";

/** Sources that can observe a flow; `inventory` and `model` never do. */
export const FLOW_SOURCES = ["zeek", "suricata", "netflow", "unbound"] as const satisfies EvidenceSource[];

export const SOURCE_NAMES = { zeek: "Zeek", suricata: "Suricata", netflow: "NetFlow", unbound: "Unbound" };
