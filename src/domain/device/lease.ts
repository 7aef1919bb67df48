import { isBroadcastIp, isLoopbackIp, isMulticastIp, isUnspecifiedIp, parseIp } from "../../kit/net/ip.ts";
import type { Observation } from "../record/observation.ts";
import { displayHostName } from "./display-name.ts";

/** A DHCP message about one client and one address. */
interface LeaseMessage {
  ip: string;
  mac: string;
  /** True if the server assigned the address; false if the client only requested it. */
  granted: boolean;
  leaseSeconds: number | null;
  serverIp: string | null;
  clientId: string | null;
  hostName: string | null;
  vendorClass: string | null;
}

/**
 * Reads a request that names its address, or an acknowledgement. Other messages do not bind a client to an
 * address: a discovery or an offer may come to nothing, and an acknowledgement without an address answers a
 * client that has one from elsewhere. Null also if the client has no MAC address.
 */
export function leaseMessage({ facts }: Observation): LeaseMessage | null {
  if (facts?.type !== "dhcp" || facts.clientMac === null) return null;
  const granted = facts.messageType === "ack";
  if (!granted && facts.messageType !== "request") return null;
  const ip = granted ? facts.assignedIp : facts.requestedIp;
  if (ip === null || !isLeasable(ip)) return null;
  return {
    ip,
    mac: facts.clientMac,
    granted,
    leaseSeconds: granted ? facts.leaseSeconds : null,
    serverIp: granted ? facts.serverIp : null,
    clientId: facts.clientId,
    hostName: displayHostName(facts.hostName),
    vendorClass: facts.vendorClass,
  };
}

/** The address a server has just assigned to a client, which means a device exists there. */
export function leasedAddress(observation: Observation): string | null {
  if (observation.facts?.type !== "dhcp") return null;
  const message = leaseMessage(observation);
  return message?.granted ? message.ip : null;
}

function isLeasable(ip: string): boolean {
  const bytes = parseIp(ip);
  return bytes !== null && !isMulticastIp(bytes) && !isBroadcastIp(bytes) && !isLoopbackIp(bytes) &&
    !isUnspecifiedIp(bytes);
}
