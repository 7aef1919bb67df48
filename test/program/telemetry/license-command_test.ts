// `ndr license show` as an administrator runs it, on real files.

import assert from "node:assert/strict";
import { LICENSE_FILE } from "../../../src/contract/telemetry/license.ts";
import { keyIdHash } from "../../../src/domain/telemetry/license/license.ts";
import { INSTALL_ID_FILE } from "../../../src/telemetry/install-id.ts";
import { LICENSE_KEYS } from "../../../src/telemetry/license-keys.ts";
import { RENEWED_FILE, writeTimeFile } from "../../../src/telemetry/license-files.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { LicenseSigner, type LicenseWish } from "../../support/telemetry/licenses.ts";
import { DAY, INSTALL_ID } from "../../support/telemetry/licensing.ts";
import { keyFlags } from "../../support/telemetry/other-keys.ts";

const NOW = Math.floor(Date.now() / 1000) * 1e6;

interface World {
  folder: string;
  signer: LicenseSigner;
  /** Times in days from now. */
  put(name: string, issued: number, expires: number, own?: Partial<LicenseWish>): Promise<void>;
  show(...args: string[]): Promise<Ran>;
  /** As `show`, as the real program without a network. */
  showAlone(): Promise<Ran>;
}

async function withWorld(body: (world: World) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-license-" });
  const signer = await LicenseSigner.generate();
  // It opens no connection.
  const flags = [...await keyFlags(folder, signer.keys), "--deny-net"];
  const env = {
    NDR_CONFIG_DIR: folder,
    NDR_STATE_DIR: folder,
    NDR_TELEMETRY_URL: "https://registration.example",
  };
  try {
    await Deno.writeTextFile(`${folder}/${INSTALL_ID_FILE}`, INSTALL_ID, { mode: 0o600 });
    await body({
      folder,
      signer,
      put: async (name, issued, expires, own = {}) =>
        await Deno.writeTextFile(
          `${folder}/${name}`,
          await signer.license({ issuedAt: NOW + issued * DAY, expiresAt: NOW + expires * DAY, ...own }),
        ),
      show: (...args) => callNdr(["license", "show", ...args], env, signer.keys),
      showAlone: () => runNdr(["license", "show"], env, flags),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const at = (days: number) => new Date(NOW / 1000 + days * 86_400_000).toISOString();

Deno.test("ndr license show: off without a file, exit status 0", () =>
  withWorld(async ({ show, showAlone }) => {
    const { code, stdout, stderr } = await showAlone();
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(
      stdout,
      /^state {9}off \(there is no licence file: the free plan\)\nplan {10}free\nPro modules {3}/,
    );
    const json = await show("--json");
    assert.deepEqual(JSON.parse(json.stdout), {
      state: "off",
      plan: "free",
      pro_modules: "none",
      seats: null,
      key_id: null,
      license_key_id_hash: null,
      install_id: null,
      issued_at: null,
      expires_at: null,
      grace_until: null,
      source: null,
      judged_at: JSON.parse(json.stdout).judged_at,
      message: null,
    });
  }));

Deno.test("ndr license show: plan, seats, expiry and key of a valid one, for people and for programs", () =>
  withWorld(async ({ put, show }) => {
    await put(LICENSE_FILE, -10, 100);
    const { code, stdout, stderr } = await show();
    assert.deepEqual([code, stderr], [0, ""]);
    const rows = Object.fromEntries(
      stdout.trimEnd().split("\n").map((line) => [line.slice(0, 14).trim(), line.slice(14)]),
    );
    assert.match(rows["judged at"]!, /^\d{4}-/);
    delete rows["judged at"];
    assert.deepEqual(rows, {
      "state": "valid (until it expires)",
      "plan": "pro",
      "Pro modules": "read and write (this release has none)",
      "key": `lic-0001, sent as ${keyIdHash("lic-0001")}`,
      "seats": "5",
      "for": "any installation",
      "issued": at(-10),
      "expires": at(100),
      "grace until": at(103),
      "from": "license.jwt",
    });
    await put(RENEWED_FILE, -1, 300, { installId: INSTALL_ID });
    const { expires_at, source, install_id, state } = JSON.parse((await show("--json")).stdout);
    assert.deepEqual([expires_at, source, install_id, state], [at(300), "renewed", INSTALL_ID, "valid"]);
  }));

Deno.test("ndr license show: grace is 0, expired and invalid are 1, and standard error says what to do", () =>
  withWorld(async ({ folder, put, show }) => {
    await put(LICENSE_FILE, -100, -2);
    const grace = await show("--json");
    assert.equal(grace.code, 0);
    assert.deepEqual([JSON.parse(grace.stdout).state, JSON.parse(grace.stdout).pro_modules], [
      "grace",
      "read_write",
    ]);
    assert.match(
      grace.stderr,
      /^ndr license show: the licence expired on .*; Pro modules become read-only on .*; /,
    );

    await put(LICENSE_FILE, -100, -4);
    const expired = await show("--json");
    assert.equal(expired.code, 1);
    assert.deepEqual([JSON.parse(expired.stdout).state, JSON.parse(expired.stdout).pro_modules], [
      "expired",
      "read_only",
    ]);
    assert.match(expired.stderr, /ingest continues and no data is lost/);

    await Deno.writeTextFile(`${folder}/${LICENSE_FILE}`, "nonsense");
    const invalid = await show();
    assert.equal(invalid.code, 1);
    assert.match(
      invalid.stdout,
      /^state {9}invalid \(there is a licence file that cannot be used\)\nplan {10}free\n/,
    );
    assert.match(
      invalid.stderr,
      new RegExp(`^ndr license show: ${folder}/license.jwt is not a signed token`),
    );
  }));

Deno.test("ndr license show uses the latest time known to the service, and writes nothing", () =>
  withWorld(async ({ folder, put, show }) => {
    await put(LICENSE_FILE, -100, 2);
    const known = { issuedAt: NOW - 100 * DAY, knownAt: NOW + 30 * DAY, leap: null };
    await writeTimeFile({ configDir: folder, stateDir: folder }, known);
    const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const before = names();
    const { code, stdout, stderr } = await show("--json");
    const { state, judged_at } = JSON.parse(stdout);
    assert.deepEqual([code, state, judged_at], [1, "expired", at(30)]);
    assert.match(stderr, /the clock reads .*, but it is at least .*: the licence is evaluated at that time/);
    assert.deepEqual(names(), before);
  }));

Deno.test("the program as built accepts the product's keys only: no variable and no file adds one", () =>
  withWorld(async ({ folder, put, signer }) => {
    await put(LICENSE_FILE, -1, 100);
    const env = {
      NDR_CONFIG_DIR: folder,
      NDR_STATE_DIR: folder,
      NDR_LICENSE_KEYS: JSON.stringify(signer.keys),
      NDR_LICENSE_KEY: Object.values(signer.keys)[0]!,
    };
    const { code, stdout, stderr } = await runNdr(["license", "show", "--json"], env);
    assert.deepEqual([code, JSON.parse(stdout).state], [1, "invalid"]);
    assert.match(stderr, /license\.jwt is signed with a key that this release does not know/);
    // Using the product's key id does not help either.
    const [kid] = Object.keys(LICENSE_KEYS);
    const claims = await signer.license({ issuedAt: NOW, expiresAt: NOW + DAY }, kid);
    await Deno.writeTextFile(`${folder}/${LICENSE_FILE}`, claims);
    const named = await callNdr(["license", "show"], env);
    assert.match(named.stderr, /license\.jwt has an invalid signature/);
  }));

Deno.test("ndr license show --help: states, exit status and examples", async () => {
  const { code, stdout } = await callNdr(["license", "show", "--help"], {});
  assert.equal(code, 0);
  for (
    const text of [
      "off",
      "valid",
      "grace",
      "expired",
      "invalid",
      "72 hours",
      "Exit status",
      "Examples:",
      "SIGHUP",
    ]
  ) {
    assert.ok(stdout.includes(text), text);
  }
});
