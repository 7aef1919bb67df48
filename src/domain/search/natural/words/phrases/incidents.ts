import type { Effect } from "../effect.ts";
import { is, phrases } from "./phrase.ts";

export const EITHER_SIDE = "Either side of such incidents is found.";

/** The validity of a certificate is known to the detector alone. */
const OUTSIDE_CERTIFICATES = "Shown as incidents: those about such certificates of outside servers.";

/** Verbs of who takes an incident. */
const DONE = [
  "taken",
  "took",
  "picked up",
  "picked",
  "claimed",
  "touched",
  "looked at",
  "looked into",
  "started on",
];

/** Incidents, their state, and what detectors call what they find. */
export const INCIDENTS: readonly [string, Effect][] = [
  ...phrases({ kind: "incidents" }, "incident, detection, finding, case, problem, issue, ticket"),
  ...phrases(
    { kind: "incidents", note: "Unusual: what detectors reported as incidents." },
    `
      anything unusual, anything suspicious, anything strange, anything weird, anything bad, anything odd,
      something unusual, something bad, something odd, something weird, something suspicious, something strange, unusual activity, suspicious activity,
      suspicious behaviour, suspicious behavior, strange activity`,
  ),
  ...phrases(
    { kind: "incidents", topic: "new" },
    ["incident", "alert", "detection"].flatMap((noun) =>
      ["opened", "created", "raised", "triggered", "fired", "started", "began"].flatMap((verb) => [
        `${noun} ${verb}`,
        ...["that were", "which were", "that was", "were"].map((words) => `${noun} ${words} ${verb}`),
      ])
    ).join(","),
  ),
  ...phrases(
    is("status", ["open", "investigating"]),
    "unresolved, not yet closed, not yet resolved, active, pending, not closed, not resolved, not solved, unsolved, not fixed, still open, but still open, but not closed, but not resolved, but unresolved, unhandled",
  ),
  ...phrases(is("status", "open"), "open, status open, status is open"),
  ...phrases(
    is("status", "investigating"),
    "investigating, status investigating, in progress, under investigation, acknowledged, being investigated",
  ),
  ...phrases(is("status", ["resolved", "false_positive"]), "closed, close, closes"),
  ...phrases(is("status", "resolved"), "resolved, status resolved, fixed, solved"),
  ...phrases(is("status", "false_positive"), "false positive, false alarm, closed as false positive"),
  ...phrases(
    { ...is("severity", "high", ">="), note: "Severe: of high or critical severity." },
    "severe, serious, important, urgent, worst, high priority, dangerous",
  ),
  ...phrases(
    { without: "assignee" },
    `
      not assigned to anyone, not assigned to anybody, not assigned to someone, unassigned, not assigned, without assignee, without an assignee, assigned to no one, incident without owner, incident without an owner,
      alert without owner, alert without an owner, incident nobody owns, alert nobody owns, ticket nobody owns, case nobody owns, incident no one owns`,
  ),
  ...phrases(
    { without: "assignee" },
    ["nobody", "no one", "no-one", "noone"].flatMap((who) =>
      [
        "is working on",
        "works on",
        "is handling",
        "handles",
        ...DONE,
        ...DONE.map((verb) => `has ${verb}`),
      ]
        .map((verb) => `${who} ${verb}`)
    ).join(","),
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
    "attacked, attacking, attacks, attack, attacker",
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
    "certificate that are expired, certificate which are expired, certificate that have expired, expired certificate, expired cert, expired tls certificate, expired ssl certificate",
  ),
  ...phrases({ ...is("detector", "exfiltration", "="), verb: "dst" }, "exfiltrated"),
  ...phrases(
    { ...is("title", "malware"), note: "Malware: incidents with that word in the title." },
    "malware, trojan, malware traffic, malware alert",
  ),
  ...phrases(is("detector", "mass-mail", "="), "mass mail, spam, spamming, mass mailing"),
  ...phrases(is("detector", "rogue-dhcp", "="), "rogue dhcp, rogue dhcp server"),
  ...phrases(is("detector", "rogue-dns", "="), "rogue dns, rogue dns server"),
];
