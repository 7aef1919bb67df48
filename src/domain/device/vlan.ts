import type { Site } from "../../contract/site.ts";
import { type Cidr, cidrContains, parseCidr, parseIp } from "../../kit/net/ip.ts";

/** The VLAN configured for an address; null if there is none. */
export type VlanOf = (ip: string) => number | null;

/**
 * Looks up VLANs by the site's networks. The longest matching prefix wins, ties go to the first. Invalid
 * networks and addresses are in no VLAN.
 */
export function vlanFinder(vlans: Site["vlans"]): VlanOf {
  const networks: { vlanId: number; cidr: Cidr }[] = [];
  for (const { vlan_id: vlanId, cidrs } of vlans) {
    for (const text of cidrs) {
      const cidr = parseCidr(text);
      if (cidr) networks.push({ vlanId, cidr });
    }
  }
  if (networks.length === 0) return () => null;
  networks.sort((a, b) => b.cidr.prefix - a.cidr.prefix);
  return (ip) => {
    const bytes = parseIp(ip);
    if (bytes === null) return null;
    return networks.find(({ cidr }) => cidrContains(cidr, bytes))?.vlanId ?? null;
  };
}

interface VlanFlow {
  /** The tag seen by the sensor. */
  vlan: number | null;
  src: { ip: string };
  dst: { ip: string };
}

/**
 * The VLAN a tag implies for one end of a flow; null if it implies none. A routed packet carries the tag of
 * the link it was captured on: if the site's networks place the other end in that VLAN and this end
 * elsewhere, the tag belongs to the other end.
 */
export function taggedVlan({ vlan, src, dst }: VlanFlow, end: "src" | "dst", vlanOf: VlanOf): number | null {
  if (vlan === null) return null;
  const [own, other] = end === "src" ? [src, dst] : [dst, src];
  const configured = vlanOf(own.ip);
  if (configured === null || configured === vlan) return vlan;
  return vlanOf(other.ip) === vlan ? null : vlan;
}

/**
 * The VLAN of a flow: the sensor's tag, else that of the source's network, else that of the destination's
 * (external traffic is seen where it arrives).
 */
export function flowVlan({ vlan, src, dst }: VlanFlow, vlanOf: VlanOf): number | null {
  return vlan ?? vlanOf(src.ip) ?? vlanOf(dst.ip);
}
