// A walk through the pages of any collection, while records come in and people work, meets every row that the list had when
// it began exactly once, in the order that it had. Which collections there are is read from the route table.

import assert from "node:assert/strict";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { type Api, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { CORE_ROUTES, type Ids, World } from "../isolation/world.ts";
import { alert, conn, dns, eveFlow } from "../records.ts";

const COLLECTIONS = CORE_ROUTES.filter(([, { query }]) => query !== undefined && "cursor" in query.shape);
const CREATIONS = CORE_ROUTES.filter(([, route]) => route.write && route.status === 201);

interface Page {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

/** A tenant whose lists change with each step. */
class Restless {
  #step = 0;
  #people = 0;
  /** What there may be one of for each incident needs several of them. */
  #incidents: string[] = [];

  private constructor(readonly world: World, readonly api: Api, readonly ids: Ids) {}

  static async create(world: World): Promise<Restless> {
    const { api } = world;
    await api.take(ZEEK, Array.from({ length: 14 }, (_, n) => conn(FLOWS[n]!)));
    await api.take(ZEEK, Array.from({ length: 8 }, (_, n) => observation(n, "a")));
    await api.take(SURICATA, Array.from({ length: 8 }, (_, n) => threat(n, NOW - 2 * MINUTE)));
    const { data } = await api.read("listFlows", { service: "dns", limit: 1 });
    const ids = { ...world.ids("main"), flow_id: data[0]!.flow_id };
    const restless = new Restless(world, api, ids);
    restless.#incidents = (await api.read("listIncidents", { limit: 500 })).data.map(({ id }) => id);
    for (let n = 0; n < 5; n++) await restless.people();
    return restless;
  }

  /** What happens between two pages. */
  async goOn(): Promise<void> {
    const step = ++this.#step;
    this.api.clock.advance(5);
    const now = this.api.clock.now();
    // Two flows turn out to have begun before others that the walk has not come to yet, some for the second time.
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
      // An incident that was in the window goes on beyond its end; another one begins, about a device that is new.
      threat(step % 8, now - SECOND, step),
      alert({ at: now - SECOND, src: `10.7.${step % 250}.1`, sid: 90_000 + step }),
    ]);
    await this.api.take(ZEEK, [
      conn({ at: now - 2 * SECOND, srcPort: 20_000 + step }),
      conn({ at: FLOWS[step % 14]!.at + 5 * SECOND, srcPort: 30_000 + step }),
      observation(100 + step, "b"),
    ]);
    if (step % 2 === 0) await this.people();
  }

  /** Everybody creates one of everything. */
  async people(): Promise<void> {
    const incident_id = this.#incidents[this.#people++ % this.#incidents.length]!;
    for (const [id, route] of CREATIONS) {
      const request = this.world.request(route, { ...this.ids, incident_id });
      const response = await this.api.core.send({ ...request, roles: [route.role] });
      const text = await response.text();
      // What may be proposed once only is refused the second time, which leaves its line in the audit.
      assert.ok(
        response.status === 201 || response.status === 400 || response.status === 409,
        `${id}: ${text}`,
      );
    }
  }

  async page(route: Route, query: Record<string, string>): Promise<Page> {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.ids[name]!);
    const target = `${path}?${new URLSearchParams(query)}`;
    const response = await this.api.core.send({ target, roles: [route.role] });
    const text = await response.text();
    assert.equal(response.status, 200, `${target}: ${text}`);
    return JSON.parse(text);
  }
}

const FLOWS = Array.from(
  { length: 14 },
  (_, n) => ({ at: NOW - MINUTE - n * 10 * SECOND, srcPort: 40_000 + n }),
);

/** Of one flow, all at one time or each at its own. */
function observation(n: number, group: string): string {
  return dns({
    at: NOW - 5 * MINUTE + (group === "b" ? n % 3 : 0),
    query: `w${n}.example.com`,
    more: { rtt: 3, trans_id: n },
  });
}

function threat(n: number, at: number, sid = 0): string {
  return alert({ src: `10.0.8.${n}`, at, sid: 2_018_000 + sid });
}

/** What a row is known by: its identifiers. */
function keyOf(row: Record<string, unknown>): string {
  const ids = Object.entries(row).filter(([name, value]) =>
    /(^|_)id$/.test(name) && typeof value === "string"
  );
  return JSON.stringify(ids.map(([, value]) => value));
}

async function walk(restless: Restless, route: Route, query: Record<string, string>, limits: number[]) {
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const limit = String(limits[pages++ % limits.length]);
    const page: Page = await restless.page(
      route,
      cursor === null ? { ...query, limit } : { ...query, limit, cursor },
    );
    seen.push(...page.data.map(keyOf));
    cursor = page.next_cursor;
    if (cursor !== null) await restless.goOn();
    assert.ok(pages < 500, "a walk ends");
  } while (cursor !== null);
  return { seen, pages };
}

testDatabase("walks: every collection shows each row that it had at the start exactly once", async (db) => {
  const restless = await Restless.create(await World.create(db));
  assert.ok(COLLECTIONS.length >= 7);
  for (const [id, route] of COLLECTIONS as [OperationId, Route][]) {
    // The default window, where there is one: what it was when the walk began.
    const atStart = (await restless.page(route, { limit: "500" })).data.map(keyOf);
    assert.ok(atStart.length >= 5, `${id} has ${atStart.length} rows`);
    assert.equal(new Set(atStart).size, atStart.length, id);
    const few = Math.ceil(atStart.length / 4);
    const { seen, pages } = await walk(restless, route, {}, [few, 1, few]);
    assert.ok(pages > 3, id);
    assert.equal(new Set(seen).size, seen.length, `${id}: no row twice`);
    const known = new Set(atStart);
    assert.deepEqual(seen.filter((key) => known.has(key)), atStart, `${id}: each row, in its order`);
  }
  assert.ok(Object.keys(ROUTES).length > COLLECTIONS.length);
});
