// The promises of an idempotency key on every route that writes: identical requests have one effect, however
// many arrive at once and at whichever core. The routes come from the route table.

import assert from "node:assert/strict";
import type { Route } from "../../../src/contract/routes.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { freshPostgres, POSTGRES_URL, testDatabase } from "../../support/database.ts";
import { Api } from "../api.ts";
import {
  type ApiRequest,
  CORE_ROUTES,
  type Ids,
  type TestTenant,
  wholeTenant,
  World,
} from "../isolation/world.ts";

const WRITES = CORE_ROUTES.filter(([, route]) => route.write);
const AT_ONCE = 20;

/** A test with two cores on one database, each with its own pool; PGlite has one connection for both. */
function testWithTwoCores(name: string, body: (one: Database, other: Database) => Promise<void>): void {
  if (POSTGRES_URL === "") return testDatabase(name, (db) => body(db, db));
  Deno.test(name, async () => {
    const { url, drop } = await freshPostgres();
    const pools = [new PostgresDatabase({ url }), new PostgresDatabase({ url })] as const;
    try {
      await body(...pools);
    } finally {
      for (const pool of pools) await pool.close();
      await drop();
    }
  });
}

/** Row counts of a tenant, table by table. */
async function rowCounts(db: Database, tenant: TestTenant): Promise<Map<string, number>> {
  const whole = await wholeTenant(db, tenant);
  return new Map(Object.entries(whole).map(([table, rows]) => [table, rows.length]));
}

function added(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const changes = [...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, more]) => more !== 0));
}

interface Answered {
  status: number;
  etag: string | null;
  text: string;
}

class Caller {
  readonly #cores: Api[];

  private constructor(
    readonly world: World,
    other: Database,
    readonly ids: Record<TestTenant, { old: Ids; fresh: Ids }>,
  ) {
    this.#cores = [world.api, new Api(other)];
  }

  static async create(one: Database, other: Database): Promise<Caller> {
    const world = await World.create(one);
    const idsOf = async (tenantId: TestTenant) => {
      const proposals = await world.api.read("listProposals", { kind: "classification" }, { tenantId });
      const old: Ids = { ...world.ids(tenantId), proposal_id: proposals.data[0]!.proposal_id };
      const incidents = await world.api.read("listIncidents", {}, { tenantId });
      // An incident without a proposal and without a run.
      const incident_id = incidents.data.find(({ id }) => id !== old.incident_id)!.id;
      return { old, fresh: { ...old, incident_id } };
    };
    return new Caller(world, other, { main: await idsOf("main"), branch: await idsOf("branch") });
  }

  async send(core: 0 | 1, route: Route, tenantId: TestTenant, request: ApiRequest): Promise<Answered> {
    const response = await this.#cores[core]!.core.send({ ...request, tenantId, roles: [route.role] });
    return { status: response.status, etag: response.headers.get("etag"), text: await response.text() };
  }

  request(route: Route, tenant: TestTenant, key: string, change: Partial<ApiRequest> = {}): ApiRequest {
    const { old, fresh } = this.ids[tenant];
    const { headers, ...rest } = this.world.request(route, route.status === 200 ? old : fresh);
    return { ...rest, ...change, headers: { ...headers, "idempotency-key": key } };
  }
}

testWithTwoCores(
  "idempotency: twenty concurrent requests have one effect and one answer",
  async (one, other) => {
    const caller = await Caller.create(one, other);
    for (const [id, route] of WRITES) {
      const once = await rowCounts(one, "branch");
      const single = await caller.send(
        0,
        route,
        "branch",
        caller.request(route, "branch", `single-${id}`),
      );
      assert.equal(single.status, route.status, `${id}: ${single.text}`);
      const byOne = added(once, await rowCounts(one, "branch"));

      const before = await rowCounts(one, "main");
      const request = caller.request(route, "main", `together-${id}`);
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => caller.send(n % 2 === 0 ? 0 : 1, route, "main", request)),
      );
      // Requests during the first one are told to wait, and all others get its answer.
      const done = answers.filter(({ status }) => status !== 409);
      assert.ok(done.length >= 1, id);
      for (const answer of done) assert.deepEqual(answer, done[0], id);
      assert.equal(done[0]!.status, route.status, `${id}: ${done[0]!.text}`);
      for (const { status, text } of answers) {
        if (status === 409) {
          assert.equal(JSON.parse(text).error.details.reason, "idempotency_in_progress", text);
        }
      }
      for (const core of [0, 1] as const) {
        assert.deepEqual(await caller.send(core, route, "main", request), done[0], `${id}: a late retry`);
      }
      // As many rows per table as one request leaves; its claim is one of them.
      assert.deepEqual(added(before, await rowCounts(one, "main")), byOne, id);
      assert.equal(byOne.idempotency, 1, id);
    }
  },
);

testWithTwoCores("idempotency: a key identifies one request", async (one, other) => {
  const caller = await Caller.create(one, other);
  const { world } = caller;
  for (const [id, route] of WRITES) {
    const key = `key-of-${id}`;
    const request = caller.request(route, "main", key);
    assert.equal((await caller.send(0, route, "main", request)).status, route.status, id);
    const body = { ...request.body as object };
    const others: Partial<ApiRequest>[] = [
      // The same meaning; but every byte is bound.
      { body: ` ${JSON.stringify(body)}` as unknown },
    ];
    if (route.path.includes("{")) {
      others.push({ target: world.request(route, world.missing, world.ids("main")).target });
    }
    const before = await rowCounts(one, "main");
    for (const change of others) {
      const answer = await caller.send(1, route, "main", caller.request(route, "main", key, change));
      assert.equal(answer.status, 422, `${id} ${JSON.stringify(change)}: ${answer.text}`);
      assert.equal(JSON.parse(answer.text).error.code, "invalid_request");
      assert.equal(JSON.parse(answer.text).error.details.reason, "idempotency_mismatch");
    }
    assert.deepEqual(added(before, await rowCounts(one, "main")), {}, `${id}: nothing happened`);
    // The same key of another person or tenant is another key.
    const response = await world.api.core.send({ ...request, roles: [route.role], subject: "bob" });
    assert.notEqual(response.status, 422, id);
    const elsewhere = caller.request(route, "branch", key);
    assert.equal((await caller.send(0, route, "branch", elsewhere)).status, route.status, id);
  }
});

testWithTwoCores("idempotency: a key is required and has a format", async (one, other) => {
  const caller = await Caller.create(one, other);
  const bad = ["", " ", "with space", "a,b c", "é", "k\u0080", "x".repeat(129), '"\t"'];
  const good = [
    "x",
    "x".repeat(128),
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "5f0c2e1a-9d3b-4c55-8a53-0e6a0a6c2d10",
  ];
  for (const [id, route] of WRITES) {
    const { headers: { "idempotency-key": _, ...headers }, ...request } = caller.request(route, "main", "x");
    const none = await caller.send(0, route, "main", { ...request, headers });
    assert.equal(none.status, 400, id);
    assert.equal(JSON.parse(none.text).error.details.header, "Idempotency-Key");
    for (const key of bad) {
      const answer = await caller.send(0, route, "main", caller.request(route, "main", key));
      assert.equal(answer.status, 400, `${id} ${JSON.stringify(key)}`);
      assert.match(JSON.parse(answer.text).error.message, /Idempotency-Key/);
    }
  }
  const [id, route] = WRITES.find(([, { status }]) => status === 201)!;
  for (const key of good) {
    const answer = await caller.send(0, route, "main", caller.request(route, "main", key));
    assert.ok([201, 409].includes(answer.status), `${id} ${key}: ${answer.text}`);
  }
});
