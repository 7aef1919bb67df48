import assert from "node:assert/strict";
import { readEnvironment } from "../config/environment.ts";
import { CONFIG_FILES, VARIABLES } from "../config/reference.ts";
import { Faults } from "../config/yaml/faults.ts";
import { CORE_HELP, WEB_HELP } from "./settings-help.ts";

/** Variables that core and web read, with the names of files for secrets. */
function namesRead(): string[] {
  const asked = new Set<string>();
  const env = (name: string) => {
    asked.add(name);
    return undefined;
  };
  readEnvironment({ env, readFile: () => new Uint8Array() }, new Faults());
  return [...asked].sort();
}

Deno.test("the help of core and web names every variable that is read, and no other", () => {
  const named = new Set(`${CORE_HELP}${WEB_HELP}`.match(/NDR_[A-Z_]+/g));
  assert.deepEqual([...named].sort(), namesRead());
});

Deno.test("the reference describes each variable once, with its default and whether it may be in a file", () => {
  const names = VARIABLES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const read = namesRead();
  for (const { name, readBy, secret } of VARIABLES) {
    if (!readBy.includes("core") && !readBy.includes("web")) continue;
    assert.ok(read.includes(name), name);
    assert.equal(read.includes(`${name}_FILE`), secret === true, `${name}_FILE`);
  }
});

Deno.test("defaults of the reference are those of the program", () => {
  const environment = readEnvironment(
    { env: () => undefined, readFile: () => new Uint8Array() },
    new Faults(),
  );
  const expected = {
    NDR_CONFIG_DIR: environment.configDir,
    NDR_STATE_DIR: environment.stateDir,
    NDR_CORE_LISTEN: `${environment.coreListen.host}:${environment.coreListen.port}`,
    NDR_WEB_LISTEN: `${environment.webListen.host}:${environment.webListen.port}`,
    NDR_LOG_LEVEL: environment.logLevel,
    NDR_RETENTION_DAYS: String(environment.retentionDays),
    NDR_AUDIT_DAYS: String(environment.auditDays),
    NDR_IDENTITY_JOB: environment.identityJob ? "on" : "off",
    NDR_CONNECTORS_ENABLED: String(environment.connectorsEnabled),
    NDR_TELEMETRY: environment.telemetry ? "on" : "off",
    NDR_INGEST_RATE: String(environment.ingest.ratePerSecond),
    NDR_INGEST_BURST: String(environment.ingest.burst),
    NDR_SESSION_RATE: String(environment.rates.session),
    NDR_ADDRESS_RATE: String(environment.rates.address),
    NDR_SIGN_IN_RATE: String(environment.rates.signIn),
  };
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(VARIABLES.find((variable) => variable.name === name)?.value, value, name);
  }
});

Deno.test("the help fits a terminal and names every file", () => {
  for (const help of [CORE_HELP, WEB_HELP]) {
    for (const line of help.split("\n")) assert.ok(line.length <= 110, line);
  }
  for (const { name } of CONFIG_FILES) assert.ok(`${CORE_HELP}${WEB_HELP}`.includes(`  ${name} `), name);
});
