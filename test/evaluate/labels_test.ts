import assert from "node:assert/strict";
import { Faults, formatFault } from "../../src/config/yaml/faults.ts";
import { DETECTORS } from "../../src/domain/detect/registry.ts";
import { pathOf, RECORDINGS } from "../support/record/recordings.ts";
import { OWN_CAPTURES, readCaptures } from "./captures.ts";
import { type Labels, parseLabels } from "./labels.ts";
import { MODEL_IDS } from "./models.ts";

/** A path in whose folder `conn.log` is a file. */
const PATH = `${OWN_CAPTURES}/lsass-01/labels.yaml`;

const GOOD = `title: A capture
origin:
  - { from: "owner/name:path", licence: MIT }
networks: [10.0.0.0/8]
sensors:
  - sensor_id: zeek
    files:
      - conn.log
      - { file: dns.log, kind: zeek.dns, shift_seconds: -60 }
order: listed
verdict: malicious
scenarios:
  - id: scan
    text: It scans.
    technique: T1046
    how_known: stated
    detectors: [scan]
    device: 10.0.0.1
    peer: [10.0.0.2, example.com]
    visible: false
    why: Too short.
tolerated:
  - { detectors: [beacon], reason: A clock. }
`;

function parse(text: string): { labels: Labels | null; faults: string[] } {
  const faults = new Faults();
  const labels = parseLabels(text, PATH, faults);
  return { labels, faults: faults.list.map((fault) => formatFault({ ...fault, file: "labels.yaml" })) };
}

Deno.test("labels name the files and the scenarios", () => {
  const { labels, faults } = parse(GOOD);
  assert.deepEqual(faults, []);
  assert.ok(labels);
  const [sensor] = labels.sensors;
  assert.deepEqual(sensor!.files, [
    { path: `${OWN_CAPTURES}/lsass-01/conn.log`, kind: null, shiftSeconds: 0 },
    { path: `${OWN_CAPTURES}/lsass-01/dns.log`, kind: "zeek.dns", shiftSeconds: -60 },
  ]);
  assert.equal(sensor!.trust, "packet");
  assert.deepEqual(labels.networks, ["10.0.0.0/8"]);
  assert.equal(labels.order, "listed");
  assert.deepEqual(labels.scenarios[0]!.devices, ["10.0.0.1"]);
  assert.deepEqual(labels.scenarios[0]!.peers, ["10.0.0.2", "example.com"]);
  assert.equal(labels.scenarios[0]!.invisible, "Too short.");
  assert.deepEqual(labels.tolerated, [{
    detectors: ["beacon"],
    devices: [],
    peers: [],
    reason: "A clock.",
  }]);
});

/** A change to valid labels, and the expected fault with its line. */
const BAD: [from: string, to: string, fault: RegExp][] = [
  ["title: A capture\n", "", /labels\.yaml:\d+:\d+: title: expected a text, but it is missing/],
  ["order: listed", "colour: red", /:10:1: colour: unknown key, expected one of title, origin/],
  ["order: listed", "order: random", /:10:8: order: expected one of time, listed/],
  ["licence: MIT", "licence: 5", /:3:41: origin\[0\]\.licence: expected a text, not a number/],
  ["10.0.0.0/8", "10.0.0.0", /:4:12: networks\[0\]: expected a network such as 10\.0\.0\.0\/8/],
  ["- conn.log", "- other.log", /:8:9: sensors\[0\]\.files\[0\]: expected a file, but .*other\.log is none/],
  ["- conn.log", "- 5", /sensors\[0\]\.files\[0\]: expected a file name, or a mapping/],
  ["kind: zeek.dns", "kind: zeek.smtp", /sensors\[0\]\.files\[1\]: expected a file name, or a mapping/],
  ["verdict: malicious", "verdict: bad", /:11:10: verdict: expected one of benign, malicious, unlabelled/],
  ["verdict: malicious", "verdict: benign", /:13:\d+: scenarios: expected none in a benign capture/],
  ["T1046", "1046", /:15:16: scenarios\[0\]\.technique: expected a text/],
  ["T1046", "TA0043", /scenarios\[0\]\.technique: expected a technique such as T1071\.004/],
  ["stated", "guessed", /:16:16: scenarios\[0\]\.how_known: expected one of stated, inferred/],
  ["[scan]", "[scans]", /:17:17: scenarios\[0\]\.detectors\[0\]: expected one of beacon, /],
  ["[scan]", "[]", /scenarios\[0\]\.detectors: expected at least 1 entry/],
  ["device: 10.0.0.1", "device: host", /:18:13: scenarios\[0\]\.device: expected an address/],
  ["[10.0.0.2, example.com]", "5", /:19:11: scenarios\[0\]\.peer: expected an address or a name, or a list/],
  ["visible: false", "visible: true", /:21:10: scenarios\[0\]\.why: expected only where visible is false/],
  ["    why: Too short.\n", "", /:20:14: scenarios\[0\]\.visible: expected a why beside it/],
  [", reason: A clock.", "", /:\d+:\d+: tolerated\[0\]\.reason: expected a text, but it is missing/],
  ["title: A capture", "title: [", /labels\.yaml:\d+:\d+: expected valid YAML/],
];

for (const [from, to, fault] of BAD) {
  Deno.test(`labels with "${to.trim()}" for "${from.trim()}" are rejected with line and reason`, () => {
    assert.ok(GOOD.includes(from));
    const { labels, faults } = parse(GOOD.replace(from, to));
    assert.equal(labels, null);
    assert.ok(faults.some((text) => fault.test(text)), faults.join("\n"));
  });
}

Deno.test("ids of scenarios and of sensors are unique", () => {
  const scenario = GOOD.slice(GOOD.indexOf("  - id: scan"), GOOD.indexOf("tolerated:"));
  assert.match(
    parse(GOOD.replace("tolerated:", `${scenario}tolerated:`)).faults.join(),
    /scenarios\[1\]\.id/,
  );
  const sensor = "  - { sensor_id: zeek, files: [conn.log] }\norder:";
  assert.match(parse(GOOD.replace("order:", sensor)).faults.join(), /sensors\[1\]\.sensor_id/);
});

Deno.test("the labels of all captures are valid, and their files exist", async () => {
  const captures = await readCaptures([OWN_CAPTURES]);
  assert.ok(captures.length >= 25);
  for (const verdict of ["benign", "malicious", "unlabelled"]) {
    assert.ok(captures.some(({ labels }) => labels.verdict === verdict), verdict);
  }
});

Deno.test("every recording is part of a capture", async () => {
  const captures = await readCaptures([OWN_CAPTURES]);
  const labelled = new Set(
    captures.flatMap(({ labels }) => labels.sensors.flatMap(({ files }) => files.map(({ path }) => path))),
  );
  const known = RECORDINGS.flatMap(({ sensors }) => Object.values(sensors).flat()).map(pathOf);
  assert.deepEqual(known.filter((path) => !labelled.has(path)), []);
});

Deno.test("labels may name every detector", () => {
  const ids: readonly string[] = MODEL_IDS;
  assert.deepEqual(DETECTORS.filter(({ info }) => !ids.includes(info.modelId)), []);
});

Deno.test("a folder without captures is an error that names it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await assert.rejects(readCaptures([folder]), new RegExp(folder));
    await Deno.mkdir(`${folder}/one`);
    await Deno.writeTextFile(`${folder}/one/labels.yaml`, "title: x\n");
    await assert.rejects(readCaptures([folder]), /one\/labels\.yaml:1:1: .*missing/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
