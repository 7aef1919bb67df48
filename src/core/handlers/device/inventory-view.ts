import type { InventoryEvidence } from "../../../contract/device/device.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { InventoryEvidence as StoredEvidence } from "../../../store/device/inventory.ts";

/** An inventory entry as an evidence item. */
export function inventoryView(entry: StoredEvidence): InventoryEvidence {
  const readAt = formatMillis(entry.read_at);
  return {
    evidence_id: entry.entry_id,
    kind: "flow_observation",
    source: "inventory",
    sensor_id: "inventory",
    observed_at: readAt,
    received_at: readAt,
    trust: "inventory",
    summary: summarise(entry),
    flow_id: "",
    matched_by: entry.matched_by,
    matched_value: entry.matched_value,
    name: entry.name,
    device_type: entry.device_type,
    owner: entry.owner,
    tags: entry.tags,
  };
}

/** `The inventory lists 10.0.0.4 as NEWYORK, domain_controller of IT operations`. */
function summarise({ matched_value: key, name, device_type: type, owner }: StoredEvidence): string {
  const typeText = type === null ? "" : `, ${type}`;
  const ownerText = owner === null ? "" : ` of ${owner}`;
  return `The inventory lists ${key} as ${name}${typeText}${ownerText}`;
}
