import type { FieldName } from "../../../../contract/filter/fields.ts";
import type { Comparison, Scalar } from "../../../../contract/filter/tree.ts";
import type { Effect } from "./effect.ts";

/** `texts` are separated by commas. */
function phrases(effect: Effect, texts: string): [string, Effect][] {
  return texts.split(",").map((text) => [text.trim().replaceAll(/\s+/g, " "), effect]);
}

function is(
  field: FieldName,
  value: Scalar | Scalar[],
  op: Comparison["op"] = "matches",
): { is: Comparison } {
  return { is: { field, op, value } };
}

function known(field: FieldName): Effect {
  return { is: { field, op: "exists" } };
}

export const EITHER_SIDE = "Either side of such incidents is found.";
const FILL: Effect = { fill: true };

/** The validity of a certificate is known to the detector alone. */
const OUTSIDE_CERTIFICATES = "Shown as incidents: those about such certificates of outside servers.";

/** Phrases by their words in singular and lower case, separated by spaces. The longest one that fits is taken. */
export const PHRASES: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...phrases(
    FILL,
    `
      a, an, the, of, is, are, was, were, be, been, being, there, did, do, does, done, has, have,
      had, having, we, us, our, please, show, list, find, give, display, get, search, see, tell, want, to,
      can, could, you, would, like, any, which, what, whose, that, this, it, they, them, their, its, with,
      ever, seen, look, looking, observed, recorded, detected, found, exist, came, come, comes, accept, accepts, initiate, initiated, remain, remained, provide, try, tried, seeing, able, raise, evidence of, proof that, proof of, started, attempt, else, yet, make, made, makes, making, triggered, generated, generate, caused, produced, any and all, in the network, in network, on the network, in our network, on our network, in my network,
      existed, present, matching, lasted, lasting, when was, when were, when did, when has, when is, going, on, up, out, about, who's, what's, show me, give me,
      tell me, show to me, show to us, find me, get me, for me, search for, look for, let me see, i want, i want to see, i need,
      i need to see, i would like to see, i'd like to see, can i see, could i see, do i have, show only,
      show me only, list only, only show, do we have, are there, is there, were there, was there, isn't there, aren't there, wasn't there, weren't there,
      how about, went on, going on, still, mitre, att&ck, at all, directly, ones, stuff, domain ending in, domain ending with, name ending in, name ending with, what is up, up to`,
  ),
  ...phrases({ activity: true }, "doing, everything, anything, something, happened, happening, happen"),
  ...phrases({ note: "No time is named: the usual one applies." }, "recent, latest, most recent"),
  ...phrases({ noun: "certificate" }, "certificate, cert"),
  ...phrases({ noun: "device" }, "name"),
  ...phrases({ noun: "technique" }, "technique"),
  ...phrases({ noun: "dns.query" }, "domain"),
  ...phrases({ noun: "server_name" }, "website, site"),

  ...phrases(
    { kind: "devices" },
    `
      device, machine, host, computer, client, endpoint, system, box, asset, who, whom, anyone, anybody,
      somebody, someone, node`,
  ),
  ...phrases(
    { kind: "flows" },
    "flow, connection, traffic, session, connection attempt, communication, conversation, activity, packet, network traffic, request, data, bandwidth",
  ),
  ...phrases({ kind: "incidents" }, "incident, detection, finding, case, problem, issue, ticket"),
  ...phrases(
    { kind: "devices", role: "either" },
    "last seen, hostname of, host name of, ip address of, ip of, address of, owner of, owns, who owns, name of, the name of",
  ),
  ...phrases(
    { kind: "incidents", note: "Unusual: what detectors reported as incidents." },
    `
      anything unusual, anything suspicious, anything strange, anything weird, anything bad, anything odd,
      something unusual, something bad, something odd, something weird, something suspicious, something strange, unusual activity, suspicious activity,
      suspicious behaviour, suspicious behavior, strange activity`,
  ),
  ...phrases({ topic: "alert" }, "alert, warning"),
  ...phrases(
    { is: { field: "alert", op: "exists" } },
    "ids alert, sensor alert, suricata alert, signature hit, rule hit, snort alert, signature alert",
  ),
  ...phrases({ is: { field: "anomaly", op: "exists" } }, "anomaly, protocol anomaly"),

  ...phrases(
    { role: "dst" },
    "destination, destination address, destination ip, dst, dst ip, destined for, destined to, terminating at, to, into, towards, toward, against, at",
  ),
  ...phrases(
    { role: "src" },
    "source, source address, source ip, src, src ip, from, by, leaving, coming from, originating from",
  ),
  ...phrases(
    { role: "either" },
    "of, in, for, to and from, from and to, to or from, from or to, involving, involve, involves, involved, via, over, using, through, on, concerning, about, around, going on with, happening with, wrong with, happened to, happening to, happens to, touching, affecting, under, between",
  ),

  ...phrases(
    { verb: "dst" },
    `
      talked, talking, talk, talks, speak, speaks, spoke, speaking, communicated, communicating, communicate, connected,
      connecting, connect, connects, contacted, contacting, contact, contacts, reached, reaching, reach,
      reaches, visited, visiting, visit, visits, accessed, accessing, access, called, calling, call,
      calls, went, goes, go, hit, hitting, opened, used, using, use,
      uses, talked to, talk to, talking to, talks to, spoke to,
      connected to, connect to, connecting to, went to, reached out to, communicated with, communicate
      with, communicating with, sent traffic to`,
  ),
  ...phrases(
    { verb: "either" },
    `
      touched, talked with, speak with, speaks with, talk with, talking with, spoke with, exchanged data with, exchanged traffic with, listen on,
      listens on, listening on, listened on, answer on, answers on, answering on`,
  ),
  ...phrases(
    { verb: "src" },
    `
      heard from, contacted by, reached by, visited by, accessed by, called by, connected from, reachable from, accessible from`,
  ),
  ...phrases(
    { verb: "dst", topic: "upload" },
    `
      uploaded, uploading, upload to, uploaded to, sent, sending, send, sent data to, sending data to,
      send data to`,
  ),
  ...phrases(
    { verb: "dst", topic: "download" },
    "downloaded, downloading, download from, downloaded from, fetched, received, received from, pulled",
  ),
  ...phrases(
    { verb: "dst", topic: "lookup" },
    `
      looked up, look up, looking up, resolved, resolving, resolve, resolves, queried, querying, asked for, asking for,
      requested the name, name resolved, domain resolved, name looked up, name queried`,
  ),
  ...phrases({ kind: "devices", role: "dst" }, "client of, clients of"),
  ...phrases({ verb: "dst", topic: "transfer" }, "transferred, transferring"),
  ...phrases({ topic: "failed" }, "failed, unsuccessful, rejected, refused, denied, failure"),
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
    "log-on, logon, login, log-in, sign-in, authentication, logged in, logged into, log into, log on, log in, logged on, signed in",
  ),

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
    { negate: true },
    `
      not, no, without, except, excluding, but not, other than, never, except for, didn't, don't,
      doesn't, haven't, hasn't, isn't, aren't, non-, besides, country other than, country except, apart from, aside from, anything but, everything but, anywhere but, but no, but without`,
  ),

  ...phrases(
    { value: "owner" },
    "owned by, belonging to, owner, that belong to, belong to, which belong to, managed by",
  ),
  ...phrases({ value: "assignee" }, "assigned to, handled by"),
  ...phrases({ negate: true, value: "assignee" }, "not assigned to"),
  ...phrases({ value: "tag" }, "tagged, tagged as, tagged with, with tag, with the tag, tag"),
  ...phrases({ value: "device" }, "called, named, device called, device named, host named, host called"),
  ...phrases({ value: "user" }, "user, account, as user, user name, username, as"),
  ...phrases({ value: "user_agent" }, "user agent, user-agent, agent, with user agent"),
  ...phrases({ value: "alert" }, "signature, rule, alert named, alert called"),
  ...phrases({ value: "http.path" }, "path, url, uri"),
  ...phrases({ value: "smb.file" }, "file, file named, file called"),
  ...phrases({ value: "smb.share" }, "share"),
  ...phrases({ value: "vlan" }, "vlan, in vlan, on vlan, vlan tag"),
  ...phrases({ value: "device.type" }, "of type, device type, type"),
  ...phrases({ value: "sensor" }, "sensor, seen by sensor"),
  ...phrases({ value: "certificate.issuer" }, "issued by, issuer, certificate issuer"),
  ...phrases({ value: "alert.category" }, "alert category, category, of category"),
  ...phrases({ value: "detector" }, "detector, model"),
  ...phrases({ value: "title" }, "titled, title, incident called, incident named, alert titled"),
  ...phrases({ value: "ja3" }, "ja3, ja3 fingerprint"),
  ...phrases({ value: "ja3s" }, "ja3s, ja3s fingerprint"),
  ...phrases({ value: "ja4s" }, "ja4s, ja4s fingerprint"),
  ...phrases({ value: "hassh" }, "hassh, hassh fingerprint"),
  ...phrases({ value: "server_name" }, "server name, sni, tls server name"),
  ...phrases({ without: "server_name" }, "unknown server name, without server name, without a server name"),
  ...phrases({ value: "http.host" }, "http host"),
  ...phrases(
    { value: "dns.answer" },
    "resolve to, point to, points to, resolved to, resolving to, name that resolve to, pointing to, dns answer, dns answers pointing to",
  ),
  ...phrases({ without: "tag" }, "untagged"),
  ...phrases({ without: "owner" }, "unknown owner, ownerless"),
  ...phrases({ value: "ja4" }, "ja4, ja4 fingerprint"),
  ...phrases({ number: "score" }, "score"),
  ...phrases({ number: "device.score" }, "risk, risk score"),
  ...phrases({ number: "http.status" }, "http status, status code, http status code"),
  ...phrases({ number: "alert.id" }, "sid, signature id, rule id"),
  ...phrases({ number: "vlan" }, "vlan id"),

  ...phrases(
    known("intel"),
    `
      malicious, known bad, bad, threat intelligence, threat intel, intel, blacklisted, blocklisted,
      listed, indicator, ioc, known malicious, threat list, intelligence, intel hit, intel match,
      indicator of compromise, address on a threat list, address on threat list, on a threat list, on the threat list, threat intel address, known bad ips, bad ips, malicious ips, blacklisted ips, bad address, bad host, bad server, known bad server, malicious domain, bad domain, known bad domain, known bad address, known bad host, malicious
      address, malicious host, malicious domain, malicious server`,
  ),
  ...phrases(known("owner"), "with an owner, with owner"),
  ...phrases({ is: { field: "assignee", op: "exists" } }, "assigned"),
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
    "outbound, outgoing, leaving the network, going out, going outside, leaving the site, out of the site, out of the network, from the site to elsewhere",
  ),
  ...phrases(is("direction", "inbound"), "inbound, incoming, into the site, into the network"),
  ...phrases(
    { outside: true },
    `
      the internet, internet, outside, the outside, the outside world, external address, external ips, public ips, outside ips, external host,
      external server, external ip, public address, elsewhere, outside server, outside host, outside address,
      foreign server, foreign host, foreign address, public ip, public ip address, abroad, overseas,
      outside the country, foreign country, other country`,
  ),
  ...phrases(is("direction", ["inbound", "outbound"]), "external"),

  ...phrases(is("service", ["http", "tls"]), "web, web traffic, web request, browsing"),
  ...phrases({ ...is("service", ["http", "tls"]), verb: "dst" }, "browsed, browse, browsing to"),
  ...phrases(is("service", "http"), "http, http request, plain http"),
  ...phrases(is("service", "tls"), "tls, ssl, https, tls connection, encrypted web"),
  ...phrases(is("service", "dns"), "dns, dns traffic"),
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
  ...phrases(is("http.method", "POST", "="), "post request, http post"),
  ...phrases(is("http.method", "GET", "="), "get request, http get"),
  ...phrases(is("http.status", 400, ">="), "http error, web error"),
  ...phrases(is("dns.type", "TXT", "="), "txt record, txt query, txt lookup"),
  ...phrases(is("dns.type", "MX", "="), "mx record, mx query"),

  ...phrases(
    { ...is("device.score", 40, ">="), note: "Suspicious: of a score of 40 or more." },
    "suspicious, risky, riskiest",
  ),

  // Who works on an incident is no device.
  ...phrases(
    { refuse: true },
    ["who", "who is", "who has", "who was", "who had"].flatMap((who) =>
      [
        "investigating",
        "investigated",
        "closed",
        "closes",
        "solved",
        "fixed",
        "assigned",
        "opened the incident",
        "issues",
        "issued",
      ].map((verb) => `${who} ${verb}`)
    ).join(","),
  ),
  ...phrases(
    { refuse: true },
    "somebody else, someone else, anybody else, anyone else, by last seen, by first seen, by size, by age, by date, send us, sent us, sending us, email me, mail me, send me, call me, notify me, alert me, e-mail me, in the name, in its name, in their name",
  ),

  ...phrases({ type: "printer" }, "printer"),
  ...phrases({ type: "camera" }, "camera"),
  ...phrases({ type: "phone" }, "phone, smartphone, mobile"),
  ...phrases({ type: "voip_phone" }, "voip phone, desk phone"),
  ...phrases({ type: "workstation" }, "workstation, laptop, desktop, pc, pcs, notebook"),
  ...phrases({ type: "router" }, "router, gateway"),
  ...phrases({ type: "server" }, "server"),
  ...phrases({ type: "domain_controller" }, "domain controller"),
  ...phrases({ type: "dns_server" }, "dns server"),
  ...phrases({ type: "dhcp_server" }, "dhcp server"),
  ...phrases({ type: "web_server" }, "web server"),
  ...phrases({ type: "mail_server" }, "mail server"),
  ...phrases({ type: "file_server" }, "file server, nas"),
  ...phrases({ type: "database_server" }, "database server, database"),
  ...phrases({ type: "iot" }, "iot, iot device, smart device"),
  ...phrases({ type: "unknown" }, "unknown, unidentified, unclassified"),

  ...phrases(
    { topic: "new" },
    `
      new, newly seen, first seen, appeared, joined, newly, new to the network, new on the network, showed up,
      seen for the first time, first time seen, for the first time`,
  ),
  ...phrases(
    { kind: "incidents", topic: "new" },
    ["incident", "alert", "detection"].flatMap((noun) =>
      ["opened", "created", "raised", "triggered", "fired"].flatMap((verb) => [
        `${noun} ${verb}`,
        ...["that were", "which were", "that was", "were"].map((words) => `${noun} ${words} ${verb}`),
      ])
    ).join(","),
  ),
  ...phrases(
    is("status", ["open", "investigating"]),
    "unresolved, not yet closed, not yet resolved, active, pending, not closed, not resolved, not solved, unsolved, not fixed, still open, unhandled",
  ),
  ...phrases(is("status", "open"), "open, status open, status is open"),
  ...phrases(
    is("status", "investigating"),
    "investigating, status investigating, in progress, under investigation, being investigated",
  ),
  ...phrases(is("status", ["resolved", "false_positive"]), "closed"),
  ...phrases(is("status", "resolved"), "resolved, status resolved, fixed, solved"),
  ...phrases(is("status", "false_positive"), "false positive, false alarm, closed as false positive"),
  ...phrases(
    { ...is("severity", "high", ">="), note: "Severe: of high or critical severity." },
    "severe, serious, important, urgent, worst, high priority, dangerous",
  ),
  ...phrases(
    { without: "assignee" },
    `
      unassigned, not assigned, nobody is working on, no one is working on, nobody works on, no one works on,
      nobody has taken, no one has taken, without assignee, without an assignee, assigned to no one, incident without owner, incident without an owner,
      alert without owner, alert without an owner`,
  ),
  ...phrases(
    is("assignee", "me"),
    "assigned to me, i am working on, i'm working on, i am assigned to, i'm assigned to, mine",
  ),
  ...phrases({ mine: true }, "am i working on, what am i working on"),

  ...phrases(
    is("detector", ["beacon", "beacon-name"]),
    "beacon, beaconing, c2, c&c, command and control, callback, calling home, phoning home, beaconed, called home, calls home, call home, phoned home, phones home, phone home",
  ),
  ...phrases(
    { ...is("detector", ["beacon", "beacon-name"]), note: "Shown as incidents: those about such servers." },
    "c2 server, c&c server, command and control server, beacon server",
  ),
  ...phrases(
    is("detector", "scan", "="),
    "scan, port scan, scanning, scanner, network scan, portscan, port scanning, scanned the network",
  ),
  ...phrases({ ...is("detector", "scan", "="), verb: "dst" }, "scanned, probed"),
  ...phrases(
    { ...is("detector", "scan", "="), verb: "src", note: EITHER_SIDE },
    "scanned by, probed by",
  ),
  ...phrases(
    {
      kind: "incidents",
      role: "either",
      note: "Attacks: incidents of every detector, on either side of them.",
    },
    "attacked, attacking, attacks, attack",
  ),
  ...phrases(
    is("detector", "brute-force", "="),
    "brute force, brute-force, bruteforce, password guessing, brute forcing, brute force attack, brute-force attack, brute force attempt",
  ),
  ...phrases(
    is("detector", "exfiltration", "="),
    "exfiltration, data exfiltration, data theft, data leak, exfiltrating",
  ),
  ...phrases(
    is("detector", "dns-tunnel", "="),
    "dns tunnel, dns tunneling, dns tunnelling",
  ),
  ...phrases(
    { ...is("detector", "dns-tunnel", "="), note: "Tunnels: those in DNS queries." },
    "tunneling, tunnelling, tunnel",
  ),
  ...phrases(is("detector", "lateral-movement", "="), "lateral movement, moving laterally"),
  ...phrases(is("detector", "dga", "="), "dga, generated domain, random domain, domain generation"),
  ...phrases(is("detector", "flood", "="), "flood, flooding, ddos, denial of service, dos"),
  ...phrases(
    is("detector", "certificate", "="),
    "bad certificate, invalid certificate, suspicious certificate, certificate problem",
  ),
  ...phrases(
    { ...is("title", "self-signed"), note: OUTSIDE_CERTIFICATES },
    "self-signed certificate, self signed certificate, self-signed cert, self signed cert, self-signed",
  ),
  ...phrases(
    { ...is("title", "expired"), note: OUTSIDE_CERTIFICATES },
    "expired certificate, expired cert, expired tls certificate, expired ssl certificate",
  ),
  ...phrases({ ...is("detector", "exfiltration", "="), verb: "dst" }, "exfiltrated"),
  ...phrases(
    { ...is("title", "malware"), note: "Malware: incidents with that word in the title." },
    "malware, trojan, malware traffic, malware alert",
  ),
  ...phrases(is("detector", "mass-mail", "="), "mass mail, spam, spamming, mass mailing"),
  ...phrases(is("detector", "rogue-dhcp", "="), "rogue dhcp, rogue dhcp server"),
  ...phrases(is("detector", "rogue-dns", "="), "rogue dns, rogue dns server"),
]);

/** Longest phrase, in words. */
export const MAX_PHRASE_WORDS = Math.max(...[...PHRASES.keys()].map((text) => text.split(" ").length));

export const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  moderate: "medium",
  low: "low",
  info: "info",
  informational: "info",
};

/** Words after a severity that include the higher ones. */
export const OR_HIGHER: readonly string[] = [
  "or higher",
  "or above",
  "and above",
  "or worse",
  "and higher",
  "or more",
  "and up",
  "or greater",
  "and worse",
];

/** Words after a severity that include the lower ones. */
export const OR_LOWER: readonly string[] = ["or lower", "or below", "and below", "and lower", "or less"];

/** The word in the singular, as phrases are written. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|dns|tls|https|dos|ddos|nas|c2s)$/.test(word)) return word;
  if (/(?:ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
