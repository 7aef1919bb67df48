// Attacks that show only in a network with a history: what is new, unusual or rare there.

import { ack } from "../office/machines.ts";
import { HOUR } from "../office/roster.ts";
import { named } from "../traffic.ts";
import type { Attack } from "./attack.ts";

/** Attacks that are known by what is new in a network with a history. */
export const LATE_ACTIONS: readonly Attack[] = [
  {
    id: "unusual-hour",
    text: "700 MB to the common cloud storage within an hour at night.",
    technique: "T1567.002",
    detectors: ["exfiltration"],
    write: ({ traffic, random, ip, midnight }) => {
      const files = named("files.worksuite.example");
      for (let i = 0; i < 14; i++) {
        const at = midnight + 26 * HOUR + i * 200;
        traffic.exchange(ip, files, {
          at,
          seconds: 90,
          out: random.logNormal(50e6, 0.2),
          in: 40_000,
          program: "sync",
        });
      }
    },
  },
  {
    id: "upload-to-new-name",
    text: "400 MB to a file service that nobody here used before.",
    technique: "T1567.002",
    detectors: ["exfiltration"],
    peers: ["up.sharehost.example"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 8; i++) {
        const session = { at: midnight + 14 * HOUR + i * 400, seconds: 120, out: 50e6, in: 90_000 };
        traffic.exchange(ip, named("up.sharehost.example"), session);
      }
    },
  },
  {
    id: "first-remote-control",
    text: "A workstation controls a colleague's by RDP for the first time, for an hour.",
    technique: "T1021.001",
    detectors: ["lateral-movement"],
    write: ({ traffic, ip, midnight, roster }) => {
      const flow = {
        at: midnight + 19 * HOUR,
        seconds: 3600,
        src: ip,
        dst: roster.people.at(-1)!.ip,
        dport: 3389,
      };
      traffic.conn({ ...flow, out: 2e6, in: 30e6, service: "rdp" });
    },
  },
  ...([["new-machine", "10.20.1.200"], ["new-machine-elsewhere", "10.20.9.66"]] as const).map((
    [id, ip],
  ): Attack => ({
    id,
    text: `An unknown machine, ${ip}, appears.`,
    technique: "T1200",
    detectors: ["new-device"],
    device: () => ip,
    write: ({ traffic, random, midnight }) => {
      for (let i = 0; i < 30; i++) {
        traffic.exchange(ip, named(`www.popular-${i}.com.example`), {
          at: midnight + 10 * HOUR + i * random.between(30, 90),
          out: 900,
          in: 9000,
        });
      }
    },
  })),
  ...([["rogue-dhcp-router", { routers: ["10.20.1.210"] }], ["rogue-dhcp-resolver", {
    dns_servers: ["10.20.1.211"],
  }]] as const)
    .map(([id, change], index): Attack => ({
      id,
      text: `A computer starts to serve DHCP and announces itself as ${index === 0 ? "router" : "resolver"}.`,
      technique: "T1557.003",
      detectors: ["rogue-dhcp"],
      write: ({ traffic, ip, midnight, roster }) => {
        for (const [place, { ip: client }] of roster.people.slice(0, 8).entries()) {
          const at = midnight + (9 + index * 3) * HOUR + place * 200;
          const own = Object.fromEntries(Object.keys(change).map((name) => [name, [ip]]));
          traffic.conn({
            at,
            src: client,
            sport: 68,
            dst: ip,
            dport: 67,
            proto: "udp",
            out: 300,
            in: 320,
            service: "dhcp",
          });
          traffic.eve(
            "dhcp",
            { at, src: ip, sport: 67, dst: client, dport: 68, proto: "UDP" },
            ack(client, place, own),
          );
        }
      },
    })),
  {
    id: "rogue-resolver",
    text: "A computer starts to resolve names for nine others.",
    technique: "T1557",
    detectors: ["rogue-dns"],
    write: ({ traffic, random, ip, midnight, roster }) => {
      for (const { ip: client } of roster.people.slice(0, 9)) {
        for (let i = 0; i < 20; i++) {
          const host = named(`www.popular-${random.int(0, 59)}.com.example`);
          const at = midnight + 10 * HOUR + random.between(0, 5 * HOUR);
          traffic.lookup(client, at, { name: host.name!, answers: [host.ip], resolver: ip });
        }
      }
    },
  },
  {
    id: "outside-resolver",
    text: "A computer starts to resolve names at an unknown server outside.",
    technique: "T1071.004",
    detectors: ["rogue-dns"],
    peers: ["192.0.2.53"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 200; i++) {
        const host = named(`www.popular-${random.int(0, 59)}.com.example`);
        const at = midnight + 9 * HOUR + random.between(0, 8 * HOUR);
        traffic.lookup(ip, at, { name: host.name!, answers: [host.ip], resolver: "192.0.2.53" });
      }
    },
  },
];
