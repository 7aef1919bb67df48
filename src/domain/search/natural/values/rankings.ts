import type { RankingBucket, RankingMeasure } from "../../../../contract/filter/aggregate.ts";
import type { ResultKind } from "../../../../contract/filter/tree.ts";

/** What a list of the most frequent values can be of, by the word for it. */
export const GROUP_WORDS: Readonly<
  Record<string, { field: string; kind: ResultKind; measure: RankingMeasure }>
> = {
  talker: { field: "src.ip", kind: "flows", measure: "bytes" },
  source: { field: "src.ip", kind: "flows", measure: "bytes" },
  client: { field: "src.ip", kind: "flows", measure: "bytes" },
  sender: { field: "src.ip", kind: "flows", measure: "src.bytes" },
  uploader: { field: "src.ip", kind: "flows", measure: "src.bytes" },
  receiver: { field: "src.ip", kind: "flows", measure: "dst.bytes" },
  downloader: { field: "src.ip", kind: "flows", measure: "dst.bytes" },
  device: { field: "device", kind: "flows", measure: "bytes" },
  host: { field: "src.ip", kind: "flows", measure: "bytes" },
  machine: { field: "device", kind: "flows", measure: "bytes" },
  destination: { field: "dst.ip", kind: "flows", measure: "bytes" },
  server: { field: "dst.ip", kind: "flows", measure: "bytes" },
  peer: { field: "dst.ip", kind: "flows", measure: "bytes" },
  country: { field: "dst.country", kind: "flows", measure: "bytes" },
  "source country": { field: "src.country", kind: "flows", measure: "bytes" },
  "destination country": { field: "dst.country", kind: "flows", measure: "bytes" },
  "source asn": { field: "src.asn", kind: "flows", measure: "bytes" },
  "destination asn": { field: "dst.asn", kind: "flows", measure: "bytes" },
  ip: { field: "dst.ip", kind: "flows", measure: "bytes" },
  ips: { field: "dst.ip", kind: "flows", measure: "bytes" },
  address: { field: "dst.ip", kind: "flows", measure: "bytes" },
  "ip address": { field: "dst.ip", kind: "flows", measure: "bytes" },
  asn: { field: "dst.asn", kind: "flows", measure: "bytes" },
  "as organisation": { field: "dst.asn", kind: "flows", measure: "bytes" },
  "as organization": { field: "dst.asn", kind: "flows", measure: "bytes" },
  "autonomous system": { field: "dst.asn", kind: "flows", measure: "bytes" },
  network: { field: "dst.asn", kind: "flows", measure: "bytes" },
  provider: { field: "dst.asn", kind: "flows", measure: "bytes" },
  service: { field: "service", kind: "flows", measure: "bytes" },
  application: { field: "service", kind: "flows", measure: "bytes" },
  protocol: { field: "proto", kind: "flows", measure: "bytes" },
  port: { field: "dst.port", kind: "flows", measure: "count" },
  "dst port": { field: "dst.port", kind: "flows", measure: "count" },
  "destination port": { field: "dst.port", kind: "flows", measure: "count" },
  "src port": { field: "src.port", kind: "flows", measure: "count" },
  "source port": { field: "src.port", kind: "flows", measure: "count" },
  "dst ip": { field: "dst.ip", kind: "flows", measure: "bytes" },
  "destination ip": { field: "dst.ip", kind: "flows", measure: "bytes" },
  "src ip": { field: "src.ip", kind: "flows", measure: "bytes" },
  "destination address": { field: "dst.ip", kind: "flows", measure: "bytes" },
  "source address": { field: "src.ip", kind: "flows", measure: "bytes" },
  "source ip": { field: "src.ip", kind: "flows", measure: "bytes" },
  domain: { field: "dns.query", kind: "flows", measure: "count" },
  site: { field: "server_name", kind: "flows", measure: "count" },
  website: { field: "server_name", kind: "flows", measure: "count" },
  name: { field: "dns.query", kind: "flows", measure: "count" },
  "dns query": { field: "dns.query", kind: "flows", measure: "count" },
  "dns lookup": { field: "dns.query", kind: "flows", measure: "count" },
  "dns name": { field: "dns.query", kind: "flows", measure: "count" },
  alert: { field: "alert", kind: "flows", measure: "count" },
  category: { field: "alert.category", kind: "flows", measure: "count" },
  "alert category": { field: "alert.category", kind: "flows", measure: "count" },
  signature: { field: "alert", kind: "flows", measure: "count" },
  "ids alert": { field: "alert", kind: "flows", measure: "count" },
  user: { field: "user", kind: "flows", measure: "count" },
  account: { field: "user", kind: "flows", measure: "count" },
  "user agent": { field: "user_agent", kind: "flows", measure: "count" },
  "http method": { field: "http.method", kind: "flows", measure: "count" },
  "tls version": { field: "tls.version", kind: "flows", measure: "count" },
  technique: { field: "technique", kind: "incidents", measure: "count" },
  tag: { field: "tag", kind: "devices", measure: "count" },
  vlan: { field: "vlan", kind: "flows", measure: "bytes" },
  sensor: { field: "sensor", kind: "flows", measure: "count" },
  direction: { field: "direction", kind: "flows", measure: "bytes" },
  severity: { field: "severity", kind: "incidents", measure: "count" },
  status: { field: "status", kind: "incidents", measure: "count" },
  assignee: { field: "assignee", kind: "incidents", measure: "count" },
  detector: { field: "detector", kind: "incidents", measure: "count" },
  owner: { field: "owner", kind: "devices", measure: "count" },
  type: { field: "device.type", kind: "devices", measure: "count" },
  "device type": { field: "device.type", kind: "devices", measure: "count" },
};

/** The field of a device for the one of a flow: `devices by VLAN`. */
export const DEVICE_GROUPS: Readonly<Record<string, string>> = { vlan: "device.vlan" };

/** Words before what is to be ranked, and before what is to be grouped by. */
export const RANKING: readonly string[] =
  ("top,busiest,most active,largest,biggest,most frequent,most common,loudest,heaviest,noisiest,most contacted," +
    "most visited,most requested,most queried,most looked up,most accessed,most targeted,most often used,most frequently used,most frequently visited,most popular,most used,highest,peak")
    .split(",");
/** Words that can be asked for: `which countries did 10.0.0.5 talk to`. Other nouns ask for devices. */
export const ASKED_GROUPS: ReadonlySet<string> = new Set([
  "country",
  "asn",
  "port",
  "service",
  "application",
  "protocol",
  "domain",
  "website",
  "dns name",
  "as organisation",
  "as organization",
  "autonomous system",
  "provider",
  "user",
  "user agent",
  "ip",
  "ips",
  "ip address",
  "address",
  "signature",
  "detector",
  "account",
  "vlan",
  "sensor",
]);
/** Words whose plural before one of the others asks for values: `destinations of 10.0.0.5`. */
export const VALUE_NOUNS =
  /^(?:users|accounts|(?:(?:src|source|dst|destination) )?(?:ports|countries|asns)|sources|destinations|services|protocols|http methods|user agents|ips|ip addresses)$/;
export const BEFORE_OWNER: ReadonlySet<string> = new Set([
  "who",
  "that",
  "of",
  "on",
  "in",
  "with",
  "for",
  "used",
  "contacted",
]);
/** Ask for the devices with the most incidents. */
export const MOST_INCIDENTS: readonly string[] = [
  ...["incidents", "incident count", "detections"].flatMap((
    noun,
  ) => [`by ${noun}`, `by number of ${noun}`, `by the number of ${noun}`]),
  ...["with", "has", "have", "had"].flatMap((verb) =>
    ["the most", "most"].flatMap((most) =>
      ["incidents", "detections", "alerts"].map((noun) => `${verb} ${most} ${noun}`)
    )
  ),
];
/** Ask for the devices with the most traffic: `who uploaded the most data`. */
export const MOST_TRAFFIC: readonly string[] = ["the most", "most"].flatMap((most) =>
  [
    "data",
    "traffic",
    "bytes",
    "volume",
    "bandwidth",
    "of our data",
    "of our traffic",
    "of the data",
    "of the traffic",
  ].map((noun) => `${most} ${noun}`)
);
/** As `MOST_TRAFFIC`, after a verb such as `uploaded`. */
export const THE_MOST: readonly string[] = ["the most", "most"];
/** Words for spans of time that can be asked for one by one: `per hour`. */
export const BUCKET_WORDS: Readonly<Record<string, RankingBucket>> = { hour: "1h", hr: "1h", day: "1d" };
/** As `per hour` by themselves. */
export const BUCKET_ADVERBS: Readonly<Record<string, RankingBucket>> = { hourly: "1h", daily: "1d" };
/** Words before how long ago a device was last seen. */
export const SILENT: readonly string[] = [
  "not seen",
  "not been seen",
  "i haven't seen",
  "we haven't seen",
  "not appeared",
  "didn't appear",
  "not shown up",
  "not been online",
  "not been active",
  "not active",
  "have not seen",
  "haven't been seen",
  "hasn't been seen",
  "weren't seen",
  "wasn't seen",
  "unseen",
  "silent",
  "with no traffic",
  "without traffic",
  "without any traffic",
  "no traffic",
  "with no activity",
  "without activity",
  "inactive",
  "offline",
];
export const GROUPING: readonly string[] = [
  "by",
  "per",
  "grouped by",
  "broken down by",
  "for each",
  "in each",
  "on each",
  "of each",
  "in every",
  "ranked by",
  "split by",
];
/** Words whose plural after `by` may be who did it: `connections by servers`. */
export const DOERS = /^(?:servers|devices|hosts|machines|users|accounts)$/;
/** Words after `bytes` that say which way. */
export const WAYS: Readonly<Record<string, RankingMeasure>> = {
  out: "src.bytes",
  sent: "src.bytes",
  uploaded: "src.bytes",
  in: "dst.bytes",
  received: "dst.bytes",
  downloaded: "dst.bytes",
};
/** What a ranking is measured by: `by bytes`. */
export const MEASURE_WORDS: Readonly<Record<string, RankingMeasure>> = {
  upload: "src.bytes",
  download: "dst.bytes",
  byte: "bytes",
  packet: "packets",
  volume: "bytes",
  size: "bytes",
  traffic: "bytes",
  connection: "count",
  flow: "count",
  session: "count",
  count: "count",
};
