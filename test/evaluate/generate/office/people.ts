// What people and their computers do on a day at work.

import { every, type Random } from "../random.ts";
import { type Host, named, type Traffic } from "../traffic.ts";
import {
  BEGIN,
  DAY,
  DOMAIN_CONTROLLER,
  FILE_SERVER,
  HOUR,
  isWeekend,
  type Person,
  type Roster,
} from "./roster.ts";

const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36";
const POPULAR: readonly Host[] = Array.from({ length: 60 }, (_, i) => named(`www.popular-${i}.com.example`));
/** Sites that only some people visit, some of them new every day. */
const TAIL = 4000;
const SUITE = {
  mail: named("outlook.worksuite.example"),
  files: named("files.worksuite.example"),
  chat: named("chat.worksuite.example"),
  login: named("login.worksuite.example"),
  telemetry: named("events.worksuite.example"),
};
const UPDATES = named("update.os-vendor.example");
const CONTENT = named("dl.delivery.os-vendor.example");
const OS_EVENTS = named("telemetry.os-vendor.example");
const ANTIVIRUS = named("sig.guardsoft.example");
const CALL_SERVERS = Array.from({ length: 12 }, (_, i) => `198.19.8.${10 + i}`);
const CLOCK_SERVER = "198.19.0.123";
/** Patch day: the second Tuesday. */
const PATCH_DAY = 8;

interface WorkOptions {
  /** Page views of a person per day. */
  pages: number;
  day: number;
  roster: Roster;
}

export function personDay(traffic: Traffic, random: Random, person: Person, options: WorkOptions): void {
  const { day } = options;
  if (day < person.since) return;
  const midnight = BEGIN + day * DAY;
  const weekend = isWeekend(day);
  const works = !person.away.has(day) && (!weekend || random.chance(0.06));
  if (person.alwaysOn && !works) return background(traffic, random, person, midnight, midnight + DAY);
  if (!works) return;
  const from = midnight + person.from + random.normal(0, 900);
  const to = Math.min(midnight + person.to + random.normal(0, 1500), midnight + DAY - 600);
  const end = person.alwaysOn ? midnight + DAY : to + 300;
  background(traffic, random, person, person.alwaysOn ? midnight : from, end);
  logon(traffic, random, person, from);
  work(traffic, random, person, from, to, options);
  if (day === PATCH_DAY) patch(traffic, random, person, from + random.between(600, 4 * HOUR), options.roster);
}

/** What the machine does while it is on: update checks, virus signatures, telemetry, time, directory. */
function background(traffic: Traffic, random: Random, person: Person, from: number, to: number): void {
  const { ip } = person;
  const poll = (host: Host, period: number, program: string, sent: number, got: number) => {
    for (const at of every(random, { from: from + random.between(20, period), to, period, jitter: 0.08 })) {
      const out = random.logNormal(sent, 0.15);
      traffic.exchange(ip, host, { at, out, in: random.logNormal(got, 0.4), program });
    }
  };
  poll(OS_EVENTS, 1800, "os", 2400, 900);
  poll(ANTIVIRUS, HOUR, "antivirus", 900, 3000);
  poll(UPDATES, 8 * HOUR, "os", 3000, 20_000);
  for (const at of every(random, { from: from + random.between(5, 600), to, period: 4096, jitter: 0.05 })) {
    const flow = { at, src: ip, dst: CLOCK_SERVER, dport: 123, proto: "udp" as const };
    traffic.conn({ ...flow, sport: 123, out: 48, in: 48, service: "ntp" });
  }
  for (const at of every(random, { from: from + 60, to, period: 5700, jitter: 0.3 })) {
    const directory = { at, src: ip, dst: DOMAIN_CONTROLLER };
    traffic.conn({ ...directory, dport: 389, out: 1800, in: 6000, seconds: 0.6, service: "ldap" });
    traffic.conn({ ...directory, dport: 445, out: 5200, in: 11_000, seconds: 12, service: "gssapi,smb" });
  }
  // Antivirus asks for the reputation of files by DNS: names of hashes, answered with a verdict.
  for (const at of every(random, { from: from + random.between(60, 3000), to, period: 2400, jitter: 0.7 })) {
    const name = `${random.text(32, "0123456789abcdef")}.rep.guardsoft.example`;
    traffic.lookup(ip, at, { name, answers: ["127.0.0.4"] });
  }
}

function logon(traffic: Traffic, random: Random, { ip, user }: Person, at: number): void {
  const flow = { src: ip, dst: DOMAIN_CONTROLLER, dport: 88 };
  const exchange = (after: number, krb5: object) =>
    traffic.eve("krb5", { at: at + after, ...flow }, { realm: "OFFICE.EXAMPLE", ...krb5 });
  const strong = { encryption: "aes256-cts-hmac-sha1-96", weak_encryption: false };
  const strongTicket = { ticket_encryption: "aes256-cts-hmac-sha1-96", ticket_weak_encryption: false };
  // Some mistype their password in the morning.
  for (let i = 0; i < (random.chance(0.15) ? random.int(1, 4) : 0); i++) {
    exchange(i * 4, {
      msg_type: "KRB_ERROR",
      error_code: "KDC_ERR_PREAUTH_FAILED",
      sname: "krbtgt/OFFICE.EXAMPLE",
    });
  }
  traffic.conn({ at, ...flow, out: 1600, in: 1700, service: "krb" });
  exchange(20, { msg_type: "KRB_AS_REP", cname: user, sname: "krbtgt/OFFICE.EXAMPLE", ...strong });
  for (const [index, service] of ["cifs/files", "ldap/dc1", "host/dc1", "HTTP/intranet"].entries()) {
    exchange(21 + index, {
      msg_type: "KRB_TGS_REP",
      cname: user,
      sname: service,
      ...strong,
      ...strongTicket,
    });
  }
  // The browser tries whether the network answers names that do not exist.
  for (let i = 0; i < 3; i++) {
    const name = random.text(random.int(7, 15), "abcdefghijklmnopqrstuvwxyz");
    traffic.lookup(ip, at + 40 + i, { name: `${name}.office.internal`, answers: [], rcode: "NXDOMAIN" });
  }
}

function work(
  traffic: Traffic,
  random: Random,
  person: Person,
  from: number,
  to: number,
  { pages, roster }: WorkOptions,
): void {
  const { ip } = person;
  const hours = (to - from) / HOUR;
  for (let i = 0; i < pages; i++) page(traffic, random, ip, random.between(from, to));
  // Mail and chat keep a connection open until the network or the server ends it.
  for (const [host, program, median] of [[SUITE.mail, "mail", 1500], [SUITE.chat, "chat", 5400]] as const) {
    for (let at = from + random.between(20, 90); at < to;) {
      const seconds = Math.min(random.logNormal(median, 0.7), to - at + 60);
      const kilobytes = random.logNormal(60, 1);
      traffic.exchange(ip, host, { at, seconds, out: kilobytes * 300, in: kilobytes * 1000, program });
      at += seconds + random.between(1, 20);
    }
  }
  for (const at of every(random, { from, to, period: 1500, jitter: 0.5 })) {
    traffic.exchange(ip, random.pick([SUITE.login, SUITE.telemetry]), {
      at,
      out: 3500,
      in: 5000,
      program: "mail",
    });
  }
  // Synchronised files: many small ones, sometimes a presentation, rarely a film.
  for (let i = random.int(3, 9); i > 0; i--) {
    const at = random.between(from, to);
    const large = random.chance(0.02);
    const bytes = large ? random.between(150e6, 500e6) : random.logNormal(900_000, 1.4);
    traffic.exchange(ip, SUITE.files, {
      at,
      seconds: 2 + bytes / 4e6,
      out: bytes,
      in: 20_000,
      program: "sync",
    });
  }
  for (let i = 0; i < Math.round(hours / 2.5); i++) {
    if (random.chance(0.7)) call(traffic, random, ip, random.between(from, to - HOUR / 2));
  }
  fileServer(traffic, random, person, from, to);
  for (let i = random.int(0, 3); i > 0 && roster.printers.length > 0; i--) {
    const printer = random.pick(roster.printers);
    const bytes = random.logNormal(400_000, 1);
    traffic.conn({
      at: random.between(from, to),
      src: ip,
      dst: printer,
      dport: 9100,
      out: bytes,
      in: 300,
      seconds: 4,
    });
  }
  // A mistyped or dead link now and then.
  for (let i = random.int(0, 4); i > 0; i--) {
    const name = `www.popular-${random.int(0, 59)}${random.pick(["", "s", "n"])}.cm.example`;
    traffic.lookup(ip, random.between(from, to), { name, answers: [], rcode: "NXDOMAIN" });
  }
  ownHabits(traffic, random, person, from, to);
}

/** Habits of single people: the polling programs that only one of them uses. */
function ownHabits(traffic: Traffic, random: Random, { ip, index }: Person, from: number, to: number): void {
  const poll = (name: string, period: number, jitter: number, out: number, back: number, program: string) => {
    for (const at of every(random, { from: from + random.between(5, 60), to, period, jitter })) {
      traffic.exchange(ip, named(name), {
        at,
        out: random.logNormal(out, 0.05),
        in: random.logNormal(back, 0.3),
        program,
      });
    }
  };
  if (index === 0) poll("api.weather-widget.example", 900, 0.02, 700, 4000, "widget");
  if (index === 1) poll("ci.buildhouse.example", 30, 0.05, 1200, 1800, "developer tools");
  if (index === 2) poll("quotes.stockticker.example", 60, 0.02, 600, 2500, "ticker");
  if (index === 3) {
    for (const at of every(random, { from, to, period: 2 * HOUR, jitter: 0.4 })) {
      const out = random.logNormal(3e6, 0.6);
      traffic.ssh({
        at,
        seconds: 20,
        src: ip,
        dst: named("git.codehost.example").ip,
        dport: 22,
        out,
        in: 9000,
      }, {
        success: true,
      });
    }
    // Resolves at a public resolver, and has done so from the first day.
    for (const at of every(random, { from, to, period: 1200, jitter: 0.5 })) {
      const name = `www.popular-${random.int(0, 59)}.com.example`;
      traffic.lookup(ip, at, { name, answers: [named(name).ip], resolver: "198.19.1.1" });
    }
  }
  if (index === 4) {
    // A tunnel to a partner: one packet each way every 25 s, written by Zeek as one long flow.
    const flow = {
      at: from,
      seconds: to - from,
      src: ip,
      dst: "198.19.7.7",
      dport: 51_820,
      proto: "udp" as const,
    };
    traffic.conn({ ...flow, out: 2e6, in: 9e6, packets: [9000, 12_000] });
  }
  if (index === 6) {
    // A web radio: hours of one-sided reception.
    traffic.exchange(ip, named("stream.radio-am-morgen.example"), {
      at: from + 400,
      seconds: to - from - 900,
      out: 90_000,
      in: 300e6,
    });
  }
}

/** A page with what it loads from other hosts. */
function page(traffic: Traffic, random: Random, ip: string, at: number): void {
  const site = random.chance(0.75)
    ? POPULAR[random.rank(POPULAR.length)]!
    : named(`www.site-${random.rank(TAIL)}.example`);
  const hosts = [
    site,
    ...Array.from({ length: random.int(0, 4) }, () => POPULAR[random.rank(POPULAR.length)]!),
  ];
  for (const [index, host] of hosts.entries()) {
    const start = at + index * random.between(0.05, 0.6);
    const back = random.logNormal(40_000, 1.3);
    const seconds = random.logNormal(8, 1.2);
    const out = random.logNormal(2500, 0.8);
    if (random.chance(0.04)) {
      const request = { uri: `/p/${random.text(6)}`, agent: AGENT, in: back, mime: "text/html" };
      traffic.exchange(ip, host, { at: start, seconds, out, in: back, http: [request] });
    } else traffic.exchange(ip, host, { at: start, seconds, out, in: back });
  }
}

/** A video call: media over UDP both ways for the better part of an hour. */
function call(traffic: Traffic, random: Random, src: string, at: number): void {
  const seconds = random.between(600, 3300);
  const rate = random.between(60_000, 220_000);
  const dst = random.pick(CALL_SERVERS);
  const flow = { at, seconds, src, dst, dport: 3478, proto: "udp" as const };
  const packets = [Math.round(seconds * 110), Math.round(seconds * 130)] as const;
  traffic.conn({ ...flow, out: seconds * rate, in: seconds * rate * random.between(0.9, 2.5), packets });
}

function fileServer(traffic: Traffic, random: Random, { ip, user }: Person, from: number, to: number): void {
  for (let i = random.int(2, 6); i > 0; i--) {
    const at = random.between(from, to);
    const reads = random.chance(0.7);
    const bytes = random.logNormal(2e6, 1.2);
    const [out, back] = reads ? [40_000, bytes] : [bytes, 30_000];
    const flow = { at, src: ip, sport: traffic.port(), dst: FILE_SERVER, dport: 445 };
    traffic.conn({ ...flow, out, in: back, seconds: random.logNormal(200, 1), service: "gssapi,smb" });
    if (i > 1) continue;
    const setup = { dialect: "3.11", status: "STATUS_SUCCESS", ntlmssp: { user, domain: "OFFICE" } };
    traffic.eve("smb", flow, { ...setup, command: "SMB2_COMMAND_SESSION_SETUP" });
    traffic.eve("smb", { ...flow, at: at + 1 }, {
      ...setup,
      command: "SMB2_COMMAND_CREATE",
      filename: "Projects\\plan.xlsx",
    });
  }
}

/** A gigabyte of updates from the vendor, and colleagues asked whether they have it already. */
function patch(traffic: Traffic, random: Random, { ip }: Person, at: number, { people }: Roster): void {
  for (let part = 0; part < 12; part++) {
    const request = {
      uri: `/filestreamingservice/files/${random.text(30)}`,
      agent: "Microsoft-Delivery-Optimization/10.0",
      in: 60e6,
      mime: "application/octet-stream",
    };
    traffic.exchange(ip, CONTENT, {
      at: at + part * 40,
      seconds: 30,
      out: 30_000,
      in: 60e6,
      http: [request],
    });
  }
  for (let i = 0; i < 12; i++) {
    const { ip: dst } = random.pick(people);
    if (dst === ip) continue;
    const answers = random.chance(0.6);
    const flow = { at: at + random.between(0, 400), src: ip, dst, dport: 7680 };
    if (answers) traffic.conn({ ...flow, out: 40_000, in: 20e6, seconds: 20 });
    else traffic.conn({ ...flow, out: 0, in: 0, state: "S0", seconds: 3, packets: [3, 0] });
  }
  // A new version of the browser has another fingerprint.
  traffic.exchange(ip, POPULAR[0]!, { at: at + 900, out: 2000, in: 30_000, program: "browser 134" });
}
