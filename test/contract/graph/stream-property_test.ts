// A snapshot and the deltas after it give the later snapshot: with random traffic, incidents, names, moving windows,
// reconnects, restarts and two cores, in every tenant, and with no datum of another one.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import type { HandlerDeps } from "../../../src/core/handlers/deps.ts";
import { formatMillis } from "../../../src/kit/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { testDatabase } from "../../support/database.ts";
import { sensor } from "../../support/record/pipeline.ts";
import { IS_SOAK, scaled } from "../../support/scale.ts";
import { Api, BRANCH_ZEEK, checked, DAY, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { liveWith, MapClient, snapshotOf } from "./stream-client.ts";

type Tenant = "main" | "branch";
const TENANTS: readonly Tenant[] = ["main", "branch"];
const SENSORS = {
  main: { zeek: ZEEK, suricata: SURICATA },
  branch: { zeek: BRANCH_ZEEK, suricata: sensor("branch-suricata", { tenantId: "branch" }) },
};
/** Addresses show the tenant. */
const INSIDE = { main: "10.1.0", branch: "10.2.0" };
const OUTSIDE = { main: "192.0.2", branch: "203.0.113" };
const STEPS = 12;

const SITES = TENANTS.map((tenantId) => ({
  ...defaultSite(tenantId),
  site: {
    ...defaultSite(tenantId).site,
    home_coordinates: { latitude: 52.52, longitude: 13.405 },
    vlans: [{ vlan_id: 7, name: "Office", cidrs: [`${INSIDE[tenantId]}.0/25`] }],
  },
}));

const GEOIP: NonNullable<HandlerDeps["geoip"]> = {
  lookup(ip) {
    const last = Number(ip.split(".")[3]);
    return {
      country: last % 2 === 0 ? "RO" : null,
      city: null,
      latitude: last % 3 === 0 ? null : last % 5,
      longitude: last % 3 === 0 ? null : last % 7,
      asn: last % 4 === 0 ? null : 64_500 + last % 4,
      asOrganisation: null,
    };
  },
};

/** What the clients look at: the default, the globe, a longer window, expanded clusters, and filters. */
const QUESTIONS: readonly ((now: number) => [string, string][])[] = [
  () => [],
  () => [["scene", "globe"]],
  (now) => [["from", formatMillis(Math.ceil(now / MINUTE) * MINUTE - DAY / 4)]],
  () => [["expand", "vlan:7"], ["expand", "asn:none"]],
  () => [["filter", "-service:dns bytes>100MB"]],
  () => [["filter", "device:host or severity>=low"], ["scene", "globe"]],
];

class World {
  cores: [Api, Api];
  now = NOW;
  #port = 20_000;
  readonly clients: {
    client: MapClient;
    question: (now: number) => [string, string][];
    core: number | null;
  }[] = [];
  readonly counts: Record<string, number> = {};

  constructor(private readonly db: Database, private readonly random: () => number) {
    this.cores = [this.#core(), this.#core()];
  }

  #core(): Api {
    const api = new Api(this.db, SITES, { geoip: GEOIP }, liveWith().live);
    api.clock.advance((this.now - NOW) / SECOND);
    return api;
  }

  #upTo(most: number): number {
    return Math.floor(this.random() * most);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#upTo(items.length)]!;
  }

  async start(): Promise<void> {
    for (const tenant of TENANTS) {
      await this.#traffic(tenant, 20);
      for (const question of QUESTIONS) {
        const snapshot = await snapshotOf(this.#pick(this.cores), question(this.now), tenant);
        const client = new MapClient(tenant, snapshot);
        this.clients.push({ client, question, core: null });
      }
    }
    for (const one of this.clients) await this.#connect(one);
  }

  async #connect(one: World["clients"][number]): Promise<void> {
    one.core = this.#upTo(2);
    await one.client.connect(this.cores[one.core]!);
  }

  async #traffic(tenant: Tenant, flows: number): Promise<void> {
    const address = (network: string, hosts: number) => `${network}.${1 + this.#upTo(hosts)}`;
    const lines = Array.from({ length: flows }, () => {
      const dst = this.random() < 0.3 ? address(INSIDE[tenant], 200) : address(OUTSIDE[tenant], 250);
      const at = this.now - this.#upTo(18 * 60) * SECOND;
      const more = { orig_bytes: this.#upTo(1e9), service: this.#pick(["ssl", "http", "dns"]) };
      return conn({ src: address(INSIDE[tenant], 200), dst, srcPort: this.#port++, at, more });
    });
    await this.cores[0].take(SENSORS[tenant].zeek, lines);
  }

  async step(): Promise<void> {
    const tenant = this.#pick(TENANTS);
    const acts: Record<string, () => Promise<unknown>> = {
      traffic: () => this.#traffic(tenant, 1 + this.#upTo(60)),
      more: () => this.#traffic(tenant, 1 + this.#upTo(5)),
      incident: () => this.#incident(tenant),
      resolve: () => this.#resolve(tenant),
      rename: () => this.#rename(tenant),
      time: () => Promise.resolve(this.#advance(1 + this.#upTo(150))),
      reconnect: () => this.#connect(this.#pick(this.clients)),
      away: () => this.#away(),
      restart: () => this.#restart(this.#upTo(2) as 0 | 1),
    };
    const name = this.#pick(Object.keys(acts));
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    await acts[name]!();
  }

  async #incident(tenant: Tenant): Promise<void> {
    const line = alert({
      src: `${INSIDE[tenant]}.${1 + this.#upTo(200)}`,
      dst: `${OUTSIDE[tenant]}.${1 + this.#upTo(250)}`,
      at: this.now - this.#upTo(600) * SECOND,
    });
    await this.cores[0].take(SENSORS[tenant].suricata, [line]);
  }

  async #resolve(tenantId: Tenant): Promise<void> {
    const core = this.#pick(this.cores);
    const { data } = await core.read("listIncidents", { status: "open" }, { tenantId });
    if (data.length === 0) return;
    const { id, revision } = this.#pick(data);
    const change = { revision, tenantId, body: { status: "resolved", comment: "done" } };
    const headers = { "idempotency-key": crypto.randomUUID() };
    await checked(
      "patchIncident",
      await core.change("patchIncident", { incident_id: id }, { ...change, headers }),
    );
  }

  async #rename(tenantId: Tenant): Promise<void> {
    const core = this.#pick(this.cores);
    const { data } = await core.read("listDevices", {}, { tenantId });
    const { device_id, revision } = this.#pick(data);
    const change = { revision, tenantId, body: { display_name: `host ${this.#upTo(1000)}` } };
    const headers = { "idempotency-key": crypto.randomUUID() };
    await checked("patchDevice", await core.change("patchDevice", { device_id }, { ...change, headers }));
  }

  #advance(seconds: number): void {
    this.now += seconds * SECOND;
    for (const core of this.cores) core.clock.advance(seconds);
  }

  /** A client is away while much happens, at most as long as its cursor holds. */
  async #away(): Promise<void> {
    const one = this.#pick(this.clients);
    await one.client.disconnect();
    await this.#traffic(this.#pick(TENANTS), 10);
    this.#advance(this.#upTo(12 * 60));
    await this.#traffic(one.client.tenantId as Tenant, 10);
    await this.#connect(one);
  }

  async #restart(at: 0 | 1): Promise<void> {
    this.cores[at] = this.#core();
    for (const one of this.clients) if (one.core === at) await this.#connect(one);
  }

  /** Every client has what a snapshot has, which either core computes. */
  async check(): Promise<void> {
    for (const { client, question } of this.clients) {
      const core = this.#pick(this.cores);
      const rest = question(this.now).filter(([name]) => name !== "from");
      await client.reaches(
        core,
        ({ from, to }) => snapshotOf(core, [...rest, ["from", from], ["to", to]], client.tenantId),
      );
    }
  }

  checkIsolation(): void {
    for (const { client } of this.clients) {
      const other = client.tenantId === "main" ? "branch" : "main";
      for (const network of [INSIDE[other], OUTSIDE[other]]) {
        assert.ok(!client.seen.includes(`${network}.`), `${client.tenantId} got an address of ${other}`);
      }
    }
    // A single client may show no outside address, such as one whose filter matches little.
    for (const tenant of TENANTS) {
      const own = this.clients.filter(({ client }) => client.tenantId === tenant);
      assert.ok(
        own.some(({ client }) => client.seen.includes(`${OUTSIDE[tenant]}.`)),
        `${tenant} got addresses`,
      );
    }
  }

  async end(): Promise<void> {
    for (const { client } of this.clients) await client.disconnect();
  }
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  return () => {
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4_294_967_296;
  };
}

testDatabase(
  "stream: snapshot and deltas give the later snapshot, with two cores and restarts",
  async (db) => {
    const seed = Number(Deno.env.get("NDR_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));
    const world = new World(db, seeded(seed));
    try {
      await world.start();
      for (let step = 0; step < scaled(STEPS); step++) {
        await world.step();
        await world.check();
      }
      world.checkIsolation();
    } catch (error) {
      console.error(`seed ${seed}`);
      throw error;
    } finally {
      await world.end();
    }
    if (IS_SOAK) console.log(seed, world.counts);
  },
);
