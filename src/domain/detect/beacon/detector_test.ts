import assert from "node:assert/strict";
import {
  BROBEAT,
  METERPRETER,
  play,
  random,
  SAITAMA,
  series,
  T0,
  times,
  WEB_SESSION,
  WEB_SESSION_BYTES,
} from "../../../../test/support/detect/beacon-fixtures.ts";
import { CAPS, STROBE } from "../kernel/callback/score.ts";
import { BEACON_DETECTOR } from "./detector.ts";
import { BEACON_NAME_DETECTOR } from "../beacon-name/detector.ts";
import type { DhcpFacts } from "../../record/facts.ts";
import { dhcp } from "../../../../test/support/detect/attack-records.ts";
import { drive } from "../../../../test/support/detect/detector-fixtures.ts";
import { dnsFacts, httpFacts, tlsFacts } from "../../../../test/support/domain/flow-fixtures.ts";
import {
  playSeen,
  type Seen,
  type Setting,
  toSighting,
} from "../../../../test/support/detect/play-fixtures.ts";

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;

Deno.test("beacon: finds the doubled and jittered brobeat callbacks within 83 minutes", () => {
  const { best, results } = play(series(BROBEAT), { peerPort: 91, service: "http" });
  assert.ok(best !== null && best.score >= 60 && best.score < 80, `score ${best?.score}`);
  assert.equal(best.technique, "T1071.001");
  assert.equal(best.title, "Beaconing from ws-7 to 198.51.100.9:91");
  assert.match(best.summary, /about one callback every 5[5-9] s .*, some of several connections, /);
  assert.ok(best.confidence > 0.8);
  assert.ok(results.length <= 5, "evaluated at few counts");
});

Deno.test("beacon: finds regular queries to an internal resolver that few devices use", () => {
  const resolver = { peerIp: "192.168.1.100", peerPort: 53, proto: "udp", peerInternal: true };
  const points = series(SAITAMA, () => ({ bytesOut: 103 }));
  const { best } = play(points, resolver);
  assert.ok(best !== null && best.score >= 35 && best.score < 50, `score ${best?.score}`);
  assert.equal(best.technique, "T1071.004");
  assert.match(best.explanation, /names that ws-7 looks up/);
  // The same rhythm to a resolver that all devices use comes from a gadget.
  assert.equal(play(points, { ...resolver, prevalence: 8, deviceCount: 10 }).best, null);
});

Deno.test("beacon: reports a strobe separately and caps its score", () => {
  const points = series(METERPRETER, () => ({ bytesOut: 1289 }));
  const { best } = play(points, { peerPort: 8443, deviceCount: 20 });
  assert.ok(best !== null);
  assert.match(best.title, /^Strobe: ws-7 connects to 198\.51\.100\.9:8443/);
  assert.equal(best.score, STROBE.cap);
  const sum = [...best.subScores, ...best.modifiers].reduce(
    (total, item) => total + item.value * item.weight,
    0,
  );
  assert.ok(Math.abs(sum - best.score) < 0.06, `parts add up: ${sum}`);
});

Deno.test("beacon: a flood of unanswered attempts of unknown size is a strobe", () => {
  const flood = series(times(2500, () => 0.03), () => ({ bytesOut: null, failed: true }));
  const { best } = play(flood, { peerPort: 80 });
  assert.ok(best !== null && best.score >= 20 && best.score <= STROBE.cap, `score ${best?.score}`);
  assert.match(best.summary, /recently about 33 per second, .*None of them received any data/);
  assert.equal(best.subScores.some((part) => part.name === "size_regularity"), false);
});

Deno.test("beacon: hundreds of refused connections within minutes are medium, slow retries stay low", () => {
  const refused = () => ({ bytesOut: 0, failed: true });
  // Three attempts within half a second each, then a pause, as a resolver library retries.
  const grouped = series(times(719, (index) => index % 3 === 2 ? 1.1 : 0.2), refused);
  for (const points of [series(times(719, () => 0.5), refused), grouped]) {
    const { best } = play(points, { peerPort: 4455, deviceCount: 20 });
    assert.ok(best!.score >= 40 && best!.score <= STROBE.cap, String(best!.score));
    assert.match(best!.title, /^Strobe: /);
  }
  const slow = series(times(719, () => 60), refused);
  assert.ok(play(slow, { peerPort: 4455, deviceCount: 20 }).best!.score <= CAPS.failed);
});

Deno.test("beacon: a rhythm alone is never critical", () => {
  const perfect = series(times(1500, () => 60));
  const { best } = play(perfect, { deviceCount: 50, firstSeenPeerAt: T0, historySince: T0 - 30 * DAY });
  assert.equal(best?.score, CAPS.callbacks);
  const sum = [...best.subScores, ...best.modifiers].reduce((all, part) => all + part.value * part.weight, 0);
  assert.ok(Math.abs(sum - best.score) < 0.06, `parts add up: ${sum}`);
  // Whether the resolver carries a tunnel is decided by the names.
  assert.equal(play(perfect, { peerPort: 53, proto: "udp", deviceCount: 50 }).best?.score, CAPS.lookups);
});

Deno.test("beacon: a rhythm to a name is low unless the name is new to a known network", () => {
  const perfect = series(times(600, () => 60));
  const named = { named: true, peerName: "news.maker.example", deviceCount: 50 };
  assert.equal(play(perfect, named).best?.score, CAPS.named);
  assert.equal(
    play(perfect, { ...named, firstSeenPeerAt: T0, historySince: T0 - 2 * DAY }).best?.score,
    CAPS.named,
  );
  const news = play(perfect, { ...named, firstSeenPeerAt: T0, historySince: T0 - 30 * DAY }).best!;
  assert.ok(news.score >= 60 && news.score < CAPS.callbacks, `score ${news.score}`);
  assert.equal(news.title, "Beaconing from ws-7 to news.maker.example:443");
  // An exporter's records have no names at all.
  assert.equal(play(perfect, { exported: true }).best?.score, CAPS.exported);
  assert.ok(CAPS.exported < 40, "update checks of an office must not fill the list of incidents");
  const fresh = { exported: true, firstSeenPeerAt: T0, historySince: T0 - 30 * DAY };
  assert.equal(play(perfect, fresh).best?.score, CAPS.exportedOdd);
  assert.equal(play(series(times(600, () => 3)), { exported: true }).best?.score, CAPS.exportedOdd);
});

Deno.test("beacon: an address that was the answer to a name counts as named, whatever the protocol", () => {
  const calls = times(300, (index): Seen => ({
    at: 60 * index,
    src: `10.0.0.5 ${20_000 + index}`,
    dst: "203.0.113.7 5222",
    out: [600, 6],
    in: [900, 5],
  }));
  const answer = (at: number, query: string): Seen => ({
    at,
    src: "10.0.0.6 40000",
    dst: "10.0.0.1 53",
    proto: "udp",
    facts: dnsFacts({ query, answers: ["edge.maker.example", "203.0.113.6", "203.0.113.7"] }),
  });
  const best = (more: readonly Seen[]) => playSeen(BEACON_DETECTOR, [...more, ...calls]).best!;
  assert.ok(best([]).score >= 60, `score ${best([]).score}`);
  const old = best([answer(-10 * 86_400, "www.maker.example"), answer(-30, "edge.maker.example")]);
  assert.equal(old.score, CAPS.named);
  assert.match(old.summary, /203\.0\.113\.7 is the answer to a name that was looked up here/);
  // An operator would use a new domain.
  const fresh = best([answer(-30, "c2.evil.example")]);
  assert.ok(fresh.score >= 60, `score ${fresh.score}`);
  assert.equal(best([answer(-30, "local")]).score, best([]).score);
});

Deno.test("beacon: a rhythm to an unplaced private address is low, as agents report to a server room", () => {
  const perfect = series(times(600, () => 60));
  const { best } = play(perfect, { peerInternal: true, peerIp: "192.168.10.9", peerPort: 10051 });
  assert.equal(best?.score, CAPS.assumedInside);
  assert.ok(play(perfect).best!.score >= 60);
});

Deno.test("beacon: web traffic without TLS and HTTP records stays low, because it may go to a name", () => {
  const call = (index: number): Partial<Seen> => ({
    at: 60 * index,
    src: `10.0.0.5 ${20_000 + index}`,
    dst: "203.0.113.7 443",
    service: "ssl",
  });
  const flows = times(300, (index): Seen => ({ ...call(index), out: [600, 6], in: [900, 5] }));
  const hello = { ...call(0), facts: tlsFacts({ serverName: null }) };
  const best = (seen: readonly Seen[]) =>
    Math.max(
      ...drive(
        [BEACON_DETECTOR, BEACON_NAME_DETECTOR],
        seen.map((one, index) => toSighting(one, index, { historySince: T0 })),
      )
        .results
        .map(({ score }) => score),
    );
  assert.equal(best(flows), CAPS.exported);
  assert.ok(best([hello, ...flows]) >= 60, "the client names no server");
  assert.ok(best(flows.map((one) => ({ ...one, dst: "203.0.113.7 91" }))) >= 60, "not a web port");
  const request = (referrer: string | null): Partial<Seen> => ({
    facts: httpFacts({ host: "203.0.113.7", referrer }),
  });
  const by = (referrer: string | null) => best([{ ...call(0), ...request(referrer) }, ...flows]);
  assert.ok(by(null) >= 60, "the request goes to a bare address");
  assert.equal(by("http://radio.example/now"), CAPS.exported, "a page made the request");
  assert.ok(
    best(flows.map((one) => ({ ...one, service: null }))) >= 60,
    "not recognised as web traffic",
  );
});

Deno.test("beacon: failed attempts are capped, and the summary states them", () => {
  const answered = play(series(times(90, () => 60))).best!;
  const dead = play(series(times(90, () => 60), () => ({ failed: true }))).best!;
  assert.ok(answered.score >= 60);
  assert.equal(dead.score, CAPS.failed);
  assert.match(dead.summary, /None of them received any data in reply/);
  const once = play(series(times(90, () => 60), (index) => ({ failed: index !== 50 }))).best!;
  assert.ok(Math.abs(once.score - answered.score) < 1);
  assert.match(once.summary, /61 of these connections failed/);
  assert.doesNotMatch(answered.summary, /failed|None/);
});

Deno.test("beacon: scheduled parts of a backup are not callbacks", () => {
  const parts = (bytesOut: number) => play(series(times(90, () => 300), () => ({ bytesOut }))).best;
  assert.equal(parts(80_000_000), null);
  assert.ok(parts(80_000)!.score >= 60);
});

Deno.test("beacon: page loads, mixed sizes and resolvers are not strobes", () => {
  const sizes = random(5);
  assert.equal(play(series(METERPRETER, () => ({ bytesOut: 400 + Math.round(sizes() * 2000) }))).best, null);
  assert.equal(play(series(METERPRETER), { peerPort: 53, proto: "udp" }).best, null);
  const loads = times(6, () => [...times(30, () => 0.05), 25]).flat();
  assert.equal(play(series(loads)).best, null);
});

Deno.test("beacon: human activity is not a beacon", () => {
  assert.equal(
    play(series(WEB_SESSION, (index) => ({ bytesOut: WEB_SESSION_BYTES[index] ?? null }))).best,
    null,
  );
  const next = random(3);
  const browsing = times(300, () => next() < 0.8 ? next() : Math.exp(1 + 7 * next()));
  assert.equal(play(series(browsing, () => ({ bytesOut: 500 + Math.round(next() * 1500) }))).best, null);
});

Deno.test("beacon: random arrivals of equal size are not a beacon", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed);
    const { best } = play(series(times(150, () => -60 * Math.log(next()))));
    assert.ok(best === null || best.score < 40, `seed ${seed}: ${best?.score}`);
  }
});

Deno.test("beacon: a sleep drawn from a wide range is found by the bound that it never exceeds", () => {
  const random40 = (count: number, wait: (next: () => number) => number) =>
    times(40, (seed) => {
      const next = random(seed + 1);
      return play(
        series(times(count, () => wait(next)), () => ({ bytesOut: 560 + Math.round(140 * next()) })),
      )
        .best;
    });
  const wide = (next: () => number) => 90 * (0.1 + 1.8 * next());
  const found = random40(130, wide);
  const medium = (all: typeof found) => all.filter((best) => best !== null && best.score >= 40).length;
  assert.ok(medium(found) >= 36, `90 % of jitter either way: ${medium(found)} of 40`);
  assert.match(found[0]!.explanation, /hardly one longer than 1\d\d seconds|hardly one longer than [23] min/);
  assert.ok(medium(random40(25, wide)) <= 1, "too few to tell");
  const longer: Record<string, (next: () => number) => number> = {
    "random arrivals": (next) => -90 * Math.log(next()),
    "people, who pause": (next) => next() < 0.3 ? 900 * next() : wide(next),
  };
  for (const [name, wait] of Object.entries(longer)) {
    assert.ok(medium(random40(130, wait)) <= 1, name);
  }
});

Deno.test("beacon: jitter, lost callbacks and pauses do not hide one", () => {
  const waits: Record<string, (next: () => number) => number> = {
    "exact": () => 60,
    "20 % jitter": (next) => 60 * (0.8 + 0.4 * next()),
    "50 % jitter as implants define it": (next) => 60 * (0.5 + 0.5 * next()),
    "10 % lost": (next) => 60 * (0.9 + 0.2 * next()) * (next() < 0.1 ? 2 : 1),
    "asleep at times": (next) => 60 * (0.9 + 0.2 * next()) + (next() < 0.04 ? 3600 : 0),
    "half an hour": (next) => 1800 * (0.8 + 0.4 * next()),
  };
  for (const [name, wait] of Object.entries(waits)) {
    const next = random(11);
    const { best } = play(
      series(times(90, () => wait(next)), () => ({ bytesOut: 500 + Math.round(60 * next()) })),
    );
    assert.ok(best !== null && best.score >= 50, `${name}: ${best?.score}`);
  }
});

Deno.test("beacon: a callback of several connections counts once", () => {
  const next = random(2);
  const { best } = play(series(times(150, (index) => index % 3 === 2 ? 58 + 4 * next() : 0.3)));
  assert.ok(best !== null && best.score >= 50, `${best?.score}`);
  assert.match(best.summary, /about one callback every 1 min \(.*\), each of about 3 connections, /);
});

Deno.test("beacon: unknown sizes are neutral", () => {
  const unknown = play(series(times(90, () => 60), () => ({ bytesOut: null }))).best;
  const known = play(series(times(90, () => 60))).best;
  assert.ok(unknown !== null && known !== null);
  assert.equal(unknown.subScores.some((part) => part.name === "size_regularity"), false);
  assert.ok(Math.abs(unknown.score - known.score) < 10);
});

Deno.test("beacon: one long connection exported in slices is not a beacon", () => {
  const slice = (index: number) => ({ srcPort: 50_000, end: T0 + (index * 60 + 58) * 1_000_000 });
  assert.equal(play(series(times(120, () => 60), slice)).best, null);
  assert.notEqual(play(series(times(120, () => 60))).best, null);
});

Deno.test("beacon: questions to a resolver that several devices use are not a beacon", () => {
  const asked = (dst: string, users: number, types: Record<string, string> = {}) => {
    const question = (at: number, src: string): Seen => ({
      at,
      src,
      dst,
      proto: "udp",
      out: [58, 1],
      in: [74, 1],
    });
    const others = times(users - 1, (index) => question(index, `10.0.0.${20 + index} 50000`));
    const regular = times(70, (index) => question(60 + index * 1140, `10.0.0.5 ${20_000 + index}`));
    return playSeen(BEACON_DETECTOR, [...others, ...regular], { types }).best;
  };
  for (const resolver of ["10.0.0.2 53", "192.0.2.53 53", "192.0.2.53 853"]) {
    assert.equal(asked(resolver, 3), null, resolver);
    assert.ok(asked(resolver, 1)!.score >= 20, `${resolver} for one device only`);
  }
  for (const type of ["router", "domain_controller"]) {
    assert.equal(asked("10.0.0.1 53", 1, { "10.0.0.1": type }), null, type);
  }
  assert.ok(asked("10.0.0.1 53", 1, { "10.0.0.1": "printer" })!.score >= 20);
  // Several users of any other service say nothing of the kind.
  assert.ok(asked("192.0.2.53 5353", 1) === null && asked("192.0.2.53 5354", 3)!.score >= 40);
});

Deno.test("beacon: questions to a gateway that nobody confirmed are not a beacon", () => {
  const [gateway, client] = ["10.0.0.1", "10.0.0.5"];
  const regular = times(70, (index): Seen => ({
    at: 60 + index * 1140,
    src: `${client} ${20_000 + index}`,
    dst: `${gateway} 53`,
    proto: "udp",
    out: [58, 1],
    in: [74, 1],
  }));
  const found = (before: Seen[], setting: Setting = {}) =>
    playSeen(BEACON_DETECTOR, [...before, ...regular], setting).best;
  const lease = (facts: Partial<DhcpFacts>): Seen => ({
    src: `${client} 68`,
    dst: "10.0.0.2 67",
    proto: "udp",
    facts: { ...dhcp("10.0.0.2", 5, "10.0.0.254"), ...facts },
  });
  assert.ok(found([])!.score >= 20);
  assert.equal(found([lease({ routers: [gateway] })]), null, "the router of a lease");
  assert.equal(found([lease({ dnsServers: ["192.0.2.53", gateway] })]), null, "the resolver of a lease");
  assert.equal(found([lease({ serverIp: gateway })]), null, "the DHCP server");
  assert.ok(found([lease({})])!.score >= 20, "a lease that names other hosts");
  assert.ok(
    found([lease({ messageType: "request", routers: [gateway] })])!.score >= 20,
    "no server's record",
  );
  const renewal = (packets: number): Seen => ({
    src: `${client} 68`,
    dst: `${gateway} 67`,
    proto: "udp",
    out: [300, 1],
    in: [300 * packets, packets],
  });
  assert.equal(found([renewal(1)]), null, "a flow with a DHCP server's answer");
  assert.ok(found([renewal(0)])!.score >= 20, "a request without an answer");
  const other: Seen = { ...regular[0]!, src: "10.0.0.6 20000" };
  assert.equal(found([other], { deviceCount: 4 }), null, "most devices of a small site");
  assert.ok(found([other], { deviceCount: 20 })!.score >= 20, "two of many devices");
  const exported = [other, ...regular].map((seen, index) => {
    const one = toSighting({ ...seen, exported: true }, index, {});
    return { ...one, observation: { ...one.observation, exporter: gateway } };
  });
  assert.deepEqual(drive([BEACON_DETECTOR], exported).results, [], "the exporter of the records");
});

Deno.test("beacon: one idle connection recorded again after each time-out is one connection", () => {
  const records = (count: number, port: (index: number) => number, wait = 540): Seen[] =>
    times(count, (index) => ({
      at: index * wait,
      seconds: 1,
      src: `10.0.0.5 ${port(index)}`,
      dst: "203.0.113.7 8022",
      out: [180, 2],
      in: [140, 2],
    }));
  const best = (seen: readonly Seen[]) => playSeen(BEACON_DETECTOR, seen).best;
  assert.equal(best(records(60, () => 50_000)), null, "nine minutes of silence");
  assert.equal(best(records(20, () => 50_000, 7199)), null, "keep-alive probes of TCP, every two hours");
  const three = records(60, (index) => 50_000 + Math.floor(index / 20));
  assert.equal(best(three), null, "three connections");
  assert.ok(best(records(60, (index) => 50_000 + index))!.score >= 60, "sixty connections");
  // Further records of a connection do not count in the text either: the evaluation after 41 is at 62.
  const again = times(
    90,
    (index) => records(3, () => 50_000 + index, 130).map((one) => ({ ...one, at: one.at! + index * 600 })),
  ).flat();
  const last = playSeen(BEACON_DETECTOR, again).results.at(-1)!;
  assert.match(last.summary, /has opened at least 62 connections to .* about one every 10 min /);
});

Deno.test("beacon: a port that a later connection uses again does not hide a rhythm", () => {
  const ports = random(9);
  const few = series(times(90, () => 60), () => ({ srcPort: 50_000 + Math.floor(ports() * 1000) }));
  assert.ok(play(few).best!.score >= 60);
});

Deno.test("beacon: keepalives of tunnels, calls and telephony are low at most", () => {
  const packets = (peerPort: number, bytesOut: number, more: Parameters<typeof play>[1] = {}) =>
    [60, 120].map((wait) => {
      const count = Math.round(8 * 3600 / wait);
      const kept = series(times(count, () => wait), () => ({ bytesOut, srcPort: 40_000 }));
      return play(kept, { peerPort, proto: "udp", deviceCount: 50, ...more }).best?.score ?? 0;
    });
  const keepalives: readonly [number, number][] = [
    [500, 122],
    [4500, 43],
    [51_820, 74],
    [1194, 82],
    [3478, 62],
    [19_302, 62],
    [5060, 760],
  ];
  for (const [port, bytes] of keepalives) {
    for (const score of packets(port, bytes)) assert.ok(score < 40, `port ${port}: ${score}`);
  }
  for (const port of [161, 4444]) {
    for (const score of packets(port, 90)) assert.ok(score >= 60, `port ${port}: ${score}`);
  }
  // More than a packet each time, or a connection each time, is no keepalive.
  assert.ok(Math.min(...packets(4500, 9000)) >= 40);
  const opened = series(times(480, () => 60), () => ({ bytesOut: 120 }));
  assert.ok(play(opened, { peerPort: 1194, proto: "tcp", deviceCount: 50 }).best!.score >= 40);
});

Deno.test("beacon: polling by common software is not reported", () => {
  const common = { prevalence: 3, deviceCount: 5 };
  const next = random(7);
  const updates = series(times(12, () => 7200 + 60 * (next() - 0.5)), () => ({ bytesOut: 1335 }));
  assert.equal(play(updates, common).best, null, "virus scanner updates, m57");
  const mail = series(times(14, () => 1800 + next()), () => ({ bytesOut: 1063 }));
  assert.equal(play(mail, { ...common, peerPort: 995 }).best, null, "mailbox, m57");
});

Deno.test("beacon: rare and new peers weigh more, known and common ones less", () => {
  const score = (context: Parameters<typeof play>[1]) =>
    play(series(times(60, () => 60)), context).best?.score ?? 0;
  const plain = score({});
  assert.ok(score({ deviceCount: 50 }) > plain);
  assert.ok(score({ prevalence: 5, deviceCount: 20 }) < plain);
  assert.ok(score({ prevalence: 18, deviceCount: 20 }) < score({ prevalence: 5, deviceCount: 20 }));
  assert.ok(score({ firstSeenPeerAt: T0, historySince: T0 - 30 * DAY }) > plain);
  assert.equal(
    score({ firstSeenPeerAt: T0, historySince: T0 - HOUR }),
    plain,
    "every peer is new on the first day",
  );
  assert.ok(score({ firstSeenPeerAt: T0 - 20 * DAY, historySince: T0 - 30 * DAY }) < plain);
  assert.ok(score({ peerInternal: true }) < plain);
});

Deno.test("beacon: the parts of a result add up, and it names its evidence", () => {
  const { best, state } = play(series(times(60, () => 60)), { deviceCount: 50 });
  assert.ok(best !== null);
  const sum = [...best.subScores, ...best.modifiers].reduce(
    (total, item) => total + item.value * item.weight,
    0,
  );
  assert.ok(Math.abs(sum - best.score) < 0.06, `${sum} is not ${best.score}`);
  assert.equal(best.at, best.lastSeen);
  assert.equal(best.evidence.at(-1)?.observedAt, best.at);
  assert.equal(best.firstSeen, T0);
  assert.deepEqual(best.deviceIds, ["device-1"]);
  assert.equal(best.groupKey, "device-1|198.51.100.9");
  assert.equal(state.refs.length, 32);
});
