// Recordings of real sensors used by the tests: their files and sensors.

const DATA = new URL("../../data/", import.meta.url).pathname;

export interface TestRecording {
  /** Also the name of its golden file, `test/data/recordings/<name>.golden.json`. */
  name: string;
  /** Files by sensor, relative to `test/data`. */
  sensors: Record<string, string[]>;
  /** Networks of the site, if not the private ranges. */
  networks?: string[];
}

export const RECORDINGS: TestRecording[] = [
  {
    name: "apt29",
    sensors: {
      nashua: [
        "sample/apt29-nashua/conn.ndjson.gz",
        "sample/apt29-nashua/dns.ndjson",
        ...logs(
          "recordings/apt29-nashua",
          "ndjson.gz",
          "ssl kerberos notice smb_files smb_mapping dce_rpc weird",
        ),
      ],
      scranton: [
        "captures/apt29-scranton/conn.ndjson.gz",
        ...logs("captures/apt29-scranton", "ndjson", "dns http ssl"),
        ...logs(
          "recordings/apt29-scranton",
          "ndjson.gz",
          "kerberos notice smb_files smb_mapping dce_rpc weird",
        ),
      ],
    },
  },
  {
    name: "brobeat",
    sensors: {
      zeek: [
        ...logs("sample/brobeat", "log", "conn dns"),
        ...logs("captures/brobeat", "log", "http ssl stats capture_loss"),
        ...logs("recordings/brobeat", "log.gz", "dhcp notice"),
      ],
    },
  },
  { name: "cdmcs", sensors: { suricata: ["sample/cdmcs/eve.ndjson.gz"] } },
  {
    name: "corelight-one-of-each",
    sensors: { zeek: ["recordings/vast/corelight-one-of-each.ndjson.gz"] },
  },
  {
    name: "crowdsec",
    sensors: { suricata: logs("recordings/crowdsec", "ndjson.gz", "suricata-evelog suricata-eve-detect") },
  },
  {
    name: "ctu13-rbot",
    sensors: {
      zeek: [
        ...logs("captures/ctu13-rbot", "ndjson.gz", "conn dns"),
        ...logs("recordings/ctu13-rbot", "ndjson.gz", "http ssh"),
      ],
    },
    networks: ["147.32.0.0/16"],
  },
  { name: "datadog", sensors: { suricata: ["recordings/datadog/samples.ndjson.gz"] } },
  { name: "eve-one-of-each", sensors: { suricata: ["recordings/vast/eve-one-of-each.ndjson.gz"] } },
  {
    name: "fever",
    sensors: {
      suricata: logs(
        "recordings/fever",
        "ndjson.gz",
        "jsonparse_eve jsonparse_eve_broken1 jsonparse_eve_nulls alertify_input",
      ),
    },
  },
  { name: "goflow2-lines", sensors: { collector: ["recordings/goflow2/log-lines.ndjson.gz"] } },
  { name: "goflow2-sflow", sensors: { collector: ["replay/goflow2-readme-sflow5.json"] } },
  { name: "honeypot-2018", sensors: { suricata: ["captures/honeypot-2018/alerts.json"] } },
  {
    name: "lsass-01",
    sensors: {
      zeek: [
        ...logs("captures/lsass-01", "log", "conn dns"),
        ...logs("recordings/lsass-01", "log.gz", "http ssl kerberos weird"),
      ],
    },
  },
  {
    name: "lsass-03",
    sensors: { zeek: logs("recordings/lsass-03", "log.gz", "conn dns http kerberos weird") },
  },
  {
    name: "lsass-05",
    sensors: { zeek: logs("recordings/lsass-05", "log.gz", "conn dns http ssl kerberos weird") },
  },
  {
    name: "m57",
    sensors: { zeek: [...logs("captures/m57", "log.gz", "conn dns http"), "captures/m57/ssl.log"] },
  },
  { name: "saitama", sensors: { zeek: logs("sample/saitama", "ndjson", "conn dns") } },
  { name: "surevego", sensors: { suricata: ["captures/surevego/eve.ndjson.gz"] } },
  { name: "surevego-broken", sensors: { suricata: ["recordings/surevego/eve_broken.ndjson.gz"] } },
  { name: "suricatalog", sensors: { suricata: ["captures/suricatalog/eve-2.ndjson.gz"] } },
  { name: "suricatalog-udp", sensors: { suricata: ["recordings/suricatalog/eve_udp_flow.ndjson.gz"] } },
  {
    name: "two-sensors",
    sensors: {
      zeek: [...logs("captures/two-sensors", "log", "conn http ssh"), "recordings/two-sensors/files.log.gz"],
      suricata: ["captures/two-sensors/eve.ndjson.gz"],
    },
  },
  { name: "wrccdc-2017", sensors: { suricata: ["sample/wrccdc-2017/alerts.json"] } },
  {
    name: "wrccdc-2018",
    sensors: {
      zeek: logs("recordings/wrccdc-2018", "ndjson.gz", "ssh stats capture_loss kerberos ntlm smb_mapping"),
    },
  },
  {
    name: "zat",
    sensors: {
      zeek: [
        ...logs("captures/zat", "ndjson.gz", "conn dns"),
        ...logs(
          "recordings/zat",
          "ndjson.gz",
          "http ssl stats capture_loss dce_rpc dhcp kerberos smb_files smb_mapping weird",
        ),
      ],
    },
  },
];

function logs(folder: string, ending: string, names: string): string[] {
  return names.split(" ").map((name) => `${folder}/${name}.${ending}`);
}

export function pathOf(file: string): string {
  return DATA + file;
}
