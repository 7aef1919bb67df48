import assert from "node:assert/strict";
import type { DetectorResult } from "../detect/kernel/result.ts";
import { apply, HOUR, opened, result, T0 } from "../../../test/support/domain/incident-fixtures.ts";
import type { IncidentState } from "./lifecycle.ts";
import { clip, phraseOf } from "./phrase.ts";

const UPLOAD: Partial<DetectorResult> = {
  modelId: "exfiltration",
  groupKey: "d1|x",
  title: "ws-7 uploaded 2.2 MB to 198.51.100.9:443",
  phrase: "2.2 MB uploaded to 198.51.100.9:443",
  summary: "2.2 MB went out.",
  firstSeen: T0,
};
const SCAN: Partial<DetectorResult> = {
  modelId: "scan",
  groupKey: "d1|22",
  title: "ws-7 scans other hosts (SSH)",
  destinations: [],
  firstSeen: T0 - 5 * HOUR,
};

Deno.test("narrative: a single result keeps its own text; the strongest result of a group provides it", () => {
  const incident = opened(60);
  assert.equal(incident.title, "Beaconing from ws-7 to 198.51.100.9:443");
  assert.equal(incident.summary, "score 60 Confidence: 50 %.");
  const weaker = apply(incident, result(30, { title: "Another port", summary: "weaker" })).incident;
  assert.equal(weaker.title, incident.title);
  const stronger = apply(incident, result(70, { title: "Another port", summary: "stronger" })).incident;
  assert.deepEqual([stronger.title, stronger.summary], ["Another port", "stronger Confidence: 50 %."]);
});

Deno.test("narrative: several results make one line, the leading one first", () => {
  const both = apply(opened(60), result(50, UPLOAD)).incident;
  assert.equal(both.title, "ws-7: beaconing to 198.51.100.9:443, then 2.2 MB uploaded there");
  const three = apply(both, result(30, SCAN)).incident;
  assert.equal(three.title, "ws-7: beaconing to 198.51.100.9:443 and 2 more findings");
  assert.equal(
    three.summary,
    "score 60 Also: ws-7 uploaded 2.2 MB to 198.51.100.9:443 (score 50, since 2020-09-13 12:26 UTC); ws-7 scans " +
      "other hosts (SSH) (score 30, since 2020-09-13 07:26 UTC). Observed between 2020-09-13 07:26 and " +
      "12:26 UTC (5 h). Confidence: 50 % for the leading finding, and 3 kinds of detection agree.",
  );
  const led = apply(three, result(90, UPLOAD)).incident;
  assert.equal(led.title, "ws-7: 2.2 MB uploaded to 198.51.100.9:443 and 2 more findings");
  const short = { ...SCAN, title: "ws-7 scans SSH" };
  assert.equal(
    apply(both, result(30, short)).incident.title,
    "ws-7: beaconing to 198.51.100.9:443, also scans SSH, then 2.2 MB uploaded there",
  );
});

Deno.test("narrative: a weak result is in the summary but not the title; the title names two others", () => {
  const remark = apply(opened(60), result(10, SCAN)).incident;
  assert.equal(remark.title, "Beaconing from ws-7 to 198.51.100.9:443");
  assert.match(remark.summary, /Also: ws-7 scans other hosts/);
  let many = opened(60);
  for (let n = 0; n < 5; n++) {
    many = apply(many, result(30 + n, { ...SCAN, groupKey: `${n}`, title: `ws-7 scans port ${n}` })).incident;
  }
  assert.equal(
    many.title,
    "ws-7: beaconing to 198.51.100.9:443, also scans port 4, and 4 more findings",
  );
  const upload = apply(many, result(25, UPLOAD)).incident;
  assert.equal(
    upload.title,
    "ws-7: beaconing to 198.51.100.9:443, also scans port 4, and 5 more findings",
  );
  const other = apply(opened(60), result(30, { ...SCAN, title: "ws-7 scans" })).incident;
  const again = apply(other, result(29, { ...SCAN, groupKey: "2", title: "ws-7 scans more" })).incident;
  assert.equal(
    apply(again, result(25, UPLOAD)).incident.title,
    "ws-7: beaconing to 198.51.100.9:443, also scans, and 2 more findings",
    "not the longest, but the strongest of each detector first",
  );
});

Deno.test("narrative: a joined title fits one line unless the leading finding alone is longer", () => {
  const long = { title: `Beaconing from ws-7 to ${"a".repeat(40)}.example:443` };
  let incident = apply(null, result(60, long)).incident;
  for (let n = 0; n < 12; n++) {
    incident = apply(incident, result(30 + n, { ...SCAN, groupKey: `${n}`, title: `ws-7 scans port ${n}` }))
      .incident;
    assert.equal(incident.title, long.title);
  }
  assert.match(incident.summary, /Also: ws-7 scans port 11 .*; and 7 more\./);
});

Deno.test("narrative: many findings that differ in their destination only are counted", () => {
  let incident = opened(60);
  const beacons = (count: number) => {
    for (let n = 1; n < count; n++) {
      const ip = `203.0.113.${n}`;
      incident = apply(
        incident,
        result(50, {
          groupKey: ip,
          title: `Beaconing from ws-7 to ${ip}:443`,
          phrase: `beaconing to ${ip}:443`,
          destinations: [{ ip, name: null, port: 443 }],
        }),
      ).incident;
    }
    return incident.title;
  };
  assert.equal(
    beacons(2),
    "ws-7: beaconing to 198.51.100.9:443, also beaconing to 203.0.113.1:443",
  );
  assert.equal(beacons(9), "ws-7: beaconing to 9 servers");
  incident = apply(incident, result(40, UPLOAD)).incident;
  assert.equal(incident.title, "ws-7: beaconing to 9 servers, then 2.2 MB uploaded to 198.51.100.9:443");
  incident = apply(incident, result(90, { ...UPLOAD, groupKey: "d1|y" })).incident;
  assert.equal(
    incident.title,
    "ws-7: 2.2 MB uploaded to 198.51.100.9:443, also beaconing to 9 servers",
    "the worst finding leads",
  );
  assert.equal(
    beacons(30),
    "ws-7: 2.2 MB uploaded to 198.51.100.9:443, also beaconing to at least 11 servers",
  );
});

Deno.test("narrative: a title does not say one thing twice", () => {
  const fetched = { modelId: "tls-rarity", groupKey: "f", phrase: "a program fetched from 198.51.100.9:80" };
  const second = {
    modelId: "tls-rarity",
    groupKey: "t",
    phrase: "TLS to 198.51.100.9:443 without a server's name",
  };
  const lead = {
    modelId: "unexpected-protocol",
    groupKey: "u",
    title: "ws-7 fetched a program from 198.51.100.9 and then spoke with it on port 443",
    phrase: "a program fetched from 198.51.100.9, then TLS to 198.51.100.9:443",
  };
  const three = [result(60, lead), result(40, second), result(30, { ...fetched, destinations: [] })]
    .reduce((incident: IncidentState | null, one) => apply(incident, one).incident, null);
  assert.equal(three?.title, lead.title);
  assert.match(
    three?.summary ?? "",
    /Also: .*\. Confidence: 50 %\.$/,
    "models of one kind repeat rather than agree",
  );
  const elsewhere = { ip: "203.0.113.5", name: null, port: 443 };
  const other = result(35, {
    ...second,
    groupKey: "o",
    phrase: "TLS to 203.0.113.5:443",
    destinations: [elsewhere],
  });
  assert.equal(apply(three!, other).incident.title, lead.title, "two of them do not fit one line");
  const brief = { ...lead, title: "ws-7 fetched a program", phrase: "a program fetched" };
  assert.equal(
    [result(60, brief), result(35, other)].reduce(
      (incident: IncidentState | null, one) => apply(incident, one).incident,
      null,
    )?.title,
    "ws-7: a program fetched, also TLS to 203.0.113.5:443",
  );
});

Deno.test("narrative: a campaign names its first device and how many more there are", () => {
  const other = { deviceId: "d2", deviceIds: ["d2"], groupKey: "d2" };
  const same =
    apply(opened(60), result(50, { ...other, title: "Beaconing from d2 to 198.51.100.9:443" })).incident;
  assert.equal(same.title, "ws-7 and 1 more device: beaconing to 198.51.100.9:443");
  const another =
    apply(same, result(40, { ...UPLOAD, ...other, phrase: "2.2 MB uploaded to 198.51.100.99" })).incident;
  assert.equal(another.title, "ws-7 and 1 more device: beaconing to 198.51.100.9:443 and 1 more finding");
  const elsewhere = apply(same, result(40, { ...UPLOAD, ...other, phrase: "an upload" })).incident;
  assert.equal(
    elsewhere.title,
    "ws-7 and 1 more device: beaconing to 198.51.100.9:443, then an upload (d2)",
  );
});

Deno.test("narrative: a campaign is named more briefly before its title exceeds one line", () => {
  const other = { deviceId: "d2", deviceIds: ["d2"], groupKey: "d2" };
  const phrase = "signs of a successful attack (ET ATTACK_RESPONSE) now";
  const campaign =
    apply(apply(null, result(60, { phrase })).incident, result(50, { ...other, phrase })).incident;
  assert.equal(campaign.title, `ws-7 and 1 more device: ${phrase}`);
  const longer = "signs of a successful attack by an outside host (ET TROJAN)";
  const brief = apply(
    apply(null, result(60, { phrase: longer })).incident,
    result(50, { ...other, phrase: longer }),
  ).incident;
  assert.equal(brief.title, `ws-7 and 1 other: ${longer}`);
});

Deno.test("phrase: a title without the device name", () => {
  const phrases: [title: string, name: string, phrase: string][] = [
    ["Beaconing from WS-12 to 203.0.113.7:443", "WS-12", "beaconing to 203.0.113.7:443"],
    ["Signs of a successful attack on WS-12 (GPL)", "WS-12", "signs of a successful attack (GPL)"],
    ["Attack attempts against WS-12 (ET DOS)", "WS-12", "attack attempts against it (ET DOS)"],
    ["WS-12 is being scanned (ET SCAN)", "WS-12", "being scanned (ET SCAN)"],
    [
      "WS-12 is contacted from addresses of bad reputation",
      "WS-12",
      "contacted from addresses of bad reputation",
    ],
    [
      "Strobe: WS-12 connects to 192.0.2.1:80 without pause",
      "WS-12",
      "strobe, connects to 192.0.2.1:80 without pause",
    ],
    ["DNS tunnel of WS-12", "WS-12", "DNS tunnel"],
    ["Beaconing from 10.0.0.1 to 10.0.0.15:53", "10.0.0.1", "beaconing to 10.0.0.15:53"],
    ["Connects to 10.0.0.15:53 from 10.0.0.1", "10.0.0.1", "connects to 10.0.0.15:53"],
    ["Contacts 10.0.0.1.example.com", "10.0.0.1", "contacts 10.0.0.1.example.com"],
    ["Something else", "WS-12", "something else"],
    ["WS-12", "WS-12", "WS-12"],
    ["A $& (.*) of $1", "$1", "a $& (.*)"],
    ["", "", ""],
  ];
  for (const [title, name, phrase] of phrases) {
    assert.equal(phraseOf(result(50, { title }), name), phrase, title);
  }
  assert.equal(phraseOf(result(50, { phrase: " own phrase " }), "x"), "own phrase");
});

Deno.test("phrase: clipping never splits a character and leaves only storable text", () => {
  assert.equal(clip("abcdef", 6), "abcdef");
  assert.equal(clip("abcdefg", 6), "abcde…");
  assert.equal(clip("abc😀😀", 5), "abc…");
  assert.equal(clip("a\0\ud800b", 9), "a\ufffd\ufffdb");
});

Deno.test("narrative: the device that the leading phrase names is not one of the others", () => {
  const takeover = result(80, {
    modelId: "lateral-movement",
    title: "ws-7 takes control of NASHUA over SMB and WinRM",
    phrase: "taking control of NASHUA over SMB and WinRM",
  });
  const beacon = (device: string) =>
    result(60, {
      deviceId: device,
      deviceIds: [device],
      groupKey: device,
      title: `Beaconing from ${device} to 198.51.100.9:443`,
    });
  const both = apply(apply(null, takeover).incident, beacon("NASHUA")).incident;
  assert.equal(both.mainDevices.length, 2);
  assert.equal(
    both.title,
    "ws-7: taking control of NASHUA over SMB and WinRM, also beaconing there (NASHUA)",
  );
  const third = apply(both, beacon("ws-9")).incident;
  assert.equal(third.mainDevices.length, 3);
  assert.match(third.title, /^ws-7 and 1 (?:more device|other): taking control of NASHUA/);
});
