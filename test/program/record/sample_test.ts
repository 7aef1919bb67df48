// The sample of `ndr up`, as a first user meets it: the real program plays its recordings.

import assert from "node:assert/strict";
import type { Device } from "../../../src/contract/device/device.ts";
import type { HealthReport } from "../../../src/contract/health/health.ts";
import type { Incident } from "../../../src/contract/incident/incident.ts";
import type { FailedRecord } from "../../../src/contract/record/failed-record.ts";
import type { ResponseAction } from "../../../src/contract/review/response.ts";
import type { Suppression } from "../../../src/contract/review/suppression.ts";
import type { Aggregate } from "../../../src/contract/search/search.ts";
import type { Site } from "../../../src/contract/site.ts";
import { callNdr } from "../../support/command.ts";
import { exists } from "../../support/files.ts";
import { assertMorningAnswers } from "../../support/search/morning.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { type ApiClient, SAMPLE_SECONDS, signIn, startUp } from "../../support/up.ts";

const DAY_MS = 86_400_000;
const SENSORS = ["sensor:main-zeek", "sensor:main-suricata", "sensor:main-netflow", "sensor:main-unbound"];

function window(from: number, to: number): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

async function incidentsOf(person: ApiClient, filter = ""): Promise<Incident[]> {
  const { from, to } = window(Date.now() - 2 * DAY_MS, Date.now() + 60_000);
  const query = filter === "" ? "" : `&filter=${encodeURIComponent(filter)}`;
  return await person.get(`/api/v1/incidents?limit=500&sort=-score&from=${from}&to=${to}${query}`);
}

/** Flows that started in a time, by the value of a field. */
async function flowsBy(
  person: ApiClient,
  field: string | null,
  from: number,
  to: number,
): Promise<Map<string | null, number>> {
  const response = await person.browser.write("POST", "/api/v1/search/aggregate", {
    filter: { version: 1, kind: "flows", where: null, window: window(from, to) },
    group_by: field === null ? [] : [field],
    limit: 50,
  });
  const { groups }: Aggregate = (await response.json()).data;
  return new Map(groups.map(({ key, total }) => [key[0] ?? null, Number(total)]));
}

async function countFlows(person: ApiClient, from: number, to: number): Promise<number> {
  return (await flowsBy(person, null, from, to)).get(null) ?? 0;
}

/** Until nothing waits for the pipeline: records are acknowledged before they are interpreted. */
async function processed(person: ApiClient): Promise<void> {
  await waitFor(
    async () => (await person.get<HealthReport>("/api/v1/health")).ingest.oldest_buffered_at === null,
    () => "records are still waiting",
    SAMPLE_SECONDS,
  );
}

async function assertHealthy(person: ApiClient): Promise<void> {
  let report!: HealthReport;
  const ailing = () =>
    report.components.filter(({ id, status }) => status !== "ok" && !/^(telemetry|update)$/.test(id));
  await waitFor(
    async () => {
      report = await person.get<HealthReport>("/api/v1/health");
      return report.status === "ok" && ailing().length === 0;
    },
    () => `${report.status}: ${JSON.stringify(ailing())}`,
    SAMPLE_SECONDS,
  );
  const { components } = report;
  for (const id of SENSORS) {
    const sensor = components.find((one) => one.id === id);
    assert.ok(sensor?.last_event_at, `${id} has sent records`);
  }
}

Deno.test("make run: a day of four sensors with incidents, records that keep arriving, and a restart", async (t) => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-sample-" });
  const started = Date.now();
  const options = { stateDir };
  let up = await startUp(options);
  try {
    await waitFor(() => exists(`${stateDir}/sample-reviewed`), () => up.output(), SAMPLE_SECONDS);
    let person = await signIn(up.baseUrl, "admin");
    await processed(person);

    await t.step("all four sensors have sent, and health is ok", async () => {
      await assertHealthy(person);
      assert.match(up.output(), /^Sample: [\d,]+ recorded sensor records, with times shifted /m);
      assert.match(up.output(), /^Sample: [\d,]+ records sent in \d+ s; more arrive/m);
    });

    await t.step("the intrusion is the story of the day, among incidents of every severity", async () => {
      const incidents = await incidentsOf(person);
      const story = incidents.find(({ title }) => /\b(?:SCRANTON|NASHUA)\b/.test(title));
      assert.equal(story?.severity, "critical");
      for (const detector of ["lateral-movement", "exfiltration", "beacon", "certificate"]) {
        assert.ok(story.model_ids.includes(detector), detector);
      }
      const ofBoth = await incidentsOf(person, "device:SCRANTON device:NASHUA");
      assert.ok(ofBoth.some(({ id }) => id === story.id));
      assert.ok(ofBoth.length < incidents.length);
      const severities = new Set(incidents.map(({ severity }) => severity));
      assert.deepEqual([...severities].sort(), ["critical", "high", "low", "medium"]);
      const detectors = new Set(incidents.flatMap(({ model_ids }) => model_ids));
      for (const detector of ["scan", "dns-tunnel", "signature-alert", "tls-rarity"]) {
        assert.ok(detectors.has(detector), detector);
      }
    });

    await t.step("the site has a place and VLANs, and says that it is a sample", async () => {
      const site = await person.get<Site>("/api/v1/site");
      assert.match(site.display_name, /\(sample\)$/);
      assert.ok(site.home_coordinates);
      assert.ok(site.vlans.length >= 5);
      const devices = await person.get<Device[]>("/api/v1/devices?limit=500");
      const scranton = devices.find(({ display_name }) => display_name === "SCRANTON");
      assert.deepEqual([scranton?.device_type, scranton?.owner], ["workstation", "Sales (sample)"]);
    });

    await t.step("there are rejected and unparsed records, a suppression and a proposal", async () => {
      const { from, to } = window(Date.now() - 2 * DAY_MS, Date.now() + 60_000);
      const failed = await person.get<FailedRecord[]>(`/api/v1/records?from=${from}&to=${to}`);
      const statuses = new Set(failed.map(({ status }) => status));
      assert.deepEqual([...statuses].sort(), ["rejected", "unparsed"]);
      const [suppression] = await person.get<Suppression[]>("/api/v1/suppressions");
      assert.match(suppression!.reason, /^Sample: /);
      const [action] = await person.get<ResponseAction[]>("/api/v1/response-actions");
      assert.deepEqual([action!.status, action!.target.address], ["proposed", "192.168.0.4"]);
      assert.match(action!.reason, /^Sample: /);
    });

    await t.step("the history covers a day and ends at the start", async () => {
      assert.ok(await countFlows(person, started - DAY_MS, started) > 5000);
      for (let hour = 1; hour <= 23; hour++) {
        const from = started - hour * DAY_MS / 24;
        assert.ok(await countFlows(person, from, from + DAY_MS / 24) > 0, `${hour} hours ago`);
      }
    });

    await t.step("addresses have countries", async () => {
      // Places are looked up in the background.
      let countries = new Map<string | null, number>();
      const missing = () => ["US", "DE", "RO"].filter((country) => (countries.get(country) ?? 0) === 0);
      await waitFor(
        async () => {
          countries = await flowsBy(person, "dst.country", started - DAY_MS, started);
          return missing().length === 0;
        },
        () => `no flow to ${missing()}`,
        SAMPLE_SECONDS,
      );
    });

    await t.step("ndr search answers the questions of a morning's triage", async () => {
      const env = { NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc`, TZ: "UTC" };
      await assertMorningAnswers((...args) => callNdr(["search", ...args], env));
    });

    const { loadedAt } = JSON.parse(await Deno.readTextFile(`${stateDir}/sample.json`));
    const loaded = loadedAt / 1000;

    await t.step("records keep arriving", async () => {
      await waitFor(
        async () => await countFlows(person, loaded + 2000, Date.now()) > 0,
        () => "no flow started after the sample was loaded",
        SAMPLE_SECONDS,
      );
    });

    await t.step("a restart adds nothing to the day, and records go on arriving", async () => {
      await processed(person);
      // Connections that are still open when the day ends are reported later.
      const end = loaded - DAY_MS / 24;
      const before = await countFlows(person, started - 2 * DAY_MS, end);
      const proposals = await person.get<ResponseAction[]>("/api/v1/response-actions");
      await up.stop();
      const restarted = Date.now();
      up = await startUp(options);
      person = await signIn(up.baseUrl, "admin");
      await waitFor(
        async () => await countFlows(person, restarted, Date.now()) > 0,
        () => up.output(),
        SAMPLE_SECONDS,
      );
      await processed(person);
      assert.doesNotMatch(up.output(), /load in the background/);
      assert.equal(await countFlows(person, started - 2 * DAY_MS, end), before);
      assert.equal((await person.get<ResponseAction[]>("/api/v1/response-actions")).length, proposals.length);
      await assertHealthy(person);
    });
  } finally {
    await up.stop();
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("NDR_UP_SAMPLE=off: no records and no names of the sample", async () => {
  const up = await startUp({ sample: false, ownDatabase: true });
  try {
    const person = await signIn(up.baseUrl, "admin");
    const site = await person.get<Site>("/api/v1/site");
    assert.deepEqual([site.display_name, site.home_coordinates, site.vlans], ["Headquarters", null, []]);
    assert.deepEqual(await person.get("/api/v1/devices"), []);
    assert.doesNotMatch(up.output(), /Sample/);
  } finally {
    await up.stop();
  }
});
