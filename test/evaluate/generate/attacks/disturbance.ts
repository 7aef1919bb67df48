// Masses of traffic that disturb others: floods and unsolicited mail.

import { HOUR, MAIL_SERVER, RECORDER } from "../office/roster.ts";
import { named } from "../traffic.ts";
import type { Attack, AttackContext } from "./attack.ts";

/** Floods of one record per connection, at the rates of real ones, for as long as it takes to recognise them. */
const FLOODS: readonly Attack[] = [
  {
    id: "syn-flood-inside",
    text: "Empty TCP connections to one port of the mail server from 7,000 addresses outside, 39 per second.",
    technique: "T1499.001",
    detectors: ["flood"],
    device: () => MAIL_SERVER,
    peers: [MAIL_SERVER],
    write: ({ traffic, random, midnight }) => {
      for (let i = 0; i < 7000; i++) {
        const src = `198.19.${64 + (i >> 7)}.${1 + i % 128}`;
        const flow = { at: midnight + 13 * HOUR + i / 39, seconds: 0, src, sport: random.int(1024, 65_000) };
        traffic.conn({ ...flow, dst: MAIL_SERVER, dport: 443, out: 0, in: 0, packets: [1, 0], state: "S0" });
      }
    },
  },
  {
    id: "empty-records",
    text: "4,000 TCP records of no packet or one to one outside host within 9 s.",
    technique: "T1499.001",
    detectors: ["flood"],
    peers: ["192.0.2.92"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 4000; i++) {
        const flow = { at: midnight + 13.5 * HOUR + i / 467, seconds: 0, src: ip, sport: 1024 + i };
        const empty = { out: 0, in: 0, packets: [i % 2, 0] as const, state: "S0" };
        traffic.conn({ ...flow, ...empty, dst: "192.0.2.92", dport: 80 });
      }
    },
  },
  {
    id: "udp-flood-inside",
    text:
      "25,000 UDP packets of 1,472 bytes from outside to one port of the recorder in a minute, none answered.",
    technique: "T1498.001",
    detectors: ["flood"],
    device: () => RECORDER,
    peers: [RECORDER],
    write: ({ traffic, random, midnight }) => {
      for (let i = 0; i < 5000; i++) {
        const flow = { at: midnight + 14 * HOUR + i / 80, seconds: 0.01, src: "192.0.2.93" };
        const packets = { out: 5 * 1472, in: 0, packets: [5, 0] as const, proto: "udp" as const };
        traffic.conn({ ...flow, ...packets, sport: random.int(1024, 65_000), dst: RECORDER, dport: 7000 });
      }
    },
  },
];

export const DISTURBANCE: readonly Attack[] = [
  ...FLOODS,
  {
    id: "udp-flood",
    text: "Three million UDP packets to random ports of one outside host in 20 minutes.",
    technique: "T1498.001",
    detectors: ["flood"],
    peers: ["192.0.2.90"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 300; i++) {
        const flow = {
          at: midnight + 13 * HOUR + i * 4,
          seconds: 4,
          src: ip,
          dst: "192.0.2.90",
          dport: random.int(1024, 60_000),
        };
        traffic.conn({ ...flow, proto: "udp", out: 10_000 * 512, in: 0, packets: [10_000, 0] });
      }
    },
  },
  {
    id: "icmp-flood",
    text: "Four million pings to one outside host in half an hour, none answered.",
    technique: "T1498.001",
    detectors: ["flood"],
    peers: ["192.0.2.91"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 30; i++) {
        const flow = {
          at: midnight + 13 * HOUR + i * 60,
          seconds: 59,
          src: ip,
          sport: 8,
          dst: "192.0.2.91",
          dport: 0,
        };
        traffic.conn({ ...flow, proto: "icmp", out: 130_000 * 1000, in: 0, packets: [130_000, 0] });
      }
    },
  },
  {
    id: "spam",
    text: "Mail to 220 servers within three hours.",
    technique: "T1071.003",
    detectors: ["mass-mail"],
    write: (context) => spam(context, 220, 3),
  },
  {
    id: "slow-spam",
    text: "Mail to 60 servers within nine hours.",
    technique: "T1071.003",
    detectors: ["mass-mail"],
    write: (context) => spam(context, 60, 9),
  },
];

function spam({ traffic, random, ip, midnight }: AttackContext, servers: number, hours: number): void {
  for (let i = 0; i < servers; i++) {
    const at = midnight + 9 * HOUR + (i + random.next()) * hours * HOUR / servers;
    const flow = { at, seconds: 2, src: ip, dst: named(`mx.victim-${i}.example`).ip, dport: 25 };
    traffic.conn({ ...flow, out: random.logNormal(3000, 0.4), in: 900, service: "smtp" });
  }
}
