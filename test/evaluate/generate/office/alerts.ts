// What a signature sensor reports in an ordinary office: remarks about policy, grammar and its own capture.

import type { Random } from "../random.ts";
import { named, type Traffic } from "../traffic.ts";
import { BEGIN, DAY, HOUR, isWeekend, MAIL_SERVER, type Roster } from "./roster.ts";

interface Rule {
  sid: number;
  text: string;
  category: string;
  severity: number;
}

const REMARKS: readonly Rule[] = [
  {
    sid: 2_027_390,
    text: "ET INFO Observed DNS Query to .cloud TLD",
    category: "Potentially Bad Traffic",
    severity: 2,
  },
  {
    sid: 2_012_647,
    text: "ET POLICY Dropbox.com Offsite File Backup in Use",
    category: "Potential Corporate Privacy Violation",
    severity: 1,
  },
  {
    sid: 2_013_504,
    text: "ET POLICY GNU/Linux APT User-Agent Outbound likely related to package management",
    category: "Not Suspicious Traffic",
    severity: 3,
  },
  {
    sid: 2_025_275,
    text: "ET INFO Windows OS Submitting USB Metadata to Microsoft",
    category: "Misc activity",
    severity: 3,
  },
  {
    sid: 2_210_020,
    text: "SURICATA STREAM ESTABLISHED packet out of window",
    category: "Generic Protocol Command Decode",
    severity: 3,
  },
];
const PROBES: readonly Rule[] = [
  {
    sid: 2_402_000,
    text: "ET DROP Dshield Block Listed Source group 1",
    category: "Misc Attack",
    severity: 2,
  },
  { sid: 2_001_219, text: "ET SCAN Potential SSH Scan", category: "Attempted Information Leak", severity: 2 },
];
const EVENTS = [
  "APPLAYER_DETECT_PROTOCOL_ONLY_ONE_DIRECTION",
  "REQUEST_HEADER_INVALID",
  "APPLAYER_PROTO_DETECTION_SKIPPED",
];

export function alertsDay(traffic: Traffic, random: Random, { people }: Roster, day: number): void {
  const from = BEGIN + day * DAY;
  for (let i = isWeekend(day) ? 2 : 14; i > 0 && people.length > 0; i--) {
    const { ip } = random.pick(people);
    const host = named(`www.popular-${random.int(0, 59)}.com.example`);
    const flow = { at: from + random.between(9 * HOUR, 16 * HOUR), src: ip, dst: host.ip, dport: 443 };
    if (random.chance(0.6)) {
      traffic.eve("alert", flow, alertOf(random.pick(REMARKS)));
    } else {
      const event = random.pick(EVENTS);
      traffic.eve("anomaly", flow, { type: "applayer", event, layer: "proto_parser", app_proto: "tls" });
    }
  }
  // The one server that the Internet can reach.
  for (let i = 0; i < 6; i++) {
    const flow = {
      at: from + random.between(0, DAY),
      src: `198.19.${random.int(100, 199)}.${random.int(1, 250)}`,
      dst: MAIL_SERVER,
      dport: 25,
    };
    traffic.eve("alert", flow, alertOf(random.pick(PROBES)));
  }
}

export function alertOf({ sid, text, category, severity }: Rule): object {
  return { action: "allowed", gid: 1, signature_id: sid, rev: 1, signature: text, category, severity };
}
