// Tables in the format of their publishers; names, addresses and digests are invented.
import assert from "node:assert/strict";
import { compileIntel } from "./compile.ts";
import type { ListReport } from "./indicator.ts";
import { IntelSet } from "./intel-set.ts";

function load(name: string, text: string): { set: IntelSet; report: ListReport } {
  const { data, lists: [report] } = compileIntel([{ name, pieces: [text] }]);
  assert.ok(report);
  return { set: new IntelSet(data), report };
}

const SHA1 = "4da14224452c1fe61f46b1112c43ecfd9f322c82";
const JA3 = "e7d705a3286e19ea42f587b344ee6865";

Deno.test("URLhaus: the column names are in a comment", () => {
  const { set, report } = load(
    "urlhaus.txt",
    `################################################################
# abuse.ch URLhaus Database Dump (CSV - recent URLs only)      #
# Last updated: 2026-11-21 00:00:00 (UTC)                      #
#
# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter
"1","2026-11-21 00:00:05","http://198.51.100.7:5555/bin.sh","online","2026-11-21","malware_download","elf,Mozi","https://urlhaus.abuse.ch/url/1/","someone"
"2","2026-11-21 00:00:04","https://evil.example/a,b?c=1","offline","","malware_download","None","https://urlhaus.abuse.ch/url/2/","some
one"
`,
  );
  assert.equal(set.matchUrl("198.51.100.7", "/bin.sh")?.description, "malware_download (elf,Mozi)");
  assert.equal(set.matchUrl("evil.example", "/a,b?c=1")?.description, "malware_download");
  assert.equal(set.matchIp("198.51.100.7"), null);
  assert.equal(set.matchDomain("evil.example"), null);
  assert.equal(set.matchDomain("urlhaus.abuse.ch"), null);
  assert.deepEqual([report.indicators, report.faulty], [2, 1]);
});

Deno.test("Feodo Tracker: the column names are in the first row, the end is a comment", () => {
  const { set, report } = load(
    "feodo.csv",
    `# Feodo Tracker Botnet C2 IP Blocklist (CSV)
"first_seen_utc","dst_ip","dst_port","c2_status","last_online","malware"
"2026-01-17 07:30:05","198.51.100.7","443","offline","2026-11-20","Dridex"
"2026-01-18 07:30:05","198.51.100.8","8080","online","2026-11-20","Emotet"
# END 2 entries
`,
  );
  assert.equal(set.matchIp("198.51.100.7")?.description, "Dridex");
  assert.equal(set.matchIp("198.51.100.8")?.description, "Emotet");
  assert.deepEqual([report.indicators, report.faulty], [2, 0]);
});

Deno.test("SSLBL: certificates, addresses and JA3", () => {
  const certificates = load(
    "a.csv",
    `# Listingdate,SHA1,Listingreason\r\n2026-09-02 06:17:52,${SHA1},Rhadamanthys C&C\r\n`,
  );
  assert.equal(certificates.set.matchCertificate(SHA1)?.description, "Rhadamanthys C&C");
  const addresses = load("b.csv", "# Firstseen,DstIP,DstPort\n2026-09-02 06:17:52,198.51.100.7,443\n");
  assert.equal(addresses.set.matchIp("198.51.100.7")?.kind, "ip");
  const ja3 = load(
    "c.csv",
    `# ja3_md5,Firstseen,Lastseen,Listingreason\n${JA3},2017-07-14 18:08:15,2019-07-27 20:42:54,Dridex\n`,
  );
  assert.deepEqual(ja3.set.matchJa3(JA3), {
    list: "c.csv",
    indicator: JA3,
    kind: "ja3",
    description: "Dridex",
    confidence: null,
    exact: true,
  });
});

Deno.test("ThreatFox: each row has a type; file hashes are skipped, not faults", () => {
  const { set, report } = load(
    "threatfox.csv",
    `# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","malware_alias","malware_printable","last_seen_utc","confidence_level","is_compromised","reference","tags","anonymous","reporter"
"2026-08-15 04:05:06", "1", "198.51.100.7:10001", "ip:port", "botnet_cc", "win.x", "None", "Viper", "", "75", "True", "None", "viper", "1", "anonymous"
"2026-08-15 04:05:06", "2", "evil.example", "domain", "payload", "win.x", "None", "Unknown malware", "", "100", "False", "None", "None", "1", "anonymous"
"2026-08-15 04:05:06", "3", "${
      "ab".repeat(32)
    }", "sha256_hash", "payload", "win.x", "None", "X", "", "100", "False", "None", "None", "1", "anonymous"
`,
  );
  assert.deepEqual(set.matchIp("198.51.100.7"), {
    list: "threatfox.csv",
    indicator: "198.51.100.7",
    kind: "ip",
    description: "Viper (viper)",
    confidence: 0.75,
    exact: true,
  });
  assert.equal(set.matchDomain("a.evil.example")?.confidence, 1);
  assert.equal(set.matchCertificate("ab".repeat(32)), null);
  assert.deepEqual([report.indicators, report.skipped, report.faulty], [2, 1, 0]);
});

Deno.test("MISP: only attributes meant for detection", () => {
  const { set, report } = load(
    "misp.csv",
    `uuid,event_id,category,type,value,comment,to_ids,date,object_relation,attribute_tag
u1,1,"Network activity","ip-dst|port","198.51.100.7|443","C2, second stage",1,20261121,,"tlp:green"
u2,1,"Network activity","domain|ip","evil.example|198.51.100.9","",1,20261121,,
u3,1,"Network activity","ip-dst","198.51.100.8","context",0,20261121,,
u4,1,"Payload delivery","sha256","${"cd".repeat(32)}","",1,20261121,,
u5,1,"Network activity","x509-fingerprint-sha1","${SHA1}","",1,20261121,,
u6,1,"Network activity","ja3-fingerprint-md5","${JA3}","",1,20261121,,
`,
  );
  assert.equal(set.matchIp("198.51.100.7")?.description, "C2, second stage (tlp:green)");
  assert.equal(set.matchDomain("evil.example")?.kind, "domain");
  assert.equal(set.matchIp("198.51.100.8"), null);
  assert.equal(set.matchIp("198.51.100.9"), null);
  assert.notEqual(set.matchCertificate(SHA1), null);
  assert.notEqual(set.matchJa3(JA3), null);
  assert.deepEqual([report.indicators, report.skipped, report.faulty], [4, 2, 0]);
});

Deno.test("AlienVault OTX, and Zeek's intelligence files", () => {
  const otx = load(
    "otx.csv",
    `Indicator type,Indicator,Description\nIPv4,198.51.100.7,scanner\nhostname,c2.evil.example,\nFileHash-MD5,${JA3},\nCIDR,203.0.113.0/24,\n`,
  );
  assert.equal(otx.set.matchIp("198.51.100.7")?.description, "scanner");
  assert.equal(otx.set.matchDomain("c2.evil.example")?.description, null);
  assert.equal(otx.set.matchIp("203.0.113.1")?.kind, "cidr");
  assert.equal(otx.set.matchJa3(JA3), null);
  assert.deepEqual([otx.report.indicators, otx.report.skipped, otx.report.faulty], [3, 1, 0]);

  const zeek = load(
    "intel.dat",
    `#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc\n198.51.100.7\tIntel::ADDR\tus\tbad host\nevil.example/x y\tIntel::URL\tus\t-\n${SHA1}\tIntel::CERT_HASH\tus\t-\na@evil.example\tIntel::EMAIL\tus\t-\n`,
  );
  assert.equal(zeek.set.matchIp("198.51.100.7")?.description, "bad host");
  assert.equal(zeek.set.matchUrl("evil.example", "/x y")?.description, null);
  assert.notEqual(zeek.set.matchCertificate(SHA1), null);
  assert.deepEqual([zeek.report.indicators, zeek.report.skipped, zeek.report.faulty], [3, 1, 0]);
});
