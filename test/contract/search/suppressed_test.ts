// Export and aggregation of incidents take the same choice about suppressed ones as their list.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

testDatabase("export and aggregation: only suppressed incidents, only others, or both", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [1, 2, 3].map((n) => alert({ at: NOW - MINUTE, src: `10.0.0.${n}`, sid: n })));
  const { data } = await api.read("listIncidents");
  const body = {
    pattern: { source: data[0]!.device_ids[0], detector: "signature-alert" },
    reason: "our scanner",
    expires_at: "2026-01-31T08:15:00Z",
  };
  await checked("createSuppression", await api.change("createSuppression", {}, { body }));

  const exported = async (query: Record<string, string>) => {
    const response = await api.send("exportSearch", { kind: "incidents", format: "ndjson", ...query });
    assert.equal(response.status, 200);
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { id: string }).id).sort();
  };
  const listed = async (query: Record<string, string>) =>
    (await api.read("listIncidents", query)).data.map(({ id }) => id).sort();
  const counted = async (query: { suppressed?: string }) => {
    const choice = query.suppressed === undefined ? {} : { suppressed: query.suppressed === "true" };
    const filter = { version: 1, kind: "incidents", where: null };
    const { data } = await api.read("aggregateSearch", {}, { method: "POST", body: { filter, ...choice } });
    return Number(data.groups[0]?.total ?? 0);
  };
  for (
    const [query, count] of [[{ suppressed: "true" }, 1], [{ suppressed: "false" }, 2], [{}, 3]] as const
  ) {
    const ids = await exported(query);
    assert.equal(ids.length, count);
    assert.deepEqual(ids, await listed(query));
    assert.equal(await counted(query), count);
  }
  api.clock.advance(2 * 3600);
  assert.deepEqual(await exported({ suppressed: "true" }), [], "an expired suppression covers nothing");
  assert.equal(await counted({ suppressed: "true" }), 0);
});
