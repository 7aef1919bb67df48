// Whether a service is at home on a port, and what it is worth where it is not.
import { TLS_PORTS } from "./tls-ports.ts";

/** Points of a service that was recognised on a port of another, or of none. */
const ODD_POINTS = {
  /** SSH where firewalls let web traffic or DNS through: a tunnel. */
  sshThroughWeb: 30,
  ssh: 10,
  /** In clear where encryption is expected, or where another well-known service lives. */
  httpOnTls: 18,
  httpOnOther: 22,
  http: 10,
  tlsOnClear: 18,
  tls: 6,
  dns: 20,
  irc: 20,
  /** Where it is at home: few people chat by it today, and bots take their orders there. Told where it lasts, or comes back. */
  ircAtHome: 15,
  socks: 18,
  remote: 20,
  files: 14,
  /** Nobody moves a directory; whoever makes another's program ask one (JNDI) does. */
  ldap: 22,
} as const;

/** A service on a port that does not go with it. */
export interface OddService {
  /** As people call it. */
  name: string;
  points: number;
  why: string;
  /** It is remarkable where it belongs, too. */
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
/** What firewalls let out. */
const LET_OUT: ReadonlySet<number> = portSet("53 80 443 8080 8443");
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

/** What a sensor calls it: `ssl`, `gssapi,krb,smb`; null where every name is at home on the port, or none is known. */
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
      return LET_OUT.has(port) || WELL_KNOWN.has(port)
        ? port === 8080
          ? odd("TLS", "tls", "where HTTP in clear is expected")
          : odd("TLS", "tlsOnClear", "where another service is expected")
        : odd("TLS", "tls", "on a port unusual for it");
    case "http":
    case "http2":
      if (isWebPort(port)) return null;
      if (port === 443 || port === 8443) return odd("HTTP in clear", "httpOnTls", "where TLS is expected");
      if (TLS_PORTS.has(port) || WELL_KNOWN.has(port)) {
        return odd("HTTP", "httpOnOther", "where another service is expected");
      }
      return odd("HTTP", "http", "on a port unusual for it");
    case "ssh":
      if (SSH.has(port)) return null;
      return LET_OUT.has(port)
        ? odd("SSH", "sshThroughWeb", "where firewalls let web traffic or DNS through")
        : odd("SSH", "ssh", "on a port unusual for it");
    case "dns":
      return DNS.has(port) ? null : odd("DNS", "dns", "where no resolver is expected");
    case "irc":
      return IRC.has(port)
        ? odd("IRC", "ircAtHome", "as chats and the orders of bots go")
        : odd("IRC", "irc", "hidden on another port");
    case "socks":
      return SOCKS.has(port) ? null : odd("SOCKS", "socks", "hidden on another port");
    case "rdp":
    case "rfb":
    case "telnet":
      return HOME.get(service)!.has(port) ? null : odd(
        service === "rfb" ? "VNC" : service === "rdp" ? "RDP" : "Telnet",
        "remote",
        "hidden on another port",
      );
    case "ldap":
    case "ldap_tcp":
    case "ldap_udp":
      return HOME.get("ldap")!.has(port) ? null : odd("LDAP", "ldap", "on a port unusual for it");
    case "smb":
    case "ftp":
      return HOME.get(service)!.has(port)
        ? null
        : odd(service.toUpperCase(), "files", "hidden on another port");
  }
  return null;
}

function odd(name: string, kind: keyof typeof ODD_POINTS, why: string): OddService {
  return { name, points: ODD_POINTS[kind], why, atHome: kind === "ircAtHome" };
}

/** Ports of web servers, and of the second and third one on a machine. */
function isWebPort(port: number): boolean {
  return WEB.has(port) || (port >= 8000 && port <= 8099) || (port >= 8180 && port <= 8199) ||
    (port >= 8800 && port <= 8899);
}

/**
 * Programs that speak a protocol of their own by design: push and chat, calls, streams, games, remote help, VPN, peer-to-peer,
 * databases and message queues.
 */
const OWN_PROTOCOLS: ReadonlySet<number> = portSet(
  "1194 1352 1414 1433 1494 1521 1701 1723 1863 1883 1935 2195 2196 2404 2598 3050 3074 3101 3306 " +
    "3478 3724 4070 4172 4244 4500 5004 5005 5060 5061 5190 5222 5223 5228 5229 5230 5242 5269 5432 " +
    "5671 5672 5900 5938 6112 6379 6568 6690 7070 8291 8333 8883 9001 9030 9092 9418 11210 22000 " +
    "22067 27017 51413 51820",
);

/** Whether such a program lives on this port; the ranges are those of BitTorrent and of Steam. */
export function hasOwnProtocol(port: number): boolean {
  return OWN_PROTOCOLS.has(port) || (port >= 6881 && port <= 6999) || (port >= 27000 && port <= 27060);
}

/** Whether nothing can be said of an unknown protocol on this port. */
export function isOwnProtocolPort(port: number): boolean {
  return port < 1024 || hasOwnProtocol(port) || isWebPort(port) && port !== 9999 && port !== 7777;
}

/** Where kits for remote control listen unless they are told otherwise. */
export const KIT_PORTS: ReadonlySet<number> = portSet(
  "1234 1337 2222 3333 4321 4443 4444 4445 4446 4545 5555 5552 6666 6667 7777 8181 9999 12345 13337 " +
    "31337 50050 54321",
);
