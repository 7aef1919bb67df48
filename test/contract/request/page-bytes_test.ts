// Every collection ends its pages by bytes as well as by rows, and histories are bounded.

import assert from "node:assert/strict";
import type { OperationId, Route } from "../../../src/contract/routes.ts";
import { MAX_HISTORY } from "../../../src/contract/device/device.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { CORE_ROUTES, World } from "../isolation/world.ts";
import { alert, dns } from "../records.ts";
import { aRequestFor } from "../requests.ts";
import { scene } from "../responses.ts";

const COLLECTIONS = CORE_ROUTES.filter(([, { query }]) => query !== undefined && "cursor" in query.shape);
const CREATIONS = CORE_ROUTES.filter(([, route]) => route.write && route.status === 201);
const EVER = { from: "2026-01-30T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** The pages of a collection. */
async function pagesOf(
  api: Api,
  id: OperationId,
  route: Route,
  path: Record<string, string>,
): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = {
      ...(route.query!.shape.from ? EVER : {}),
      ...(cursor === null ? {} : { cursor }),
    };
    const { body } = aRequestFor(route);
    const response = await api.send(id, query, { roles: ["admin"], body }, path);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const page = JSON.parse(text);
    pages.push(page.data);
    cursor = page.next_cursor;
    assert.ok(pages.length < 500, "a scan ends");
  } while (cursor !== null);
  return pages;
}

testDatabase("every collection: pages end by bytes, and a scan through them loses nothing", async (db) => {
  const world = await World.create(db);
  const { api } = world;
  for (let n = 0; n < 4; n++) {
    await api.take(SURICATA, [alert({ src: `10.0.8.${n}`, at: NOW - n * SECOND, sid: 90_000 + n })]);
    // Observations of one flow.
    await api.take(ZEEK, [
      dns({ at: NOW - MINUTE, query: `w${n}.example.com`, more: { uid: "D1", rtt: 3, trans_id: n } }),
    ]);
  }
  const flow_id = (await api.read("listFlows", { ...EVER, service: "dns" })).data[0]!.flow_id;
  const path = { ...world.ids("main"), flow_id };
  for (const { id: incident_id } of (await api.read("listIncidents", EVER)).data) {
    for (const [, route] of CREATIONS) {
      const response = await api.core.send({
        ...world.request(route, { ...path, incident_id }),
        roles: [route.role],
      });
      assert.ok([201, 400, 409].includes(response.status), await response.text());
    }
  }

  // No item fits, so each page has the one that it must have.
  const bounded = new Api(db, [], { pageBytes: 1 });
  for (const [id, route] of COLLECTIONS) {
    const whole = (await pagesOf(api, id, route, path)).flat();
    assert.ok(whole.length > 1, `${id}: ${whole.length} items`);
    assert.deepEqual(await pagesOf(bounded, id, route, path), whole.map((item) => [item]), id);
  }
});

testDatabase("histories: a detail shows the newest entries, oldest first", async (db) => {
  const api = new Api(db);
  const { incident_id } = await scene(api);
  const changes = MAX_HISTORY + 5;
  for (let n = 1; n <= changes; n++) {
    const body = { status: n % 2 === 0 ? "open" : "investigating", comment: `change ${n}` };
    const response = await api.change("patchIncident", { incident_id }, { revision: n, body });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const { workflow_history } = JSON.parse(text).data;
    assert.equal(workflow_history.length, Math.min(n, MAX_HISTORY));
    assert.equal(workflow_history.at(-1).comment, `change ${n}`);
  }
  const { workflow_history } = (await api.read("getIncident", {}, {}, { incident_id })).data;
  assert.deepEqual(
    workflow_history.map(({ comment }) => comment),
    Array.from({ length: MAX_HISTORY }, (_, n) => `change ${changes - MAX_HISTORY + n + 1}`),
  );
});
