// Attacks that show in names, certificates and callbacks.
import { tlsFacts } from "../domain/flow-fixtures.ts";
import {
  alert,
  ANSWERED,
  type AttackScenario,
  DAY,
  dhcp,
  dns,
  from,
  hit,
  HOUR,
  http,
  letters,
  MINUTE,
  OUTSIDE,
  RESOLVER,
  rhythm,
  serverName,
  VICTIM,
} from "./attack-records.ts";
import { times } from "./play-fixtures.ts";

export function callbacks(long: boolean): AttackScenario[] {
  const name = serverName(long);
  return [
    { name: "callbacks to an address", models: ["beacon"], seen: rhythm(180, MINUTE, () => ({})) },
    {
      name: "a strobe",
      models: ["beacon"],
      seen: rhythm(4000, 1.5, () => ({ dst: `${OUTSIDE} 8443`, out: [200, 5], in: [200, 5] })),
    },
    {
      name: "callbacks to a name on many addresses",
      models: ["beacon-name"],
      seen: rhythm(180, MINUTE, (index) => ({
        dst: `203.0.113.${index % 40} 443`,
        facts: tlsFacts({ serverName: name }),
      })).map(({ out: _out, in: _in, ...seen }) => seen),
    },
    {
      name: "connections held open",
      models: ["long-connection"],
      seen: times(12, (index) => ({
        at: index * HOUR,
        seconds: HOUR - 30,
        src: from(index),
        dst: `${OUTSIDE} 4444`,
        out: [90_000, 900],
        in: [40_000, 700],
      })),
    },
    {
      name: "SSH on a web port",
      models: ["unexpected-protocol"],
      seen: times(30, (index) => ({
        at: index * 4 * MINUTE,
        seconds: 200,
        src: from(index),
        dst: `203.0.113.8 443`,
        service: "ssh",
        out: [70_000, 900],
        in: [900_000, 700],
      })),
    },
  ];
}

export function names(long: boolean): AttackScenario[] {
  const label = letters(1);
  const below = long ? `${"t".repeat(40)}.example.org` : "t.example.org";
  return [
    {
      name: "a DNS tunnel",
      models: ["dns-tunnel"],
      seen: times(400, (index) => ({
        at: index * 20,
        src: from(index),
        dst: `${RESOLVER} 53`,
        proto: "udp",
        facts: dns(`${label(60)}.${label(40)}.${below}`, { qtype: "NULL", answers: ["x".repeat(120)] }),
      })),
    },
    {
      name: "generated domains",
      models: ["dga"],
      seen: times(400, (index) => ({
        at: index * 20,
        src: from(index),
        dst: `${RESOLVER} 53`,
        proto: "udp",
        facts: dns(`${label(long ? 60 : 12)}.com`, { rcode: "NXDOMAIN" }),
      })),
    },
    {
      name: "a new resolver inside",
      models: ["rogue-dns"],
      learning: times(10, (index) => ({
        at: index,
        src: `10.0.0.${10 + index} 50000`,
        dst: `${RESOLVER} 53`,
        proto: "udp",
        facts: dns("www.example.org"),
      })),
      seen: times(60, (index) => ({
        at: 9 * DAY + index * 2 * MINUTE,
        src: `10.0.0.${10 + index % 16} 50000`,
        dst: "10.0.0.66 53",
        proto: "udp",
        facts: dns("www.example.org"),
      })),
    },
    {
      name: "a new DHCP server",
      models: ["rogue-dhcp"],
      learning: times(20, (index) => ({
        at: index * 100,
        src: `10.0.0.${100 + index} 68`,
        dst: "10.0.0.1 67",
        proto: "udp",
        facts: dhcp("10.0.0.1", 100 + index, "10.0.0.1"),
      })),
      seen: times(15, (index) => ({
        at: 9 * DAY + index * 9 * MINUTE,
        src: `10.0.0.${150 + index} 68`,
        dst: "10.0.0.66 67",
        proto: "udp",
        facts: dhcp("10.0.0.66", 150 + index, "10.0.0.66"),
      })),
    },
  ];
}

export function others(long: boolean): AttackScenario[] {
  const certificate = long ? `CN=${"C".repeat(120)},O=${"O".repeat(120)}` : "CN=srv.test,O=Home";
  const listed = long ? serverName(true) : "evil.example.org";
  const signature = `ET MALWARE Emotet CnC Beacon ${
    long ? "with a description of the family ".repeat(5) : ""
  }`;
  return [
    {
      name: "a self-signed certificate",
      models: ["certificate"],
      seen: times(100, (index) => ({
        at: index * 80,
        src: from(index),
        dst: `${OUTSIDE} 443`,
        facts: tlsFacts({ version: "TLS 1.2", established: true, subject: certificate, issuer: certificate }),
      })),
    },
    {
      name: "TLS without a name on an odd port",
      models: ["tls-rarity"],
      seen: times(60, (index) => ({
        at: index * 2 * MINUTE,
        src: from(index),
        dst: `${OUTSIDE} 7777`,
        facts: tlsFacts({ version: "TLS 1.2", established: true, ja3: "51c64c77e60f3980eea90869b68c58a8" }),
      })),
    },
    {
      name: "a program fetched from an address",
      models: ["tls-rarity"],
      seen: times(8, (index) => ({
        at: index * 15 * MINUTE,
        src: from(index),
        dst: `${OUTSIDE} 80`,
        facts: http({
          host: OUTSIDE,
          uri: `/${long ? "a".repeat(300) : "a"}.png`,
          userAgent: "Microsoft BITS/7.5 PowerShell",
          contentType: "application/x-dosexec",
        }),
      })),
    },
    {
      name: "an unknown user agent",
      models: ["tls-rarity"],
      seen: times(40, (index) => ({
        at: index * 3 * MINUTE,
        src: from(index),
        dst: `198.51.100.20 80`,
        facts: http({
          host: serverName(long),
          userAgent: long ? `Agent${"X".repeat(300)}/1.0` : "Agent/1.0",
        }),
      })),
    },
    {
      name: "contact with a listed address",
      models: ["threat-intel"],
      seen: times(60, (index) => ({
        at: index * 2 * MINUTE,
        src: from(index),
        dst: `${OUTSIDE} 443`,
        ...ANSWERED,
        hits: [hit({ indicator: OUTSIDE })],
      })),
    },
    {
      name: "lookups of a listed name",
      models: ["threat-intel"],
      seen: times(60, (index) => ({
        at: index * 2 * MINUTE,
        src: from(index),
        dst: `${RESOLVER} 53`,
        proto: "udp",
        facts: dns(listed),
        hits: [
          hit({
            indicator: listed,
            kind: "domain",
            exact: false,
            list: long ? `${"list".repeat(20)}.csv` : "names.csv",
          }, ["dns_query"]),
        ],
      })),
    },
    {
      name: "listed visitors",
      models: ["threat-intel"],
      seen: times(30, (index) => ({
        at: index * 4 * MINUTE,
        src: `198.51.100.${index + 1} 40000`,
        dst: `${VICTIM} 3389`,
        out: [500, 6],
        in: [300_000, 80],
        hits: [hit({ indicator: `198.51.100.${index + 1}` })],
      })),
    },
    {
      name: "alerts about malware",
      models: ["signature-alert"],
      seen: times(40, (index) => ({
        at: index * 3 * MINUTE,
        src: from(index),
        dst: `${OUTSIDE} 443`,
        facts: alert(signature, "A Network Trojan was detected"),
      })),
    },
    {
      name: "a memory leak",
      models: ["sensor-anomaly"],
      seen: times(12, (index) => ({
        at: index * 10 * MINUTE,
        src: "203.0.113.9 443",
        dst: `${VICTIM} ${5000 + index}`,
        facts: {
          type: "anomaly",
          anomalyType: "applayer",
          event: "DATALEAK_HEARTBEAT_MISMATCH",
          layer: "proto_parser",
          appProto: "tls",
        },
      })),
    },
    {
      name: "many new devices",
      models: ["new-device"],
      seen: times(40, (index) => ({
        at: index * 3 * MINUTE,
        src: `10.0.5.${index + 1} 40000`,
        dst: `${OUTSIDE} 443`,
        firstOf: `10.0.5.${index + 1}`,
      })),
    },
  ];
}
