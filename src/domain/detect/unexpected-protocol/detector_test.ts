import assert from "node:assert/strict";
import fc from "fast-check";
import {
  flow,
  http,
  last,
  PROGRAM,
  reportsOf,
  times,
  tls,
  type To,
} from "../../../../test/support/detect/client-fixtures.ts";
import type { Detector } from "../kernel/detector.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import { oddService } from "../kernel/odd-service.ts";
import { TLS_RARITY_DETECTOR } from "../tls-rarity/detector.ts";
import { UNEXPECTED_DETECTOR } from "./detector.ts";
import { UNEXPECTED } from "./state.ts";

const MINUTE = 60_000_000;
const TALK = { bytesOut: 70_000, bytesIn: 900_000, packetsOut: 900, packetsIn: 700 } as const;

/** A connection that lasts this many minutes. */
function talk(seconds: number, service: string | null, to: To, minutes = 10) {
  const sighting = flow(seconds, { ...TALK, service }, to);
  sighting.connection!.end = sighting.connection!.start + minutes * MINUTE;
  return sighting;
}

Deno.test("unexpected-protocol: SSH on a web port is reported at once and becomes medium", () => {
  const results = reportsOf(UNEXPECTED_DETECTOR, times(30, (at) => talk(at, "ssh", { port: 443 })));
  assert.ok(results[0]!.score >= 30, `${results[0]!.score}`);
  assert.ok(last(results).score >= 40 && last(results).score < 60);
  assert.equal(last(results).title, "SSH on port 443: 10.0.0.5 to 203.0.113.7");
  assert.equal(last(results).technique, "T1572");
});

Deno.test("unexpected-protocol: services on their own ports, inside, or of games are not reported", () => {
  const silent: [string | null, number, string?][] = [
    ["ssl", 443],
    ["tls", 8443],
    ["http", 80],
    ["http", 8080],
    ["ssh", 22],
    ["ssh", 2222],
    ["dns", 53],
    ["gssapi,krb,smb", 445],
    ["ssl", 993],
    ["ssh", 443, "10.0.9.9"],
    [null, 4444, "10.0.9.9"],
    [null, 443],
    [null, 6881],
    [null, 27017],
    ["ftp-data", 40_000],
    ["http", 4711],
  ];
  for (const [service, port, ip] of silent) {
    assert.deepEqual(
      reportsOf(UNEXPECTED_DETECTOR, [talk(0, service, { port, ip })]),
      [],
      `${service} ${port}`,
    );
  }
});

Deno.test("unexpected-protocol: an unknown protocol on a kit port is low, a short or empty one is ignored", () => {
  const { score, summary } = last(reportsOf(UNEXPECTED_DETECTOR, [talk(0, null, { port: 1234 }, 30)]));
  assert.ok(score >= 20 && score < 40, `${score}`);
  assert.match(
    summary,
    /does not recognize .* 900 kB received and 70\.0 kB sent, longest connection 30 min/,
  );
  const small = flow(0, { bytesOut: 100, bytesIn: 100, packetsOut: 3, packetsIn: 3 }, { port: 4444 });
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [small]), []);
  const exported = talk(0, null, { port: 4444 });
  exported.observation.source = "netflow";
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [exported]), []);
});

Deno.test("unexpected-protocol: a reverse shell on a kit port is reported despite low volume", () => {
  const shell = { ...TALK, bytesIn: 4000, bytesOut: 9000, packetsIn: 60, packetsOut: 70, service: null };
  const sighting = flow(0, shell, { port: 4444 });
  sighting.connection!.end = sighting.connection!.start + 2 * MINUTE;
  const { score } = last(reportsOf(UNEXPECTED_DETECTOR, [sighting]));
  assert.ok(score >= 20 && score < 40, `${score}`);
  assert.deepEqual(
    reportsOf(UNEXPECTED_DETECTOR, [talk(0, null, { port: 4800 }, 2)]),
    [],
    "on any other port",
  );
});

Deno.test("unexpected-protocol: the device's half of a connection is enough", () => {
  const half = { ...TALK, bytesIn: 0, packetsIn: 0, bytesOut: 48_000_000, packetsOut: 36_000, service: null };
  assert.ok(last(reportsOf(UNEXPECTED_DETECTOR, [flow(0, half, { port: 4444 })])).score >= 20);
  const attempts = { ...half, bytesOut: 0, packetsOut: 12 };
  const sighting = flow(0, attempts, { port: 4444 });
  sighting.connection!.end = sighting.connection!.start + 10 * MINUTE;
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [sighting]), [], "no answer");
});

Deno.test("unexpected-protocol: long or repeated IRC on its own port is low", () => {
  const chat = (minutes: number, seconds = 0) => {
    const sighting = flow(seconds, { ...TALK, bytesIn: 4000, service: "irc" }, { port: 6667 });
    sighting.connection!.end = sighting.connection!.start + minutes * MINUTE;
    return sighting;
  };
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [chat(1)]), []);
  const found = last(reportsOf(UNEXPECTED_DETECTOR, [chat(50)]));
  assert.equal(found.title, "IRC on port 6667: 10.0.0.5 to 203.0.113.7");
  assert.ok(found.score >= 20 && found.score < 40, `${found.score}`);
  assert.match(found.explanation, /bots have received their commands/);
  const again = last(reportsOf(UNEXPECTED_DETECTOR, times(100, (at) => chat(1, at))));
  assert.ok(again.score >= 20 && again.score < 40, `${again.score}`);
});

Deno.test("unexpected-protocol: a lasting IRC session is low at a small site too, a short one is silent", () => {
  const small = (minutes: number) => {
    const out = { bytesOut: 3000, bytesIn: 9000, packetsOut: 60, packetsIn: 70, service: "irc" };
    const sighting = flow(0, out, { port: 6667 });
    sighting.connection!.end = sighting.connection!.start + minutes * MINUTE;
    return { ...sighting, deviceCount: 3 };
  };
  const found = last(reportsOf(UNEXPECTED_DETECTOR, [small(27), small(27)]));
  assert.ok(found.score >= 20 && found.score < 40, `${found.score}`);
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [small(3), small(3)]), []);
});

Deno.test("unexpected-protocol: an upload over HTTP on an odd port to a bare address is low", () => {
  // 30 posts in 15 minutes, at a site too small to call a server rare.
  const posts = (bytesOut: number, bytesIn: number, port = 17_443) =>
    times(30, (index) => {
      const counters = { bytesOut, bytesIn, packetsOut: 30, packetsIn: 20, service: "http" };
      return { ...flow(index * 30, counters, { port }), deviceCount: 3 };
    });
  const upload = last(reportsOf(UNEXPECTED_DETECTOR, posts(23_000, 300)));
  assert.ok(upload.score >= 20 && upload.score < 40, `${upload.score}`);
  assert.equal(upload.title, "HTTP on port 17443: 10.0.0.5 to 203.0.113.7");
  const sent = upload.subScores.find(({ name }) => name === "sent")!;
  assert.ok(sent.value > 0.3, sent.detail);
  const browsing = last(reportsOf(UNEXPECTED_DETECTOR, posts(2000, 23_000)));
  assert.ok(browsing.score < upload.score);
  assert.equal(browsing.subScores.find(({ name }) => name === "sent")!.value, 0);
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, posts(23_000, 300, 8080)), [], "a web port");
  const unknown = last(reportsOf(UNEXPECTED_DETECTOR, [talk(0, null, { port: 4444 })]));
  assert.equal(unknown.subScores.find(({ name }) => name === "sent")!.value, 0, "an unknown protocol");
});

Deno.test("unexpected-protocol: LDAP to an outside server on an unusual port, as in Log4Shell", () => {
  const ask = { ...TALK, bytesOut: 160, bytesIn: 300, packetsOut: 6, packetsIn: 5 };
  const found = last(
    reportsOf(UNEXPECTED_DETECTOR, [flow(0, { ...ask, service: "ldap_tcp" }, { port: 1389 })]),
  );
  assert.equal(found.title, "LDAP on port 1389: 10.0.0.5 to 203.0.113.7");
  assert.ok(found.score >= 20 && found.score < 40, `${found.score}`);
  assert.match(found.explanation, /Log4Shell/);
  for (const [port, ip] of [[389, undefined], [3268, undefined], [1389, "10.0.9.9"]] as const) {
    assert.deepEqual(
      reportsOf(UNEXPECTED_DETECTOR, [flow(0, { ...ask, service: "ldap" }, { port, ip })]),
      [],
    );
  }
});

Deno.test("unexpected-protocol: FTP data connections use any port", () => {
  const data = talk(5, null, { port: 31_337 }, 60);
  assert.equal(reportsOf(UNEXPECTED_DETECTOR, [data]).length, 1);
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, [talk(0, "ftp", { port: 21 }), data]), []);
});

Deno.test("unexpected-protocol: a fetched executable, then another port of the same address, is medium", () => {
  const both: Detector = {
    ...UNEXPECTED_DETECTOR,
    feeds: ["connection", "tls", "http"],
    match: (sighting, states) => {
      const fetch = TLS_RARITY_DETECTOR.match(sighting, states);
      const evaluate = UNEXPECTED_DETECTOR.match(sighting, states);
      return () => {
        fetch?.();
        return evaluate?.() ?? null;
      };
    },
  };
  const half = { bytesOut: 0, bytesIn: 204_486, packetsOut: 0, packetsIn: 143 };
  const results = reportsOf(both, [
    http(0, PROGRAM),
    flow(45, half, { port: 5678 }),
    talk(60, null, { port: 5678 }, 2),
  ]);
  assert.ok(results[0]!.score >= 40 && results[0]!.score < 60, `${results[0]!.score}`);
  assert.equal(
    results[0]!.title,
    "10.0.0.5 fetched an executable from 203.0.113.7, then used port 5678",
  );
  assert.match(
    results[0]!.summary,
    /fetched an executable from port 80 of the same address 45 s before/,
  );
  const { results: apart } = drive([both], [http(0, PROGRAM), flow(4000, half, { port: 5678 })]);
  assert.deepEqual(apart, []);
  const { results: elsewhere } = drive([both], [
    http(0, PROGRAM),
    flow(45, half, { port: 5678, ip: "203.0.113.8" }),
  ]);
  assert.deepEqual(elsewhere, []);
});

/** A download of which the sensor saw the request or the answer only, on port 80 of the same address. */
const REQUEST = {
  host: "203.0.113.7",
  uri: "/a/x7",
  contentType: null,
  status: null,
  responseBytes: null,
} as const;
const ANSWER = { ...PROGRAM, contentType: null } as const;
const [DEVICE_HALF, SERVER_HALF] = [
  { bytesOut: 900, bytesIn: 0, packetsOut: 60, packetsIn: 0, service: null },
  { bytesOut: 0, bytesIn: 1400, packetsOut: 0, packetsIn: 60, service: null },
] as const;

/** A session on port 5678, one direction of which was seen. */
function session(seconds: number, half: typeof DEVICE_HALF | typeof SERVER_HALF, minutes = 15, to: To = {}) {
  const sighting = flow(seconds, half, { port: 5678, ...to });
  sighting.connection!.end = sighting.connection!.start + minutes * MINUTE;
  return sighting;
}

Deno.test("unexpected-protocol: a download without a type, then a long session with the same address, is medium", () => {
  for (const download of [REQUEST, ANSWER]) {
    for (const half of [DEVICE_HALF, SERVER_HALF]) {
      const pair = [http(0, download), session(45, half)];
      for (const seen of [pair, pair.toReversed()]) {
        const { score, title, summary, evidence } = last(reportsOf(UNEXPECTED_DETECTOR, seen));
        assert.ok(score >= 40 && score < 60, String(score));
        assert.equal(title, "10.0.0.5 fetched a file from 203.0.113.7, then used port 5678");
        assert.match(summary, /It had fetched content of no stated type from port 80 .* 45 s before\.$/);
        assert.equal(evidence.length, 2);
      }
    }
  }
  const { src, dst, ...late } = session(45, DEVICE_HALF, 15);
  const answers = {
    ...late,
    src: dst,
    dst: { ...src, port: 50_123 },
    connection: { ...late.connection!, src: dst, dst: { ...src, port: 50_123 } },
  };
  assert.ok(last(reportsOf(UNEXPECTED_DETECTOR, [http(0, ANSWER), answers])).score >= 40, "start not seen");
});

Deno.test("unexpected-protocol: neither a download without a type nor a long session is reported alone", () => {
  const quiet = (seen: Parameters<typeof reportsOf>[1], what: string) =>
    assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, seen), [], what);
  const long = session(45, DEVICE_HALF);
  quiet(times(20, (at) => http(at, REQUEST)), "downloads");
  quiet([long, session(46, SERVER_HALF)], "sessions");
  quiet([http(0, REQUEST), session(45, DEVICE_HALF, 9)], "a short session");
  quiet([http(0, REQUEST), session(3700, DEVICE_HALF)], "a session hours later");
  quiet([http(60, REQUEST), long], "a download after the session began");
  quiet([http(0, REQUEST, { ip: "203.0.113.8" }), long], "another server");
  quiet([http(0, REQUEST, { port: 5678 }), long], "the same port");
  quiet([http(0, { ...REQUEST, contentType: "text/plain", status: 200 }), long], "text");
  quiet([http(0, { ...REQUEST, host: "news.example.org" }), long], "a named server");
  quiet([http(0, { ...REQUEST, status: 404 }), long], "nothing found");
  quiet([http(0, { ...REQUEST, status: 204, responseBytes: 0 }), long], "an empty answer");
  quiet([http(0, { ...REQUEST, method: "POST" }), long], "a report of an agent");
  const attempts = session(45, { ...DEVICE_HALF, bytesOut: 0 } as unknown as typeof DEVICE_HALF);
  quiet([http(0, REQUEST), attempts], "repeated attempts to connect");
});

Deno.test("unexpected-protocol: many peers, as of a peer-to-peer program, are not reported", () => {
  const peers = times(
    200,
    (at, index) => talk(at, null, { ip: `203.0.113.${index}`, port: 20_000 + index }, 30),
  );
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, peers), []);
  const relays = times(200, (at, index) => talk(at, "ssl", { ip: `203.0.113.${index}`, port: 9001 }, 3));
  assert.deepEqual(reportsOf(UNEXPECTED_DETECTOR, relays), []);
});

Deno.test("unexpected-protocol: an application record names a service that the flow record does not", () => {
  const results = reportsOf(UNEXPECTED_DETECTOR, [talk(0, null, { port: 6666 }), tls(1, {}, { port: 6666 })]);
  assert.equal(results.length, 2);
  assert.equal(results[0]!.title, "Unknown protocol on port 6666: 10.0.0.5 to 203.0.113.7");
  assert.equal(results[1]!.title, "TLS on port 6666: 10.0.0.5 to 203.0.113.7");
});

Deno.test("unexpected-protocol: the worst of several service names counts", () => {
  assert.equal(oddService("http,ssl", "tcp", 443)?.name, "HTTP without TLS");
  assert.equal(oddService("ssl", "udp", 4711), null);
  assert.equal(oddService("constructor", "tcp", 4711), null);
});

Deno.test("unexpected-protocol: arbitrary input never throws, and states stay bounded", () => {
  const one = fc.record({
    service: fc.option(
      fc.oneof(fc.constantFrom("ssl", "ssh", "http", "irc", "ftp", "smb,ssl"), fc.string({ unit: "binary" })),
    ),
    serverName: fc.option(fc.string({ unit: "binary", maxLength: 300 })),
    port: fc.nat(65_535),
    host: fc.nat(60),
    bytes: fc.option(fc.oneof(fc.nat(), fc.constant(2n ** 64n - 1n))),
    seconds: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (all) => {
      reportsOf(
        UNEXPECTED_DETECTOR,
        all.map(({ service, serverName, port, host, bytes, seconds }) =>
          flow(seconds, {
            service,
            serverName,
            bytesIn: bytes,
            bytesOut: bytes,
            packetsIn: bytes,
            packetsOut: bytes,
          }, {
            ip: `203.0.113.${host}`,
            port,
          })
        ),
      );
    }),
    { numRuns: 30 },
  );
  assert.throws(() => UNEXPECTED.decode(new Uint8Array([9])), RangeError);
});
