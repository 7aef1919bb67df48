// Command and control: callbacks of implants, long connections, DNS.

import { every, type Random } from "../random.ts";
import { DAY, HOUR } from "../office/roster.ts";
import { type Host, named, type Traffic } from "../traffic.ts";
import type { Attack } from "./attack.ts";

const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0";

/** When a callback follows the one before it, in seconds: `share` is the jitter from 0 to 1. */
type Sleep = (random: Random, period: number, share: number) => number;

/** Sliver adds up to the jitter to the interval; Mythic's agents take it off or add it; the third only takes it off. */
const added: Sleep = (random, period, share) => period * (1 + share * random.next());
const either: Sleep = (random, period, share) => period * (1 + share * random.between(-1, 1));
const taken: Sleep = (random, period, share) => period * (1 - share * random.next());

interface Callbacks {
  traffic: Traffic;
  random: Random;
  ip: string;
  from: number;
  to: number;
}

/** A session with the server per callback; a few of them return a task and send its result. */
function call(
  { traffic, random, ip, from, to }: Callbacks,
  hostOf: () => Host,
  { period, jitter, sleep, dport = 443, program, http }: {
    period: number;
    jitter: number;
    sleep: Sleep;
    dport?: number;
    program: string;
    http?: { method: string; uri: string; agent: string };
  },
): void {
  for (let at = from; at < to; at += Math.max(0.5, sleep(random, period, jitter / 100))) {
    const tasked = random.chance(0.02);
    const out = tasked ? random.logNormal(20_000, 1) : random.between(560, 700);
    const back = tasked ? random.logNormal(4000, 1) : random.between(380, 460);
    const host = hostOf();
    const exchange = { at, seconds: random.between(0.2, 0.6), out, in: back, dport, program };
    if (http === undefined) traffic.exchange(ip, host, exchange);
    else traffic.exchange(ip, host, { ...exchange, http: [{ ...http, out: out - 300, in: back - 200 }] });
  }
}

/** Implants like Sliver's: HTTPS to a bare address every minute for two days, with different jitter. */
const SLIVER: readonly Attack[] = [0, 10, 25, 50, 70, 90].map((jitter, index) => {
  const peer = `203.0.113.${10 + index}`;
  return {
    id: `sliver-jitter-${jitter}`,
    text: `HTTPS to a bare address every 60 s and up to ${jitter} % later, for two days, as Sliver does it.`,
    technique: "T1071.001",
    detectors: ["beacon", "beacon-name", "tls-rarity", "certificate"],
    peers: [peer],
    jitter,
    write: ({ traffic, random, ip, midnight }) => {
      const span = { traffic, random, ip, from: midnight + 10 * HOUR, to: midnight + 58 * HOUR };
      call(span, () => ({ ip: peer }), { period: 60, jitter, sleep: added, program: "implant in Go" });
    },
  };
});

/** Slower ones over three days, also while the machine is in use only. */
const SLOW_SLIVER: readonly Attack[] = [20, 50].map((jitter, index) => {
  const peer = `203.0.113.${20 + index}`;
  return {
    id: `sliver-slow-jitter-${jitter}`,
    text: `HTTPS to a bare address every 10 minutes and up to ${jitter} % later, for three days of work.`,
    technique: "T1071.001",
    detectors: ["beacon", "beacon-name", "tls-rarity", "certificate"],
    peers: [peer],
    jitter,
    write: ({ traffic, random, ip, midnight }) => {
      for (let day = 0; day < 3; day++) {
        const from = midnight + day * DAY + 8.5 * HOUR;
        const span = { traffic, random, ip, from, to: from + 9 * HOUR };
        call(span, () => ({ ip: peer }), {
          period: 600,
          jitter,
          sleep: added,
          dport: 8443,
          program: "implant in Go",
        });
      }
    },
  };
});

/** Agents like Mythic's: HTTP posts to a name that nobody here used before, at many addresses of a content network. */
const MYTHIC: readonly Attack[] = [0, 20, 35, 50, 70, 90].map((jitter, index) => {
  const addresses = Array.from({ length: 8 }, (_, place) => `198.51.100.${10 + index * 8 + place}`);
  const name = `cdn.static-assets-${index + 1}.example`;
  const http = { method: "POST", uri: "/data", agent: AGENT };
  return {
    id: `mythic-jitter-${jitter}`,
    text:
      `HTTP to a name with eight addresses that is new here, every 90 s, ${jitter} % sooner or later, for a day.`,
    technique: "T1071.001",
    detectors: ["beacon-name", "beacon"],
    peers: [name, ...addresses],
    jitter,
    write: ({ traffic, random, ip, midnight }) => {
      const span = { traffic, random, ip, from: midnight + 9.5 * HOUR, to: midnight + 34 * HOUR };
      const host = () => ({ name, ip: random.pick(addresses), addresses });
      call(span, host, { period: 90, jitter, sleep: either, dport: 80, program: "agent", http });
    },
  };
});

/** A name at one address over HTTPS, with jitter that only shortens the sleep. */
const MALLEABLE: readonly Attack[] = [15, 45].map((jitter, index) => {
  const host = { name: `api.metrics-relay-${index + 1}.example`, ip: `198.51.100.${100 + index}` };
  return {
    id: `malleable-jitter-${jitter}`,
    text: `HTTPS to a name that is new here every 5 minutes, up to ${jitter} % sooner, for a day.`,
    technique: "T1071.001",
    detectors: ["beacon", "beacon-name"],
    peers: [host.name, host.ip],
    jitter,
    write: ({ traffic, random, ip, midnight }) => {
      const span = { traffic, random, ip, from: midnight + 9 * HOUR, to: midnight + 34 * HOUR };
      call(span, () => host, { period: 300, jitter, sleep: taken, program: "browser" });
    },
  };
});

/** Requests inside connections that stay open. */
const KEPT_ALIVE: readonly Attack[] = [0, 30].map((jitter, index) => {
  const peer = `203.0.113.${30 + index}`;
  return {
    id: `kept-alive-jitter-${jitter}`,
    text:
      `An HTTP post every 20 s, ${jitter} % sooner or later, in connections that stay open for half an hour.`,
    technique: "T1071.001",
    detectors: ["beacon-name", "tls-rarity", "unexpected-protocol"],
    peers: [peer],
    jitter,
    write: ({ traffic, random, ip, midnight }) => {
      for (let part = 0; part < 3; part++) {
        const requests = [...every(random, { from: 1, to: 1790, period: 20, jitter: jitter / 100 })]
          .map((after) => ({ after, method: "POST", uri: "/sync", agent: AGENT, out: 210, in: 90 }));
        traffic.exchange(ip, { ip: peer }, {
          at: midnight + 10 * HOUR + part * 1800,
          seconds: 1795,
          out: requests.length * 520,
          in: requests.length * 330,
          http: requests,
        });
      }
    },
  };
});

/** DNS tunnels at slow rates, through the site's resolver. */
const TUNNELS: readonly Attack[] = ([
  ["TXT", 45, 30, (random: Random) => [`TXT 60 ${random.text(60)}`]],
  ["NULL", 30, 48, () => []],
  ["A", 90, 20, (random: Random) => [`203.0.113.${random.int(150, 250)}`]],
] as const).map(([type, period, length, answers]) => {
  const domain = `t-${type.toLowerCase()}.relay-zone.example`.replace(
    "relay-zone",
    `relay-${type.toLowerCase()}`,
  );
  return {
    id: `dns-tunnel-${type.toLowerCase()}`,
    text:
      `A name with ${length} characters of data below ${domain} about every ${period} s for eight hours, type ${type}.`,
    technique: "T1071.004",
    detectors: ["dns-tunnel"],
    peers: [domain, domain.split(".").slice(1).join(".")],
    write: ({ traffic, random, ip, midnight }) => {
      const span = { from: midnight + 9 * HOUR, to: midnight + 17 * HOUR, period, jitter: 0.4 };
      for (const at of every(random, span)) {
        const name = `${random.text(length, "abcdefghijklmnopqrstuvwxyz234567")}.${domain}`;
        traffic.lookup(ip, at, { name, type, answers: answers(random) });
      }
    },
  };
});

/** Sessions that stay open. */
const LONG: readonly Attack[] = [
  {
    id: "reverse-shell",
    text: "One connection of an unrecognised protocol to a bare address on port 9001, open for nine hours.",
    technique: "T1571",
    detectors: ["long-connection", "unexpected-protocol"],
    peers: ["192.0.2.40"],
    write: ({ traffic, ip, midnight }) => {
      const flow = {
        src: ip,
        dst: "192.0.2.40",
        dport: 9001,
        out: 800_000,
        in: 240_000,
        packets: [6000, 5400] as const,
      };
      traffic.conn({ ...flow, at: midnight + 9 * HOUR, seconds: 9 * HOUR });
    },
  },
  {
    id: "tunnel-reopened",
    text:
      "A tunnel to port 7443 of a bare address, open for a day, reopened whenever it ends after about two hours.",
    technique: "T1572",
    detectors: ["long-connection", "unexpected-protocol", "beacon"],
    peers: ["192.0.2.41"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let at = midnight + 8 * HOUR; at < midnight + 32 * HOUR;) {
        const seconds = random.between(1.5 * HOUR, 2.5 * HOUR);
        const flow = { at, seconds, src: ip, dst: "192.0.2.41", dport: 7443 };
        traffic.conn({ ...flow, out: 3e6, in: 5e6, packets: [9000, 11_000] });
        at += seconds + random.between(2, 20);
      }
    },
  },
];

/** TLS that gives itself away, and protocols where they do not belong. */
const TRANSPORT: readonly Attack[] = [
  {
    id: "self-signed-pair",
    text: "TLS without a server name to two servers with one self-signed certificate, 60 sessions in a day.",
    technique: "T1573.002",
    detectors: ["certificate", "tls-rarity", "beacon"],
    peers: ["192.0.2.50", "192.0.2.51"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 60; i++) {
        traffic.exchange(ip, { ip: `192.0.2.${50 + i % 2}` }, {
          at: midnight + 9 * HOUR + random.between(0, 10 * HOUR),
          out: random.logNormal(1500, 0.6),
          in: random.logNormal(6000, 0.9),
          program: "implant in C",
          tls: { subject: "CN=localhost", validation: "self signed certificate" },
        });
      }
    },
  },
  {
    id: "random-names",
    text: "TLS to 40 relays whose server names and certificates are random letters.",
    technique: "T1090.003",
    detectors: ["certificate", "tls-rarity"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 40; i++) {
        const letters = () => random.text(random.int(10, 18), "abcdefghijklmnopqrstuvwxyz234567");
        traffic.exchange(ip, { ip: `198.19.20.${i + 1}` }, {
          at: midnight + 10 * HOUR + i * random.between(60, 200),
          seconds: random.between(60, 900),
          out: random.logNormal(30_000, 1),
          in: random.logNormal(80_000, 1),
          dport: random.pick([443, 9001, 443]),
          program: "onion client",
          tls: {
            serverName: `www.${letters()}.com`,
            subject: `CN=www.${letters()}.net`,
            issuer: `CN=www.${letters()}.com`,
            validation: "unable to get local issuer certificate",
          },
        });
      }
    },
  },
  {
    id: "irc-control",
    text: "Two sessions of IRC of half an hour on port 6667.",
    technique: "T1071",
    detectors: ["unexpected-protocol"],
    peers: ["192.0.2.60"],
    write: ({ traffic, ip, midnight }) => {
      for (const start of [10, 11]) {
        const flow = { at: midnight + start * HOUR, seconds: 1700, src: ip, dst: "192.0.2.60", dport: 6667 };
        traffic.conn({ ...flow, out: 3000, in: 9000, packets: [80, 90], service: "irc" });
      }
    },
  },
  {
    id: "ssh-on-https",
    text: "SSH on port 443 of a bare address, four sessions of an hour.",
    technique: "T1571",
    detectors: ["unexpected-protocol", "long-connection"],
    peers: ["192.0.2.61"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 4; i++) {
        const flow = {
          at: midnight + (9 + 2 * i) * HOUR,
          seconds: 3500,
          src: ip,
          dst: "192.0.2.61",
          dport: 443,
        };
        traffic.ssh({ ...flow, out: 400_000, in: 2e6 }, { success: true });
      }
    },
  },
  {
    id: "payload-then-nameless-tls",
    text: "An executable from a bare address, then 40 TLS sessions without a name to its port 8443.",
    technique: "T1105",
    detectors: ["tls-rarity", "unexpected-protocol", "beacon"],
    peers: ["192.0.2.70"],
    write: ({ traffic, random, ip, midnight }) => {
      const at = midnight + 10 * HOUR;
      const fetch = { uri: "/update.exe", agent: "curl/8.4.0", in: 900_000, mime: "application/x-dosexec" };
      traffic.exchange(ip, { ip: "192.0.2.70" }, { at, seconds: 3, out: 400, in: 900_000, http: [fetch] });
      for (let i = 0; i < 40; i++) {
        const session = { at: at + 20 + i * random.between(30, 90), out: 1400, in: 2600, dport: 8443 };
        traffic.exchange(ip, { ip: "192.0.2.70" }, { ...session, program: "stager" });
      }
    },
  },
  {
    id: "tools-from-address",
    text: "Two scripts and a program fetched by PowerShell from a bare address on port 8000.",
    technique: "T1105",
    detectors: ["tls-rarity", "unexpected-protocol"],
    peers: ["192.0.2.71"],
    write: ({ traffic, ip, midnight }) => {
      const agent = "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1";
      for (
        const [index, [uri, mime, bytes]] of ([
          ["/a.ps1", "text/plain", 12_000],
          ["/b.ps1", "text/plain", 30_000],
          ["/tool.exe", "application/x-dosexec", 1_300_000],
        ] as const).entries()
      ) {
        const fetch = { uri, agent, in: bytes, mime };
        const at = midnight + 11 * HOUR + index * 50;
        traffic.exchange(ip, { ip: "192.0.2.71" }, { at, out: 300, in: bytes, dport: 8000, http: [fetch] });
      }
    },
  },
];

/** Domains that a program generates. */
const GENERATED: readonly Attack[] = ([["fast", 400, 2], ["slow", 150, 9]] as const).map((
  [pace, count, hours],
) => ({
  id: `generated-domains-${pace}`,
  text: `${count} lookups of domains of random letters that do not exist, within ${hours} hours.`,
  technique: "T1568.002",
  detectors: ["dga"],
  write: ({ traffic, random, ip, midnight }) => {
    for (let i = 0; i < count; i++) {
      const name = `${random.text(random.int(11, 16), "abcdefghijklmnopqrstuvwxyz")}.${
        random.pick(["net", "info", "biz"])
      }`;
      const at = midnight + 9 * HOUR + (i + random.next()) * hours * HOUR / count;
      traffic.lookup(ip, at, { name, answers: [], rcode: "NXDOMAIN" });
    }
  },
}));

export const CONTROL: readonly Attack[] = [
  ...SLIVER,
  ...SLOW_SLIVER,
  ...KEPT_ALIVE,
  ...TUNNELS,
  ...LONG,
  ...TRANSPORT,
  ...GENERATED,
];

/** Attacks that are known by what is new in a network with a history. */
export const LATE_CONTROL: readonly Attack[] = [
  ...MYTHIC,
  ...MALLEABLE,
  {
    id: "rare-client",
    text:
      "A program with a TLS client of its own, 120 sessions in a day at random times to two names that are new here.",
    technique: "T1071.001",
    detectors: ["tls-rarity", "beacon-name"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 120; i++) {
        const host = named(`node-${i % 2}.quiet-harbour.example`);
        const at = midnight + 9 * HOUR + random.between(0, 9 * HOUR);
        const session = { at, out: random.logNormal(1800, 0.7), in: random.logNormal(5000, 1) };
        traffic.exchange(ip, host, { ...session, program: "implant in Nim" });
      }
    },
  },
];
