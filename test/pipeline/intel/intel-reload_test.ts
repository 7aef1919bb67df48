// Lists and databases in the configuration folders, the real pipeline, and the API's view of them, while
// records arrive.

import assert from "node:assert/strict";
import { mmdb } from "../../support/config/mmdb-fixtures.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { IntelBackfill } from "../../../src/core/jobs/intel/intel-backfill.ts";
import { IntelWatch } from "../../../src/core/jobs/intel/intel-watch.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { Pipeline } from "../../../src/pipeline/run/pipeline.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { Api, ZEEK } from "../../contract/api.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, pushBatch } from "../../support/record/pipeline.ts";

const SAMPLE = new URL("../../data/sample/brobeat/", import.meta.url).pathname;
const SERVER = "188.173.32.149";
const TENANTS = new Map([["main", defaultSite("main")]]);
const OFTEN = 50;
const WINDOW = { from: "2012-10-01T00:00:00Z", to: "2012-10-31T00:00:00Z" };

interface Appliance {
  api: Api;
  watch: IntelWatch;
  /** Sends the next lines of the recording; returns false at its end. */
  send(count: number): Promise<boolean>;
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
}

async function withAppliance(db: Database, work: (appliance: Appliance) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  for (const folder of ["intel", "geoip"]) await Deno.mkdir(`${dir}/${folder}`);
  const watch = new IntelWatch({ configDir: dir, every: OFTEN }, silentLogger);
  const deps = { db, clock: systemClock, logger: silentLogger, intel: () => watch.current() };
  const pipeline = new Pipeline({ tenants: TENANTS }, deps);
  let time = systemClock.now();
  const past = new IntelBackfill({ tenants: TENANTS, every: OFTEN }, {
    ...deps,
    // The pause would be longer than the test.
    clock: { now: () => time += 120_000_000 },
  });
  const health = new HealthReporter({ db, tenants: new Map(), intelligence: () => watch.facts() });
  const api = new Api(db, [], { health, geoip: watch.geoip });
  const lines = await linesOfFiles(`${SAMPLE}conn.log`);
  for (const part of [watch, pipeline, past]) part.start();
  try {
    await work({
      api,
      watch,
      async send(count) {
        const some = lines.splice(0, count);
        if (some.length > 0) await pushBatch(db, ZEEK, some);
        pipeline.wake("main");
        return lines.length > 0;
      },
      write: (name, content) =>
        typeof content === "string"
          ? Deno.writeTextFile(`${dir}/${name}`, content)
          : Deno.writeFile(`${dir}/${name}`, content),
      remove: (name) => Deno.remove(`${dir}/${name}`),
    });
  } finally {
    await past.stop();
    await pipeline.stop();
    await watch.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

async function flowsToServer(api: Api) {
  return (await api.read("listFlows", { ...WINDOW, peer_ip: SERVER, limit: 500 })).data;
}

async function bot(api: Api) {
  const [device] = (await api.read("listDevices", { query: "172.16.253.129" })).data;
  assert.ok(device);
  return (await api.read("getDevice", WINDOW, {}, device)).data;
}

async function part(api: Api, id: string, role: "admin" | "reader" = "admin") {
  const { data } = await api.read("getHealth", {}, { roles: [role] });
  return data.components.find((component) => component.id === id) ?? null;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

testDatabase(
  "a list written while records arrive is shown by API and health, and removed again",
  async (db) => {
    await withAppliance(db, async ({ api, send, write, remove }) => {
      await send(120);
      await until("flows appear", async () => (await flowsToServer(api)).length > 5);
      assert.ok(
        (await flowsToServer(api)).every((flow) => !flow.threat_intelligence && flow.intel.length === 0),
      );
      assert.equal(await part(api, "intelligence:feed.txt"), null);

      await write(
        "intel/feed.txt",
        `# a list\n${SERVER} # bitcoin miner\n10.1.2.3\nno indicator\n198.51.100.1\n198.51.100.2\n`,
      );
      while (await send(7)) await new Promise((resolve) => setTimeout(resolve, 5));
      const count = async () =>
        (await bot(api)).intel_matches.find(({ indicator }) => indicator === SERVER)?.count;
      const all = (await Deno.readTextFile(`${SAMPLE}conn.log`)).split(SERVER).length - 1;
      await until(
        "every observation is matched once, whichever came first",
        async () => await count() === all,
      );

      const flows = await flowsToServer(api);
      assert.equal(flows.length, all);
      for (const flow of flows) {
        assert.equal(flow.threat_intelligence, true);
        assert.deepEqual(flow.intel, [{
          list: "feed.txt",
          kind: "ip",
          indicator: SERVER,
          description: "bitcoin miner",
          confidence: null,
          listed: true,
        }]);
      }
      const device = await bot(api);
      const [match] = device.intel_matches;
      assert.deepEqual([match?.ip, match?.via], ["172.16.253.129", ["peer"]]);
      const newest = flows.toSorted((a, b) => a.end < b.end ? 1 : -1)[0]!;
      assert.deepEqual([match?.flow_id, match?.evidence_id], [
        newest.flow_id,
        newest.primary_evidence.evidence_id,
      ]);
      const marked = device.top_destinations.filter(({ threat_intelligence }) => threat_intelligence);
      assert.deepEqual(marked.map(({ ip, intel }) => [ip, intel.length]), [[SERVER, 1]]);

      const health = await part(api, "intelligence:feed.txt");
      assert.deepEqual([health?.kind, health?.status], ["intelligence", "ok"]);
      assert.match(
        health?.message ?? "",
        /^2 lines unusable: feed\.txt:3: .*10\.1\.2\.3 is private; feed\.txt:4: /,
      );
      assert.equal((await part(api, "intelligence:feed.txt", "reader"))?.message, null);

      await remove("intel/feed.txt");
      await until(
        "the list is gone",
        async () => (await flowsToServer(api)).every((flow) => !flow.threat_intelligence),
      );
      const dropped = await bot(api);
      assert.deepEqual(dropped.intel_matches, [{ ...match, listed: false }]);
      assert.ok(dropped.top_destinations.every(({ threat_intelligence }) => !threat_intelligence));
      assert.equal(await part(api, "intelligence:feed.txt"), null);
    });
  },
);

testDatabase("unreadable files degrade health; so does a list that is mostly invalid", async (db) => {
  await withAppliance(db, async ({ api, watch, write }) => {
    await write("intel/feed.json", "{}");
    await write("intel/page.txt", "<html>\n<body>\nsign in\n</html>\n");
    await write("geoip/broken.mmdb", "no database");
    await until("the fault is noticed", async () => await part(api, "intelligence:page.txt") !== null);
    await until("the database fault, too", () => Promise.resolve(watch.geoip.faults.length > 0));
    for (const id of ["intelligence:feed.json", "intelligence:page.txt", "geoip:broken.mmdb"]) {
      assert.equal((await part(api, id))?.status, "degraded", id);
      assert.ok((await part(api, id))?.message, id);
      assert.equal((await part(api, id, "reader"))?.message, null);
    }
    assert.equal((await part(api, "appliance"))?.status, "degraded");
  });
});

testDatabase("locations and networks of addresses appear and disappear with the databases", async (db) => {
  await withAppliance(db, async ({ api, send, write, remove }) => {
    await send(1000);
    await until("flows appear", async () => (await flowsToServer(api)).length > 100);
    assert.ok((await flowsToServer(api)).every(({ src, dst }) => src.geo === null && dst.geo === null));
    await write(
      "geoip/city.mmdb",
      mmdb({
        networks: {
          "188.173.0.0/16": {
            city: { names: { en: "Craiova" } },
            country: { iso_code: "RO" },
            autonomous_system_number: 35002,
            autonomous_system_organization: "NEXTGEN",
          },
        },
      }),
    );
    const geo = { country: "RO", city: "Craiova", asn: 35002, as_organisation: "NEXTGEN" };
    await until("the database is loaded", async () => (await flowsToServer(api))[0]!.dst.geo !== null);
    const [flow] = await flowsToServer(api);
    assert.deepEqual([flow!.src.geo, flow!.dst.geo], [null, geo]);
    const { data: [observation] } = await api.read("getFlowEvidence", {}, {}, flow);
    assert.deepEqual([observation!.src.geo, observation!.dst.geo], [null, geo]);
    const device = await bot(api);
    for (const peers of [device.top_peers, device.top_destinations]) {
      assert.deepEqual(peers.find(({ ip }) => ip === SERVER)?.geo, geo);
    }
    await remove("geoip/city.mmdb");
    await until("the database is gone", async () => (await flowsToServer(api))[0]!.dst.geo === null);
  });
});
