// Timing does not distinguish a foreign object from a missing one, by construction: the database gets the
// same statements, and row-level security and their tenant find nothing in both cases.

import assert from "node:assert/strict";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import type { Sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, NOW } from "../api.ts";
import { foreignAndMissing } from "./matrix.ts";
import { type ApiRequest, CORE_ROUTES, type Ids, World } from "./world.ts";

/** A database that records its statements. */
function noting(db: Database): { db: Database; asked: { text: string; values: unknown[] }[] } {
  const asked: { text: string; values: unknown[] }[] = [];
  const note = (statement: Sql) => {
    asked.push(statement.compile());
    return statement;
  };
  const noted = (tx: Tx): Tx => ({
    rows: (statement) => tx.rows(note(statement)),
    run: (statement) => tx.run(note(statement)),
  });
  return {
    asked,
    db: {
      engine: db.engine,
      tenant: (tenantId, work) => db.tenant(tenantId, (tx) => work(noted(tx))),
      shared: (work) => db.shared((tx) => work(noted(tx))),
      owner: (work) => db.owner(work),
      close: () => db.close(),
    },
  };
}

testDatabase("isolation: a foreign and a missing object cause the same statements", async (plain) => {
  const world = await World.create(plain);
  const { db, asked } = noting(plain);
  const api = new Api(db);
  assert.equal(api.clock.now(), NOW);
  const askedBy = async (request: ApiRequest, ids: Ids): Promise<string[]> => {
    asked.length = 0;
    const response = await api.core.send({ ...request, roles: ["admin", "analyst", "responder"] });
    await response.body?.cancel();
    assert.ok(asked.length > 0 || response.status === 400, request.target);
    // A write's identifiers, nonce and key differ each time; a read has none.
    return asked.map(({ text, values }) => request.method === "GET" ? text + named(values, ids) : text);
  };

  let compared = 0;
  for (const [id, route] of CORE_ROUTES) {
    const mine = world.request(route, world.ids("main"));
    for (const [foreign, missing] of foreignAndMissing(id, route, { world, tenant: "main" }, mine)) {
      const what = `${id}: ${foreign.method} ${foreign.target} ${JSON.stringify(foreign.body) ?? ""}`;
      const [seen, expected] = [
        await askedBy(foreign, world.ids("branch")),
        await askedBy(missing, world.missing),
      ];
      assert.deepEqual(seen, expected, what);
      compared++;
    }
  }
  assert.ok(compared > 15);
});

function named(values: unknown[], ids: Ids): string {
  const texts = values.map((value) => value instanceof Uint8Array ? value.toHex() : value);
  let text = JSON.stringify(texts, (_, value) => typeof value === "bigint" ? String(value) : value);
  for (const id of Object.values(ids)) {
    text = text.replaceAll(id, "<id>").replaceAll(id.replaceAll("-", ""), "<id>");
  }
  return text;
}
