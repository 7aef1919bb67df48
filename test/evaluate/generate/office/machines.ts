// What servers, printers, cameras, telephones and other things do on a day, whether or not anybody is at work.

import { every, type Random } from "../random.ts";
import { named, type Traffic } from "../traffic.ts";
import {
  BEGIN,
  DAY,
  DHCP_SPARE,
  DOMAIN_CONTROLLER,
  FILE_SERVER,
  GATEWAY,
  HOUR,
  isWeekend,
  MAIL_SERVER,
  MONITORING,
  RECORDER,
  type Roster,
  SERVERS,
  STORAGE,
} from "./roster.ts";

const BACKUP = named("s3.vaultcloud.example");
const PRINTER_CLOUD = named("connect.printmaker.example");
const PUSH = named("push.phonemaker.example");
const APPS = Array.from({ length: 20 }, (_, i) => named(`api.app-${i}.example`));
const SIP_PROVIDER = "198.19.5.60";
const CAMERA_CLOUD = ["198.19.6.10", "198.19.6.11", "198.19.6.12"] as const;
const MAIL_PEERS = Array.from({ length: 60 }, (_, i) => named(`mx.partner-${i}.example`));
/** An address and a name that threat intelligence lists. */
export const LISTED = { ip: "192.0.2.120", name: "drop.listed-name.example" };
const SELF_SIGNED_MX = named("mx.small-shop.example");

export function machinesDay(traffic: Traffic, random: Random, roster: Roster, day: number): void {
  const from = BEGIN + day * DAY;
  const span = { from, to: from + DAY };
  servers(traffic, random.fork("servers"), roster, span, day);
  monitoring(traffic, random.fork("monitoring"), roster, span);
  dhcp(traffic, random.fork("dhcp"), roster, span, day);
  mail(traffic, random.fork("mail"), span, day);
  for (const ip of roster.printers) printer(traffic, random.fork(ip), ip, span);
  for (const ip of roster.cameras) camera(traffic, random.fork(ip), ip, span);
  for (const ip of roster.deskPhones) deskPhone(traffic, random.fork(ip), ip, span, isWeekend(day));
  for (const [index, ip] of roster.phones.entries()) {
    const atWork = !isWeekend(day) && day !== (index + 3) % 5;
    if (atWork) mobile(traffic, random.fork(ip), ip, { from: from + 8 * HOUR, to: from + 17.5 * HOUR });
  }
  things(traffic, random.fork("things"), roster.things, span);
  if (!isWeekend(day)) guests(traffic, random.fork("guests"), from, day);
}

interface Span {
  from: number;
  to: number;
}

/** Backups at night, replication, and the help desk. */
function servers(traffic: Traffic, random: Random, { people }: Roster, { from }: Span, day: number): void {
  const night = from + 1 * HOUR + random.between(0, 300);
  const grown = random.logNormal(9e9, 0.15);
  traffic.conn({
    at: night,
    src: FILE_SERVER,
    dst: STORAGE,
    dport: 445,
    out: grown,
    in: 6e6,
    seconds: 2200,
    service: "smb",
  });
  // The storage copies the day's changes to the cloud: 16 connections of hundreds of megabytes.
  for (let part = 0; part < 16; part++) {
    const bytes = random.logNormal(450e6, 0.3);
    traffic.exchange(STORAGE, BACKUP, {
      at: night + HOUR + part * 200,
      seconds: 190,
      out: bytes,
      in: 90_000,
      program: "backup",
    });
  }
  for (const at of every(random, { from: from + 40, to: from + DAY, period: 1800, jitter: 0.1 })) {
    traffic.exchange(DOMAIN_CONTROLLER, named("telemetry.os-vendor.example"), {
      at,
      out: 2000,
      in: 900,
      program: "os",
    });
    traffic.conn({
      at: at + 3,
      src: FILE_SERVER,
      dst: DOMAIN_CONTROLLER,
      dport: 389,
      out: 1500,
      in: 5000,
      service: "ldap",
    });
  }
  if (isWeekend(day) || people.length < 10) return;
  // The help desk is the administrator's computer: servers every day, a colleague's computer on most days.
  const admin = people[9]!.ip;
  if (people[9]!.away.has(day)) return;
  const control = (dst: string, dport: number, hour: number, seconds: number) => {
    const service = dport === 3389 ? "rdp" : dport === 22 ? "ssh" : "http";
    traffic.conn({ at: from + hour * HOUR, src: admin, dst, dport, out: 300_000, in: 4e6, seconds, service });
  };
  for (const [index, dst] of [DOMAIN_CONTROLLER, FILE_SERVER, STORAGE].entries()) {
    control(dst, dst === STORAGE ? 22 : 3389, 9 + index * 1.5 + random.between(0, 1), 900);
  }
  if (random.chance(0.7)) control(random.pick(people).ip, 3389, 14 + random.between(0, 2), 1200);
}

/** Pings and polls the machines that are always on. */
function monitoring(traffic: Traffic, random: Random, roster: Roster, { from, to }: Span): void {
  const watched = [
    ...SERVERS.filter((ip) => ip !== MONITORING),
    ...roster.printers,
    ...roster.cameras,
    GATEWAY,
  ];
  for (const [index, dst] of watched.entries()) {
    for (const at of every(random, { from: from + index * 3, to, period: 1800 })) {
      const ping = { at, src: MONITORING, sport: 8, dst, dport: 0, proto: "icmp" as const };
      traffic.conn({ ...ping, out: 224, in: 224, seconds: 3, packets: [4, 4] });
      const snmp = { at: at + 1, src: MONITORING, dst, dport: 161, proto: "udp" as const };
      traffic.conn({ ...snmp, out: 900, in: 2100, packets: [12, 12], service: "snmp" });
    }
  }
  // It checks that SSH answers, without logging on.
  for (const at of every(random, { from: from + 20, to, period: 900 })) {
    traffic.ssh({ at, seconds: 0.3, src: MONITORING, dst: STORAGE, dport: 22, out: 760, in: 1900 }, {
      success: null,
    });
  }
}

function dhcp(
  traffic: Traffic,
  random: Random,
  { people, phones }: Roster,
  { from }: Span,
  day: number,
): void {
  const clients = [...people.filter(({ since }) => since <= day).map(({ ip }) => ip), ...phones];
  for (const [index, ip] of clients.entries()) {
    if (isWeekend(day) && index % 6 > 0) continue;
    const at = from + 7.5 * HOUR + random.between(0, 5400);
    const server = index % 10 === 9 ? DHCP_SPARE : GATEWAY;
    traffic.conn({
      at,
      src: ip,
      sport: 68,
      dst: server,
      dport: 67,
      proto: "udp",
      out: 300,
      in: 320,
      service: "dhcp",
    });
    traffic.eve("dhcp", { at, src: server, sport: 67, dst: ip, dport: 68, proto: "UDP" }, ack(ip, index, {}));
  }
}

/** The acknowledgement of a lease with the office's own settings. */
export function ack(
  ip: string,
  index: number,
  change: { routers?: string[]; dns_servers?: string[] },
): object {
  return {
    type: "reply",
    id: index,
    client_mac: macOf(ip),
    assigned_ip: ip,
    dhcp_type: "ack",
    lease_time: 86_400,
    subnet_mask: "255.255.0.0",
    routers: [GATEWAY],
    dns_servers: [DOMAIN_CONTROLLER],
    ...change,
  };
}

function macOf(ip: string): string {
  return ["02", "00", ...ip.split(".").map((part) => Number(part).toString(16).padStart(2, "0"))].join(":");
}

/** The mail server delivers, receives, and asks block lists about senders. */
function mail(traffic: Traffic, random: Random, { from, to }: Span, day: number): void {
  const count = isWeekend(day) ? 40 : 160;
  for (let i = 0; i < count; i++) {
    const at = random.between(from + 300, to);
    const peer = MAIL_PEERS[random.rank(MAIL_PEERS.length)]!;
    const bytes = random.logNormal(40_000, 1.3);
    if (i % 2 === 0) {
      traffic.resolve(MAIL_SERVER, at, peer);
      traffic.conn({
        at,
        src: MAIL_SERVER,
        dst: peer.ip,
        dport: 25,
        out: bytes,
        in: 2000,
        seconds: 3,
        service: "smtp",
      });
      continue;
    }
    traffic.conn({
      at,
      src: peer.ip,
      dst: MAIL_SERVER,
      dport: 25,
      out: bytes,
      in: 2200,
      seconds: 3,
      service: "smtp",
    });
    const reversed = peer.ip.split(".").reverse().join(".");
    const listed = random.chance(0.1);
    traffic.lookup(MAIL_SERVER, at + 0.4, {
      name: `${reversed}.zen.blocklist.example`,
      answers: listed ? ["127.0.0.2"] : [],
      rcode: listed ? "NOERROR" : "NXDOMAIN",
    });
  }
  // A listed host is refused, and a listed name of a message is looked up but not contacted.
  const refused = {
    src: LISTED.ip,
    dst: MAIL_SERVER,
    dport: 25,
    out: 0,
    in: 0,
    state: "REJ",
    packets: [1, 1] as const,
  };
  traffic.conn({ ...refused, at: from + 9 * HOUR });
  if (day % 3 === 1) {
    traffic.lookup(MAIL_SERVER, from + 10 * HOUR, { name: LISTED.name, answers: [named(LISTED.name).ip] });
  }
  for (const at of every(random, { from: from + 500, to, period: 3 * HOUR, jitter: 0.4 })) {
    traffic.exchange(MAIL_SERVER, SELF_SIGNED_MX, {
      at,
      out: 9000,
      in: 2500,
      dport: 25,
      program: "mail server",
      tls: {
        serverName: undefined,
        subject: "CN=mx.small-shop.example",
        validation: "self signed certificate",
      },
    });
  }
}

function printer(traffic: Traffic, random: Random, ip: string, { from, to }: Span): void {
  for (
    const at of every(random, {
      from: from + random.between(0, 6 * HOUR),
      to,
      period: 6 * HOUR,
      jitter: 0.02,
    })
  ) {
    traffic.exchange(ip, PRINTER_CLOUD, { at, out: 4200, in: 6100, program: "printer" });
  }
  // Scans go to the file server.
  for (let i = random.int(0, 4); i > 0; i--) {
    const at = random.between(from + 8 * HOUR, from + 17 * HOUR);
    traffic.conn({
      at,
      src: ip,
      dst: FILE_SERVER,
      dport: 445,
      out: random.logNormal(2e6, 0.8),
      in: 9000,
      seconds: 9,
      service: "smb",
    });
  }
}

/** Streams to the recorder all day, and keeps a path to its maker's cloud open by address. */
function camera(traffic: Traffic, random: Random, ip: string, { from, to }: Span): void {
  for (const at of every(random, { from: from + 10, to: to - HOUR, period: HOUR })) {
    const flow = { at, seconds: 3590, src: ip, dst: RECORDER, dport: 8554, proto: "udp" as const };
    traffic.conn({ ...flow, out: 900e6, in: 0, packets: [680_000, 0] });
  }
  for (const dst of CAMERA_CLOUD) {
    for (let at = from + random.between(0, 600); at < to - 600;) {
      const seconds = Math.min(random.logNormal(6 * HOUR, 0.5), to - at - 60);
      const beats = Math.round(seconds / 25);
      const flow = { at, seconds, src: ip, dst, dport: 32_100, proto: "udp" as const };
      traffic.conn({ ...flow, out: beats * 48, in: beats * 48, packets: [beats, beats] });
      at += seconds + random.between(5, 60);
    }
  }
}

/** Registers with the provider, and calls. */
function deskPhone(traffic: Traffic, random: Random, ip: string, { from, to }: Span, weekend: boolean): void {
  for (const at of every(random, { from: from + random.between(0, 600), to, period: 600, jitter: 0.02 })) {
    const flow = { at, src: ip, sport: 5060, dst: SIP_PROVIDER, dport: 5060, proto: "udp" as const };
    traffic.conn({ ...flow, out: 640, in: 480, packets: [1, 1], service: "sip" });
  }
  for (let i = weekend ? 0 : random.int(2, 8); i > 0; i--) {
    const at = random.between(from + 8 * HOUR, from + 17 * HOUR);
    const seconds = random.logNormal(180, 0.8);
    const flow = {
      at,
      seconds,
      src: ip,
      dst: "198.19.5.61",
      dport: random.int(10_000, 20_000),
      proto: "udp" as const,
    };
    traffic.conn({
      ...flow,
      out: seconds * 10_000,
      in: seconds * 10_000,
      packets: [seconds * 50 | 0, seconds * 50 | 0],
    });
  }
}

/** Telephones keep a connection for messages, and their programs poll. */
function mobile(traffic: Traffic, random: Random, ip: string, { from, to }: Span): void {
  for (let at = from + random.between(0, 1200); at < to;) {
    const seconds = Math.min(random.logNormal(2.5 * HOUR, 0.5), to - at);
    traffic.exchange(ip, PUSH, { at, seconds, out: 9000, in: 22_000, dport: 5223, program: "phone push" });
    at += seconds + random.between(2, 90);
  }
  for (let i = random.int(15, 40); i > 0; i--) {
    const at = random.between(from, to);
    const host = APPS[random.rank(APPS.length)]!;
    traffic.exchange(ip, host, {
      at,
      out: random.logNormal(1500, 0.6),
      in: random.logNormal(9000, 1),
      program: "phone app",
    });
  }
}

/** Television, thermostat, badge reader, sensor hub. */
function things(traffic: Traffic, random: Random, [tv, thermostat, badge, hub]: string[], span: Span): void {
  const { from, to } = span;
  if (tv !== undefined) {
    for (const at of every(random, { from: from + 30, to, period: 300, jitter: 0.1 })) {
      traffic.exchange(tv, named("log.tvmaker.example"), {
        at,
        out: random.logNormal(1800, 0.3),
        in: 500,
        program: "tv",
      });
    }
  }
  if (thermostat !== undefined) {
    traffic.exchange(thermostat, named("mqtt.homeclimate.example"), {
      at: from + 60,
      seconds: DAY - 200,
      out: 400_000,
      in: 300_000,
      dport: 8883,
      program: "thermostat",
    });
  }
  if (badge !== undefined) {
    for (const at of every(random, { from: from + 5, to, period: 120, jitter: 0.01 })) {
      traffic.exchange(badge, named("door.badgecloud.example"), {
        at,
        out: 812,
        in: 640,
        program: "badge reader",
      });
    }
  }
  if (hub !== undefined) {
    // It polls its maker by a bare address: common in cheap devices.
    for (const at of every(random, { from: from + 9, to, period: 900, jitter: 0.02 })) {
      const request = { method: "POST", uri: "/v1/report", agent: "esp-idf/1.0", out: 300, in: 40 };
      traffic.exchange(hub, { ip: "198.19.9.9", name: "up.sensorhub.example" }, {
        at,
        out: 620,
        in: 300,
        http: [request],
      });
    }
  }
}

/** One to three visitors on most days, with telephones that nobody knows. */
function guests(traffic: Traffic, random: Random, from: number, day: number): void {
  for (let i = random.int(0, 3); i > 0; i--) {
    const at = from + random.between(9 * HOUR, 13 * HOUR);
    mobile(traffic, random.fork(`guest ${i}`), `10.20.7.${20 + day * 5 + i}`, {
      from: at,
      to: at + 3 * HOUR,
    });
  }
}
