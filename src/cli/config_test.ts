import assert from "node:assert/strict";
import { callNdr } from "../../test/support/command.ts";
import { withInstallation } from "../../test/support/config/installation.ts";

const check = ["config", "check"];

Deno.test("ndr config check: the shipped configuration is valid, and the program says what it holds", () =>
  withInstallation(async ({ folder, env, edit }) => {
    const { code, stdout, stderr } = await callNdr(check, env);
    assert.deepEqual([code, stderr], [
      0,
      "ndr config check: NDR_PUBLIC_URL and NDR_OIDC_ISSUER are not set: ndr-web does not start until they are\n",
    ]);
    assert.equal(
      stdout,
      `${folder} is valid: 0 sensors, 1 site, 3 access rules, 0 known devices, 0 executors, 0 connectors, 0 lists of 0 indicators, ` +
        "0 GeoIP databases, licence off\n",
    );

    await edit("ndr.env", "#NDR_RETENTION_DAYS=30", "NDR_RETENTON_DAYS=60");
    const misspelt = await callNdr(check, env);
    assert.match(misspelt.stderr, /NDR_RETENTON_DAYS in \S+\/ndr\.env: no setting has this name\n/);
    assert.equal(misspelt.stderr.trimEnd().split("\n").length, 2, "tokens of disabled sensors are settings");
    await edit("ndr.env", "NDR_RETENTON_DAYS=60", "#");

    await edit("sources.yaml", "    enabled: false\n", "");
    await Deno.mkdir(`${folder}/intel`);
    await Deno.writeTextFile(`${folder}/intel/own.txt`, "198.51.100.7\nbad.example\nno indicator at all\n");
    const json = await callNdr([...check, "--json"], {
      ...env,
      NDR_PUBLIC_URL: "https://ndr.example.org",
      NDR_OIDC_ISSUER: "https://login.example.org",
      NDR_OIDC_CLIENT_ID: "ndr",
      NDR_OIDC_CLIENT_SECRET: "a-secret-of-the-client",
    });
    assert.equal(json.code, 0, json.stdout);
    const { valid, faults, notes, summary } = JSON.parse(json.stdout);
    assert.deepEqual([valid, faults], [true, []]);
    assert.match(notes[0], /^own\.txt: 1 line unusable: .*own\.txt:3: /);
    assert.deepEqual(summary, {
      sensors: { main: 1 },
      sites: 1,
      access_rules: 3,
      known_devices: 0,
      executors: 0,
      connectors: 0,
      connectors_enabled: false,
      intel_lists: 1,
      indicators: 2,
      geoip_databases: 0,
      license: "off",
      public_url: "https://ndr.example.org",
    });
    assert.ok(!json.stdout.includes("a-secret-of-the-client"));
  }));

Deno.test("ndr config check: every fault of every file at once, each with its line and what is expected", () =>
  withInstallation(async ({ folder, env, edit, lineOf }) => {
    await edit("sources.yaml", "trust: packet", "trust: blind");
    await edit("access.yaml", "value: ndr-admins", "valu: ndr-admins");
    await edit("sites.yaml", "tenant_id: main", "tenant_id: main\n    netwoks: []");
    await edit("ndr.env", "#NDR_RETENTION_DAYS=30", "NDR_RETENTION_DAYS=never");
    await Deno.writeTextFile(`${folder}/connectors.yaml`, "connectors: soc\n");
    await Deno.writeTextFile(`${folder}/license.jwt`, "no licence\n");
    await Deno.mkdir(`${folder}/geoip`);
    await Deno.writeTextFile(`${folder}/geoip/city.mmdb`, "no database");
    const { code, stdout, stderr } = await callNdr(check, env);
    assert.equal(code, 1);
    const expected = [
      /ndr\.env:\d+:1: NDR_RETENTION_DAYS: expected an integer from 1 to 3650, got "never"/,
      new RegExp(
        `sources\\.yaml:${await lineOf("sources.yaml", "blind")}:\\d+: sources\\[0\\]\\.trust: expected `,
      ),
      new RegExp(
        `sites\\.yaml:${await lineOf(
          "sites.yaml",
          "netwoks",
        )}:\\d+: sites\\[0\\]\\.netwoks: unknown key, expected one of `,
      ),
      /connectors\.yaml:1:\d+: connectors: expected a list/,
      /access\.yaml:4:\d+: rules\[0\]\.valu: unknown key, expected one of claim, /,
      /geoip\/city\.mmdb: expected a GeoIP or ASN database, but /,
    ];
    for (const line of expected) assert.match(stdout, line);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(new Set(lines).size, lines.length, "what core and web both read is named once");
    assert.match(stderr, /ndr config check: \S+ has \d+ faults\n$/);

    // The licence is judged when the core can start.
    await edit("sources.yaml", "trust: blind", "trust: packet");
    await edit("access.yaml", "valu: ndr-admins", "value: ndr-admins");
    await edit("sites.yaml", "\n    netwoks: []", "");
    await edit("ndr.env", "NDR_RETENTION_DAYS=never", "");
    await Deno.remove(`${folder}/connectors.yaml`);
    const { stdout: later } = await callNdr(check, env);
    assert.match(later, /license\.jwt: expected a licence that is valid here: /);
  }));

Deno.test("ndr config check: --env-file replaces ndr.env, and its lines are named", () =>
  withInstallation(async ({ folder, env, read }) => {
    const path = `${folder}/other.env`;
    await Deno.writeTextFile(path, `NDR_LOG_LEVEL=loud\n${await read("ndr.env")}`);
    const { code, stdout } = await callNdr([...check, "--env-file", path], env);
    assert.equal(code, 1);
    assert.equal(
      stdout,
      `${path}:1:1: NDR_LOG_LEVEL: expected one of debug, info, warn, error, got "loud"\n`,
    );
    const missing = await callNdr([...check, "--env-file", `${folder}/none.env`], env);
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /none\.env/);
    const unknown = await callNdr([...check, "--quick"], env);
    assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
    assert.match(unknown.stderr, /unknown option '--quick'/);
  }));
