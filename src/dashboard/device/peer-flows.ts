// Who a device talks to, as a sankey diagram: clients, the device, services, servers.

import type { SankeyLink, SankeyNode } from "../ui/chart/sankey-props.ts";

/** Bytes of a service with a peer; the service is null if the sensor did not recognise one. */
interface PeerAmount {
  peer: string;
  service: string | null;
  bytes: number;
}

interface PeerFlows {
  nodes: (Omit<SankeyNode, "link"> & { address?: string; service?: string })[];
  links: SankeyLink[];
}

/** Peers on each side; the others are one node. */
const MOST = 8;
/** The node of the device itself. */
export const DEVICE = "device";

/** `incoming`: flows that peers opened to the device; `outgoing`: those that it opened. */
export function peerFlows(
  name: string,
  incoming: readonly PeerAmount[],
  outgoing: readonly PeerAmount[],
): PeerFlows {
  const nodes = new Map<string, PeerFlows["nodes"][number]>();
  const links = new Map<string, SankeyLink>();
  const node = (id: string, more: Omit<PeerFlows["nodes"][number], "id">) => {
    if (!nodes.has(id)) nodes.set(id, { id, ...more });
    return id;
  };
  const add = (source: string, target: string, value: number) => {
    const key = `${source} ${target}`;
    const link = links.get(key) ?? { source, target, value: 0 };
    links.set(key, { ...link, value: link.value + value });
  };
  const peerNode = (side: "in" | "out", peer: string, top: ReadonlySet<string>) =>
    top.has(peer)
      ? node(`${side} ${peer}`, { text: peer, address: peer })
      : node(`${side} others`, { text: "others", colour: "cat-other" });

  node(DEVICE, { text: name, colour: "cat-1" });
  const clients = largest(incoming);
  for (const { peer, bytes } of incoming) {
    if (bytes > 0) add(peerNode("in", peer, clients), DEVICE, bytes);
  }
  const servers = largest(outgoing);
  for (const { peer, service, bytes } of outgoing) {
    if (bytes === 0) continue;
    const used = node(`service ${service}`, {
      text: service ?? "no known service",
      ...service === null ? { colour: "cat-other" as const } : { service },
    });
    add(DEVICE, used, bytes);
    add(used, peerNode("out", peer, servers), bytes);
  }
  return { nodes: [...nodes.values()], links: [...links.values()] };
}

function largest(amounts: readonly PeerAmount[]): Set<string> {
  const sums = new Map<string, number>();
  for (const { peer, bytes } of amounts) sums.set(peer, (sums.get(peer) ?? 0) + bytes);
  return new Set([...sums].sort((a, b) => b[1] - a[1]).slice(0, MOST).map(([peer]) => peer));
}
