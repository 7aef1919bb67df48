// The registration server as a separate program, with real clients.

import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, jwtVerify } from "jose";
import {
  LICENSE_AUDIENCE,
  LICENSE_ISSUER,
  type LicenseClaims,
} from "../../../src/contract/telemetry/license.ts";
import { keyIdHash } from "../../../src/domain/telemetry/license/license.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { ensureInstallId } from "../../../src/telemetry/install-id.ts";
import { Licensing } from "../../../src/telemetry/license.ts";
import { Telemetry } from "../../../src/telemetry/telemetry.ts";
import { RegistrationClient } from "../../../src/telemetry/client.ts";
import { issue, type SigningKey } from "../../support/telemetry/registration/licenses.ts";
import { readLedger, sampleHeartbeat } from "../../support/telemetry/registration/reading.ts";
import { DATABASE_FILE } from "../../support/telemetry/registration-server.ts";
import { RELEASE, TelemetryBench } from "../../support/telemetry/telemetry.ts";
import { startProgram, waitFor } from "../../support/transport/transport-programs.ts";
import { testDatabase } from "../../support/database.ts";

const SERVER = new URL("../../support/telemetry/registration-server.ts", import.meta.url).pathname;
const NEVER = new AbortController().signal;
const idOf = (number: number) => `ins_${number.toString(16).padStart(32, "0")}`;

interface Running {
  origin: string;
  folder: string;
  output(): string;
}

/** `prepare` returns additional arguments. */
async function withProgram(
  prepare: (folder: string) => Promise<string[]>,
  body: (running: Running) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-registration-" });
  try {
    await Deno.writeTextFile(`${folder}/release.json`, JSON.stringify(RELEASE));
    const more = await prepare(folder);
    const options = ["--port", "0", "--data", `${folder}/data`, "--release", `${folder}/release.json`];
    const env = { HOME: Deno.env.get("HOME") ?? "/tmp", NO_COLOR: "1" };
    const program = startProgram(
      Deno.execPath(),
      ["run", "-A", "--no-check", SERVER, ...options, ...more],
      env,
    );
    const output = () => program.output();
    try {
      const origin = () => /ready: (\S+)/.exec(output())?.[1];
      await waitFor(() => origin() !== undefined, output, 60);
      await body({ origin: origin()!, folder, output });
    } finally {
      await program.stop();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function aKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const { x, d } = await exportJWK(privateKey);
  return { kty: "OKP", crv: "Ed25519", kid: "test-1", x: x!, d: d! };
}

function claims(more: Partial<LicenseClaims> = {}): LicenseClaims {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: LICENSE_ISSUER,
    aud: LICENSE_AUDIENCE,
    iat: now - 86_400,
    exp: now + 30 * 86_400,
    plan: "pro",
    seats: 2,
    key_id: "lic-0001",
    ...more,
  };
}

testDatabase(
  "an installation's whole cycle with the program: registration, heartbeat, update check",
  async (db) => {
    await withProgram(() => Promise.resolve([]), async ({ origin, folder }) => {
      await TelemetryBench.with(db, async (bench) => {
        const telemetry = bench.telemetry({ origin }, { timeoutMs: 15_000 });
        await telemetry.round();
        bench.toSlot();
        await telemetry.round();
        const { telemetry: reported, update } = telemetry.facts();
        assert.deepEqual([reported.failure, update.failure, update.release?.latest_version], [
          null,
          null,
          "0.2.0",
        ]);
        await telemetry.stop();
        const { registration, heartbeat } = readLedger(`${folder}/data/${DATABASE_FILE}`);
        assert.equal(registration.length, 1);
        assert.deepEqual(heartbeat.map(({ payload }) => JSON.parse(String(payload))), [reported.lastPayload]);
      });
    });
  },
);

Deno.test("on the pro plan registration binds a licence seat to install_id; a renewed licence is returned while there is one", async () => {
  const key = await aKey();
  const hash = keyIdHash("lic-0001");
  const shared = claims();
  await withProgram(async (folder) => {
    await Deno.mkdir(`${folder}/licenses`);
    const files = {
      "shared.jwt": await issue(key, shared),
      "older.jwt": await issue(key, claims({ seats: 50, exp: Math.floor(Date.now() / 1000) + 60 })),
      "own.jwt": await issue(key, claims({ key_id: "lic-0002" }), idOf(9)),
      "ended.jwt": await issue(key, claims({ key_id: "lic-0003", exp: Math.floor(Date.now() / 1000) - 60 })),
      "note.jwt": "not a licence",
    };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/licenses/${name}`, `${text}\n`);
    }
    await Deno.writeTextFile(`${folder}/key.jwk`, JSON.stringify(key), { mode: 0o600 });
    return ["--licenses", `${folder}/licenses`, "--signing-key", `${folder}/key.jwk`];
  }, async ({ origin, folder }) => {
    const client = new RegistrationClient({ origin });
    const pro = (number: number, keyHash: string | null = hash) => ({
      schema_version: 1,
      install_id: idOf(number),
      product_version: "0.1.0",
      plan: "pro",
      license_key_id_hash: keyHash,
    });
    const register = (...args: Parameters<typeof pro>) =>
      client.register(JSON.stringify(pro(...args)), NEVER);
    const beat = (number: number) =>
      client.heartbeat(
        JSON.stringify(sampleHeartbeat(idOf(number), { plan: "pro", license_key_id_hash: hash })),
        NEVER,
      );
    const renewed = await register(1);
    const { payload } = await jwtVerify(renewed!, await importPublic(key), { issuer: LICENSE_ISSUER });
    assert.deepEqual([payload.install_id, payload.key_id, payload.exp], [idOf(1), "lic-0001", shared.exp]);
    assert.equal(await register(1), renewed, "the same as long as nothing changed");
    assert.notEqual(await register(2), null);
    assert.equal(await register(3), null, "both seats are taken");
    assert.equal(await beat(3), null);
    assert.equal(await beat(1), renewed);
    await (await fetch(`${origin}/v1/installations/${idOf(2)}`, { method: "DELETE" })).body?.cancel();
    assert.notEqual(await beat(3), null, "a forgotten installation frees its seat");
    for (const unknown of [null, "0123456789abcdef", keyIdHash("lic-0003"), keyIdHash("lic-0002")]) {
      assert.equal(await register(4, unknown), null);
    }
    assert.notEqual(
      await register(9, keyIdHash("lic-0002")),
      null,
      "a token for this installation is returned unchanged",
    );
    const { heartbeat } = readLedger(`${folder}/data/${DATABASE_FILE}`);
    assert.deepEqual(heartbeat.map(({ license_active }) => license_active), [0, 1, 1]);
  });
});

testDatabase(
  "entitlement renewal through registration: the appliance verifies and accepts what the program signs",
  async (db) => {
    const key = await aKey();
    const later = claims({ iat: claims().iat + 3600, exp: claims().exp + 365 * 86_400 });
    await registerTenants(db, ["main"]);
    await withProgram(async (folder) => {
      await Deno.mkdir(`${folder}/licenses`);
      await Deno.writeTextFile(`${folder}/licenses/renewed.jwt`, await issue(key, later));
      await Deno.writeTextFile(`${folder}/key.jwk`, JSON.stringify(key), { mode: 0o600 });
      await Deno.writeTextFile(`${folder}/license.jwt`, await issue(key, claims()));
      return ["--licenses", `${folder}/licenses`, "--signing-key", `${folder}/key.jwk`];
    }, async ({ origin, folder }) => {
      const place = { directory: folder, owner: Deno.uid() };
      const { id } = await ensureInstallId(place);
      const common = { db, clock: systemClock, logger: silentLogger };
      const licensing = new Licensing(
        { places: { configDir: folder, stateDir: folder }, keys: { [key.kid]: key.x }, place, renews: true },
        { ...common, tenantIds: () => ["main"] },
      );
      await licensing.reload();
      const before = licensing.facts();
      const telemetry = new Telemetry({ enabled: true, origin, place }, {
        ...common,
        parts: () => ({
          productVersion: "0.1.0",
          bundleVersion: "0.1.0",
          tenantIds: ["main"],
          recordKinds: [],
        }),
        entitlement: licensing,
      });
      await telemetry.round();
      const after = licensing.facts();
      assert.deepEqual([before.state, after.state, after.expiresAt], ["valid", "valid", later.exp * 1e6]);
      assert.ok(before.expiresAt! < after.expiresAt!);
      const { registration } = readLedger(`${folder}/data/${DATABASE_FILE}`);
      assert.deepEqual(registration.map((row) => [row.install_id, row.plan, row.license_key_id_hash]), [
        [id, "pro", keyIdHash("lic-0001")],
      ]);
      await telemetry.stop();
    });
  },
);

Deno.test("sender address never stored, nor logged: neither files nor output of the program contain it", async () => {
  await withProgram(() => Promise.resolve([]), async ({ origin, folder, output }) => {
    const sender = "91.198.174.192";
    const send = async (method: string, path: string, body?: string) => {
      const headers = {
        "x-forwarded-for": sender,
        "content-type": "application/json",
        "user-agent": "zebrafish",
      };
      const response = await fetch(`${origin}${path}`, { method, body, headers });
      await response.body?.cancel();
      return response.status;
    };
    assert.equal(await send("POST", "/v1/heartbeats", JSON.stringify(sampleHeartbeat(idOf(1)))), 200);
    assert.equal(await send("POST", "/v1/heartbeats", `{"host":"${sender}"}`), 400);
    assert.equal(await send("GET", "/v1/nothing"), 404);
    await Deno.remove(`${folder}/release.json`);
    assert.equal(await send("GET", "/v1/updates?product_version=0.1.0&channel=stable"), 500);
    assert.match(output(), /release\.json/, "its own faults are reported");
    assert.equal((Deno.statSync(`${folder}/data`).mode ?? 0) & 0o777, 0o700);
    const files = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) =>
      Deno.readFileSync(`${folder}/data/${name}`)
    );
    const written = files.map((bytes) => new TextDecoder("latin1").decode(bytes)).join() + output();
    for (const mark of [sender, "127.0.0.1:", "zebrafish", String.fromCharCode(91, 198, 174, 192)]) {
      assert.ok(!written.replace(origin, "").includes(mark), mark);
    }
  });
});

async function importPublic({ d: _, ...key }: SigningKey): Promise<CryptoKey> {
  return await crypto.subtle.importKey("jwk", { kty: key.kty, crv: key.crv, x: key.x }, "Ed25519", false, [
    "verify",
  ]);
}
