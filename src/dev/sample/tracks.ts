// What the sample plays. Every record is real (test/data/**/ORIGIN.md); only its times are shifted.

import type { RecordKind } from "../../contract/record/kinds.ts";

/** Recordings of one sensor that play together. */
export interface Track {
  id: string;
  tenantId: string;
  /** A kind that its sensor must be allowed to send. */
  kind: RecordKind;
  /** Below `test/data`. */
  files: readonly string[];
  /** Sends the lines that are damaged or no record instead, as a log shipper would. */
  others?: boolean;
  only?: RegExp;
  except?: RegExp;
  plays: ClockTime | Span;
}

/** A recording of a whole day: each record plays at its time of the local day, every day. */
export interface ClockTime {
  at: "clock";
  /** Difference between local time and UTC where it was recorded, in hours. */
  recordedZone: number;
}

/** A recording that starts some hours before the sample is first loaded. */
export interface Span {
  at: "span";
  hoursAgo: number;
  /** Plays its seconds in random order and at random times until it plays again. */
  scatter?: boolean;
  /** Factor by which the pauses between its records are longer than recorded. */
  stretch?: number;
  /** Plays again after so many minutes, for as long as the program runs; once if unset. */
  everyMinutes?: number;
}

/** Of background traffic, which plays from the beginning of the sample's history. */
const DAY_HOURS = 24;

const LAB_BROWSING = /\b10\.77\.0\.1[45]\b/;
const LAB_ATTACK = /\b(?:203\.0\.113\.(?:10|80)|10\.77\.0\.1[123])\b/;

/** Small recordings with incidents come first, the long day of the office last. */
export const TRACKS: readonly Track[] = [
  {
    id: "main-beacon",
    tenantId: "main",
    kind: "zeek.conn",
    files: [
      "sample/brobeat/conn.log",
      "sample/brobeat/dns.log",
      "captures/brobeat/http.log",
      "captures/brobeat/ssl.log",
      "captures/brobeat/capture_loss.log",
    ],
    // The infected laptop goes on calling home: 83 minutes of it, over and over.
    plays: { at: "span", hoursAgo: 4, everyMinutes: 84 },
  },
  {
    id: "main-intrusion-1",
    tenantId: "main",
    kind: "zeek.conn",
    files: [
      "sample/apt29-nashua/conn.ndjson.gz",
      "sample/apt29-nashua/dns.ndjson",
      "recordings/apt29-nashua/ssl.ndjson.gz",
    ],
    plays: { at: "span", hoursAgo: 3 },
  },
  {
    id: "main-intrusion-2",
    tenantId: "main",
    kind: "zeek.conn",
    files: [
      "captures/apt29-scranton/conn.ndjson.gz",
      "captures/apt29-scranton/dns.ndjson",
      "captures/apt29-scranton/http.ndjson",
      "captures/apt29-scranton/ssl.ndjson",
    ],
    // The other sensor has recorded these connections too.
    except: /"10\.0\.1\.4".*"10\.0\.1\.6"|"10\.0\.1\.6".*"10\.0\.1\.4"/,
    plays: { at: "span", hoursAgo: 3 },
  },
  {
    id: "main-training",
    tenantId: "main",
    kind: "suricata.alert",
    files: ["sample/cdmcs/eve.ndjson.gz"],
    plays: { at: "span", hoursAgo: 7 },
  },
  {
    id: "main-alerts",
    tenantId: "main",
    kind: "suricata.alert",
    files: ["sample/wrccdc-2017/alerts.json"],
    // Thirty hours of alerts, in half the time.
    plays: { at: "span", hoursAgo: 16, stretch: 0.5, everyMinutes: 16 * 60 },
  },
  {
    id: "main-lab-flows",
    tenantId: "main",
    kind: "netflow.flow",
    files: ["captures/lab/flows.json.gz"],
    only: LAB_ATTACK,
    plays: { at: "span", hoursAgo: 1.5 },
  },
  {
    id: "main-lab-tunnel",
    tenantId: "main",
    kind: "unbound.query",
    files: ["captures/lab/unbound.log.gz"],
    only: /\b10\.77\.0\.11\b/,
    plays: { at: "span", hoursAgo: 1.25 },
  },
  {
    id: "main-damaged",
    tenantId: "main",
    kind: "suricata.alert",
    files: [
      "recordings/surevego/eve_broken.ndjson.gz",
      "recordings/fever/jsonparse_eve_broken1.ndjson.gz",
      "recordings/datadog/samples.ndjson.gz",
    ],
    others: true,
    plays: { at: "span", hoursAgo: 5 },
  },
  {
    id: "main-resolver-start",
    tenantId: "main",
    kind: "unbound.query",
    files: ["captures/lab/unbound.log.gz"],
    only: /: init module|: start of service/,
    others: true,
    plays: { at: "span", hoursAgo: 1.3 },
  },
  {
    id: "main-netflow",
    tenantId: "main",
    kind: "netflow.flow",
    files: ["captures/lab/flows.json.gz"],
    only: LAB_BROWSING,
    except: LAB_ATTACK,
    plays: { at: "span", hoursAgo: DAY_HOURS, scatter: true, everyMinutes: 110 },
  },
  {
    id: "main-unbound",
    tenantId: "main",
    kind: "unbound.query",
    files: ["captures/lab/unbound.log.gz"],
    only: LAB_BROWSING,
    plays: { at: "span", hoursAgo: DAY_HOURS, scatter: true, everyMinutes: 110 },
  },
  {
    id: "main-suricata",
    tenantId: "main",
    kind: "suricata.alert",
    files: ["recordings/suricatalog/eve_udp_flow.ndjson.gz"],
    plays: { at: "span", hoursAgo: DAY_HOURS, everyMinutes: 30 },
  },
  {
    id: "branch-implant",
    tenantId: "branch",
    kind: "zeek.conn",
    files: ["sample/saitama/conn.ndjson", "sample/saitama/dns.ndjson"],
    plays: { at: "span", hoursAgo: 6, everyMinutes: 180 },
  },
  {
    id: "branch-office",
    tenantId: "branch",
    kind: "zeek.conn",
    files: ["captures/zat/conn.ndjson.gz", "captures/zat/dns.ndjson.gz"],
    plays: { at: "span", hoursAgo: 2 },
  },
  {
    id: "branch-suricata",
    tenantId: "branch",
    kind: "suricata.alert",
    files: ["captures/surevego/eve.ndjson.gz"],
    plays: { at: "span", hoursAgo: DAY_HOURS, scatter: true, everyMinutes: 120 },
  },
  {
    id: "branch-netflow",
    tenantId: "branch",
    kind: "netflow.flow",
    files: ["recordings/goflow2/log-lines.ndjson.gz"],
    plays: { at: "span", hoursAgo: DAY_HOURS, everyMinutes: 10 },
  },
  {
    id: "branch-unbound",
    tenantId: "branch",
    kind: "unbound.query",
    files: ["captures/lab/unbound.log.gz"],
    only: LAB_BROWSING,
    plays: { at: "span", hoursAgo: DAY_HOURS, scatter: true, everyMinutes: 110 },
  },
  {
    id: "main-office",
    tenantId: "main",
    kind: "zeek.conn",
    files: [
      "captures/m57/conn.log.gz",
      "captures/m57/dns.log.gz",
      "captures/m57/http.log.gz",
      "captures/m57/ssl.log",
    ],
    // Recorded in November in California.
    plays: { at: "clock", recordedZone: -8 },
  },
];
