// The life of an appliance on a bare Debian: installed, set up, used through nginx over TLS, upgraded, backed up,
// purged, and restored on a second machine.
// `appliance.ts <package> <root of a bare Debian>`, as root, in a network without anything else (`unshare --net`).

import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { startDevSignIn } from "../../src/dev/sign-in.ts";
import { makeAuthority } from "../support/certificates.ts";
import { createReceiver, type WebhookEvent } from "../support/connector/webhook-receiver-example.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { mmdb } from "../support/config/mmdb-fixtures.ts";
import { alertLine } from "../support/record/alert-line.ts";
import { host, Machine, until } from "./machine.ts";

const NAME = "ndr.example";
const WEBHOOK_PORT = 9443;
const WEBHOOK_KEY = "a-key-that-both-ends-know-0123456789";
const METRICS_TOKEN = "a-token-of-the-metrics";
const OLD_VERSION = "0.0.9-1";
const RECORDS = new URL("../data/captures/apt29-scranton", import.meta.url).pathname;
const NGINX = new URL("../../debian/examples/nginx/ndr.conf", import.meta.url).pathname;

/** Where Suricata writes. */
const EVE = "/var/log/suricata/eve.json";
/** From the start of the installation to the first incident on screen. */
const MOST_SECONDS_TO_INCIDENT = 300;
const LISTED = "198.51.100.77";
const AS_SERVICE = "runuser -u ndr --";
const BACKUP = "/var/backups/ndr/last.tar";

const [packagePath, base] = Deno.args as [string, string];
const started = performance.now();

function step(what: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}

/** Lets Suricata's file grow by an alert every half second. */
class Suricata implements Disposable {
  #count = 0;
  readonly #timer: ReturnType<typeof setInterval>;

  /** `to`: the other end of the alerts. */
  constructor(root: string, public to: string | null = null) {
    this.#timer = setInterval(() => {
      const { payload } = JSON.parse(alertLine(++this.#count)) as { payload: Record<string, unknown> };
      const line = JSON.stringify({ ...payload, ...this.to === null ? {} : { dest_ip: this.to } });
      Deno.writeTextFileSync(root + EVE, `${line}\n`, { append: true });
    }, 500);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** The package under an older version, to upgrade from. */
async function olderPackage(folder: string): Promise<string> {
  const raw = `${folder}/raw`;
  await host("dpkg-deb", "--raw-extract", packagePath, raw);
  await host("sed", "-i", `s/^Version: .*/Version: ${OLD_VERSION}/`, `${raw}/DEBIAN/control`);
  await host("dpkg-deb", "--root-owner-group", "-Znone", "--build", raw, `${folder}/older.deb`);
  return `${folder}/older.deb`;
}

/** A Debian with the packages, the records and a certificate of nginx. */
function bootWith(
  packages: Record<string, string>,
  certificate: { cert: string; key: string },
): Promise<Machine> {
  return Machine.boot(base, async (root) => {
    for (const [name, path] of Object.entries(packages)) await host("cp", path, `${root}/root/${name}`);
    await host("cp", "-a", RECORDS, `${root}/root/records`);
    await Deno.mkdir(`${root}/etc/ssl/ndr`, { recursive: true });
    await Deno.writeTextFile(`${root}/etc/ssl/ndr/fullchain.pem`, certificate.cert);
    await Deno.writeTextFile(`${root}/etc/ssl/ndr/privkey.pem`, certificate.key, { mode: 0o600 });
    await Deno.mkdir(root + EVE.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(root + EVE, "");
    await host("sh", "-c", `echo 127.0.0.1 ${NAME} >>${root}/etc/hosts`);
    await host("cp", NGINX, `${root}/etc/nginx/sites-available/ndr.conf`);
    await host("ln", "-sf", "../sites-available/ndr.conf", `${root}/etc/nginx/sites-enabled/ndr.conf`);
    await host("rm", "-f", `${root}/etc/nginx/sites-enabled/default`);
    // Its certificate is made at installation, by a package that a bare Debian lacks.
    await host("sh", "-c", `sed -i 's/^ssl = on/ssl = off/' ${root}/etc/postgresql/*/main/postgresql.conf`);
  });
}

async function active(machine: Machine): Promise<void> {
  await until("the services", 90, async () => {
    const { output } = await machine.try("systemctl is-active ndr-core ndr-web nginx");
    return output === "active\nactive\nactive\n" ? true : null;
  }).catch(async (error: unknown) => {
    console.error((await machine.try("journalctl --no-pager -u 'ndr-*' | tail -30")).output);
    throw error;
  });
}

/** The incidents that a person finds who signs in with a browser, as soon as a detector has one. */
async function incidentsSeen(
  browser: Browser,
  isWanted: (detector: string) => boolean = () => true,
): Promise<Incident[]> {
  const context = await browser.newContext({ baseURL: `https://${NAME}`, ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    await page.goto("/auth/login?login_hint=admin");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const cookies = await context.cookies();
    assert.ok(cookies.some(({ name, secure, httpOnly }) => name.startsWith("__Host-") && secure && httpOnly));
    const found = await until("an incident", 120, async () => {
      const { status, body } = await page.evaluate(async (path) => {
        const answer = await fetch(path);
        return { status: answer.status, body: await answer.json() };
      }, "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score");
      assert.equal(status, 200);
      const { data } = body as { data: Incident[] };
      return data.some(({ model_ids }) => model_ids.some(isWanted)) ? data : null;
    });
    await page.goto(`/t/main/incidents/${found[0]!.id}`);
    await page.getByRole("heading", { level: 1, name: found[0]!.title }).waitFor();
    return found;
  } finally {
    await context.close();
  }
}

/** Later records may have added some. */
function assertKept(before: readonly Incident[], after: readonly Incident[]): void {
  const ids = new Set(after.map(({ id }) => id));
  assert.deepEqual(before.filter(({ id }) => !ids.has(id)), []);
}

async function metrics(machine: Machine): Promise<string> {
  return await machine.run(
    `curl --fail --silent --header 'Authorization: Bearer ${METRICS_TOKEN}' http://127.0.0.1:8080/metrics`,
  );
}

async function main(folder: string): Promise<void> {
  await host("ip", "link", "set", "lo", "up");
  const certificate = await (await makeAuthority()).issue(NAME);
  const events: WebhookEvent[] = [];
  const receiver = createReceiver(WEBHOOK_KEY, (event) => void events.push(event));
  receiver.listen(WEBHOOK_PORT, "127.0.0.1");
  const signIn = await startDevSignIn({ redirectUris: [`https://${NAME}/auth/callback`] });
  const browser = await chromium.launch({
    executablePath: (await findChromium())!,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
  });
  try {
    const packages = { "older.deb": await olderPackage(folder), "ndr.deb": packagePath };
    let before: Incident[];
    {
      step("a bare Debian boots");
      await using machine = await bootWith(packages, certificate);

      step("install");
      const begun = performance.now();
      const told = await machine.run("dpkg --install /root/older.deb");
      assert.match(told, /ndr setup/, "the installation names the next command");

      step("set up");
      await machine.write("/root/secret", signIn.clientSecret, 0o600);
      const setup = [
        `ndr setup --non-interactive --public-url https://${NAME} --issuer ${signIn.issuer}`,
        `--client-id ${signIn.clientId} --client-secret-file /root/secret`,
        "--administrator groups=main:admin --networks 10.0.0.0/8",
        `--sensor suricata=${EVE} --wait 60s`,
      ].join(" ");
      using suricata = new Suricata(machine.root);
      assert.match(await machine.run(setup), /suricata: the first record arrived/);
      assert.match(await machine.run(setup), /nothing|unchanged|already/i, "a second run changes nothing");
      await machine.run("systemctl restart nginx");
      await active(machine);
      step("sign in with a browser through nginx over TLS, and see the first incident");
      await incidentsSeen(browser);
      const seconds = (performance.now() - begun) / 1000;
      assert.ok(seconds < MOST_SECONDS_TO_INCIDENT, `${seconds} s to the first incident`);

      step("another sensor, a webhook, metrics");
      await machine.run("ndr sources add zeek");
      await machine.write(
        "/etc/ndr/connectors.yaml",
        `connectors:
  - id: webhook
    instance: soc
    tenant: main
    config: { url: "http://127.0.0.1:${WEBHOOK_PORT}/", allow_insecure_http: true }
    secrets: { secret: /etc/ndr/secrets/soc.key }
`,
      );
      await machine.write("/etc/ndr/secrets/soc.key", WEBHOOK_KEY, 0o600);
      await machine.run("chown ndr:ndr /etc/ndr/secrets/soc.key");
      await machine.run(
        `printf 'NDR_CONNECTORS_ENABLED=true\\nNDR_METRICS_TOKEN=${METRICS_TOKEN}\\nNDR_TELEMETRY=off\\n' >>/etc/ndr/ndr.env`,
      );
      await machine.run("ndr config check");
      await machine.run("systemctl restart ndr.target");
      await active(machine);

      step("replay a capture");
      const replay =
        "NDR_SOURCE_TOKEN_FILE=/etc/ndr/secrets/zeek.token ndr replay --shift-to-now /root/records/*";
      await machine.run(replay);

      await incidentsSeen(browser, (detector) => detector !== "signature-alert");

      step("places and an indicator list, while it runs");
      const places = mmdb({ networks: { "198.51.100.0/24": { country: { iso_code: "NL" } } } });
      await Deno.writeFile(`${machine.root}/etc/ndr/geoip/places.mmdb`, places);
      await machine.write("/etc/ndr/intel/feed.txt", `${LISTED}\n`);
      suricata.to = LISTED;
      await incidentsSeen(browser, (detector) => detector === "threat-intel");
      assert.ok((await machine.run(`${AS_SERVICE} ndr search "dst.country:NL"`)).includes(LISTED));
      suricata[Symbol.dispose]();

      step("receive the webhook, scrape the metrics");
      await until(
        "the webhook",
        60,
        () => Promise.resolve(events.find(({ type }) => type === "incident.created") ?? null),
      );
      assert.match(await metrics(machine), /^service_[a-z_]+\{?.*\d$/m);

      step("doctor");
      for (const caller of ["", AS_SERVICE]) {
        const doctor = await machine.try(`${caller} ndr doctor`);
        assert.equal(doctor.status, 0, doctor.output);
      }

      step("upgrade");
      before = await incidentsSeen(browser);
      await machine.run("dpkg --install /root/ndr.deb");
      await active(machine);
      assertKept(before, await incidentsSeen(browser));

      step("back up while it runs, and verify");
      await machine.run(`${AS_SERVICE} ndr backup ${BACKUP}`);
      await machine.run(`${AS_SERVICE} ndr backup verify ${BACKUP}`);
      await host("cp", machine.root + BACKUP, `${folder}/ndr.tar`);

      step("purge");
      await machine.run("dpkg --purge ndr");
      assert.equal(
        (await machine.try("ls /etc/ndr /var/lib/ndr /usr/lib/ndr")).output.match(/No such/g)?.length,
        3,
      );
      assert.equal(
        await machine.run(
          "cd / && runuser -u postgres -- psql -Atc \"select count(*) from pg_database where datname = 'ndr'\"",
        ),
        "0\n",
      );
    }
    {
      step("restore on a second machine");
      await using machine = await bootWith(
        { "ndr.deb": packagePath, "ndr.tar": `${folder}/ndr.tar` },
        certificate,
      );
      await machine.run("dpkg --install /root/ndr.deb");
      await machine.run("systemctl stop ndr.target");
      await machine.run(`install -o ndr -m 600 ndr.tar ${BACKUP}`);
      await machine.run(`ndr restore --configuration --no-database ${BACKUP}`);
      await machine.run(`${AS_SERVICE} ndr restore --force ${BACKUP}`);
      await machine.run("systemctl restart ndr.target nginx");
      await active(machine);
      assertKept(before, await incidentsSeen(browser));
    }
    step("all steps passed");
  } finally {
    await browser.close();
    await signIn.close();
    receiver.close();
  }
}

const folder = await Deno.makeTempDir({ prefix: "ndr-e2e-" });
try {
  await main(folder);
} finally {
  await Deno.remove(folder, { recursive: true });
}
