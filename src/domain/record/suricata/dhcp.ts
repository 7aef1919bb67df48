import type { JsonValue } from "../../../kit/json/json.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import type { DhcpFacts } from "../facts.ts";
import { address, asObject, expectTexts, type Fields, listOf, orWarn, small, text } from "../fields.ts";
import { isNoMac, macAddress } from "../mac.ts";
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
      facts: dhcpFacts(dhcp, isReply ? serverOf(tuple, dhcp, warnings) : null, warnings),
      warnings,
      ...eveCommon(payload, warnings),
    };
  },
);

function dhcpFacts(dhcp: Fields, serverIp: string | null, warnings: string[]): DhcpFacts {
  expectTexts(dhcp, ["dhcp_type", "client_id", "hostname", "vendor_class_identifier"], warnings);
  const host = (name: string) => hostAddress(dhcp[name], name, warnings);
  const { client_mac: mac, lease_time: lease } = dhcp;
  const messageType = text(dhcp.dhcp_type, 32);
  return {
    type: "dhcp",
    messageType: messageType === "unknown" ? null : messageType,
    clientMac: isNoMac(mac)
      ? null
      : orWarn(macAddress(mac), mac, "client_mac: expected a MAC address", warnings),
    clientId: text(dhcp.client_id, 256),
    hostName: text(dhcp.hostname, 255),
    vendorClass: text(dhcp.vendor_class_identifier, 255),
    // A client renewing its lease states its current address instead of using the option.
    requestedIp: host("requested_ip") ?? (messageType === "request" ? host("client_ip") : null),
    assignedIp: host("assigned_ip"),
    leaseSeconds: orWarn(small(lease, 0xffffffff), lease, "lease_time: expected seconds", warnings),
    serverIp,
    routers: addresses(dhcp, "routers", warnings),
    dnsServers: addresses(dhcp, "dns_servers", warnings),
    subnetMask: orWarn(
      address(dhcp.subnet_mask),
      dhcp.subnet_mask,
      "subnet_mask: expected an address",
      warnings,
    ),
  };
}

/**
 * The server is the sender of the reply, unless a relay forwards it to the client. `next_server_ip` is a boot
 * server, not the DHCP server.
 */
function serverOf({ src, dst }: Tuple, dhcp: Fields, warnings: string[]): string | null {
  const relay = hostAddress(dhcp.relay_ip, "relay_ip", warnings);
  return relay === null || relay === dst.ip ? hostAddress(src.ip, "src_ip", warnings) : null;
}

/** 0.0.0.0 stands for none. */
function hostAddress(value: JsonValue | undefined, name: string, warnings: string[]): string | null {
  const ip = orWarn(address(value), value, `${name}: expected an address`, warnings);
  return ip !== null && isUnstatedIp(ip) ? null : ip;
}

function addresses(dhcp: Fields, name: string, warnings: string[]): string[] {
  return listOf(dhcp[name], name, warnings).slice(0, MAX_LISTED)
    .map((item) => hostAddress(item, name, warnings)).filter((ip) => ip !== null);
}
