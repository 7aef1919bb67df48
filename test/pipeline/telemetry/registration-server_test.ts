// The registration server: what it accepts, what it stores and for how long, and what it never stores.

import assert from "node:assert/strict";
import { mmdb } from "../../support/config/mmdb-fixtures.ts";
import type { Registration } from "../../../src/contract/telemetry/registration.ts";
import { idOf, onBench, SENDER } from "../../support/telemetry/registration/bench.ts";
import { sampleHeartbeat } from "../../support/telemetry/registration/reading.ts";
import { MOST_HEARTBEATS_A_DAY } from "../../support/telemetry/registration/protocol.ts";

const RELEASE = {
  latest_version: "0.2.0",
  channel: "stable",
  released_on: "2026-02-01",
  security: false,
  notice: "Reads more.",
  url: "https://ndr.example/releases/0.2.0",
};
function registrationOf(number: number, more: Partial<Registration> = {}): Registration {
  return {
    schema_version: 1,
    install_id: idOf(number),
    product_version: "0.1.0",
    plan: "free",
    license_key_id_hash: null,
    ...more,
  };
}

Deno.test("the server adds the request's country, its receipt time and whether a pro plan matches an active licence; the sender's address is never stored", async () => {
  await onBench(async (bench) => {
    const geoip = `${bench.folder}/country.mmdb`;
    await Deno.writeFile(geoip, mmdb({ networks: { "91.198.174.0/24": { country: { iso_code: "NL" } } } }));
    await bench.start({ geoip });
    const [free, pro] = [
      sampleHeartbeat(idOf(1)),
      sampleHeartbeat(idOf(2), { plan: "pro", license_key_id_hash: "0123456789abcdef" }),
    ];
    assert.deepEqual((await bench.heartbeat(free)).body, { license: null });
    assert.equal((await bench.heartbeat(pro)).status, 200);
    await bench.stop();
    const at = "2026-01-31T12:00:00.000Z";
    const { heartbeat, ...rest } = bench.ledger();
    assert.deepEqual(heartbeat, [
      {
        id: 1,
        install_id: idOf(1),
        received_at: at,
        country: "NL",
        license_active: null,
        payload: JSON.stringify(free),
      },
      {
        id: 2,
        install_id: idOf(2),
        received_at: at,
        country: "NL",
        license_active: 0,
        payload: JSON.stringify(pro),
      },
    ]);
    assert.deepEqual(rest, {
      registration: [free, pro].map(({ install_id, product_version, plan, license_key_id_hash }) => ({
        install_id,
        product_version,
        plan,
        license_key_id_hash,
        registered_at: at,
        licensed_since: license_key_id_hash === null ? null : at,
        last_heard_at: at,
      })),
      daily_aggregate: [],
      counted_day: [],
    }, "and there is no other table");
    for (const address of [SENDER, "127.0.0.1", "10.0.0.1", "91.198"]) {
      assert.ok(!bench.bytes().includes(address), `${address} is kept`);
    }
    const packed = String.fromCharCode(...SENDER.split(".").map(Number));
    assert.ok(!bench.bytes().includes(packed), "nor as four bytes");
  });
});

Deno.test("registration: 201, then 200; new values replace old ones", async () => {
  await onBench(async (bench) => {
    await bench.start();
    assert.deepEqual([(await bench.register(registrationOf(1))).status], [201]);
    bench.time.advance(1000);
    const again = await bench.register(registrationOf(1, { product_version: "0.2.0" }));
    assert.deepEqual([again.status, again.body], [200, { license: null }]);
    const [row] = bench.ledger().registration;
    assert.deepEqual([row!.product_version, row!.registered_at, row!.last_heard_at], [
      "0.2.0",
      "2026-01-31T12:00:00.000Z",
      "2026-01-31T12:00:01.000Z",
    ]);
  });
});

Deno.test("retention: raw heartbeats 90 days; daily aggregates indefinitely; registration record while active plus 90 days", async () => {
  await onBench(async (bench) => {
    await bench.start();
    await bench.register(registrationOf(1));
    await bench.register(registrationOf(2));
    await bench.heartbeat(sampleHeartbeat(idOf(1), { device_bucket: "0-10" }));
    // Only the last heartbeat of a day counts, once.
    await bench.heartbeat(sampleHeartbeat(idOf(1), { device_bucket: "11-50", connector_counts: {} }));
    await bench.heartbeat(sampleHeartbeat(idOf(2), { device_bucket: "11-50" }));
    const countsOf = (day: string) => bench.ledger().daily_aggregate.filter((row) => row.day === day);
    await bench.pass(1);
    const first = countsOf("2026-01-31");
    const count = (field: string) =>
      Object.fromEntries(
        first.filter((row) => row.field === field).map((row) => [row.value, row.installations]),
      );
    assert.deepEqual(count("installations"), { all: 2 });
    assert.deepEqual(count("device_bucket"), { "11-50": 2 });
    assert.deepEqual(count("source_kinds"), { suricata: 2, zeek: 2 });
    assert.deepEqual(count("connector_counts"), { "webhook 1": 1 });
    assert.deepEqual(count("country"), { unknown: 2 });
    const fields = new Set(first.map((row) => row.field));
    for (const field of ["install_id", "license_key_id_hash", "sent_at"]) {
      assert.ok(!fields.has(field), field);
    }

    // One installation continues, the other one falls silent.
    for (let day = 0; day < 88; day++) {
      await bench.heartbeat(sampleHeartbeat(idOf(1)));
      await bench.pass(1);
    }
    const days = () => [
      ...new Set(bench.ledger().heartbeat.map((row) => String(row.received_at).slice(0, 10))),
    ];
    assert.equal(days()[0], "2026-01-31");
    await bench.pass(1);
    assert.equal(days()[0], "2026-01-31", "kept for exactly 90 days");
    bench.time.advance(1);
    await bench.pass(0);
    await bench.start();
    assert.equal(days()[0], "2026-02-01", "and no longer");
    assert.deepEqual(bench.ledger().registration.map((row) => row.install_id), [idOf(1)]);
    await bench.pass(400);
    const end = bench.ledger();
    assert.deepEqual([end.heartbeat, end.registration], [[], []]);
    assert.deepEqual(countsOf("2026-01-31"), first, "aggregates are kept forever");
    assert.equal(end.counted_day.length, 89);
    assert.ok(!bench.bytes().includes("ins_"), "deleted data is overwritten");
  });
});

Deno.test("a deletion request is handled by install_id; aggregates remain", async () => {
  await onBench(async (bench) => {
    await bench.start();
    for (const number of [1, 2]) {
      await bench.register(registrationOf(number));
      await bench.heartbeat(sampleHeartbeat(idOf(number)));
    }
    await bench.pass(1);
    await bench.heartbeat(sampleHeartbeat(idOf(1)));
    const counted = bench.ledger().daily_aggregate;
    for (
      const path of [
        "/v1/installations/",
        "/v1/installations/1",
        `/v1/installations/${idOf(1).toUpperCase()}`,
      ]
    ) {
      assert.ok([400, 404].includes((await bench.send("DELETE", path)).status), path);
    }
    const gone = await bench.send("DELETE", `/v1/installations/${idOf(1)}`);
    assert.deepEqual([gone.status, gone.body], [204, null]);
    const { heartbeat, registration, daily_aggregate } = bench.ledger();
    assert.deepEqual([...heartbeat, ...registration].map((row) => row.install_id), [idOf(2), idOf(2)]);
    assert.deepEqual(daily_aggregate, counted);
    assert.ok(!bench.bytes().includes(idOf(1)), "not one byte remains");
    assert.equal(
      (await bench.send("DELETE", `/v1/installations/${idOf(1)}`)).status,
      204,
      "whether known or not",
    );
    assert.equal((await bench.register(registrationOf(1))).status, 201);
  });
});

Deno.test("an unknown key, an invalid value and anything resembling an address are refused, and nothing is stored", async () => {
  await onBench(async (bench) => {
    await bench.start();
    const good = JSON.stringify(sampleHeartbeat(idOf(1)));
    const registration = JSON.stringify(registrationOf(1));
    const bad: [string, string][] = [
      ["/v1/heartbeats", good.replace("{", '{"host":"zebrafish",')],
      ["/v1/heartbeats", good.replace("{", '{"zebrafish":1,')],
      ["/v1/heartbeats", good.replace("{", '{"__proto__":{"zebrafish":1},')],
      ["/v1/heartbeats", good.replace("{", '{"install_id":"zebrafish",')],
      ["/v1/heartbeats", good.replace(/"product_version":"[^"]+"/, '"product_version":"10.66.77.1"')],
      ["/v1/heartbeats", good.replace("{", "{ ")],
      [
        "/v1/heartbeats",
        good.replace("stable", "zebrafish").replace('"arch":"x86_64"', '"arch":"zebrafish"'),
      ],
      ["/v1/heartbeats", `[${good}]`],
      ["/v1/heartbeats", "null"],
      ["/v1/heartbeats", ""],
      ["/v1/heartbeats", good.slice(0, -1)],
      ["/v1/heartbeats", registration],
      ["/v1/registrations", good],
      ["/v1/registrations", registration.replace("{", '{"zebrafish":1,')],
      ["/v1/registrations", registration.replace("{", '{"plan":"zebrafish",')],
      ["/v1/registrations", registration.replace("null", '"0123456789abcdef"')],
      ["/v1/registrations", registration.replace("0.1.0", "2001:db8::1")],
      ["/v1/registrations", "{"],
    ];
    for (const [path, body] of bad) {
      const { status, body: answer } = await bench.send("POST", path, body);
      assert.deepEqual([status, answer.error.code], [400, "invalid_request"], `${path} ${body}`);
      assert.doesNotMatch(answer.error.message, /zebrafish|66|db8/, "and the value is not quoted");
    }
    const notUtf8 = new TextEncoder().encode(good);
    notUtf8[20] = 0xff;
    assert.equal((await bench.send("POST", "/v1/heartbeats", notUtf8)).status, 400);
    assert.equal((await bench.send("POST", "/v1/heartbeats", `${good}${" ".repeat(9000)}`)).status, 413);
    assert.equal((await bench.send("POST", "/v1/heartbeats", good, "text/plain")).status, 415);
    const ledger = bench.ledger();
    assert.deepEqual(Object.values(ledger).flat(), []);
    assert.ok(!bench.bytes().includes("zebrafish"));
  });
});

Deno.test("an endless body is cut off at its limit, and unknown methods and routes are reported", async () => {
  await onBench(async (bench) => {
    const server = await bench.start();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
    });
    const response = await fetch(`${server.origin}/v1/heartbeats`, {
      method: "POST",
      body: endless,
      headers: { "content-type": "application/json" },
    }).then(async (answer) => (await answer.body?.cancel(), answer.status), () => 0);
    // The rest may be cut off before the response is read.
    assert.ok([0, 413].includes(response));
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were accepted`);
    for (
      const [method, path, allow] of [
        ["GET", "/v1/registrations", "POST"],
        ["PUT", "/v1/heartbeats", "POST"],
        ["POST", "/v1/updates", "GET, HEAD"],
        ["GET", `/v1/installations/${idOf(1)}`, "DELETE"],
      ] as const
    ) {
      const { status, headers, body } = await bench.send(method, path);
      assert.deepEqual([status, headers.get("allow"), body.error.code], [405, allow, "method_not_allowed"]);
    }
    assert.equal((await bench.send("GET", "/")).status, 404);
  });
});

Deno.test("no more than a limited number of heartbeats per installation and day are accepted", async () => {
  await onBench(async (bench) => {
    await bench.start();
    for (let sent = 0; sent < MOST_HEARTBEATS_A_DAY; sent++) {
      assert.equal((await bench.heartbeat(sampleHeartbeat(idOf(1)))).status, 200);
    }
    const { status, headers } = await bench.heartbeat(sampleHeartbeat(idOf(1)));
    assert.deepEqual([status, headers.get("retry-after")], [429, String(12 * 3600)]);
    assert.equal((await bench.heartbeat(sampleHeartbeat(idOf(2)))).status, 200);
    await bench.pass(1);
    assert.equal((await bench.heartbeat(sampleHeartbeat(idOf(1)))).status, 200);
  });
});

Deno.test("the newest release is read from its file each time, and nothing of the request is stored", async () => {
  await onBench(async (bench) => {
    await bench.start();
    const path = "/v1/updates?product_version=0.1.0&channel=stable";
    assert.equal((await bench.send("GET", path)).status, 404);
    const release = `${bench.folder}/release.json`;
    await Deno.writeTextFile(release, JSON.stringify(RELEASE));
    await bench.start({ release });
    assert.deepEqual((await bench.send("GET", path)).body, RELEASE);
    await Deno.writeTextFile(release, JSON.stringify({ ...RELEASE, security: true }));
    assert.equal((await bench.send("GET", path)).body.security, true);
    for (
      const wrong of [
        "/v1/updates",
        `${path}&install_id=${idOf(1)}`,
        `${path}&channel=stable`,
        "/v1/updates?product_version=zebrafish&channel=stable",
        "/v1/updates?product_version=0.1.0&channel=nightly",
      ]
    ) {
      assert.equal((await bench.send("GET", wrong)).status, 400, wrong);
    }
    assert.deepEqual(Object.values(bench.ledger()).flat(), []);
    await Deno.writeTextFile(release, JSON.stringify({ ...RELEASE, url: "javascript:1" }));
    assert.equal((await bench.send("GET", path)).status, 500);
    assert.match(String(bench.faults.pop()), /release\.json is not a release: url/);
    await assert.rejects(bench.start({ release }), /is not a release: url/);
  });
});
