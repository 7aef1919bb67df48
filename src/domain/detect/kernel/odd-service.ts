// Whether a recognised service belongs on a port, and the points for one that does not.
import { TLS_PORTS } from "./tls-ports.ts";

/** Points for a service recognised on a port of another one, or on an unassigned port. */
const ODD_POINTS = {
  /** SSH on a port that firewalls open for web traffic or DNS: likely a tunnel. */
  sshThroughWeb: 30,
  ssh: 10,
  /** Cleartext where encryption is expected, or on the port of another well-known service. */
  httpOnTls: 18,
  httpOnOther: 22,
  http: 10,
  tlsOnClear: 18,
  tls: 6,
  dns: 20,
  irc: 20,
  /** On its own port: few people use IRC today, but bots do. Reported only if it lasts or recurs. */
  ircAtHome: 15,
  socks: 18,
  remote: 20,
  files: 14,
  /** Directories stay on their ports; JNDI injection makes a victim query one on any port. */
  ldap: 22,
} as const;

/** A service on a port where it is unusual. */
export interface OddService {
  /** Usual name of the service. */
  name: string;
  points: number;
  why: string;
  /** The service is on its own port and still worth reporting. */
  atHome: boolean;
}

function portSet(text: string): ReadonlySet<number> {
  return new Set(text.split(" ").map(Number));
}

const WEB: ReadonlySet<number> = portSet(
  "80 81 82 83 84 85 88 89 90 280 591 593 631 777 800 808 880 1080 1220 1311 1900 2080 2082 2086 " +
    "2095 2375 2480 2869 3000 3001 3128 3333 4000 4200 4567 4711 4848 5000 5001 5050 5080 5104 5357 " +
    "5601 5800 5984 5985 6080 7000 7001 7070 7080 7474 7547 7777 8530 8834 8983 9000 9001 9080 9090 " +
    "9091 9200 9292 9981 9999 10000 11371 16080 32400 49152",
);
const SSH: ReadonlySet<number> = portSet("22 222 830 2022 2200 2202 2222 8022 8222 10022 22022 22222 29418");
/** Ports that firewalls usually open outbound. */
const OUTBOUND_PORTS: ReadonlySet<number> = portSet("53 80 443 8080 8443");
const WELL_KNOWN: ReadonlySet<number> = portSet(
  "20 21 22 23 25 53 110 123 143 389 445 465 587 636 993 995 3389",
);
const IRC: ReadonlySet<number> = portSet(
  "194 994 6660 6661 6662 6663 6664 6665 6666 6667 6668 6669 6697 7000 7070",
);
const DNS: ReadonlySet<number> = portSet("53 137 853 5353 5354 5355");
const SOCKS: ReadonlySet<number> = portSet("1080 1081 9050 9150");
const HOME: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  ["rdp", portSet("3389 3390 3391")],
  ["rfb", portSet("5900 5901 5902 5903 5904 5905")],
  ["telnet", portSet("23 2323 992")],
  ["smb", portSet("139 445")],
  ["ftp", portSet("21 990 2121")],
  ["ldap", portSet("389 636 1636 3268 3269 10389 10636")],
]);

/**
 * `service` is the sensor's name, e.g. `ssl` or `gssapi,krb,smb`. Null if every name belongs on the port or
 * is unknown.
 */
export function oddService(service: string, proto: string, port: number): OddService | null {
  if (!service.includes(",")) return oddName(service, proto, port);
  let worst: OddService | null = null;
  for (const name of service.split(",")) {
    const odd = oddName(name, proto, port);
    if (odd !== null && odd.points > (worst?.points ?? 0)) worst = odd;
  }
  return worst;
}

function oddName(service: string, proto: string, port: number): OddService | null {
  switch (service) {
    case "ssl":
    case "tls":
      if (TLS_PORTS.has(port) || proto !== "tcp") return null;
      return OUTBOUND_PORTS.has(port) || WELL_KNOWN.has(port)
        ? port === 8080
          ? odd("TLS", "tls", "where cleartext HTTP is expected")
          : odd("TLS", "tlsOnClear", "where another service is expected")
        : odd("TLS", "tls", "on an unusual port");
    case "http":
    case "http2":
      if (isWebPort(port)) return null;
      if (port === 443 || port === 8443) return odd("HTTP without TLS", "httpOnTls", "where TLS is expected");
      if (TLS_PORTS.has(port) || WELL_KNOWN.has(port)) {
        return odd("HTTP", "httpOnOther", "where another service is expected");
      }
      return odd("HTTP", "http", "on an unusual port");
    case "ssh":
      if (SSH.has(port)) return null;
      return OUTBOUND_PORTS.has(port)
        ? odd("SSH", "sshThroughWeb", "on a port that firewalls open for web traffic or DNS")
        : odd("SSH", "ssh", "on an unusual port");
    case "dns":
      return DNS.has(port) ? null : odd("DNS", "dns", "on a port where no resolver is expected");
    case "irc":
      return IRC.has(port)
        ? odd("IRC", "ircAtHome", "used for chat and for botnet command and control")
        : odd("IRC", "irc", "on another port than its own");
    case "socks":
      return SOCKS.has(port) ? null : odd("SOCKS", "socks", "on another port than its own");
    case "rdp":
    case "rfb":
    case "telnet":
      return HOME.get(service)!.has(port) ? null : odd(
        service === "rfb" ? "VNC" : service === "rdp" ? "RDP" : "Telnet",
        "remote",
        "on another port than its own",
      );
    case "ldap":
    case "ldap_tcp":
    case "ldap_udp":
      return HOME.get("ldap")!.has(port) ? null : odd("LDAP", "ldap", "on an unusual port");
    case "smb":
    case "ftp":
      return HOME.get(service)!.has(port)
        ? null
        : odd(service.toUpperCase(), "files", "on another port than its own");
  }
  return null;
}

function odd(name: string, kind: keyof typeof ODD_POINTS, why: string): OddService {
  return { name, points: ODD_POINTS[kind], why, atHome: kind === "ircAtHome" };
}

/** Ports of web servers, including common alternatives for further servers on a host. */
function isWebPort(port: number): boolean {
  return WEB.has(port) || (port >= 8000 && port <= 8099) || (port >= 8180 && port <= 8199) ||
    (port >= 8800 && port <= 8899);
}

/**
 * Ports of programs with a proprietary protocol: push, chat, calls, streams, games, remote support, VPN, P2P,
 * databases, queues.
 */
const OWN_PROTOCOLS: ReadonlySet<number> = portSet(
  "1194 1352 1414 1433 1494 1521 1701 1723 1863 1883 1935 2195 2196 2404 2598 3050 3074 3101 3306 " +
    "3478 3724 4070 4172 4244 4500 5004 5005 5060 5061 5190 5222 5223 5228 5229 5230 5242 5269 5432 " +
    "5671 5672 5900 5938 6112 6379 6568 6690 7070 8291 8333 8883 9001 9030 9092 9418 11210 22000 " +
    "22067 27017 51413 51820",
);

/** Whether the port belongs to such a program. The ranges are those of BitTorrent and Steam. */
export function hasOwnProtocol(port: number): boolean {
  return OWN_PROTOCOLS.has(port) || (port >= 6881 && port <= 6999) || (port >= 27000 && port <= 27060);
}

/** Whether an unrecognised protocol is unremarkable on this port. */
export function isOwnProtocolPort(port: number): boolean {
  return port < 1024 || hasOwnProtocol(port) || isWebPort(port) && port !== 9999 && port !== 7777;
}

/** Default ports of remote control kits. */
export const KIT_PORTS: ReadonlySet<number> = portSet(
  "1234 1337 2222 3333 4321 4443 4444 4445 4446 4545 5555 5552 6666 6667 7777 8181 9999 12345 13337 " +
    "31337 50050 54321",
);
