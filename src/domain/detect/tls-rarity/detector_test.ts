import assert from "node:assert/strict";
import fc from "fast-check";
import { BEACON_DETECTOR } from "../beacon/detector.ts";
import {
  http,
  last,
  lookedUp,
  PROGRAM,
  reportsOf,
  SERVER,
  times,
  tls,
} from "../../../../test/support/detect/client-fixtures.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import { addFingerprint, FINGERPRINTS, isRareFingerprint, MAX_FINGERPRINTS, TLS_CLIENTS } from "./state.ts";
import { FETCHES, isSuspiciousFetch, traitsOf } from "../kernel/fetches.ts";
import { productOf } from "./rare-user-agent.ts";
import { TLS_RARITY_DETECTOR } from "./detector.ts";

const JA3 = "51c64c77e60f3980eea90869b68c58a8";
const LEARNING = { sighting: { learned: false } };
const SECOND_JA3 = "72a589da586844d7f0818ce684948eea";

Deno.test("tls-rarity: nameless TLS on an unusual port is low after a few sessions and grows", () => {
  const results = reportsOf(
    TLS_RARITY_DETECTOR,
    times(40, (at) => tls(at, { ja3: JA3 }, { ...LEARNING, port: 8080 })),
  );
  assert.equal(results.length, 3);
  const { score, title, technique, summary } = last(results);
  assert.ok(score >= 20 && score < 40, `${score}`);
  assert.equal(title, "TLS without a server name: 10.0.0.5 to 203.0.113.7:8080");
  assert.equal(technique, "T1571");
  assert.match(summary, /27 TLS sessions .*51c64c77e60f/);
  assert.equal(reportsOf(TLS_RARITY_DETECTOR, times(2, (at) => tls(at, {}, { port: 8080 }))).length, 0);
});

Deno.test("tls-rarity: named, trusted, mail, DNS-over-TLS and internal servers are not reported", () => {
  const good = { subject: "CN=a.example,O=A", issuer: "CN=CA,O=Good CA" };
  const silent = [
    times(99, (at) => tls(at, { serverName: "www.example.org", ja3: JA3 }, LEARNING)),
    times(99, (at) => tls(at, good, { port: 8080 })),
    times(99, (at) => tls(at, {}, { port: 993 })),
    times(99, (at) => tls(at, {}, { port: 853 })),
    times(99, (at) => tls(at, {}, { ip: "10.0.9.9", port: 8080 })),
    times(40, (at) => tls(at, {})),
  ];
  for (const sightings of silent) assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, sightings), []);
});

Deno.test("tls-rarity: a client that looked the name up but omits it does not count as nameless", () => {
  const sessions = times(40, (at) => tls(at + 1, { ja3: JA3 }, { ...LEARNING, port: 8080 }));
  const results = (query: string) =>
    drive([BEACON_DETECTOR, TLS_RARITY_DETECTOR], [lookedUp(0, query), ...sessions]).results;
  assert.deepEqual(results("shop.example.org"), []);
  assert.equal(results("printer").length, 3, "not a domain of the Internet");
});

Deno.test("tls-rarity: many nameless servers, as of a peer-to-peer program, lower the score", () => {
  const flood = times(400, (at, index) => tls(at, {}, { ip: `203.0.113.${index % 60}`, port: 7777 }));
  const few = last(reportsOf(TLS_RARITY_DETECTOR, times(400, (at) => tls(at, {}, { port: 7777 })))).score;
  for (const { score } of reportsOf(TLS_RARITY_DETECTOR, flood)) assert.ok(score < few);
});

Deno.test("tls-rarity: a client that is new since learning and on one device raises the score", () => {
  const usual = times(30, (at) => tls(at, { ja3: JA3 }, { port: 8080, sighting: { learned: false } }));
  const later = (ja3: string) => times(30, (at) => tls(at + 3000, { ja3 }, { port: 8081 }));
  const known = last(reportsOf(TLS_RARITY_DETECTOR, [...usual, ...later(JA3)]));
  const fresh = last(reportsOf(TLS_RARITY_DETECTOR, [...usual, ...later(SECOND_JA3)]));
  assert.ok(fresh.score > known.score + 8);
  assert.match(fresh.explanation, /client program is new as well/);
  const others = times(
    30,
    (at) => tls(at + 3000, { ja3: SECOND_JA3, serverName: "a.example" }, { from: "10.0.0.6" }),
  );
  assert.ok(
    last(reportsOf(TLS_RARITY_DETECTOR, [...usual, ...others, ...later(SECOND_JA3)])).score < fresh.score,
  );
});

Deno.test("tls-rarity: a browser that shuffles its ClientHello has no rare fingerprint", () => {
  const shuffled = (index: number) => index.toString(16).padStart(32, "0");
  const results = reportsOf(
    TLS_RARITY_DETECTOR,
    times(500, (at, index) => tls(at, { ja3: shuffled(index), serverName: "a.example" })),
  );
  assert.deepEqual(results, []);
});

Deno.test("tls-rarity: an executable from a bare address, scored higher for scripts and disguised names", () => {
  const score = (change: Parameters<typeof http>[1], port = 80) =>
    reportsOf(TLS_RARITY_DETECTOR, [http(0, change, { port })])[0]?.score ?? 0;
  const bare = { host: SERVER, uri: "/a.exe", contentType: "application/x-dosexec" };
  assert.ok(score(bare) >= 20 && score(bare) < 40);
  assert.ok(score({ ...bare, userAgent: "Microsoft BITS/7.5 PowerShell" }) >= 40);
  assert.ok(score({ ...bare, uri: "/a.jpg" }) > score(bare));
  assert.ok(score(bare, 4711) > score(bare));
  assert.ok(score(PROGRAM) >= 20);
  assert.ok(
    score({
      host: "files.example.org",
      uri: "/a.exe",
      contentType: null,
      userAgent: "WindowsPowerShell/5.1",
    }) >= 20,
  );
});

Deno.test("tls-rarity: updates, packages, browser downloads, uploads and curl to names are not reported", () => {
  const silent = [
    http(0, {
      host: "aa.avg.com",
      uri: "/u7.bin",
      userAgent: "AVGINET9",
      contentType: "application/x-dosexec",
    }),
    http(0, { host: "dl.example.org", uri: "/setup.exe", contentType: "application/x-dosexec" }),
    http(0, {
      host: "deb.debian.org",
      uri: "/a.deb",
      userAgent: "Debian APT-HTTP/1.3",
      contentType: "application/x-debian-package",
    }),
    http(0, { host: "testmyids.com", userAgent: "curl/7.58.0" }),
    http(0, { host: SERVER, userAgent: "curl/7.58.0" }),
    http(0, {
      host: SERVER,
      userAgent: "SCSDK-6.0.0",
      method: "POST",
      contentType: "application/octet-stream",
    }),
    http(0, { host: SERVER, uri: "/a.exe", status: 404, contentType: "text/html" }),
    http(0, {
      host: SERVER,
      uri: "/a.exe",
      userAgent: "Microsoft-Delivery-Optimization/10.0",
      contentType: null,
    }),
    http(0, { host: "10.0.9.9", uri: "/a.exe" }, { ip: "10.0.9.9" }),
  ];
  for (const sighting of silent) assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, [sighting]), []);
  assert.equal(
    isSuspiciousFetch(
      traitsOf({
        ...PROGRAM,
        type: "http",
        status: 404,
        version: null,
        referrer: null,
        requestBytes: null,
        responseBytes: null,
        username: null,
      }),
    ),
    false,
  );
});

Deno.test("tls-rarity: a browser fetches an executable named as an image", () => {
  const named = { host: "pics.example.org", uri: "/logo.png?7", userAgent: "Mozilla/5.0 (Windows NT 10.0)" };
  const found = last(
    reportsOf(TLS_RARITY_DETECTOR, [http(0, { ...named, contentType: "application/x-dosexec" })]),
  );
  assert.equal(found.title, "10.0.0.5 fetched an executable from 203.0.113.7:80");
  assert.ok(found.score >= 30 && found.score < 50, `${found.score}`);
  for (
    const [uri, contentType] of [["/logo.png", "image/png"], ["/get.php", "application/x-dosexec"]] as const
  ) {
    assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, [http(0, { ...named, uri, contentType })]), [], uri);
  }
});

Deno.test("tls-rarity: a Java class loaded from a bare address is an executable", () => {
  for (
    const contentType of ["application/java-vm", "application/x-java-applet", "application/octet-stream"]
  ) {
    const load = { host: `${SERVER}:8888`, uri: "/Exploit.class", userAgent: "Java/1.8.0_102", contentType };
    const { score, title } = last(reportsOf(TLS_RARITY_DETECTOR, [http(0, load, { port: 8888 })]));
    assert.equal(title, "10.0.0.5 fetched an executable from 203.0.113.7:8888 with a download tool");
    assert.ok(score >= 20 && score < 40, `${score}`);
  }
  const applet = { host: "games.example.org", uri: "/Board.class", userAgent: "Mozilla/4.0 Java/1.6.0_07" };
  assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, [http(0, applet)]), [], "a web page's applet");
});

Deno.test("tls-rarity: a user agent that is new since learning and on one device only", () => {
  const requests = (userAgent: string, learned = true, from = 0) =>
    times(30, (at) => http(from + at, { host: "pool.example.org", userAgent }, { sighting: { learned } }));
  const results = reportsOf(TLS_RARITY_DETECTOR, requests("cgminer 2.7.5"));
  assert.ok(last(results).score >= 20 && last(results).score < 40, `${last(results).score}`);
  assert.equal(last(results).title, "HTTP from a new program: 10.0.0.5 to pool.example.org");
  assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, requests("Mozilla/5.0 (X11)")), []);
  assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, requests("cgminer 2.7.5", false)), []);
  const updated = [...requests("cgminer 2.7.5", false), ...requests("cgminer 3.0.0", true, 5000)];
  assert.deepEqual(reportsOf(TLS_RARITY_DETECTOR, updated), []);
  assert.equal(productOf("Debian APT-HTTP/1.3 (2.0.9)"), "debian");
  assert.equal(productOf(""), null);
});

Deno.test("tls-rarity: TLS after an executable from the same address is reported at the first session", () => {
  const results = reportsOf(TLS_RARITY_DETECTOR, [http(0, PROGRAM), tls(30, {}, { port: 8080 })]);
  assert.equal(results.length, 2);
  assert.ok(last(results).score >= 40, `${last(results).score}`);
  assert.match(
    last(results).summary,
    /had fetched an executable from port 80 of the same address 30 s before/,
  );
  const late = reportsOf(TLS_RARITY_DETECTOR, [http(0, PROGRAM), tls(7200, {}, { port: 8080 })]);
  assert.equal(late.length, 1);
});

Deno.test("tls-rarity: hostile texts never throw, and states stay bounded", () => {
  const text = fc.option(
    fc.oneof(fc.string({ unit: "binary", maxLength: 600 }), fc.constant("/" + "a.".repeat(900) + "exe")),
  );
  const one = fc.record({
    host: text,
    uri: text,
    userAgent: text,
    contentType: text,
    method: text,
    server: fc.nat(40),
    seconds: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 40 }), (all) => {
      const requests = all.map(({ server, seconds, ...facts }) =>
        http(seconds, { ...facts, contentType: facts.contentType ?? "application/x-dosexec" }, {
          ip: `203.0.113.${server}`,
        })
      );
      const sessions = all.map(({ server, seconds, host, uri }) =>
        tls(seconds, { serverName: host, ja3: uri }, { ip: `203.0.113.${server}`, port: 81 })
      );
      reportsOf(TLS_RARITY_DETECTOR, [...requests, ...sessions], 8000);
    }),
    { numRuns: 25 },
  );
  for (const type of [FETCHES, TLS_CLIENTS, FINGERPRINTS]) {
    assert.throws(() => type.decode(new Uint8Array([7])), RangeError);
  }
  const fingerprints = FINGERPRINTS.empty();
  for (let hash = 0; hash < 5000; hash++) addFingerprint(fingerprints, hash * 800_000, 7, true);
  assert.equal(fingerprints.size, MAX_FINGERPRINTS);
  assert.ok(FINGERPRINTS.encode(fingerprints).length < 6000);
  assert.equal(isRareFingerprint(fingerprints, 4999 * 800_000, 7), false);
  assert.deepEqual(FINGERPRINTS.decode(FINGERPRINTS.encode(fingerprints)), fingerprints);
});
