import type { Effect } from "../effect.ts";
import { is, known, phrases } from "./phrase.ts";

/** Names that people use for what its servers are called. */
const BRANDS =
  ("amazon,anydesk,bittorrent,chatgpt,discord,dropbox,facebook,github,google,icloud,instagram,linkedin,microsoft,netflix," +
    "onedrive,openai,pastebin,pinterest,reddit,roblox,skype,snapchat,spotify,steam,teamviewer,telegram,tiktok,twitch," +
    "twitter,whatsapp,wikipedia,youtube").split(",");

/** Flows and what sensors know of them: alerts, lookups, log-ons, services, directions. */
export const FLOWS: readonly [string, Effect][] = [
  ...phrases(
    { kind: "flows" },
    "flow, connection, traffic, session, log entry, connection attempt, communication, conversation, activity, packet, network traffic, request, response, data, bandwidth",
  ),
  ...phrases({ topic: "alert" }, "alert, warning"),
  ...phrases(
    { is: { field: "alert", op: "exists" } },
    "ids alert, sensor alert, suricata alert, signature hit, rule hit, snort alert, signature alert",
  ),
  ...phrases({ is: { field: "anomaly", op: "exists" } }, "anomaly, protocol anomaly"),

  ...phrases({ verb: "dst", topic: "transfer" }, "transferred, transferring"),
  ...phrases({ topic: "failed" }, "failed, fail, failing, unsuccessful, rejected, refused, denied, failure"),
  ...phrases({ topic: "succeeded" }, "successful, succeeded, accepted"),
  ...phrases({ topic: "upload" }, "upload, data upload, outgoing transfer"),
  ...phrases({ topic: "download" }, "download"),
  ...phrases({ topic: "transfer" }, "transfer, file transfer, data transfer"),
  ...phrases(
    { topic: "lookup" },
    `
      dns lookup, dns query, dns request, dns question, name lookup, lookup, dns resolution, domain
      lookup, query, domain query, what name, which name`,
  ),
  ...phrases(
    is("dns.rcode", "NXDOMAIN", "="),
    "nxdomain, nxdomain answer, nxdomain response, failed dns lookup, failed lookup, failed dns query, unresolved name, not resolved name, failed dns request",
  ),
  ...phrases(
    is("logon", "failed"),
    `
      fail login, fail to log in, fails to log in, failing to log in, failed log-on, failed logon, failed login, failed log-in, failed sign-in, failed log on, failed log
      in, failed authentication, failed sign in, login failure, logon failure, authentication failure,
      unsuccessful login, unsuccessful log-on, wrong password, bad password, rejected login, failed to log
      in, failed to log on`,
  ),
  ...phrases(
    is("logon", "succeeded"),
    `
      successful log-on, successful logon, successful login, successful log-in, successful sign-in,
      successful authentication`,
  ),
  ...phrases(
    { topic: "logon" },
    "log-on, logon, login, log-in, sign-in, authentication, logged in, logging in, logging on, log on, log in, logged on, signed in",
  ),

  ...phrases({ topic: "logon", role: "dst" }, "logged into, log into, logging into, logs into"),
  ...phrases(
    { topic: "large" },
    `
      biggest, largest, heaviest, large, big, huge, massive, bulky, heavy, lots of data, large amount of, a lot of data, much data,
      large volume of, large amount of data`,
  ),
  ...phrases(
    { topic: "long" },
    "long, long-lived, long lasting, longest, long-lasting, persistent, long running",
  ),
  ...phrases(
    known("intel"),
    `
      malicious, known bad, bad, threat intelligence, threat intel, intel, blacklisted, blocklisted,
      listed, indicator, ioc, known malicious, threat list, intelligence, intel hit, intel match,
      indicator of compromise, address on a threat list, address on threat list, on a threat list, on the threat list, threat intel address, known bad ips, bad ips, malicious ips, blacklisted ips, bad address, bad host, bad server, known bad server, malicious domain, bad domain, known bad domain, known bad address, known bad host, malicious
      address, malicious host, malicious domain, malicious server`,
  ),
  ...phrases(
    is("tls.version", ["SSL 2.0", "SSL 3.0", "TLS 1.0", "TLS 1.1"]),
    `
      old tls, old tls version, outdated tls, outdated tls version, obsolete tls, obsolete tls version,
      deprecated tls, deprecated tls version, weak tls, old ssl, old version of tls, old ssl version,
      insecure tls, old tls protocol, outdated version of tls, weak tls version`,
  ),

  ...phrases(
    is("direction", "internal"),
    "internal, lateral, inside, internally, between device, each other, to each other, with each other",
  ),
  ...phrases(
    is("direction", "outbound"),
    "outbound, outgoing, going out, going outside, out of the site, out of the network, from the site to elsewhere",
  ),
  ...phrases(
    { ...is("direction", "outbound"), topic: "upload" },
    ["leaving", "left", "leaves", "leave"].flatMap((verb) =>
      ["site", "network", "company", "building", "house"].map((place) => `${verb} the ${place}`)
    ).join(","),
  ),
  ...phrases(is("direction", "inbound"), "inbound, incoming, into the site, into the network"),
  ...phrases(
    { outside: true },
    `
      the internet, internet, outside, the outside, the outside world, outside the company, outside our network, outside the network, outside the organisation, outside the organization, external address, external ips, public ips, outside ips, external host,
      external server, external ip, public address, elsewhere, outside server, outside host, outside address,
      foreign server, foreign host, foreign address, public ip, public ip address, abroad, overseas,
      outside the country, foreign country, other country`,
  ),
  ...phrases(is("direction", ["inbound", "outbound"]), "external"),

  ...phrases(is("service", ["http", "tls"]), "web, web traffic, web request, browsing"),
  ...phrases({ ...is("service", ["http", "tls"]), verb: "dst" }, "browsed, browse, browsing to"),
  ...phrases(is("service", "http"), "http, http request, http response, plain http"),
  ...phrases(is("service", "tls"), "tls, ssl, https, tls connection, encrypted web"),
  ...BRANDS.flatMap((name) =>
    phrases(
      { ...is("server_name", `*${name}*`), note: `Read "${name}" as a part of server names.` },
      `${name}, ${name} server`,
    )
  ),
  ...phrases(is("service", "dns"), "dns, dns traffic, dns response"),
  ...phrases(is("service", "ssh"), "ssh, secure shell"),
  ...phrases(is("service", "smb"), "smb, file sharing, windows share"),
  ...phrases(is("service", "rdp"), "rdp, remote desktop"),
  ...phrases(is("service", "ftp"), "ftp"),
  ...phrases(
    is("service", "smtp"),
    "smtp, mail, email, e-mail",
  ),
  ...phrases(
    { ...is("service", "smtp"), verb: "dst" },
    "sent mail, send mail, sending mail, sent email, send email, sent mails, send mails, sent emails",
  ),
  ...phrases(is("service", "krb"), "kerberos, kerberos ticket, kerberos tickets"),
  ...phrases(is("service", "ldap"), "ldap"),
  ...phrases(is("service", "ntp"), "ntp"),
  ...phrases(is("service", "snmp"), "snmp"),
  ...phrases(is("service", "telnet"), "telnet"),
  ...phrases(is("service", "quic"), "quic"),
  ...phrases(is("service", "dhcp"), "dhcp"),
  ...phrases(is("service", "vnc"), "vnc"),
  ...phrases(is("service", "irc"), "irc"),
  ...phrases(is("service", "mqtt"), "mqtt"),
  ...phrases(is("service", "modbus"), "modbus"),
  ...phrases(is("service", "sip"), "sip, voip"),
  ...[
    "ntlm",
    "radius",
    "syslog",
    "socks",
    "pop3",
    "imap",
    "mysql",
    "tftp",
    "nfs",
    "dnp3",
    "bacnet",
    "enip",
    "ike",
  ]
    .flatMap((name) => phrases(is("service", name), `${name}, ${name} traffic`)),
  ...phrases(is("proto", "tcp", "="), "tcp"),
  ...phrases(is("proto", "udp", "="), "udp"),
  ...phrases(is("proto", "icmp", "="), "icmp, ping"),
  ...phrases({ ...is("proto", "icmp", "="), verb: "dst" }, "pinged, pinging"),
  ...phrases(is("ip", "0.0.0.0/0"), "ipv4, ip v4"),
  ...phrases(is("ip", "::/0"), "ipv6, ip v6"),
  ...phrases(is("source", "zeek"), "zeek, seen by zeek"),
  ...phrases(is("source", "suricata"), "suricata, seen by suricata"),
  ...phrases(is("source", "netflow"), "netflow, seen by netflow"),
  ...phrases(is("source", "unbound"), "unbound, seen by unbound"),
  ...phrases(is("http.method", "POST", "="), "post, post request, http post"),
  ...phrases(is("http.method", "GET", "="), "get request, get response, http get"),
  ...phrases(is("http.status", 400, ">="), "http error, web error"),
  ...phrases(is("dns.type", "TXT", "="), "txt record, txt query, txt lookup"),
  ...phrases(is("dns.type", "MX", "="), "mx record, mx query"),
];
