import assert from "node:assert/strict";
import { HAS_OPENSSL, makeAuthority, selfSigned } from "../../test/support/certificates.ts";
import { callNdr } from "../../test/support/command.ts";
import { withInstallation } from "../../test/support/config/installation.ts";
import type { HealthComponent } from "../contract/health/health.ts";
import { checkHealth, checkSensors } from "./doctor/core.ts";
import { Check, type Finding, findingLines } from "./doctor/finding.ts";
import { checkClock } from "./doctor/machine.ts";
import { checkCertificate, checkWeb } from "./doctor/network.ts";
import { checkPermissions, mayRead } from "./doctor/permissions.ts";

/** Status and message of each finding of a check. */
async function found(work: (check: Check) => void | Promise<void>): Promise<Finding[]> {
  const check = new Check("test");
  await work(check);
  for (const { status, remedy, message } of check.findings) {
    assert.equal(remedy !== null, status === "warn" || status === "fail", message);
  }
  return check.findings;
}

Deno.test("ndr doctor: an installation that never started fails where it must, and says how to mend it", () =>
  withInstallation(async ({ folder, env }) => {
    await Deno.chmod(`${folder}/secrets/zeek.token`, 0o644);
    const { code, stdout, stderr } = await callNdr(["doctor", "--json"], {
      ...env,
      NDR_CORE_LISTEN: "127.0.0.1:1",
    });
    assert.deepEqual([code, stderr], [1, ""]);
    const { failed, findings } = JSON.parse(stdout) as { failed: boolean; findings: Finding[] };
    assert.equal(failed, true);
    const of = (check: string) => findings.filter((one) => one.check === check);
    assert.deepEqual(of("configuration").map(({ status }) => status), ["warn", "pass"]);
    assert.deepEqual(of("permissions"), [{
      check: "permissions",
      status: "fail",
      message: `${folder}/secrets/zeek.token is a secret that every user of this machine may use`,
      remedy: `chmod o= ${folder}/secrets/zeek.token`,
    }]);
    assert.equal(of("database")[0]!.status, "fail");
    assert.match(of("database")[0]!.message, /^cannot be used: there is no embedded database in /);
    assert.equal(of("database")[0]!.remedy, "systemctl restart ndr.target");
    assert.deepEqual(of("certificate").map(({ status }) => status), ["skip"]);
    assert.deepEqual(of("sign-in").map(({ status }) => status), ["skip"]);
    assert.match(of("services")[0]!.message, /^the core at http:\/\/127\.0\.0\.1:1 cannot be asked: /);
    assert.deepEqual(of("sensors").map(({ remedy }) => remedy), ["sudo ndr sources add suricata"]);
    for (const { status, remedy, message } of findings) {
      assert.equal(remedy !== null, status === "warn" || status === "fail", message);
      assert.ok(!message.includes("\n"), message);
    }

    const text = await callNdr(["doctor"], { ...env, NDR_CORE_LISTEN: "127.0.0.1:1" });
    assert.equal(text.code, 1);
    const lines = text.stdout.trimEnd().split("\n");
    assert.match(lines[0]!, /^This runs as \S+; ndr-core runs as \S+\.$/);
    assert.ok(lines.includes(`                     mend: chmod o= ${folder}/secrets/zeek.token`));
    assert.match(lines.at(-1)!, /^\d+ pass, \d+ warn, \d+ fail, \d+ skip$/);
  }));

Deno.test("ndr doctor: a fault of the configuration is a finding with the file to edit, and hides no other check", () =>
  withInstallation(async ({ folder, env, edit, lineOf }) => {
    await edit("sources.yaml", "trust: packet", "trust: blind");
    const place = `sources.yaml:${await lineOf("sources.yaml", "blind")}:`;
    const { code, stdout } = await callNdr(["doctor", "--json"], env);
    assert.equal(code, 1);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const fault = findings.find(({ message }) => message.includes(place))!;
    assert.deepEqual([fault.status, fault.remedy], ["fail", `sudoedit ${folder}/sources.yaml`]);
    assert.ok(findings.some(({ check, status }) => check === "permissions" && status === "pass"));
    assert.ok(findings.some(({ check, status }) => check === "database" && status === "skip"));
  }));

Deno.test("ndr doctor: a database that only the service's user may open is skipped for root", {
  ignore: Deno.uid() !== 0,
}, () =>
  withInstallation(async ({ folder, env }) => {
    await Deno.mkdir(`${folder}/database`);
    for (const path of [folder, `${folder}/database`]) await Deno.chown(path, 54321, 54321);
    const { stdout } = await callNdr(["doctor", "--json"], { ...env, NDR_CORE_LISTEN: "127.0.0.1:1" });
    const { findings, service_user } = JSON.parse(stdout) as { findings: Finding[]; service_user: string };
    assert.equal(service_user, "user 54321");
    assert.deepEqual(findings.find(({ check }) => check === "database"), {
      check: "database",
      status: "skip",
      message: "only user 54321 may open it: sudo -u user 54321 ndr doctor",
      remedy: null,
    });
  }));

Deno.test("lines for people: findings in columns, the command below, the counts at the end", async () => {
  const findings = await found((check) => {
    check.pass("in order");
    check.fail("broken\n  twice", "mend it");
  });
  assert.deepEqual(findingLines(findings), [
    "pass  test  in order",
    "fail  test  broken; twice",
    "            mend: mend it",
    "",
    "1 pass, 0 warn, 1 fail, 0 skip",
  ]);
});

Deno.test("permissions: judged by owner and mode for the users of the services, not for the caller", () =>
  withInstallation(async ({ folder, env }) => {
    const secret = `${folder}/secrets/service.key`;
    const { uid, gid } = await Deno.stat(secret);
    const owner = { name: "ndr", uid: uid!, gid: gid! };
    const other = { name: "ndr", uid: 54321, gid: 54321 };
    // Root reads everything, so another owner is asked about.
    if (uid !== 0) assert.equal(mayRead(secret, owner), true);
    assert.equal(mayRead(secret, other), false);
    await Deno.chmod(secret, 0o640);
    assert.equal(
      mayRead(secret, { uid: 54321, gid: gid! }),
      false,
      "the folder above is closed to the group",
    );
    await Deno.chmod(`${folder}/secrets`, 0o750);
    await Deno.chmod(folder, 0o750);
    assert.equal(mayRead(secret, { uid: 54321, gid: gid! }), true);

    const clientSecret = `${folder}/client.secret`;
    await Deno.writeTextFile(clientSecret, "a-secret", { mode: 0o600 });
    await Deno.chmod(`${folder}/sites.yaml`, 0o666);
    const input = {
      env: (name: string) => ({ ...env, NDR_OIDC_CLIENT_SECRET_FILE: clientSecret })[name],
      readFile: Deno.readFileSync,
    };
    const installed = { input, configDir: folder, user: owner, ownWebUser: true };
    const messages = (await found((check) => checkPermissions(check, installed, [])))
      .map(({ status, message }) => `${status} ${message.replaceAll(folder, "")}`);
    assert.deepEqual(messages, [
      "fail /client.secret cannot be read by ndr-web, which has only the group of ndr: the file or a folder above forbids it",
      "fail /sites.yaml may be changed by every user of this machine",
    ]);
    const [unreadable] = await found((check) =>
      checkPermissions(check, { ...installed, user: other, ownWebUser: false }, [secret])
    );
    assert.equal(unreadable!.message, `${folder}/ndr.env cannot be read by ndr, the user of ndr-core`);
    assert.equal(unreadable!.remedy, `chown ndr: ${folder}/ndr.env && chmod 600 ${folder}/ndr.env`);
  }));

Deno.test("clock: what keeps it is named; a container's host keeps it", async () => {
  const with_ = async (...paths: string[]) =>
    (await found((check) => checkClock(check, null, (path) => paths.includes(path)))).map(({ status }) =>
      status
    );
  assert.deepEqual(await with_("/run/systemd/timesync/synchronized"), ["pass"]);
  assert.deepEqual(await with_("/run/chrony"), ["pass"]);
  assert.deepEqual(await with_("/run/systemd/container"), ["skip"]);
  assert.deepEqual(await with_(), ["warn"]);
});

Deno.test("certificate: expiry, name and trust", { ignore: !HAS_OPENSSL }, async () => {
  const authority = await makeAuthority();
  const at = async (credentials: { cert: string; key: string }) => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, ...credentials, onListen: () => {} },
      () => new Response("ndr"),
    );
    try {
      const url = `https://127.0.0.1:${server.addr.port}`;
      const [finding, ...more] = await found((check) => checkCertificate(check, url, [authority.cert]));
      assert.deepEqual(more, []);
      return `${finding!.status} ${finding!.message.replace(url, "URL")}`;
    } finally {
      await server.shutdown();
    }
  };
  assert.match(await at(await authority.issue("IP:127.0.0.1")), /^pass valid for 127\.0\.0\.1 until \d{4}-/);
  assert.match(
    await at(await authority.issue("IP:127.0.0.1", 5)),
    /^warn the certificate of URL expires in [45] days, on /,
  );
  assert.match(
    await at(await authority.issue("IP:127.0.0.1", -1)),
    /^fail the certificate of URL has expired on /,
  );
  assert.match(
    await at(await authority.issue("ndr.example.org")),
    /^fail the certificate of URL is not for 127\.0\.0\.1, but DNS:ndr\.example\.org$/,
  );
  assert.match(
    await at(await selfSigned("IP:127.0.0.1")),
    /^warn this machine does not trust the certificate of URL: /,
  );
  const closed = await found((check) => checkCertificate(check, "https://127.0.0.1:1"));
  assert.equal(closed[0]!.status, "fail");
  const plain = await found((check) => checkCertificate(check, "http://ndr.example.org"));
  assert.equal(plain[0]!.status, "warn");
  const local = await found((check) => checkCertificate(check, "http://127.0.0.1:8080"));
  assert.equal(local[0]!.status, "skip");
});

Deno.test("services and sensors: what health says, each component once", async () => {
  const component = (id: string, more: Partial<HealthComponent>): HealthComponent => ({
    id,
    kind: id.split(":")[0]!,
    status: "ok",
    last_event_at: null,
    lag_seconds: 0,
    message: null,
    since: null,
    expected_within_seconds: null,
    events_last_5m: null,
    connector: null,
    ...more,
  });
  const shared = component("retention", { status: "degraded", message: "NDR_RETENTION_BYTES is 1 GiB, but" });
  const reports = new Map([
    ["main", [
      shared,
      component("telemetry", { status: "unavailable", message: "disabled" }),
      component("connector:soc", { status: "unavailable", message: "auth" }),
      component("sensor:zeek", { last_event_at: "2026-03-01T12:00:00.123Z" }),
      component("sensor:old", {
        status: "stale",
        message: "silent since",
        last_event_at: "2026-03-01T12:00:00.123Z",
      }),
      component("sensor:new", { status: "stale", message: "no record" }),
    ]],
    ["branch", [shared]],
  ]);
  const health = await found((check) => checkHealth(check, reports));
  assert.deepEqual(health.map(({ status, message, remedy }) => [status, message, remedy!.split(";")[0]]), [
    ["warn", "main, retention: NDR_RETENTION_BYTES is 1 GiB, but", "man ndr-health"],
    ["fail", "main, connector:soc: auth", "sudo -u ndr ndr connectors list"],
  ]);

  const source = (sensorId: string) => ({
    sensorId,
    tenantId: "main",
    allowedKinds: new Set<never>(),
    trust: "packet" as const,
    expectedExporters: null,
  });
  const input = { env: () => undefined, readFile: Deno.readFileSync };
  const sensors = await found((check) =>
    checkSensors(check, input, ["zeek", "old", "new", "lost"].map(source), reports)
  );
  assert.deepEqual(sensors.map(({ status, message }) => `${status} ${message}`), [
    "pass zeek: last record 2026-03-01 12:00:00 UTC",
    "warn old: silent since",
    "warn new: no record has arrived yet",
    "warn lost is in sources.yaml, but the core does not know it",
  ]);
  const [web] = await found((check) => checkWeb(check, "127.0.0.1:1"));
  assert.match(web!.message, /^ndr-web does not answer at 127\.0\.0\.1:1: /);
});
