// Entitlement renewal: a registration server's responses to a real client, and their effect.

import assert from "node:assert/strict";
import { readLicense } from "../../../src/telemetry/license-token.ts";
import { RENEWED_FILE } from "../../../src/telemetry/license-files.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { keyIdHash } from "../../../src/domain/telemetry/license/license.ts";
import { testDatabase } from "../../support/database.ts";
import { LicenseSigner } from "../../support/telemetry/licenses.ts";
import { DAY, HOUR, INSTALL_ID, LicenseBench, START } from "../../support/telemetry/licensing.ts";
import { DAY_MS, TelemetryBench } from "../../support/telemetry/telemetry.ts";

const OTHER_INSTALL_ID = `ins_${"f".repeat(32)}`;

/** Both with the same clock. */
async function onBenches(
  db: Database,
  body: (licenses: LicenseBench, telemetry: TelemetryBench, toSlot: () => void) => Promise<void>,
): Promise<void> {
  await LicenseBench.with(
    db,
    (licenses) =>
      TelemetryBench.with(db, (telemetry) =>
        body(licenses, telemetry, () => {
          telemetry.toSlot();
          const now = telemetry.time.now();
          licenses.passed += now - licenses.clock;
          licenses.clock = now;
        })),
  );
}

async function savedLicense(bench: LicenseBench): Promise<string | null> {
  return await Deno.readTextFile(`${bench.stateDir}/${RENEWED_FILE}`).then((text) => text.trim(), () => null);
}

testDatabase(
  "on the pro plan registration binds a licence seat to install_id, and heartbeats renew the licence",
  async (db) => {
    await onBenches(db, async (licenses, bench, toSlot) => {
      await licenses.install({ expiresAt: START + 2 * DAY });
      let licensing = await licenses.started();
      bench.entitlement = licensing;
      let telemetry = bench.telemetry();
      const bound = await licenses.token({
        expiresAt: START + 2 * DAY,
        issuedAt: START + HOUR,
        installId: INSTALL_ID,
      });
      bench.server.license = bound;
      await telemetry.round();
      const body = bench.server.requests[0]!.body;
      assert.deepEqual(JSON.parse(body), {
        schema_version: 1,
        install_id: INSTALL_ID,
        product_version: "0.1.0",
        plan: "pro",
        license_key_id_hash: keyIdHash("lic-0001"),
      });
      assert.equal(body.includes("lic-0001"), false, "the licence key in clear is never sent");
      assert.equal(await savedLicense(licenses), bound);
      const { license } = await readLicense(bound, licenses.signer.keys);
      assert.deepEqual(licensing.standing().choice, { license, source: "renewed", fault: null });

      // Each day, a licence for three more days.
      for (let day = 1; day <= 10; day++) {
        toSlot();
        const now = licenses.clock;
        bench.server.license = await licenses.token({
          issuedAt: now,
          expiresAt: now + 3 * DAY,
          installId: INSTALL_ID,
        });
        await telemetry.round();
        assert.equal(licensing.facts().state, "valid", `day ${day}`);
        assert.equal(await savedLicense(licenses), bench.server.license);
      }
      await telemetry.stop();
      licensing = await licenses.restart(licensing);
      assert.equal(licensing.facts().state, "valid", "it is kept across restarts");

      // Then the server stops sending licences.
      bench.server.license = null;
      bench.entitlement = licensing;
      telemetry = bench.telemetry();
      const states: string[] = [];
      for (let day = 0; day < 8; day++) {
        toSlot();
        await telemetry.round();
        states.push(licensing.facts().state);
      }
      assert.deepEqual(states, [
        "valid",
        "valid",
        "grace",
        "grace",
        "grace",
        "expired",
        "expired",
        "expired",
      ]);
      // An expired licence is still reported as pro, and is renewed.
      bench.server.license = await licenses.token({
        issuedAt: licenses.clock,
        expiresAt: licenses.clock + 9 * DAY,
        installId: INSTALL_ID,
      });
      toSlot();
      await telemetry.round();
      assert.equal(licensing.facts().state, "valid");
      await telemetry.stop();
      await licensing.stop();
    });
  },
);

testDatabase(
  "switching telemetry off also ends entitlement renewal: grace, then Pro modules become read-only",
  async (db) => {
    await onBenches(db, async (licenses, bench, toSlot) => {
      await licenses.install({ expiresAt: START + 2 * DAY });
      const licensing = await licenses.started({ renews: false });
      bench.entitlement = licensing;
      bench.server.license = await licenses.token({ installId: INSTALL_ID, expiresAt: START + 900 * DAY });
      const telemetry = bench.telemetry({ enabled: false });
      telemetry.start();
      const states: string[] = [];
      for (let day = 0; day < 7; day++) {
        toSlot();
        await telemetry.round();
        states.push(licensing.facts().state);
      }
      assert.deepEqual(states, ["valid", "valid", "grace", "grace", "grace", "expired", "expired"]);
      assert.match(licensing.facts().message!, /heartbeats are off, so it does not renew automatically/);
      assert.deepEqual([bench.server.requests, await savedLicense(licenses)], [[], null]);
      await telemetry.stop();
      await licensing.stop();
    });
  },
);

testDatabase(
  "never a downgrade by a stale or foreign token, from the server or in the state folder",
  async (db) => {
    await onBenches(db, async (licenses, bench, toSlot) => {
      await licenses.install();
      let licensing = await licenses.started();
      bench.entitlement = licensing;
      const telemetry = bench.telemetry();
      const good = await licenses.token({ installId: INSTALL_ID, expiresAt: START + 200 * DAY });
      bench.server.license = good;
      await telemetry.round();
      const before = licensing.standing().choice;
      assert.equal(before.source, "renewed");

      const stranger = await LicenseSigner.generate(licenses.signer.kid);
      const wish = { issuedAt: START + DAY, expiresAt: START + 900 * DAY };
      const tokens: Record<string, string> = {
        "another signer's": await stranger.license({ ...wish, installId: INSTALL_ID }),
        "another installation's": await licenses.token({ ...wish, installId: OTHER_INSTALL_ID }),
        "another key's": await licenses.token({ ...wish, installId: INSTALL_ID, keyId: "lic-0002" }),
        "one bound to no installation": await licenses.token(wish),
        "an older one": await licenses.token({ installId: INSTALL_ID, expiresAt: START + 150 * DAY }),
        "the same": good,
        "no licence": "a.b.c",
      };
      for (const [name, token] of Object.entries(tokens)) {
        bench.server.license = token;
        toSlot();
        await telemetry.round();
        assert.deepEqual(licensing.standing().choice, before, name);
        assert.equal(await savedLicense(licenses), good, name);
        assert.equal(telemetry.facts().telemetry.failure, null, "the heartbeat has arrived nonetheless");
      }
      for (const [name, token] of Object.entries(tokens)) {
        licensing = await licenses.restart(
          licensing,
          () => Deno.writeTextFile(`${licenses.stateDir}/${RENEWED_FILE}`, token),
        );
        const { license, fault } = licensing.standing().choice;
        assert.equal(fault, null);
        const shortest = START + 100 * DAY;
        assert.ok(license!.expiresAt >= shortest && license!.expiresAt <= START + 200 * DAY, name);
      }
      await telemetry.stop();
      await licensing.stop();
    });
  },
);

testDatabase(
  "a long-wrong clock is corrected by the next renewal, which is issued later",
  async (db) => {
    await onBenches(db, async (licenses, bench, toSlot) => {
      await licenses.install();
      const licensing = await licenses.started();
      licenses.clock += 5000 * DAY;
      await licenses.run(licensing, 80 * HOUR);
      bench.time.advance(4 * DAY_MS);
      licenses.clock = bench.time.now();
      assert.equal(licensing.facts().state, "expired");
      bench.entitlement = licensing;
      const telemetry = bench.telemetry();
      bench.server.license = await licenses.token({ installId: INSTALL_ID, issuedAt: licenses.clock });
      toSlot();
      await telemetry.round();
      assert.equal(licensing.facts().state, "valid");
      await telemetry.stop();
      await licensing.stop();
    });
  },
);
