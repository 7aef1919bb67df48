// The sites and the inventory of the sample: names and places that a deployment configures.
//
// The networks, SCRANTON, NASHUA and the domain controller are those of the recordings. Owners are made up
// and say so; the place is where the office day was recorded, the Naval Postgraduate School.

import type { InventoryDevice, TenantInventory } from "../../config/inventory.ts";
import { defaultSite, type SiteConfig } from "../../config/sites.ts";
import { parseCidr } from "../../kit/net/ip.ts";

const VLANS = [
  { vlan_id: 10, name: "Office", cidrs: ["192.168.1.0/24"] },
  { vlan_id: 20, name: "Research", cidrs: ["10.0.1.0/24"] },
  { vlan_id: 30, name: "Servers", cidrs: ["10.0.0.0/24"] },
  { vlan_id: 40, name: "Training room", cidrs: ["10.0.2.0/24"] },
  { vlan_id: 50, name: "Test laboratory", cidrs: ["10.77.0.0/16"] },
  { vlan_id: 60, name: "Guests", cidrs: ["172.16.253.0/24"] },
  { vlan_id: 70, name: "Competition", cidrs: ["10.10.0.0/16", "10.192.0.0/16"] },
];

/** Without 192.168.0.0/24, from where the recorded intruders came. */
const NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.1.0/24", "fc00::/7"];

/** The second site stays without a place, as a deployment that configures none. */
export function sampleSites(): SiteConfig[] {
  const main = defaultSite("main");
  const branch = defaultSite("branch");
  return [
    {
      ...main,
      site: {
        ...main.site,
        display_name: "Headquarters (sample)",
        home_coordinates: { latitude: 36.5966, longitude: -121.8756 },
        vlans: VLANS,
      },
      networks: NETWORKS.map((text) => parseCidr(text)!),
      networksAssumed: false,
    },
    { ...branch, site: { ...branch.site, display_name: "Branch office (sample)" } },
  ];
}

export function sampleInventory(): TenantInventory[] {
  return [
    {
      tenantId: "main",
      devices: [
        device("SCRANTON", "10.0.1.4", "workstation", "Sales (sample)", ["windows"]),
        device("NASHUA", "10.0.1.6", "workstation", "Accounting (sample)", ["windows"]),
        device("Domain controller", "10.0.0.4", "domain_controller", "IT (sample)", ["windows", "critical"]),
        device("Office router", "192.168.1.1", "router", "IT (sample)", ["critical"]),
        device("Desk 1", "192.168.1.102", "workstation", "Operations (sample)", ["office"]),
        device("Desk 2", "192.168.1.103", "workstation", "Operations (sample)", ["office"]),
        device("Desk 3", "192.168.1.104", "workstation", "Management (sample)", ["office"]),
        device("Desk 4", "192.168.1.105", "workstation", "Management (sample)", ["office"]),
        device("Training machine", "10.0.2.15", "workstation", "Training (sample)", ["training"]),
        device("Laboratory resolver", "10.77.0.1", "dns_server", "IT (sample)", ["laboratory"]),
      ],
    },
    {
      tenantId: "branch",
      devices: [
        device("Branch resolver", "192.168.1.100", "dns_server", "IT (sample)", []),
        device("Reception", "192.168.1.112", "workstation", "Reception (sample)", []),
      ],
    },
  ];
}

function device(
  name: string,
  address: string,
  type: string,
  owner: string,
  tags: readonly string[],
): InventoryDevice {
  return { name, type, owner, tags: [...tags, "sample"].sort(), addresses: [address], macAddresses: [] };
}
