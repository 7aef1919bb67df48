// What a scan through the pages of any collection promises while records arrive and people work: a row is never skipped because
// others were inserted, and appears once, in its order, unless its sort key changes. The collections are read from the route table;
// those with several orders are scanned in the one that shows every row.

import assert from "node:assert/strict";
import type { z } from "@hono/zod-openapi";
import { DEVICE_SORTS } from "../../../src/contract/device/query.ts";
import { INCIDENT_SORTS } from "../../../src/contract/incident/incident.ts";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { testDatabase } from "../../support/database.ts";
import { type Api, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { changeHealth, CORE_ROUTES, type Ids, signIn, World } from "../isolation/world.ts";
import { alert, conn, dns, eveFlow, rawLine } from "../records.ts";
import { aRequestFor } from "../requests.ts";

const COLLECTIONS = CORE_ROUTES.filter(([, { query }]) => query !== undefined && "cursor" in query.shape);
const CREATIONS = CORE_ROUTES.filter(([, route]) => route.write && [201, 202].includes(route.status));

interface Page {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

/** A tenant whose lists change with each step. */
class BusyTenant {
  #step = 0;
  #creations = 0;
  /** Some objects may exist once for each incident, so creations take turns. */
  #incidents: string[] = [];

  private constructor(readonly world: World, readonly api: Api, readonly ids: Ids) {}

  static async create(world: World): Promise<BusyTenant> {
    const { api } = world;
    await api.take(ZEEK, Array.from({ length: 14 }, (_, n) => conn(FLOWS[n]!)));
    await api.take(ZEEK, Array.from({ length: 8 }, (_, n) => observation(n, "a")));
    await api.take(SURICATA, Array.from({ length: 8 }, (_, n) => threat(n, NOW - 2 * MINUTE)));
    for (let n = 0; n < 6; n++) await api.take(ZEEK, failed(-n));
    const { data } = await api.read("listFlows", { service: "dns", limit: 1 });
    const ids = { ...world.ids("main"), flow_id: data[0]!.flow_id };
    const busy = new BusyTenant(world, api, ids);
    busy.#incidents = (await api.read("listIncidents", { limit: 500 })).data.map(({ id }) => id);
    for (let n = 0; n < 5; n++) await busy.createAll();
    for (let n = 0; n < 5; n++) await busy.step();
    return busy;
  }

  /** What happens between two pages. */
  async step(): Promise<void> {
    const step = ++this.#step;
    this.api.clock.advance(5);
    const now = this.api.clock.now();
    // Two flows move behind flows that the scan has not reached yet, some for the second time.
    const grown = [step * 5 % 14, (step * 5 + 3) % 14].map((n) => {
      const back = 15 + (step % 4) * 7;
      return eveFlow({
        ...FLOWS[n]!,
        at: FLOWS[n]!.at - back * SECOND,
        seconds: back + 1,
        more: { flow_id: n },
      });
    });
    await this.api.take(SURICATA, [
      ...grown,
      // An incident of the window continues beyond its end; another one begins about a new device.
      threat(step % 8, now - SECOND, step),
      alert({ at: now - SECOND, src: `10.7.${step % 250}.1`, sid: 90_000 + step }),
    ]);
    await this.api.take(ZEEK, [
      conn({ at: now - 2 * SECOND, srcPort: 20_000 + step }),
      conn({ at: FLOWS[step % 14]!.at + 5 * SECOND, srcPort: 30_000 + step }),
      observation(100 + step, "b"),
      ...failed(step),
    ]);
    await changeHealth(this.api, "main", now - SECOND);
    await signIn(this.api, "main", `person-${step * 7 % 10}-${step}`);
    if (step % 2 === 0) await this.createAll();
  }

  /** Sends one of every creating request. */
  async createAll(): Promise<void> {
    const incident_id = this.#incidents[this.#creations++ % this.#incidents.length]!;
    for (const [id, route] of CREATIONS) {
      const request = this.world.request(route, { ...this.ids, incident_id });
      const response = await this.api.core.send({ ...request, roles: [route.role] });
      const text = await response.text();
      // A second proposal of the same thing is refused, which adds a row to the audit.
      assert.ok(
        response.status === route.status || response.status === 400 || response.status === 409,
        `${id}: ${text}`,
      );
    }
  }

  async page(route: Route, query: Record<string, string>): Promise<Page> {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.ids[name]!);
    const target = `${path}?${new URLSearchParams(query)}`;
    const { body } = aRequestFor(route);
    const response = await this.api.core.send({ method: route.method, target, body, roles: [route.role] });
    const text = await response.text();
    assert.equal(response.status, 200, `${target}: ${text}`);
    return JSON.parse(text);
  }
}

const FLOWS = Array.from(
  { length: 14 },
  (_, n) => ({ at: NOW - MINUTE - n * 10 * SECOND, srcPort: 40_000 + n }),
);

/** An observation of one flow: all of group a at one time, those of group b at three times. */
function observation(n: number, group: string): string {
  return dns({
    at: NOW - 5 * MINUTE + (group === "b" ? n % 3 : 0),
    query: `w${n}.example.com`,
    more: { rtt: 3, trans_id: n },
  });
}

/** An unparsed record and a rejected line. */
function failed(n: number): string[] {
  return [rawLine("zeek.conn", formatMicros(NOW), `{"n":${n}}`), `{"n":${n}`];
}

function threat(n: number, at: number, sid = 0): string {
  return alert({ src: `10.0.8.${n}`, at, sid: 2_018_000 + sid });
}

/** A row's identifiers. */
function keyOf(row: Record<string, unknown>): string {
  const ids = Object.entries(row).filter(([name, value]) =>
    /(^|_)id$|^subject$/.test(name) && typeof value === "string"
  );
  return JSON.stringify(ids.map(([, value]) => value));
}

/** One scan through the pages of a collection. */
class Scan {
  readonly seen: Page["data"] = [];
  pages = 0;
  #cursor: string | null = null;

  constructor(
    readonly busy: BusyTenant,
    readonly id: OperationId,
    readonly route: Route,
    readonly query: Record<string, string>,
    /** Rows of each page in turn. */
    readonly limits: readonly number[],
  ) {}

  get name(): string {
    return `${this.id} ${this.query.sort ?? ""}`;
  }

  /** All rows at this moment. */
  async all(): Promise<Page["data"]> {
    return (await this.busy.page(this.route, { ...this.query, limit: "500" })).data;
  }

  /** Reads the next page; false if it was the last one. */
  async next(): Promise<boolean> {
    const limit = String(this.limits[this.pages++ % this.limits.length]);
    const query = { ...this.query, limit, ...this.#cursor === null ? {} : { cursor: this.#cursor } };
    const page: Page = await this.busy.page(this.route, query);
    this.seen.push(...page.data);
    this.#cursor = page.next_cursor;
    assert.ok(this.pages < 500, `${this.name}: a scan ends`);
    return this.#cursor !== null;
  }
}

/** Scans side by side, so that each change of the lists meets all of them; each is checked as soon as it has ended. */
async function together(
  busy: BusyTenant,
  scans: readonly Scan[],
  ended: (scan: Scan) => Promise<void> | void,
) {
  let open = scans;
  while (open.length > 0) {
    const more: Scan[] = [];
    for (const scan of open) {
      if (await scan.next()) more.push(scan);
      else await ended(scan);
    }
    if (more.length > 0) await busy.step();
    open = more;
  }
}

/** A row with its sort key, as far as that can change: a flow's start. */
function placeOf(row: Record<string, unknown>): string {
  return `${keyOf(row)} ${row.start ?? ""}`;
}

/** The orders that a collection offers. */
function sortsOf({ query }: Route): string[] {
  const sort = query?.shape.sort as z.ZodDefault<z.ZodEnum> | undefined;
  return sort?.unwrap().options.map(String) ?? [];
}

/** The members that an order compares, unless it is named after the only one. */
const SHOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  severity: ["score", "last_seen"],
  device: ["device_ids"],
  detector: ["model_ids"],
  address: ["addresses"],
  vlan: ["vlan_ids"],
};

testDatabase("page scans: in any order, rows that do not move are shown once, in order", async (db) => {
  const busy = await BusyTenant.create(await World.create(db));
  const scans = new Map<Scan, { placeOf: (row: Record<string, unknown>) => string; before: string[] }>();
  for (const [id, route] of COLLECTIONS as [OperationId, Route][]) {
    // Thousands of flows arrive during a scan; their orders are scanned in flow/flow-list_test.ts.
    if (id === "listFlows") continue;
    for (const sort of sortsOf(route)) {
      const order = sort.replace("-", "");
      const keys = SHOWN_KEYS[order] ?? [order];
      const placeOf = (row: Record<string, unknown>) => `${keyOf(row)} ${keys.map((key) => row[key])}`;
      const query = { sort, ...id === "listIncidents" ? { from: "2026-01-01T00:00:00Z" } : {} };
      const scan = new Scan(busy, id, route, query, [2, 1, 3]);
      scans.set(scan, { placeOf, before: (await scan.all()).map(placeOf) });
    }
  }
  await together(busy, [...scans.keys()], async (scan) => {
    const { placeOf, before } = scans.get(scan)!;
    const after = new Set((await scan.all()).map(placeOf));
    const still = before.filter((place) => after.has(place));
    assert.ok(still.length >= 1, `${scan.name}: ${still.length} of ${before.length}`);
    assert.deepEqual(scan.seen.map(placeOf).filter((place) => still.includes(place)), still, scan.name);
    assert.ok(scan.pages > 2, scan.name);
  });
  assert.equal(scans.size, INCIDENT_SORTS.length + DEVICE_SORTS.length);
});

testDatabase("page scans: rows are neither skipped nor repeated while others are inserted", async (db) => {
  const busy = await BusyTenant.create(await World.create(db));
  assert.ok(COLLECTIONS.length >= 7);
  const scans = new Map<Scan, Page["data"]>();
  for (const [id, route] of COLLECTIONS as [OperationId, Route][]) {
    // Operations with a time window use the default one, which ends when the scan begins.
    const query: Record<string, string> = sortsOf(route).includes("-first_seen")
      ? { sort: "-first_seen" }
      : {};
    const before = await new Scan(busy, id, route, query, []).all();
    assert.ok(before.length >= 5, `${id} has ${before.length} rows`);
    assert.equal(new Set(before.map(keyOf)).size, before.length, id);
    const few = Math.ceil(before.length / 4);
    scans.set(new Scan(busy, id, route, query, [few, 1, few]), before);
  }
  await together(busy, [...scans.keys()], (scan) => {
    const { id, seen, pages } = scan;
    const before = scans.get(scan)!;
    assert.ok(pages > 3, id);
    assert.equal(new Set(seen.map(placeOf)).size, seen.length, `${id}: a row that appears twice has moved`);
    const shown = new Set(seen.map(keyOf));
    assert.deepEqual(before.map(keyOf).filter((key) => !shown.has(key)), [], `${id}: no row is skipped`);
    const wanted = new Set(before.map(placeOf));
    const inOrder = seen.map(placeOf).filter((place) => wanted.has(place));
    const unmoved = new Set(inOrder);
    assert.deepEqual(
      before.map(placeOf).filter((place) => unmoved.has(place)),
      inOrder,
      `${id}: rows that do not move keep their order`,
    );
    // The search is one for flows.
    if (id !== "listFlows" && id !== "search") {
      assert.equal(inOrder.length, before.length, `${id}: only flows move`);
    }
  });
  assert.ok(Object.keys(ROUTES).length > COLLECTIONS.length);
});
