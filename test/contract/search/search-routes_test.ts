import assert from "node:assert/strict";
import { type Database, NoPlace, StoreUnavailable } from "../../../src/store/engine/database.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns, eve, ssl } from "../records.ts";

const CLIENT = "10.0.0.5";
const SERVER = "198.51.100.7";

/** Six connections, a DNS lookup, a TLS session and an alert, of which an incident follows. */
async function filled(api: Api): Promise<void> {
  await api.take(
    ZEEK,
    Array.from(
      { length: 6 },
      (_, n) =>
        conn({
          src: CLIENT,
          dst: SERVER,
          srcPort: 40_000 + n,
          at: NOW - (n + 2) * MINUTE,
          more: { orig_bytes: 1000 },
        }),
    ),
  );
  await api.take(ZEEK, [
    dns({ src: CLIENT, query: "www.example.com", at: NOW - 2 * MINUTE, more: { answers: ["203.0.113.9"] } }),
    ssl({ src: CLIENT, dst: SERVER, at: NOW - 3 * MINUTE, more: { server_name: "cdn.example.com" } }),
  ]);
  await api.take(SURICATA, [alert({ src: CLIENT, dst: SERVER, at: NOW - MINUTE })]);
}

function search(api: Api, filter: Record<string, unknown>, query: Record<string, string | number> = {}) {
  const body = { version: 1, where: null, ...filter };
  return api.read("search", query, { method: "POST", body });
}

testDatabase(
  "search: a filter finds flows, devices and incidents, with the window that it covers",
  async (db) => {
    const api = new Api(db);
    await filled(api);
    const where = { field: "dns.query", op: "matches", value: "*.example.com" };
    const flows = await search(api, { kind: "flows", where });
    assert.equal(flows.result_kind, "flows");
    assert.deepEqual(flows.window, { from: "2026-01-30T07:15:00.000Z", to: "2026-01-31T07:15:00.000Z" });
    assert.deepEqual(flows.data.map((flow) => "service" in flow ? flow.service : null), ["dns"]);

    const devices = await search(api, { kind: "devices", where });
    // Both ends of the lookup are devices.
    const addresses = devices.data.map((device) => "addresses" in device ? device.addresses.join() : "");
    assert.deepEqual(addresses.toSorted(), [CLIENT, "10.0.0.53"]);
    assert.equal(devices.window, null);

    const incidents = await search(api, {
      kind: "incidents",
      where: {
        all: [{ field: "severity", op: ">=", value: "medium" }, {
          field: "dst.ip",
          op: "matches",
          value: SERVER,
        }],
      },
    });
    assert.equal(incidents.data.length, 1);
  },
);

testDatabase(
  "search: pages follow each other, and relative times stay those of the first page",
  async (db) => {
    const api = new Api(db);
    await filled(api);
    const filter = {
      kind: "flows",
      where: {
        all: [{ field: "time", op: "matches", value: "-10m" }, { field: "dst.port", op: "=", value: 443 }],
      },
    };
    const whole = await search(api, filter, { limit: 100 });
    const found = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof search>> = await search(
        api,
        filter,
        cursor === null ? { limit: 2 } : { limit: 2, cursor },
      );
      found.push(...page.data);
      cursor = page.next_cursor;
      // Without the first page's time the oldest flows would leave the window.
      api.clock.advance(120);
    } while (cursor !== null);
    assert.ok(whole.data.length >= 5);
    assert.deepEqual(found, whole.data);
  },
);

testDatabase("search: addresses and names in records are found in every spelling", async (db) => {
  const api = new Api(db);
  const answers = [
    { rrname: "a.example", rrtype: "AAAA", rdata: "2001:0db8:0000:0000:0000:0000:0000:0007" },
    { rrname: "a.example", rrtype: "A", rdata: "198.51.100.7" },
  ];
  const ends = { src: CLIENT, dst: "10.0.0.53", at: NOW - MINUTE };
  await api.take(SURICATA, [eve("dns", { type: "answer", rrname: "a.example", version: 2, answers }, ends)]);
  await api.take(ZEEK, [
    ssl({ src: CLIENT, dst: SERVER, at: NOW - MINUTE, more: { server_name: "xn--bcher-kva.example" } }),
    ssl({
      src: CLIENT,
      dst: SERVER,
      srcPort: 41_000,
      at: NOW - MINUTE,
      more: { server_name: "shop.b\u00fccher.example" },
    }),
  ]);
  const found: [filter: string, flows: number][] = [
    ["dns.answer:2001:db8::7", 1],
    ["dns.answer=2001:db8:0:0::7", 1],
    ["2001:db8::7", 1],
    ["dns.answer:198.51.100.0/24", 1],
    ["dns.answer:198.51.101.0/24", 0],
    ["server_name:b\u00fccher.example", 1],
    ["server_name=XN--BCHER-KVA.example", 1],
    ["server_name:*.B\u00dcCHER.example", 1],
    ["server_name:*xn--bcher-kva.example", 2],
    ["b\u00fccher.example", 1],
  ];
  for (const [filter, flows] of found) {
    assert.equal((await api.read("listFlows", { filter })).data.length, flows, filter);
  }
  const network = await api.send("listFlows", { filter: "dns.answer:2001:db8::/32" });
  assert.match((await network.json()).error.message, /compared with one address/);
});

testDatabase("search: lists take the filter beside their own parameters", async (db) => {
  const api = new Api(db);
  await filled(api);
  const all = await api.read("listFlows", { limit: 100 });
  const some = await api.read("listFlows", {
    limit: 100,
    filter: `dst.ip:${SERVER} -service:tls`,
    proto: "tcp",
  });
  assert.ok(some.data.length > 0 && some.data.length < all.data.length);
  assert.ok(
    some.data.every(({ dst, service, proto }) => dst.ip === SERVER && service !== "tls" && proto === "tcp"),
  );

  // A time in the filter takes the place of the default window of fifteen minutes.
  api.clock.advance(3600);
  assert.equal((await api.read("listFlows", { filter: "dst.port:443" })).data.length, 0);
  assert.ok((await api.read("listFlows", { filter: "dst.port:443 time:-3h" })).data.length > 0);

  assert.equal((await api.read("listDevices", { filter: `device.ip:${CLIENT}` })).data.length, 1);
  assert.equal((await api.read("listDevices", { filter: "device.ip:10.9.9.9" })).data.length, 0);
  const window = { from: "2026-01-31T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  assert.equal((await api.read("listIncidents", { ...window, filter: "severity>=medium" })).data.length, 1);
  assert.equal((await api.read("listIncidents", { ...window, filter: "severity:critical" })).data.length, 0);
});

testDatabase(
  "search: a window of flows is searched as a whole or refused, never cut in silence",
  async (db) => {
    const api = new Api(db);
    await filled(api);
    const all = await search(api, { kind: "flows", window: { from: "-7d", to: "now" } }, { limit: 500 });
    assert.ok(all.data.length > 0);
    // No flow starts in the far future, so the end costs nothing.
    for (const end of ["2099-01-01", "this-week"]) {
      const far = await search(api, { kind: "flows", window: { from: "-7d", to: end } }, { limit: 500 });
      assert.deepEqual(far.data, all.data, end);
    }
    const listed = await api.read("listFlows", { limit: 500, filter: "time:-7d..2099-01-01" });
    assert.deepEqual(listed.data, all.data);
    // Without a beginning it reaches back as far as a window may.
    await search(api, { kind: "flows", where: { field: "time", op: "<", value: "now" } });
    await search(api, { kind: "flows", window: { from: "-31d", to: "now" } });

    const where = { field: "time", op: "matches", value: "-40d" };
    const tooLong = { version: 1, kind: "flows", where: null, window: { from: "-40d", to: "now" } };
    const post = (body: unknown) => ({ method: "POST", body });
    const answers = {
      search: await api.send("search", {}, post(tooLong)),
      "a time in the filter": await api.send("search", {}, post({ version: 1, kind: "flows", where })),
      "the beginning of time": await api.send(
        "search",
        {},
        post({ ...tooLong, window: { from: "1970-01-01", to: "now" } }),
      ),
      aggregate: await api.send("aggregateSearch", {}, post({ filter: tooLong })),
      list: await api.send("listFlows", { filter: "time:-40d" }),
      export: await api.send("exportSearch", { format: "csv", from: "2020-01-01T00:00:00Z" }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const { error } = await answer.json();
      assert.deepEqual([answer.status, error.details?.reason], [400, "window_too_long"], name);
    }
    // Devices and incidents have no bound.
    await search(api, { kind: "incidents", window: { from: "-400d", to: "now" } });
  },
);

testDatabase(
  "search: a wrong filter is refused with the place, what was expected and the nearest form",
  async (db) => {
    const api = new Api(db);
    const refused = async (response: Response) => {
      const { error } = await response.json();
      assert.equal(response.status, 400, JSON.stringify(error));
      assert.equal(error.details.reason, "invalid_filter");
      return error.details.issues[0];
    };
    const text = await refused(await api.send("listFlows", { filter: "src.prt:80" }));
    assert.deepEqual([text.path, text.position, text.suggestion], ["filter", { from: 0, to: 7 }, "src.port"]);
    const body = {
      version: 1,
      kind: "flows",
      where: { any: [{ field: "dst.port", op: "=", value: 99_999 }] },
    };
    const tree = await refused(await api.send("search", {}, { method: "POST", body }));
    assert.equal(tree.path, "where.any[0].value");
    const unknown = { version: 1, kind: "flows", where: { field: "nonsense", op: "=", value: 1 } };
    const response = await api.send("search", {}, { method: "POST", body: unknown });
    assert.equal(response.status, 400);
    assert.match((await response.json()).error.details.issues[0].path, /^where/);
  },
);

testDatabase("aggregate: groups, the rest and buckets add up to all flows", async (db) => {
  const api = new Api(db);
  await filled(api);
  const filter = { version: 1, kind: "flows", where: null, window: { from: "-1h", to: "now" } };
  const ask = async (more: Record<string, unknown>) =>
    (await api.read("aggregateSearch", {}, { method: "POST", body: { filter, ...more } })).data;
  const whole = await ask({});
  const flows = Number(whole.groups[0]!.total);
  const byPort = await ask({ group_by: ["dst.port"], bucket: "1m", limit: 1 });
  assert.deepEqual(byPort.groups.map(({ key }) => key), [["443"]]);
  const values = [...byPort.groups, byPort.other!].flatMap((group) => group.values.map(Number));
  assert.equal(values.reduce((sum, value) => sum + value, 0), flows);
  assert.equal(Number(byPort.groups[0]!.total) + Number(byPort.other!.total), flows);
  assert.equal(byPort.buckets.length, byPort.groups[0]!.values.length);

  for (
    const [more, path] of [
      [{ group_by: ["severity"] }, "group_by[0]"],
      [{ group_by: ["proto", "proto"] }, "group_by[1]"],
      [{ filter: { ...filter, window: { from: "-31d", to: "now" } }, bucket: "1m" }, "bucket"],
    ] as const
  ) {
    const response = await api.send("aggregateSearch", {}, { method: "POST", body: { filter, ...more } });
    const { error } = await response.json();
    assert.deepEqual([response.status, error.details.issues[0].path], [400, path]);
  }
});

testDatabase("completion: values of the last day stand before what the grammar offers", async (db) => {
  const api = new Api(db);
  await filled(api);
  const inserts = async (text: string) =>
    (await api.read("completeSearch", { text })).data.items.map(({ insert }) => insert);
  assert.deepEqual((await inserts("dns.query:ww")).slice(0, 1), ["www.example.com"]);
  assert.deepEqual((await inserts("dst.port:44")).slice(0, 1), ["443"]);
  assert.ok((await inserts("src.p")).some((insert) => insert.startsWith("src.port")));
  // What nobody sent is not offered, and a wildcard of the database is a character.
  assert.deepEqual(await inserts("dns.query:%"), []);
});

const FORMULA = "=1+1.example.com";

testDatabase("export: CSV, NDJSON and raw records, inert and complete", async (db) => {
  const api = new Api(db);
  await filled(api);
  await api.take(ZEEK, [
    ssl({ src: CLIENT, dst: SERVER, srcPort: 51_000, at: NOW - SECOND, more: { server_name: FORMULA } }),
  ]);
  const exported = async (query: Record<string, string>) => {
    const response = await api.send("exportSearch", query);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.equal(response.headers.get("x-result-limit"), "100000");
    assert.equal(response.headers.get("x-result-truncated"), "false");
    assert.match(response.headers.get("content-disposition")!, /^attachment; filename="[\w.-]+"$/);
    assert.match(response.headers.get("content-security-policy")!, /sandbox/);
    return text;
  };
  const found = (await search(api, { kind: "flows" }, { limit: 500 })).data;
  const csv = (await exported({ format: "csv" })).trim().split("\r\n");
  assert.equal(csv.length, found.length + 1);
  assert.match(csv[0]!, /^flow_id,start,end,src_ip,/);
  assert.ok(csv.some((line) => line.includes(`'${FORMULA}`)), "a formula starts with an apostrophe");
  const lines = (await exported({ format: "ndjson" })).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines, found);
  const records = (await exported({ format: "records", filter: "dns.query:www.example.com" })).trim().split(
    "\n",
  );
  assert.deepEqual(records.map((line) => JSON.parse(line).payload.query), ["www.example.com"]);
  const refused = await api.send("exportSearch", { format: "records", kind: "devices" });
  assert.equal(refused.status, 400);
  assert.equal((await refused.json()).error.details.issues[0].path, "format");
});

testDatabase("export: a file that is cut says so in its last line, and the next part goes on", async (db) => {
  // Its time is over when the first page is read.
  const api = new Api(db, [], { exportMs: 0 });
  const all = Array.from(
    { length: 120 },
    (_, n) => conn({ srcPort: 50_000 + n, at: NOW - (n + 1) * SECOND }),
  );
  await api.take(ZEEK, all);
  for (const format of ["records", "csv"]) {
    const parts: string[][] = [];
    const query: Record<string, string> = { format, from: "2026-01-31T06:00:00Z" };
    do {
      const response = await api.send("exportSearch", query);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal(response.headers.get("x-result-truncated"), parts.length === 0 ? "false" : "unknown");
      parts.push(text.trim().split(/\r?\n/));
      const last = parts.at(-1)!.at(-1)!;
      const cursor = /after=(\S+)$|"after":"([^"]+)"/.exec(last);
      query.after = cursor?.[1] ?? cursor?.[2] ?? "";
      if (cursor !== null) {
        assert.match(parts.at(-1)!.pop()!, /\b50 rows|"rows":50,"reason":"its time is over"/);
      }
    } while (query.after !== "");
    const rows = parts.flatMap((part) => format === "csv" ? part.slice(1) : part);
    assert.equal(new Set(rows).size, 120, format);
    assert.equal(rows.length, 120, format);
    if (format === "records") assert.deepEqual(parts.map(({ length }) => length), [50, 50, 20]);
  }
});

testDatabase("export: a database that fails in the middle is stated in the last line", async (inner) => {
  let reads = 0;
  const db: Database = {
    engine: inner.engine,
    tenant: (...args) =>
      ++reads > 3 ? Promise.reject(new StoreUnavailable(new Error("gone"))) : inner.tenant(...args),
    shared: (...args) => inner.shared(...args),
    owner: (...args) => inner.owner(...args),
    close: () => inner.close(),
  };
  const api = new Api(inner);
  await api.take(ZEEK, Array.from({ length: 120 }, (_, n) => conn({ srcPort: 50_000 + n })));
  const failing = new Api(db);
  const response = await failing.send("exportSearch", { format: "records" });
  const lines = (await response.text()).trim().split("\n");
  const { truncated, reason, after } = JSON.parse(lines.at(-1)!);
  assert.deepEqual([response.status, truncated, reason], [200, true, "the database did not answer in time"]);
  const rest = await (await api.send("exportSearch", { format: "records", after })).text();
  const ids = [...lines.slice(0, -1), ...rest.trim().split("\n")].map((line) => JSON.parse(line).evidence_id);
  assert.equal(new Set(ids).size, 120);
});

testDatabase("export: without a turn the file begins, and ends with a line that states it", async (inner) => {
  const db: Database = {
    engine: inner.engine,
    tenant: () => Promise.reject(new NoPlace(new Error("no turn"))),
    shared: (...args) => inner.shared(...args),
    owner: (...args) => inner.owner(...args),
    close: () => inner.close(),
  };
  const response = await new Api(db).send("exportSearch", { format: "ndjson" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-result-truncated"), "unknown");
  const { truncated, rows, reason, after } = await response.json();
  assert.deepEqual([truncated, rows, reason], [true, 0, "too many requests are waiting"]);
  assert.ok(after);
});
