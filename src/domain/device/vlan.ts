import type { Site } from "../../contract/site.ts";
import { type Cidr, cidrContains, parseCidr, parseIp } from "../../kit/net/ip.ts";

/** The VLAN that the site's configuration has for an address; null where it has none. */
export type VlanOf = (ip: string) => number | null;

/**
 * VLANs by the networks of the site. Of several that hold an address the longest prefix wins, of equal ones the first.
 * What is not a network, or not an address, is in no VLAN.
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
  /** The tag that the sensor saw. */
  vlan: number | null;
  src: { ip: string };
  dst: { ip: string };
}

/**
 * The VLAN that a tag puts one end of a flow in; null where it says nothing of it. A routed packet carries the tag of
 * the link it was seen on: where the site's networks have one end in that VLAN and the other elsewhere, it is that end's.
 */
export function taggedVlan({ vlan, src, dst }: VlanFlow, end: "src" | "dst", vlanOf: VlanOf): number | null {
  if (vlan === null) return null;
  const [own, other] = end === "src" ? [src, dst] : [dst, src];
  const configured = vlanOf(own.ip);
  if (configured === null || configured === vlan) return vlan;
  return vlanOf(other.ip) === vlan ? null : vlan;
}

/**
 * The VLAN of a flow: the tag that a sensor saw; else the one the site's networks have for its source, else for its
 * destination (what comes from outside is seen where it arrives).
 */
export function flowVlan({ vlan, src, dst }: VlanFlow, vlanOf: VlanOf): number | null {
  return vlan ?? vlanOf(src.ip) ?? vlanOf(dst.ip);
}
