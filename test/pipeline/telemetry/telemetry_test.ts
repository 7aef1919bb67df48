// Registration, heartbeat and update check of an installation: a real store, a real server, and a test clock.

import assert from "node:assert/strict";
import { redactReport } from "../../../src/domain/health/redact.ts";
import { healthReport } from "../../../src/domain/health/report.ts";
import { facts } from "../../support/domain/health-report-fixtures.ts";
import { NO_SERVICES } from "../../../src/domain/health/services.ts";
import { Heartbeat } from "../../../src/contract/telemetry/heartbeat.ts";
import { Registration } from "../../../src/contract/telemetry/registration.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { unreachableDatabase } from "../../contract/support.ts";
import { testTwoCores } from "../../store/engine/one-database.ts";
import { testDatabase } from "../../support/database.ts";
import { DAY_MS, INSTALL_ID, MINUTE_MS, RELEASE, TelemetryBench } from "../../support/telemetry/telemetry.ts";

const ALL = ["POST /v1/heartbeats", "GET /v1/updates"];

async function onBench(db: Database, body: (bench: TelemetryBench) => Promise<void>): Promise<void> {
  await registerTenants(db, ["main"]);
  await TelemetryBench.with(db, body);
}

testDatabase(
  "telemetry: registration on first start, once; daily heartbeat; update check right after it",
  async (db) => {
    await onBench(db, async (bench) => {
      const { server } = bench;
      const telemetry = bench.telemetry();
      await telemetry.round();
      const [registration] = server.requests;
      assert.deepEqual(Registration.parse(JSON.parse(registration!.body)), {
        schema_version: 1,
        install_id: INSTALL_ID,
        product_version: "0.1.0",
        plan: "free",
        license_key_id_hash: null,
      });
      assert.deepEqual(server.take(), ["POST /v1/registrations"]);
      await telemetry.round();
      await telemetry.stop();

      const restarted = bench.telemetry();
      await restarted.round();
      assert.deepEqual(server.take(), [], "a restart alone sends nothing");

      bench.toSlot();
      await restarted.round();
      const [heartbeat, check] = server.requests;
      assert.deepEqual(Heartbeat.parse(JSON.parse(heartbeat!.body)).install_id, INSTALL_ID);
      assert.equal(check!.path, "/v1/updates?product_version=0.1.0&channel=stable");
      assert.deepEqual(server.take(), ALL);
      const { telemetry: reported, update } = restarted.facts();
      assert.deepEqual(reported, {
        enabled: true,
        lastSentAt: bench.time.now(),
        failure: null,
        lastPayload: JSON.parse(heartbeat!.body),
      });
      assert.deepEqual(update, {
        enabled: true,
        available: true,
        availableSecurity: true,
        blocked: false,
        release: { ...RELEASE, notice: "Closes a ‹b›hole‹/b›." },
        lastCheckAt: bench.time.now(),
        failure: null,
      });
      bench.time.advance(DAY_MS - MINUTE_MS);
      await restarted.round();
      assert.deepEqual(server.take(), []);
      bench.time.advance(MINUTE_MS);
      await restarted.round();
      assert.deepEqual(server.take(), ALL);
      await restarted.stop();

      const rows = await bench.rows();
      assert.deepEqual(rows.map(({ kind, outcome }) => `${kind} ${outcome}`), [
        "baseline sent",
        "registration sent",
        ...["heartbeat sent", "update sent"],
        ...["heartbeat sent", "update sent"],
      ]);
      assert.equal(rows[1]!.payload, registration!.body);
      assert.equal(rows[2]!.payload, heartbeat!.body, "the log contains what was sent, byte for byte");
    });
  },
);

testDatabase(
  "NDR_TELEMETRY=off on the free plan: no connection, no install-id file, no log row, disabled",
  async (db) => {
    await onBench(db, async (bench) => {
      await Deno.remove(`${bench.directory}/install-id`);
      for (const config of [{ enabled: false }, { origin: null }]) {
        const telemetry = bench.telemetry(config);
        telemetry.start();
        bench.toSlot();
        await telemetry.round();
        const { telemetry: reported, update } = telemetry.facts();
        assert.deepEqual([reported, update], [NO_SERVICES.telemetry, NO_SERVICES.update]);
        await telemetry.stop();
      }
      assert.deepEqual(bench.server.requests, []);
      assert.deepEqual([...Deno.readDirSync(bench.directory)], []);
      assert.deepEqual(await bench.rows(), []);
      const leases = await db.shared((tx) => tx.rows(sql`select from lease where name = 'telemetry'`));
      assert.deepEqual(leases, []);
    });
  },
);

testDatabase(
  "a failed send: retried after 30 s, 1, 2 and 4 minutes, and the next slot is kept",
  async (db) => {
    await onBench(db, async (bench) => {
      const { server, time } = bench;
      const telemetry = bench.telemetry();
      await telemetry.round();
      server.take();
      bench.toSlot();
      server.status = 503;
      const began = time.now();
      const attempts: number[] = [];
      for (let second = 0; second < 3600; second += 30) {
        await telemetry.round();
        if (server.take().length > 0) attempts.push((time.now() - began) / 1e6);
        time.advance(30_000);
      }
      assert.deepEqual(attempts, [0, 30, 90, 210, 450]);
      // A retry due before the next tick has its own timer.
      assert.equal(bench.waits[0], 30_000);
      assert.ok(bench.waits.every((wait) => wait > 0 && wait < MINUTE_MS));
      const { telemetry: reported } = telemetry.facts();
      assert.match(reported.failure!, /^the registration server 127\.0\.0\.1:\d+: it answered 503$/);
      assert.notEqual(reported.lastPayload, null);
      const report = healthReport(facts({ services: { ...NO_SERVICES, ...telemetry.facts() } }));
      const degraded = report.components.filter(({ status }) => status !== "ok").map(({ id }) => id);
      assert.deepEqual([report.status, degraded], ["ok", ["telemetry"]], "nothing else is affected");
      assert.equal(redactReport(report).telemetry.message, null, "the failure detail is admin-only");
      assert.deepEqual(redactReport(report).telemetry.last_payload, reported.lastPayload);

      server.status = null;
      bench.toSlot();
      assert.equal(time.now() - began, DAY_MS * 1000);
      await telemetry.round();
      assert.deepEqual(server.take(), ALL);
      assert.equal(telemetry.facts().telemetry.failure, null);
      await telemetry.stop();
    });
  },
);

testDatabase(
  "a failing update check shows at update and nowhere else, and is retried",
  async (db) => {
    await onBench(db, async (bench) => {
      const { server, time } = bench;
      const telemetry = bench.telemetry();
      await telemetry.round();
      server.take();
      server.release = { ...RELEASE, security: "yes" };
      bench.toSlot();
      await telemetry.round();
      const { telemetry: reported, update } = telemetry.facts();
      assert.equal(reported.failure, null);
      assert.match(update.failure!, /does not follow the protocol: security$/);
      assert.deepEqual([update.available, update.release, update.lastCheckAt], [false, null, time.now()]);
      server.take();
      time.advance(30_000);
      for (const version of ["0.1.0", "0.0.9", "0.1.0-rc.1"]) {
        server.release = { ...RELEASE, latest_version: version };
        await telemetry.round();
        assert.deepEqual([telemetry.facts().update.available, telemetry.facts().update.failure], [
          false,
          null,
        ], version);
        bench.toSlot();
      }
      await telemetry.stop();
    });
  },
);

testDatabase("extra heartbeat: immediately on a change of product_version or bundle_version", async (db) => {
  await onBench(db, async (bench) => {
    const { server } = bench;
    await bench.telemetry().round();
    server.take();
    for (const change of [{ bundleVersion: "0.1.0-2" }, { productVersion: "0.2.0" }]) {
      bench.versions = { ...bench.versions, ...change };
      const telemetry = bench.telemetry();
      // The previous process was killed: its lease expires.
      await db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 second'`));
      await telemetry.round();
      assert.deepEqual(server.take(), ALL);
      await telemetry.round();
      assert.deepEqual(server.take(), []);
      // The server knows 0.2.0, so there is no newer release.
      assert.equal(telemetry.facts().update.available, bench.versions.productVersion === "0.1.0");
      await telemetry.stop();
    }
    bench.toSlot();
    const telemetry = bench.telemetry();
    await telemetry.round();
    assert.deepEqual(server.take(), ALL, "the regular one keeps its slot");
    await telemetry.stop();
  });
});

testDatabase(
  "a guard's violation aborts the send, is reported in health, and is never trimmed or stored",
  async (db) => {
    await onBench(db, async (bench) => {
      const { server } = bench;
      const telemetry = bench.telemetry();
      await telemetry.round();
      server.take();
      bench.versions.bundleVersion = "10.66.77.1";
      await telemetry.round();
      bench.toSlot();
      await telemetry.round();
      assert.deepEqual(server.take(), []);
      const { telemetry: reported } = telemetry.facts();
      assert.match(reported.failure!, /^not sent: bundle_version: /);
      assert.doesNotMatch(reported.failure!, /66/);
      assert.equal(reported.lastPayload, null);
      const rows = await bench.rows();
      assert.deepEqual(rows.slice(2).map((row) => [row.kind, row.outcome, row.payload]), [
        ["heartbeat", "refused", null],
        ["heartbeat", "refused", null],
      ]);
      bench.versions.bundleVersion = "0.1.0-2";
      await telemetry.round();
      assert.deepEqual(server.take(), ALL);
      assert.equal(telemetry.facts().telemetry.failure, null);
      await telemetry.stop();

      bench.versions.productVersion = "10.66.77.1";
      await Deno.writeTextFile(`${bench.directory}/install-id`, `ins_${"1".repeat(32)}`);
      const other = bench.telemetry();
      await other.round();
      assert.deepEqual(server.take(), [], "a registration passes the same guards");
      assert.match(other.facts().telemetry.failure!, /^not sent: product_version: /);
      await other.stop();
    });
  },
);

testDatabase("a malformed install-id is reported, and nothing is sent until it is corrected", async (db) => {
  await onBench(db, async (bench) => {
    const path = `${bench.directory}/install-id`;
    await Deno.writeTextFile(path, "ins_of-this-machine");
    const telemetry = bench.telemetry();
    await telemetry.round();
    assert.deepEqual(bench.server.take(), []);
    assert.match(telemetry.facts().telemetry.failure!, /install-id is malformed/);
    assert.deepEqual(await bench.rows(), []);
    assert.equal(await Deno.readTextFile(path), "ins_of-this-machine", "never overwritten");
    await Deno.remove(path);
    await telemetry.round();
    assert.deepEqual(bench.server.take(), ["POST /v1/registrations"]);
    assert.equal(telemetry.facts().telemetry.failure, null);
    await Deno.chmod(path, 0o644);
    await telemetry.round();
    assert.match(telemetry.facts().telemetry.failure!, /mode 0644: expected 0600/);
    await telemetry.stop();
  });
});

testDatabase(
  "on the pro plan registration binds a licence seat to install_id, and a renewed licence is accepted",
  async (db) => {
    await onBench(db, async (bench) => {
      const { server } = bench;
      const telemetry = bench.telemetry();
      server.license = "a.b.c";
      await telemetry.round();
      server.take();
      const renewed: string[] = [];
      bench.entitlement = {
        plan: () => ({ plan: "pro", keyIdHash: "0123456789abcdef" }),
        renew: (token) => Promise.resolve(void renewed.push(token)),
      };
      await telemetry.round();
      const { plan, license_key_id_hash, install_id } = JSON.parse(server.requests[0]!.body);
      assert.deepEqual([plan, license_key_id_hash, install_id], ["pro", "0123456789abcdef", INSTALL_ID]);
      assert.deepEqual(server.take(), ["POST /v1/registrations"]);
      assert.deepEqual(renewed, ["a.b.c"], "and on the free plan there was nothing to renew");
      server.license = null;
      bench.toSlot();
      await telemetry.round();
      server.license = "d.e.f";
      bench.toSlot();
      await telemetry.round();
      assert.deepEqual(renewed, ["a.b.c", "d.e.f"]);
      bench.entitlement = {
        ...bench.entitlement,
        renew: () => Promise.reject(new Error("no room on the disk")),
      };
      bench.toSlot();
      await telemetry.round();
      assert.equal(telemetry.facts().telemetry.failure, null, "the heartbeat has arrived nonetheless");
      assert.deepEqual(server.take(), [...ALL, ...ALL, ...ALL]);
      await telemetry.stop();
    });
  },
);

testDatabase("a send interrupted by a kill is retried", async (db) => {
  await onBench(db, async (bench) => {
    const telemetry = bench.telemetry();
    await telemetry.round();
    bench.server.take();
    bench.toSlot();
    await telemetry.round();
    await db.shared((tx) =>
      tx.run(sql`update telemetry_log set outcome = 'pending' where kind = 'heartbeat'`)
    );
    await telemetry.round();
    assert.deepEqual(bench.server.take(), ALL);
    bench.time.advance(30_000);
    await telemetry.round();
    assert.deepEqual(bench.server.take(), ALL);
    await telemetry.stop();
  });
});

testTwoCores(
  "exactly one core sends; the other one knows, and takes over when it ends",
  async (one, other) => {
    await onBench(one, async (bench) => {
      const first = bench.telemetry();
      const second = bench.telemetry({}, { db: other });
      for (let day = 0; day < 3; day++) {
        await Promise.all([first.round(), second.round()]);
        bench.toSlot();
      }
      assert.deepEqual(bench.server.take(), ["POST /v1/registrations", ...ALL, ...ALL]);
      await Promise.all([first.round(), second.round()]);
      assert.deepEqual(bench.server.take(), ALL);
      await Promise.all([first.round(), second.round()]);
      assert.deepEqual(second.facts(), first.facts());
      await first.stop();
      bench.toSlot();
      await second.round();
      assert.deepEqual(bench.server.take(), ALL);
      await second.stop();
    });
  },
);

Deno.test("an unresponsive store: nothing is sent without a log entry, and there are no other effects", async () => {
  await TelemetryBench.with(await unreachableDatabase(), async (bench) => {
    const telemetry = bench.telemetry();
    await telemetry.round();
    assert.deepEqual(bench.server.requests, []);
    assert.equal(telemetry.facts().telemetry.enabled, true);
    await telemetry.stop();
    await bench.db.close();
  });
});

testDatabase(
  "a stop cancels the call in progress, and its send is retried after the next start",
  async (db) => {
    await onBench(db, async (bench) => {
      const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const taken = silent.accept();
      const origin = `http://127.0.0.1:${(silent.addr as Deno.NetAddr).port}`;
      const telemetry = bench.telemetry({ origin }, { timeoutMs: 60_000 });
      const round = telemetry.round();
      const connection = await taken;
      await telemetry.stop();
      await round;
      connection.close();
      silent.close();
      const rows = await bench.rows();
      assert.deepEqual(rows.map(({ kind, outcome }) => [kind, outcome]), [["baseline", "sent"], [
        "registration",
        "failed",
      ]]);
      assert.match(rows[1]!.failure!, /the service was stopped/);
    });
  },
);

testDatabase("a clock set by months at run time sends nothing before the next slot", async (db) => {
  await onBench(db, async (bench) => {
    const { server, time } = bench;
    let set = 0;
    const telemetry = bench.telemetry({}, { elapsed: () => time.now() / 1000 - set });
    await telemetry.round();
    server.take();
    for (const days of [90, -89, 400]) {
      set += days * DAY_MS;
      time.advance(days * DAY_MS);
      await telemetry.round();
      assert.deepEqual(server.take(), [], `${days} days`);
      bench.toSlot();
      await telemetry.round();
      assert.deepEqual(server.take(), ALL, `after ${days} days`);
    }
    await telemetry.stop();
  });
});

testDatabase("the version in an update check passes the guards, too", async (db) => {
  await onBench(db, async (bench) => {
    const { server, time } = bench;
    const telemetry = bench.telemetry();
    await telemetry.round();
    server.release = null;
    bench.toSlot();
    await telemetry.round();
    server.take();
    bench.versions.productVersion = "10.66.77.1";
    for (let minute = 0; minute < 20; minute++) {
      time.advance(MINUTE_MS);
      await telemetry.round();
    }
    assert.deepEqual(server.take(), []);
    assert.match(telemetry.facts().update.failure!, /^not sent: product_version: /);
    await telemetry.stop();
  });
});
