// A tenant in which every name, address, token and text is a marker value.

import { stringify } from "@std/yaml";
import { mark } from "./marks.ts";

export const TENANT = mark("tenant");
export const ADDRESSES = {
  host: "10.66.77.131",
  peer: "203.0.113.77",
  six: "2001:db8:66:77::b0b",
  exporter: "198.51.100.166",
  mac: "02:66:77:88:99:aa",
};
export const ENVIRONMENT = {
  EDGE_TOKEN: mark("edgetoken"),
  FLOW_TOKEN: mark("flowtoken"),
  EXECUTOR_TOKEN: mark("executortoken"),
  NDR_METRICS_TOKEN: mark("metricstoken"),
  NDR_PUBLIC_URL: `https://ndr.${mark("public")}.example`,
  NDR_OIDC_ISSUER: `https://idp.${mark("issuer")}.example`,
  NDR_OIDC_CLIENT_ID: mark("client"),
  NDR_OIDC_CLIENT_SECRET: mark("clientsecret"),
};
export const KEY_ID = mark("licensekey");
export const COORDINATES = { latitude: 66.778899, longitude: 77.667788 };

export const FILES: Readonly<Record<string, string>> = {
  "sources.yaml": stringify({
    sources: [
      {
        sensor_id: mark("sensor"),
        tenant_id: TENANT,
        token_env: "EDGE_TOKEN",
        allowed_kinds: ["zeek.conn", "zeek.dns", "zeek.http", "suricata.alert"],
        trust: "packet",
      },
      {
        sensor_id: mark("flowsensor"),
        tenant_id: TENANT,
        token_env: "FLOW_TOKEN",
        allowed_kinds: ["netflow.flow"],
        trust: "exporter",
        expected_exporters: [ADDRESSES.exporter],
      },
    ],
  }),
  "sites.yaml": stringify({
    sites: [{
      tenant_id: TENANT,
      site_id: mark("site"),
      display_name: `${mark("sitename")} ada@${mark("maildomain")}.example`,
      home_coordinates: COORDINATES,
      networks: ["10.66.77.128/25", "2001:db8:66::/64"],
      vlans: [{ vlan_id: 66, name: mark("vlan"), cidrs: ["10.66.77.128/26"] }],
    }],
  }),
  "inventory.yaml": stringify({
    inventory: [{
      tenant_id: TENANT,
      devices: [{
        name: `${mark("device")}.${mark("domain")}.example`,
        owner: mark("owner"),
        tags: [mark("tag")],
        addresses: [ADDRESSES.host, ADDRESSES.six],
        mac_addresses: [ADDRESSES.mac],
      }],
    }],
  }),
  "connectors.yaml": stringify({
    connectors: [{
      id: "webhook",
      instance: mark("instance"),
      tenant: TENANT,
      config: { url: `https://${mark("receiver")}.example/${mark("path")}` },
      secrets: { secret: "webhook.key" },
    }],
  }),
  "response.yaml": stringify({
    response: [{
      tenant_id: TENANT,
      executors: [{ executor_id: mark("executor"), token_env: "EXECUTOR_TOKEN" }],
    }],
  }),
  "webhook.key": mark("webhookkey"),
  "service.key": mark("servicekey").padEnd(40, "k"),
  "intel/list.txt": `${mark("indicator")}.example\n${ADDRESSES.peer}\n`,
};

/** Names observed on the network. */
const SEEN = ["query", "host", "agent", "signature"].map((name) => mark(`seen${name}`));

export function records(): string {
  const at = new Date().toISOString();
  const connection = {
    "id.orig_h": ADDRESSES.host,
    "id.orig_p": 50_000,
    "id.resp_h": ADDRESSES.peer,
    "id.resp_p": 53,
    ts: Date.now() / 1000,
    uid: mark("uid"),
  };
  const [query, host, agent, signature] = SEEN;
  const lines: [string, unknown][] = [
    ["zeek.conn", { ...connection, proto: "udp", service: "dns" }],
    ["zeek.dns", {
      ...connection,
      proto: "udp",
      query: `${query}.example`,
      qtype_name: "A",
      rcode_name: "NOERROR",
    }],
    ["zeek.http", {
      ...connection,
      "id.resp_p": 80,
      method: "GET",
      host: `${host}.example`,
      uri: "/",
      user_agent: agent,
    }],
    ["suricata.alert", {
      timestamp: at,
      flow_id: 66_778_899,
      event_type: "alert",
      src_ip: ADDRESSES.host,
      src_port: 50_001,
      dest_ip: ADDRESSES.peer,
      dest_port: 443,
      proto: "TCP",
      alert: {
        action: "allowed",
        gid: 1,
        signature_id: 2018,
        rev: 1,
        signature,
        category: "A Network Trojan was detected",
        severity: 1,
      },
    }],
    // Cannot be parsed, so it counts as an error.
    ["zeek.conn", { note: mark("unparsed") }],
  ];
  return lines.map(([kind, payload]) => JSON.stringify({ kind, observed_at: at, payload })).join("\n");
}
