import type { JsonValue } from "../../../kit/json/json.ts";
import type { DhcpFacts } from "../facts.ts";
import { address, asList, asObject, type Fields, small, text } from "../fields.ts";
import { macAddress } from "../mac.ts";
import { recordType } from "../record-type.ts";
import { eveCommon, eveMoment, eveTuple } from "./envelope.ts";
import { reversed, type Tuple } from "../tuple.ts";

const MAX_LISTED = 16;

/**
 * Suricata EVE `dhcp`, one DHCPv4 message. Without `extended: yes` only acknowledgements are logged, with the
 * client's MAC address, name and assigned address; with it all messages, with the lease, the other settings
 * the server hands out, and in newer versions the client's `vendor_class_identifier`.
 *
 * The record lists the packet's source first, which for replies is the server. The client is put first
 * instead, unless a server replies to the broadcast address: that is a flow of the server's own. A discover
 * goes from 0.0.0.0 to 255.255.255.255 and stays as it is.
 */
export const suricataDhcp = recordType(
  "suricata.dhcp",
  "suricata",
  "flow_observation",
  (payload, context) => {
    const warnings: string[] = [];
    const tuple = eveTuple(payload, warnings);
    if ("unparsed" in tuple) return tuple;
    const dhcp = asObject(payload.dhcp);
    if (dhcp === null) return { unparsed: "dhcp: expected an object" };
    const isReply = dhcp.type === "reply";
    return {
      ...eveMoment(payload, context, warnings),
      ...(isReply && tuple.dst.ip !== "255.255.255.255" ? reversed(tuple) : tuple),
      counters: null,
      service: "dhcp",
      facts: dhcpFacts(dhcp, isReply ? serverOf(tuple, dhcp) : null),
      warnings,
      ...eveCommon(payload),
    };
  },
);

function dhcpFacts(dhcp: Fields, serverIp: string | null): DhcpFacts {
  const messageType = text(dhcp.dhcp_type, 32);
  return {
    type: "dhcp",
    messageType: messageType === "unknown" ? null : messageType,
    clientMac: macAddress(dhcp.client_mac),
    clientId: text(dhcp.client_id, 256),
    hostName: text(dhcp.hostname, 255),
    vendorClass: text(dhcp.vendor_class_identifier, 255),
    // A client renewing its lease states its current address instead of using the option.
    requestedIp: hostAddress(dhcp.requested_ip) ??
      (messageType === "request" ? hostAddress(dhcp.client_ip) : null),
    assignedIp: hostAddress(dhcp.assigned_ip),
    leaseSeconds: small(dhcp.lease_time, 0xffffffff),
    serverIp,
    routers: addresses(dhcp.routers),
    dnsServers: addresses(dhcp.dns_servers),
    subnetMask: address(dhcp.subnet_mask),
  };
}

/**
 * The server is the sender of the reply, unless a relay forwards it to the client. `next_server_ip` is a boot
 * server, not the DHCP server.
 */
function serverOf({ src, dst }: Tuple, dhcp: Fields): string | null {
  const relay = hostAddress(dhcp.relay_ip);
  return relay === null || relay === dst.ip ? hostAddress(src.ip) : null;
}

/** 0.0.0.0 stands for none. */
function hostAddress(value: JsonValue | undefined): string | null {
  const ip = address(value);
  return ip === "0.0.0.0" ? null : ip;
}

function addresses(value: JsonValue | undefined): string[] {
  return asList(value).slice(0, MAX_LISTED).map(hostAddress).filter((ip) => ip !== null);
}
