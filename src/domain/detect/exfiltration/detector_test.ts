import assert from "node:assert/strict";
import fc from "fast-check";
import { drive, HOUR as HOUR_MICROS, T0 } from "../../../../test/support/detect/detector-fixtures.ts";
import { EXFILTRATION_DETECTOR } from "./detector.ts";
import { addToHour, DEVICE_HOURS, habitOf, MAX_HOURS } from "./hours.ts";
import { MAX_UPLOADS, UPLOADS } from "./uploads.ts";
import {
  playSeen,
  type Seen,
  type Setting,
  sumOf,
  times,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";
import type { HttpFacts } from "../../record/facts.ts";

const MB = 1_000_000;
const HOUR = 3600;
const OUTSIDE = "203.0.113.9 443";

function play(seen: readonly Seen[], setting: Setting = {}, round = 1000) {
  const played = playSeen(EXFILTRATION_DETECTOR, seen, setting, round);
  for (const result of played.results) assert.equal(sumOf(result), result.score, "adds up");
  return played;
}

/** A session that mostly sends, with the acknowledgements of the server. */
function upload(at: number, bytes: number, more: Partial<Seen> = {}): Seen {
  return {
    at,
    seconds: 60,
    dst: OUTSIDE,
    out: [bytes, Math.ceil(bytes / 1400)],
    in: [bytes / 100, bytes / 3000],
    ...more,
  };
}

function http(
  at: number,
  method: string,
  uri: string,
  bytes: number | null,
  more: Partial<HttpFacts> = {},
): Seen {
  const facts: HttpFacts = {
    type: "http",
    method,
    host: "203.0.113.9",
    uri,
    userAgent: null,
    referrer: null,
    version: "1.1",
    status: 201,
    contentType: null,
    requestBytes: bytes,
    responseBytes: 0,
    username: null,
    ...more,
  };
  return { at, dst: "203.0.113.9 80", facts };
}

/** `hours` hours of one device with about `usual` bytes each. */
function habit(hours: number, usual: number, dst = "198.51.100.1 443"): Seen[] {
  return times(hours, (hour) => ({
    at: hour * HOUR,
    dst,
    out: [Math.round(usual * (0.7 + 0.6 * ((hour * 7) % 10) / 10)), 1 + Math.ceil(usual / 1000)],
    in: [usual * 3, usual],
  }));
}

Deno.test("exfiltration: a large upload to one outside host is reported without a baseline", () => {
  const { results } = play([upload(0, 300 * MB)], { learned: false, deviceCount: 2, historySince: T0 });
  assert.equal(results.length, 1);
  const [result] = results;
  assert.equal(result!.title, "10.0.0.5 uploaded 300 MB to 203.0.113.9:443");
  assert.ok(result!.score >= 20 && result!.score < 40, `${result!.score}`);
  assert.deepEqual(result!.destinations, [{ ip: "203.0.113.9", name: null, port: 443 }]);
});

Deno.test("exfiltration: a new destination scores more, a known or common one less", () => {
  const [fresh] = play([upload(0, 300 * MB)]).results;
  assert.ok(fresh!.score >= 40, `${fresh!.score}`);
  const used = { at: -20 * 24 * HOUR, dst: OUTSIDE, out: [20_000, 20], in: [10, 10] } satisfies Seen;
  assert.deepEqual(play([used, upload(0, 300 * MB)]).results, []);
  const common = times(9, (index) => upload(0, 20_000, { src: `10.0.1.${index} 5000` }));
  assert.equal(play([...common, upload(60, 300 * MB)]).results.length, 0);
});

Deno.test("exfiltration: an upload is reported again at twice the volume, never lower", () => {
  const { results } = play(
    times(64, (index) => upload(60 * index, 50 * MB, { dst: "203.0.113.9 22" })),
    {},
    7,
  );
  assert.deepEqual(results.map(({ title }) => title.split(" ").slice(2, 4).join(" ")), [
    "50.0 MB",
    "100 MB",
    "200 MB",
    "400 MB",
    "800 MB",
    "1.60 GB",
    "3.20 GB",
  ]);
  results.reduce((before, { score }) => {
    assert.ok(score >= before);
    return score;
  }, 0);
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
});

Deno.test("exfiltration: balanced, internal and answering transfers are not uploads", () => {
  const big = 900 * MB;
  const none: Seen[] = [
    upload(0, big, { in: [big / 2, 1000] }),
    upload(0, big, { dst: "10.9.9.9 445" }),
    upload(0, big, { dst: "192.168.7.7 22" }),
    upload(0, big, { src: "203.0.113.80 40000", dst: "10.0.0.5 443" }),
    upload(0, big, { dst: "239.1.1.1 5004", proto: "udp" }),
    // More bytes than the packets can carry.
    upload(0, big, { out: [big, 3] }),
  ];
  for (const one of none) assert.deepEqual(play([one]).results, []);
});

Deno.test("exfiltration: an assumed internal address scores less", () => {
  const seen = [upload(0, 9000 * MB, { dst: "192.168.7.7 22" })];
  const [result] = play(seen, { networksAssumed: true, historySince: T0 }).results;
  assert.ok(result!.score >= 20 && result!.score < 50, `${result!.score}`);
  assert.ok(result!.modifiers.some(({ name }) => name === "assumed_inside"));
  assert.deepEqual(
    play([upload(0, 9000 * MB, { dst: "10.250.0.1 22" })], { networksAssumed: true }).results,
    [],
  );
});

Deno.test("exfiltration: a file written to a WebDAV server at a bare address is reported", () => {
  const put = http(0, "PUT", "/webdav/OfficeSupplies.7z", 1_082_089, {
    userAgent: "Microsoft-WebDAV-MiniRedir/10.0",
  });
  const seen = [
    http(0, "PUT", "/webdav/OfficeSupplies.7z", 0, { userAgent: "Microsoft-WebDAV-MiniRedir/10.0" }),
    put,
    upload(1, 2_181_167, { dst: "203.0.113.9 80" }),
  ];
  const { results } = play(seen, { historySince: T0 });
  assert.equal(results.at(-1)!.title, "10.0.0.5 uploaded 2.18 MB to 203.0.113.9:80");
  assert.match(results.at(-1)!.summary, /file "OfficeSupplies\.7z"/);
  assert.equal(results.at(-1)!.technique, "T1048.003");
  assert.ok(results[0]!.score >= 40 && results[0]!.score < 60, `${results[0]!.score}`);
});

Deno.test("exfiltration: without request sizes, the connections' bytes count", () => {
  const seen = [http(0, "POST", "/u", null), upload(1, 5 * MB, { dst: "203.0.113.9 80" })];
  assert.equal(play(seen, { historySince: T0 }).results.length, 1);
});

Deno.test("exfiltration: requests to names, small requests and reads are not reported", () => {
  const ordinary: Seen[] = [
    http(0, "POST", "/upload", 50 * MB, { host: "files.example.net" }),
    http(0, "GET", "/x.7z", 0),
    ...times(50, (index) => http(index, "POST", "/beat", 600)),
    http(0, "PUT", "/backup.7z", 50 * MB, {}),
  ];
  ordinary[ordinary.length - 1]!.dst = "10.3.3.3 80";
  assert.deepEqual(play(ordinary).results, []);
});

Deno.test("exfiltration: both directions of an exporter are needed", () => {
  const out = (at: number, bytes: number): Seen => ({
    at,
    dst: OUTSIDE,
    out: [bytes, bytes / 1000],
    exported: true,
  });
  const back = (at: number, bytes: number): Seen => ({
    at,
    src: "203.0.113.9 443",
    dst: "10.0.0.5 40000",
    out: [bytes, bytes / 1000],
    exported: true,
  });
  const setting = { historySince: T0 };
  const sent = times(6, (index) => [out(index * 60, 60 * MB), back(index * 60, MB)]).flat();
  assert.equal(
    play(sent, setting).best?.title,
    "10.0.0.5 uploaded 300 MB to 203.0.113.9:443".replace("300", "240"),
  );
  // A call sends as much as it receives, and a single direction may be half of a call.
  const call = times(6, (index) => [out(index * 60, 60 * MB), back(index * 60, 55 * MB)]).flat();
  assert.deepEqual(play(call, setting).results, []);
  assert.deepEqual(play([out(0, 400 * MB)], setting).results, []);
  assert.equal(play([out(0, 400 * MB), back(0, MB)], setting).results.length, 1);
  // A server's answer to a client outside.
  const served = { ...out(0, 900 * MB), src: "10.0.0.5 443", dst: "203.0.113.9 50000" };
  assert.deepEqual(play([served, served, served, served], setting).results, []);
});

Deno.test("exfiltration: an hour far above the device's own habit is reported", () => {
  // Spread over many hosts with a small upload each.
  const spread = times(100, (index) => ({
    at: 60 * HOUR + index,
    dst: `198.51.100.${index + 20} 443`,
    out: [5 * MB, 4000],
    in: [MB * 3, 3000],
  } satisfies Seen));
  const { best } = play([...habit(60, 200_000), ...spread]);
  assert.match(best!.title, /^10\.0\.0\.5 sends an unusual amount: \d+ MB in an hour$/);
  assert.ok(best!.score >= 40 && best!.score < 60, `${best!.score}`);
  // While too little is known, the same stays `info`.
  for (const [hours, learned] of [[30, true], [60, false]] as const) {
    const later = spread.map((one) => ({ ...one, at: one.at! - (60 - hours) * HOUR }));
    const noted = play([...habit(hours, 200_000), ...later], { learned });
    assert.ok(noted.results.length > 0 && noted.results.every(({ score }) => score < 20));
  }
  assert.deepEqual(play([...habit(20, 200_000), ...spread]).results, []);
  assert.deepEqual(play([...habit(60, 100 * MB), ...spread]).results, []);
});

Deno.test("exfiltration: an hour of uploads as others make them is ordinary at a usual time", () => {
  const at = 8 * 24 * HOUR + 10 * HOUR;
  const used: Seen = { at: -20 * 24 * HOUR, dst: OUTSIDE, out: [20_000, 20], in: [10, 10] };
  // Eight days of work from 8 to 17 o'clock; T0 is 12:26 (UTC).
  const work = times(8, (day) =>
    times(9, (hour): Seen => ({
      at: (day * 24 + 8 + hour) * HOUR,
      dst: "198.51.100.1 443",
      out: [1.5 * MB, 2000],
      in: [5 * MB, 4000],
    }))).flat();
  const others = (count: number) =>
    times(count, (index) => upload(index * 24 * HOUR, 200 * MB, { src: `10.0.1.${index} 5000` }));
  const hourOf = (from: number, bytes: number, dst = OUTSIDE) =>
    times(5, (part) => upload(from + part * 300, bytes / 5, { dst }));
  const setting = { deviceCount: 8 };
  const ofHour = (seen: Seen[]) =>
    play([used, ...work, ...seen], setting).results
      .filter(({ groupKey }) => groupKey === "device 10.0.0.5|hour");
  const [alone] = ofHour([...others(2), ...hourOf(at, 300 * MB)]).slice(-1);
  assert.ok(alone!.score >= 40, "two others only");
  assert.deepEqual(ofHour([...others(4), ...hourOf(at, 300 * MB)]), [], "as much as others send");
  assert.ok(ofHour([...others(4), ...hourOf(at + 12 * HOUR, 300 * MB)]).at(-1)!.score >= 40, "at night");
  assert.ok(ofHour([...others(4), ...hourOf(at, 3000 * MB)]).at(-1)!.score >= 40, "ten times as much");
  const both = ofHour([...others(4), ...hourOf(at, 100 * MB), ...hourOf(at, 200 * MB, "203.0.113.99 443")]);
  assert.match(both.at(-1)?.summary ?? "", /Another 100 MB went where other devices here send as much\.$/);
});

Deno.test("exfiltration: an hour of calls is not unusual, an hour of sending over UDP is", () => {
  const media = (received: number) =>
    times(4, (part) => ({
      at: 60 * HOUR + part * 800,
      seconds: 700,
      proto: "udp",
      dst: "198.51.100.20 3478",
      out: [120 * MB, 100_000],
      in: [received, 100_000],
    } satisfies Seen));
  for (const received of [100 * MB, 300 * MB]) {
    assert.deepEqual(play([...habit(60, 200_000), ...media(received)]).results, []);
  }
  const hour = play([...habit(60, 200_000), ...media(70 * MB)]).best!;
  assert.ok(hour.score >= 40, `${hour.score}`);
});

Deno.test("exfiltration: the habit raises or lowers the score of an upload", () => {
  const at = 60 * HOUR;
  const known = { historySince: T0 };
  const quiet = play([...habit(60, 100_000), upload(at, 300 * MB)], known).best!;
  const busy = play([...habit(60, 2000 * MB), upload(at, 300 * MB)], known).best;
  const unknown = play([upload(at, 300 * MB)], known).best!;
  assert.ok(quiet.score >= unknown.score + 15, `${quiet.score} ${unknown.score}`);
  assert.equal(busy, null);
});

Deno.test("exfiltration: a wrong clock spoils neither habit nor upload", () => {
  const wild = [-1e9, 5e9].map((at) => upload(at, 20_000, { dst: "203.0.113.77 443" }));
  const old = upload(-1e9, 20_000);
  const seen = habit(60, 100_000).flatMap((one) => [one, ...wild]);
  const at = 60 * HOUR;
  assert.ok(
    play([...seen, upload(at, 60 * MB), ...wild, old, upload(at, 60 * MB)], { historySince: T0 }).best!
      .score >
      30,
  );
});

Deno.test("exfiltration: habits are medians in bounded space", () => {
  const state = DEVICE_HOURS.empty();
  for (let hour = 0; hour < 400; hour++) {
    addToHour(state, hour * HOUR_MICROS, hour % 10 === 0 ? 9e12 : 100_000);
  }
  assert.equal(state.closed.length, MAX_HOURS);
  const { usual, deviations } = habitOf(state, { hour: 1e6, bytes: 1e9 })!;
  assert.ok(Math.abs(usual / 100_000 - 1) < 0.1, `${usual}`);
  assert.ok(deviations > 15);
  const bytes = DEVICE_HOURS.encode(state);
  assert.ok(bytes.length < 300, `${bytes.length}`);
  assert.deepEqual(DEVICE_HOURS.decode(bytes), state);
  assert.throws(() => DEVICE_HOURS.decode(new Uint8Array([9])), RangeError);
  assert.throws(() => UPLOADS.decode(new Uint8Array([9])), RangeError);
});

Deno.test("exfiltration: a flood of hosts is bounded and keeps the largest uploads", () => {
  const flood = times(
    3000,
    (index) => upload(index, 20_000 + index, { dst: `198.18.${index >> 8}.${index & 255} 443` }),
  );
  flood.forEach((one, index) => {
    if (index % 30 === 0) one.facts = http(0, "PUT", `/${"é".repeat(3000)}`, 20_000).facts;
  });
  const names = http(0, "POST", `/a/${"\ud800".repeat(500)}?x`, 30_000);
  const { largest, states } = play([upload(0, 40 * MB), names, ...flood, upload(3001, 80 * MB)], {
    historySince: T0,
  });
  assert.ok(largest < 4096, `${largest}`);
  const uploads = [...states].find(([key]) => key.startsWith(`${UPLOADS.id} `))![1];
  const state = UPLOADS.decode(uploads);
  assert.equal(state.uploads.length, MAX_UPLOADS);
  assert.deepEqual(UPLOADS.encode(state), uploads);
  assert.equal(state.uploads[0]!.pushed, 120 * MB);
});

const anySeen: fc.Arbitrary<Seen> = fc.record({
  at: fc.oneof(fc.integer({ min: 0, max: 40 * HOUR }), fc.constantFrom(-1.5e9, 6e9)),
  dst: fc.constantFrom(OUTSIDE, "203.0.113.10 80", "192.168.3.3 22", "10.0.0.7 445"),
  src: fc.constantFrom("10.0.0.5 40000", "10.0.0.6 443", "203.0.113.9 443"),
  out: fc.tuple(
    fc.option(fc.oneof(fc.integer({ min: 0, max: 400 * MB }), fc.constant(2n ** 70n))),
    fc.option(fc.integer({ min: 0, max: MB })),
  ),
  in: fc.constantFrom<[number | null, number | null]>([0, 0], [null, null], [1000 * MB, 5]),
  exported: fc.boolean(),
  write: fc.boolean(),
}).map(({ write, ...seen }) =>
  write ? { ...http(seen.at, "PUT", "/a.zip", 3 * MB), src: seen.src, dst: seen.dst } : seen
);

const HUGE: Seen = {
  at: 0,
  dst: "203.0.113.10 80",
  src: "10.0.0.5 40000",
  out: [2n ** 70n, null],
  in: [0, 0],
};

const HALF_WAY: Seen[] = [
  {
    at: 6_000_000_000,
    src: "10.0.0.6 443",
    dst: "203.0.113.9 443",
    facts: {
      type: "http",
      method: "PUT",
      host: "203.0.113.9",
      uri: "/a.zip",
      userAgent: null,
      referrer: null,
      version: "1.1",
      status: 201,
      contentType: null,
      requestBytes: 3_000_000,
      responseBytes: 0,
      username: null,
    },
  },
  {
    at: -1_500_000_000,
    src: "10.0.0.6 443",
    dst: "203.0.113.9 443",
    out: [136_144_469, null],
    in: [0, 0],
    exported: false,
  },
];

Deno.test("exfiltration: results do not depend on batches and equal the sum of their parts", () => {
  fc.assert(
    fc.property(fc.array(anySeen, { maxLength: 80 }), fc.integer({ min: 1, max: 30 }), (seen, round) => {
      const sightings = seen.map((one, index) => toSighting(one, index, { networksAssumed: true }));
      const whole = drive([EXFILTRATION_DETECTOR], sightings, { round: 1000, stored: false });
      const pieces = drive([EXFILTRATION_DETECTOR], sightings, { round, stored: true });
      assert.deepEqual(pieces.results, whole.results);
      assert.deepEqual(pieces.states, whole.states);
      assert.ok(pieces.largest < 4096);
      for (const result of whole.results) assert.equal(sumOf(result), result.score);
    }),
    {
      numRuns: 150,
      examples: [
        // Two sensors report more than a number can hold; the sum is capped.
        [[false, true, false].map((exported) => ({ ...HUGE, exported })), 1],
        // The points add up to 49.35, or slightly less in another order.
        [HALF_WAY, 1],
      ],
    },
  );
});

Deno.test("exfiltration: 40 MB one way over an unknown protocol to a bare address are medium", () => {
  const raw = (more: Partial<Seen> = {}, bytes = 40 * MB): Seen =>
    upload(0, bytes, { dst: "203.0.113.9 4455", in: [3000, 40], ...more });
  for (const learned of [true, false]) {
    const { best } = play([raw()], { learned });
    assert.ok(best!.score >= 40 && best!.score < 80, String(best!.score));
    assert.match(best!.explanation, /neither the protocol nor a server name/);
  }
  const young = { learned: false, deviceCount: 5, historySince: T0 - 3600 * 1_000_000 };
  assert.ok(play([raw()], young).best!.score >= 40, "a small site while learning");
  const parts = times(8, (index) => ({ ...raw({}, 5 * MB), at: index * 60 }));
  assert.ok(play(parts).best!.score >= 40, "in parts");
  assert.equal(play([raw({ service: "ssh" })]).best, null, "a known protocol");
  assert.equal(play([raw({ dst: OUTSIDE })]).best, null, "the web");
  assert.equal(play([raw({ in: [4 * MB, 9000] })]).best, null, "a conversation");
  assert.equal(play([raw({ in: [0, 0] })]).best, null, "seen in one direction");
  assert.equal(play([raw({ dst: "10.0.0.9 4455" })]).best, null, "inside");
  assert.equal(play([raw({}, 8 * MB)]).best, null, "too little");
});
