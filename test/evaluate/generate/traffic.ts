// Writes traffic as the records of a Zeek and a Suricata sensor on one network. Times are seconds since the epoch.

import { hash, type Random } from "./random.ts";

export const SENSORS = ["zeek", "suricata"] as const;
type SensorName = (typeof SENSORS)[number];

export interface GeneratedRecord {
  /** When the sensor writes it; a connection is written when it has ended. */
  at: number;
  sensor: SensorName;
  /** One ingest line. */
  line: string;
}

/** A server outside. Without a name it is reached by its address. */
export interface Host {
  ip: string;
  name?: string;
  /** The answer of a lookup if it has several addresses. */
  addresses?: readonly string[];
}

export interface Conn {
  at: number;
  seconds?: number;
  src: string;
  sport?: number;
  dst: string;
  dport: number;
  proto?: "tcp" | "udp" | "icmp";
  /** Payload bytes sent and received. */
  out: number;
  in: number;
  /** Packets each way; by default as many as the bytes need. */
  packets?: readonly [number, number];
  service?: string;
  /** `SF` by default; `S0` for no answer, `REJ` for a refusal. */
  state?: string;
}

interface Tls {
  ja3: string;
  serverName?: string;
  subject?: string;
  issuer?: string;
  validation?: string;
}

interface Http {
  method?: string;
  host: string;
  uri: string;
  agent?: string;
  status?: number;
  out?: number;
  in?: number;
  mime?: string;
}

/** An exchange with a server, by default HTTPS on port 443. */
export interface Exchange {
  at: number;
  seconds?: number;
  out: number;
  in: number;
  dport?: number;
  /** The client's program; programs of the same name have the same TLS fingerprint. */
  program?: string;
  tls?: Partial<Tls>;
  /** Requests in clear instead of TLS; each at its offset in seconds. */
  http?: readonly (Omit<Http, "host"> & { after?: number })[];
}

const MAX_SEGMENT = 1400;
const HEADERS = 40;
/** Seconds without traffic after which Zeek writes a connection. */
const SILENCE = { tcp: 5, udp: 60, icmp: 60 } as const;

export class Traffic {
  #pending: GeneratedRecord[] = [];
  #serial = 0;
  readonly #cached = new Map<string, number>();

  /** @param resolver Address of the site's resolver */
  constructor(private readonly random: Random, readonly resolver: string) {}

  /** Removes and returns the records written before this time, in order. */
  take(before: number): GeneratedRecord[] {
    const due = this.#pending.filter(({ at }) => at < before);
    this.#pending = this.#pending.filter(({ at }) => at >= before);
    return due.sort((a, b) => a.at - b.at);
  }

  /** Returns Zeek's identifier of the connection and its client port. */
  conn(
    { at, seconds = 0.05, src, sport = this.port(), dst, dport, proto = "tcp", out, in: back, ...more }: Conn,
  ): { uid: string; sport: number } {
    const uid = this.#uid();
    const { service, state = "SF" } = more;
    const answered = back > 0 || (proto === "tcp" && state !== "S0");
    const [sent, received] = more.packets ?? [
      Math.max(1, Math.ceil(out / MAX_SEGMENT)) + (state === "SF" && proto === "tcp" ? 4 : 0),
      answered ? Math.max(1, Math.ceil(back / MAX_SEGMENT)) + (state === "SF" && proto === "tcp" ? 3 : 0) : 0,
    ];
    this.#write(at + seconds + SILENCE[proto], "zeek", "zeek.conn", at, {
      ts: stamp(at),
      uid,
      ...ends(src, sport, dst, dport),
      proto,
      ...service === undefined ? {} : { service },
      duration: Math.round(seconds * 1e6) / 1e6,
      orig_bytes: Math.round(out),
      resp_bytes: Math.round(back),
      conn_state: state,
      orig_pkts: sent,
      orig_ip_bytes: Math.round(out) + sent * HEADERS,
      resp_pkts: received,
      resp_ip_bytes: Math.round(back) + received * HEADERS,
    });
    return { uid, sport };
  }

  /** A lookup at a resolver, as a connection and as a DNS record. */
  lookup(
    src: string,
    at: number,
    { name, type = "A", answers, rcode = "NOERROR", resolver = this.resolver }: {
      name: string;
      type?: string;
      answers: readonly string[];
      rcode?: string;
      resolver?: string;
    },
  ): void {
    const back = 30 + name.length + answers.reduce((sum, one) => sum + one.length + 12, 0);
    const out = 18 + name.length;
    const flow = { at, seconds: 0.02, src, dst: resolver, dport: 53, proto: "udp" as const };
    const { uid, sport } = this.conn({ ...flow, out, in: back, service: "dns" });
    this.#write(at, "zeek", "zeek.dns", at, {
      ts: stamp(at),
      uid,
      ...ends(src, sport, resolver, 53),
      proto: "udp",
      query: name,
      qtype_name: type,
      rcode_name: rcode,
      rcode: rcode === "NXDOMAIN" ? 3 : 0,
      AA: false,
      TC: false,
      RD: true,
      RA: true,
      answers,
    });
  }

  /** Looks the name up unless the device still knows its address. */
  resolve(src: string, at: number, { ip, name, addresses = [ip] }: Host): void {
    if (name === undefined) return;
    const key = `${src} ${name}`;
    if ((this.#cached.get(key) ?? 0) > at) return;
    // From 10 minutes to 3 hours, the same for every lookup of a name.
    this.#cached.set(key, at + 600 + hash(name) % 10_200);
    this.lookup(src, at - 0.03, { name, answers: addresses });
  }

  /** A connection to a server with what precedes it and what it carries. */
  exchange(src: string, host: Host, { at, seconds = 0.4, out, in: back, ...more }: Exchange): void {
    this.resolve(src, at, host);
    const { http, program = "browser", tls = {} } = more;
    const dport = more.dport ?? (http ? 80 : 443);
    const flow = { at, seconds, src, dst: host.ip, dport, out, in: back };
    const { uid, sport } = this.conn({ ...flow, service: http ? "http" : "ssl" });
    const place = ends(src, sport, host.ip, dport);
    if (http === undefined) {
      this.#ssl(at + 0.03, uid, place, { ja3: fingerprint(program), serverName: host.name, ...tls });
    }
    for (const [depth, { after = 0.03, ...request }] of (http ?? []).entries()) {
      const name = host.name ?? host.ip;
      this.#http(at + after, uid, place, depth + 1, {
        host: dport === 80 ? name : `${name}:${dport}`,
        ...request,
      });
    }
  }

  #ssl(at: number, uid: string, place: object, { ja3, serverName, subject, issuer, validation }: Tls): void {
    // TLS 1.3 hides the certificate, so a sensor that states one saw TLS 1.2.
    const certificate = subject === undefined ? {} : {
      subject,
      issuer: issuer ?? subject,
      validation_status: validation ?? "ok",
    };
    this.#write(at, "zeek", "zeek.ssl", at, {
      ts: stamp(at),
      uid,
      ...place,
      version: subject === undefined ? "TLSv13" : "TLSv12",
      cipher: "TLS_AES_256_GCM_SHA384",
      ...serverName === undefined ? {} : { server_name: serverName },
      resumed: false,
      established: true,
      ja3,
      ...certificate,
    });
  }

  #http(at: number, uid: string, place: object, depth: number, request: Http): void {
    this.#write(at, "zeek", "zeek.http", at, {
      ts: stamp(at),
      uid,
      ...place,
      trans_depth: depth,
      method: request.method ?? "GET",
      host: request.host,
      uri: request.uri,
      version: "1.1",
      ...request.agent === undefined ? {} : { user_agent: request.agent },
      request_body_len: Math.round(request.out ?? 0),
      response_body_len: Math.round(request.in ?? 0),
      status_code: request.status ?? 200,
      status_msg: "OK",
      ...request.mime === undefined ? {} : { resp_mime_types: [request.mime] },
    });
  }

  /** A session of SSH whose outcome Zeek recognised. */
  ssh(
    flow: Omit<Conn, "service">,
    { success, attempts = 1 }: { success: boolean | null; attempts?: number },
  ): void {
    const { uid, sport } = this.conn({ ...flow, service: "ssh" });
    this.#write(flow.at + (flow.seconds ?? 0), "zeek", "zeek.ssh", flow.at, {
      ts: stamp(flow.at),
      uid,
      ...ends(flow.src, sport, flow.dst, flow.dport),
      version: 2,
      ...success === null ? {} : { auth_success: success, auth_attempts: attempts },
      client: "SSH-2.0-OpenSSH_9.6",
      server: "SSH-2.0-OpenSSH_9.2",
    });
  }

  /** A record of Suricata; `content` has the member that is named like its type. */
  eve(
    type: "alert" | "anomaly" | "smb" | "krb5" | "dhcp",
    { at, src, sport = this.port(), dst, dport, proto = "TCP" }: {
      at: number;
      src: string;
      sport?: number;
      dst: string;
      dport: number;
      proto?: string;
    },
    content: object,
  ): void {
    this.#write(at, "suricata", `suricata.${type}`, at, {
      timestamp: new Date(at * 1000).toISOString().replace("Z", "000+0000"),
      flow_id: ++this.#serial * 1000 + this.random.int(0, 999),
      event_type: type,
      src_ip: src,
      src_port: sport,
      dest_ip: dst,
      dest_port: dport,
      proto,
      [type]: content,
    });
  }

  port(): number {
    return this.random.int(49_152, 65_535);
  }

  #uid(): string {
    return `C${(++this.#serial).toString(36)}${this.random.text(10)}`;
  }

  #write(at: number, sensor: SensorName, kind: string, observed: number, payload: object): void {
    const line = JSON.stringify({ kind, observed_at: new Date(observed * 1000).toISOString(), payload });
    this.#pending.push({ at, sensor, line });
  }
}

function ends(src: string, sport: number, dst: string, dport: number) {
  return { "id.orig_h": src, "id.orig_p": sport, "id.resp_h": dst, "id.resp_p": dport };
}

function stamp(at: number): number {
  return Math.round(at * 1e6) / 1e6;
}

/** The JA3 of a program: 32 hexadecimal digits. */
export function fingerprint(program: string): string {
  return [0, 1, 2, 3].map((part) => hash(`${program}|${part}`).toString(16).padStart(8, "0")).join("");
}

/** An outside host of this name, always at the same address of the benchmarking range (RFC 2544). */
export function named(name: string): Host {
  const number = hash(name) % 60_000;
  return { name, ip: `198.18.${Math.floor(number / 250)}.${1 + number % 250}` };
}
