// Cost of a look-up among a million indicators of each kind, and of loading them, with generated lists:
// `deno bench -A test/bench/intel-bench.ts`
import { compileIntel } from "../../src/domain/intel/compile.ts";
import { hitsOf } from "../../src/domain/intel/hits.ts";
import { IntelSet } from "../../src/domain/intel/intel-set.ts";
import { normalise } from "../../src/domain/record/registry.ts";
import { formatIp } from "../../src/kit/net/ip.ts";
import { benchLines } from "./records.ts";

const INDICATORS = 1_000_000;
const NETWORKS = 100_000;
/** Look-ups per iteration, of different values, to defeat the processor's caches. */
const LOOKUPS = 100_000;
const PIECE = 65_536;

const addresses = made(INDICATORS, address4, 1);
const addresses6 = made(INDICATORS / 10, address6, 2);
const names = made(INDICATORS, domain, 3);
const urls = made(
  INDICATORS / 10,
  (random) => `http://${domain(random)}/${hex(random, 12)}?id=${random() % 1000}`,
  4,
);
const fingerprints = made(INDICATORS / 10, (random) => hex(random, 32), 5);
const networks = made(NETWORKS, (random) => `1${address4(random)}/${16 + random() % 16}`, 6);

load("addresses.txt", addresses);
load("names.txt", names);
load("hosts.txt", names.map((name) => `0.0.0.0 ${name}`));
load(
  "urlhaus.csv",
  urls.map((url, id) =>
    `"${id}","2026-11-21 01:02:03","${url}","online","","malware_download","elf,Mozi","x","y"`
  ),
  "# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter",
);
load("ja3.txt", fingerprints);
load("networks.txt", networks);

const set = new IntelSet(
  compileIntel([
    { name: "addresses", pieces: pieces([...addresses, ...addresses6, ...networks]) },
    { name: "names", pieces: pieces(names.slice(0, 600_000)) },
    { name: "urls", pieces: pieces(urls) },
    { name: "ja3", pieces: pieces(fingerprints) },
  ]).data,
);
const { texts, v4, v6 } = set.data;
const tables = [...Object.values(texts), v4, v6].flatMap((table) => Object.values(table));
const bytes = tables.reduce((sum, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : 0), 0);
console.log(`one set of ${set.size} indicators: ${Math.round(bytes / 1e6)} MB`);

group("an address that no list has", made(LOOKUPS, address4, 11), (text) => set.matchIp(text));
group("an address of a list", addresses.slice(-LOOKUPS), (text) => set.matchIp(text));
group("an address in a network", networks.map((text) => text.split("/")[0]!), (text) => set.matchIp(text));
group("an IPv6 address that no list has", made(LOOKUPS, address6, 12), (text) => set.matchIp(text));
group(
  "a name that no list has",
  made(LOOKUPS, (random) => `www.${domain(random)}`, 13),
  (text) => set.matchDomain(text),
);
group(
  "a name below one of a list",
  names.slice(0, LOOKUPS).map((name) => `a.b.${name}`),
  (text) => set.matchDomain(text),
);
group("a URL that no list has", made(LOOKUPS, domain, 14), (text) => set.matchUrl(text, "/index.html"));
group("a JA3 that no list has", made(LOOKUPS, (random) => hex(random, 32), 15), (text) => set.matchJa3(text));

const observed = benchLines(LOOKUPS, 1_769_860_800).flatMap((text) => {
  const { kind, observed_at, payload } = JSON.parse(text);
  const observedAt = Date.parse(observed_at) * 1000;
  const result = normalise(kind, payload, { observedAt, expectedExporters: null });
  return "observation" in result ? [result.observation] : [];
});
const isInternal = (ip: string) => ip.startsWith("10.");
Deno.bench(`what ${observed.length} records of the pipeline's bench met`, () => {
  let found = 0;
  for (const observation of observed) {
    found += hitsOf(set, observation, observation.facts, isInternal).length;
  }
  if (found < 0) throw new RangeError("never");
});

function group(name: string, texts: readonly string[], look: (text: string) => unknown): void {
  Deno.bench(`${LOOKUPS} look-ups of ${name}`, () => {
    let found = 0;
    for (const text of texts) if (look(text) !== null) found++;
    if (found < 0) throw new RangeError("never");
  });
}

function load(name: string, lines: readonly string[], header = ""): void {
  const start = performance.now();
  const { lists: [report] } = compileIntel([{ name, pieces: pieces([header, ...lines]) }]);
  const seconds = (performance.now() - start) / 1000;
  console.log(`${name}: ${lines.length} lines in ${seconds.toFixed(2)} s, ${report?.indicators} indicators`);
}

/** Pieces of text as a file reader yields them. */
function* pieces(lines: readonly string[]): Generator<string> {
  const text = lines.join("\n");
  for (let at = 0; at < text.length; at += PIECE) {
    yield new TextDecoder().decode(new TextEncoder().encode(text.slice(at, at + PIECE)));
  }
}

type Random = () => number;

function made(count: number, make: (random: Random) => string, seed: number): string[] {
  const random = mulberry(seed);
  return Array.from(
    { length: count },
    () => new TextDecoder().decode(new TextEncoder().encode(make(random))),
  );
}

/** A seeded generator of 32-bit numbers (mulberry32). */
function mulberry(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A public address. */
function address4(random: Random): string {
  const bits = random();
  return `${11 + (bits >>> 24) % 16}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

function address6(random: Random): string {
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) bytes[i] = random();
  bytes[0] = 0x20;
  return formatIp(bytes);
}

function domain(random: Random): string {
  const top = ["com", "net", "top", "xyz", "example"][random() % 5];
  return `${hex(random, 6 + random() % 12)}.${top}`;
}

function hex(random: Random, digits: number): string {
  let text = "";
  while (text.length < digits) text += random().toString(16).padStart(8, "0");
  return text.slice(0, digits);
}
