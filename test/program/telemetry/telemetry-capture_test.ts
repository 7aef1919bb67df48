// A full cycle (registration, heartbeat, update check) of an installation full of marked secrets, as sent
// over the wire: it contains none of the marks in any encoding. Plain http on loopback, so that the capture
// is readable.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import { keyIdHash } from "../../../src/domain/telemetry/license/license.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { LicenseSigner } from "../../support/telemetry/licenses.ts";
import {
  ADDRESSES,
  COORDINATES,
  ENVIRONMENT,
  FILES,
  KEY_ID,
  records,
  TENANT,
} from "../../support/session/marked-tenant.ts";
import { ENCODINGS, foundMarks, mark } from "../../support/session/marks.ts";
import { capture } from "../../support/packet-capture.ts";
import { withStateOf } from "../../support/telemetry/registration/cycle.ts";
import { readLedger } from "../../support/telemetry/registration/reading.ts";
import { DATABASE_FILE, RegistrationServer } from "../../support/telemetry/registration-server.ts";
import { RELEASE } from "../../support/telemetry/telemetry.ts";
import { startProgram, transportTest, waitFor } from "../../support/transport/transport-programs.ts";

const PROGRAM = new URL("../../support/telemetry/core-with-keys.ts", import.meta.url).pathname;

/** Values that identify this machine. */
async function machineMarks(): Promise<string[]> {
  const interfaces = Deno.networkInterfaces().filter(({ name }) => name !== "lo");
  const id = await Deno.readTextFile("/etc/machine-id").catch(() => "");
  const marks = [Deno.hostname(), id.trim(), ...interfaces.flatMap(({ address, mac }) => [address, mac])];
  return marks.filter((text) => text.length >= 6 && text !== "localhost" && text !== "00:00:00:00:00:00");
}

async function withInstallation(
  body: (
    own: { origin: string; folder: string; databaseUrl: string | undefined; env: Record<string, string> },
    ledger: string,
  ) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: `ndr-${mark("folder")}-` });
  const postgres = POSTGRES_URL === "" ? null : await freshPostgres();
  await Deno.mkdir(`${folder}/registration`);
  const release = `${folder}/registration/release.json`;
  await Deno.writeTextFile(release, JSON.stringify(RELEASE));
  const server = await RegistrationServer.start({ port: 0, data: `${folder}/registration`, release });
  try {
    await Deno.mkdir(`${folder}/etc/intel`, { recursive: true });
    for (const [name, text] of Object.entries(FILES)) {
      await Deno.writeTextFile(`${folder}/etc/${name}`, text, { mode: 0o600 });
    }
    const env = {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: Deno.env.get("HOME") ?? "",
      NO_COLOR: "1",
      ...ENVIRONMENT,
      NDR_CONFIG_DIR: `${folder}/etc`,
      NDR_STATE_DIR: `${folder}/state`,
      NDR_SERVICE_KEY_FILE: `${folder}/etc/service.key`,
      NDR_CORE_LISTEN: "127.0.0.1:0",
      NDR_TELEMETRY_URL: server.origin,
      ...postgres === null ? {} : { NDR_DATABASE_URL: postgres.url },
    };
    const databaseUrl = postgres?.url;
    await body(
      { origin: server.origin, folder, databaseUrl, env },
      `${folder}/registration/${DATABASE_FILE}`,
    );
  } finally {
    await server.close();
    await postgres?.drop();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("every encoding of a mark is found wherever it occurs, and nothing else", () => {
  const words = [mark("example"), ADDRESSES.host, ADDRESSES.six, ADDRESSES.mac];
  for (const word of words) {
    for (const [name, encode] of Object.entries(ENCODINGS)) {
      for (const text of encode(Buffer.from(word))) {
        for (const around of ["", "x", "xy"]) {
          const haystack = Buffer.from(`${around}${text}${around}`, "latin1");
          assert.ok(foundMarks(haystack, [word]).includes(`${word}: ${name}`), `${name} of ${word}`);
        }
      }
    }
    for (const before of ["", "a", "ab", "abc"]) {
      const text = Buffer.from(`${before}${word}tail`).toString("base64");
      assert.deepEqual(foundMarks(Buffer.from(text), [word]), [`${word}: base64`]);
    }
    const encoded = encodeURIComponent(word).replaceAll(
      /./g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    assert.notDeepEqual(foundMarks(Buffer.from(encoded), ["%"]), []);
    assert.deepEqual(foundMarks(Buffer.from(JSON.stringify(RELEASE)), [word]), []);
  }
  assert.deepEqual(foundMarks(Uint8Array.of(1, 10, 66, 77, 131, 2), [ADDRESSES.host]), [
    `${ADDRESSES.host}: as it is`,
  ]);
});

await transportTest(
  "a packet capture of a full cycle with a tenant full of marked secrets contains none of the marks",
  { programs: ["tcpdump"], root: true },
  async () => {
    await withInstallation(async ({ origin, folder, databaseUrl, env }, ledger) => {
      const signer = await LicenseSigner.generate();
      const [issuedAt, expiresAt] = [-1, 30].map((days) => (Date.now() + days * 86_400_000) * 1000);
      const license = await signer.license({ issuedAt: issuedAt!, expiresAt: expiresAt!, keyId: KEY_ID });
      await Deno.writeTextFile(`${folder}/etc/license.jwt`, license, { mode: 0o600 });
      const run = async (body: (coreUrl: string, output: () => string) => Promise<void>) => {
        const args = ["run", "-A", "--no-check", PROGRAM, JSON.stringify(signer.keys)];
        const core = startProgram(Deno.execPath(), args, env);
        const url = () => /ready: (\S+)/.exec(core.output())?.[1];
        try {
          await waitFor(() => url() !== undefined, () => core.output(), 120);
          await body(url()!, core.output);
        } catch (error) {
          throw new Error(core.output(), { cause: error });
        } finally {
          await core.stop();
        }
      };
      const { toServer, fromServer, connections } = await capture(Number(new URL(origin).port), async () => {
        await run(async (coreUrl) => {
          const response = await fetch(`${coreUrl}${INGEST_PATH}`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${ENVIRONMENT.EDGE_TOKEN}`,
              "content-type": "application/x-ndjson",
            },
            body: records(),
          });
          assert.equal((await response.json()).data.accepted, 5);
          await waitFor(() => readLedger(ledger).registration.length === 1, () => "no registration", 120);
          // Give the pipeline time to process.
          await new Promise((resolve) => setTimeout(resolve, 5000));
        });
        const state = { stateDir: `${folder}/state`, databaseUrl };
        const devices = await withStateOf(state, async (db) => {
          await db.shared((tx) =>
            tx.run(sql`update telemetry_log set bundle_version = '0.0.1', outcome = 'sent'`)
          );
          return await db.tenant(
            TENANT,
            (tx) => tx.rows<{ display_name: string }>(sql`select display_name from device`),
          );
        });
        assert.ok(JSON.stringify(devices).includes(mark("device")), "the store is full of marks, too");
        await run((_, output) =>
          waitFor(
            () => /sent to the registration server.*"kind":"update"/.test(output()),
            () => "no update check",
            120,
          )
        );
      });

      const sent = new TextDecoder().decode(toServer);
      assert.deepEqual(sent.match(/\b[A-Z]{3,7} \/\S*(?= HTTP\/1\.1)/g), [
        "POST /v1/registrations",
        "POST /v1/heartbeats",
        "GET /v1/updates?product_version=0.1.0&channel=stable",
      ]);
      assert.equal(connections, 3);
      assert.match(sent, /^[\r\n\x20-\x7e]*$/, "no response is compressed");
      assert.doesNotMatch(sent, /^(content-encoding|cookie|authorization|x-)/im);
      const [{ payload, country, license_active }] = readLedger(ledger).heartbeat as [
        Record<string, unknown>,
      ];
      assert.ok(sent.includes(String(payload)), "the capture contains what was reported");
      const heartbeat = JSON.parse(String(payload));
      assert.deepEqual([heartbeat.plan, heartbeat.license_key_id_hash], ["pro", keyIdHash(KEY_ID)]);
      assert.deepEqual([heartbeat.tenant_count, heartbeat.source_kinds], [1, [
        "netflow",
        "suricata",
        "zeek",
      ]]);
      assert.deepEqual([heartbeat.device_bucket, heartbeat.ingest_error_bucket], ["0-10", "1-10"]);
      assert.deepEqual([country, license_active], [null, 0]);

      const texts = [...Object.values(FILES), ...Object.values(ENVIRONMENT), records()].join(" ");
      const words = new Set([
        ...texts.match(/zq[a-z]+/g)!,
        KEY_ID,
        license,
        ...license.split("."),
        mark("folder"),
        ...Object.values(ADDRESSES),
        ...Object.values(COORDINATES).map(String),
        "10.66.77.128",
        "2001:db8:66::",
        ...await machineMarks(),
      ]);
      assert.ok(words.size > 45, `${words.size} marks`);
      // The only permitted one: the hash of the key identifier, which distinguishes a licence's seats.
      const allowed = [`${KEY_ID}: a digest`];
      assert.deepEqual(foundMarks(toServer, words), allowed);
      assert.deepEqual(foundMarks(fromServer, words), []);
      assert.doesNotMatch(sent, /zq/i);
    });
  },
);
