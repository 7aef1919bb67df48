import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { formatMicros, formatMillis } from "../../../src/kit/time.ts";
import { alert, conn } from "../records.ts";
import { Api, DAY, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";

testDatabase("windows: flows by start, half-open, the last 15 minutes by default", async (db) => {
  const api = new Api(db);
  const ages = [15 * MINUTE + 1, 15 * MINUTE, 14 * MINUTE, 1, 0];
  // Each lasts a minute: only its start counts.
  await api.take(ZEEK, ages.map((age, i) => conn({ at: NOW - age, seconds: 60, srcPort: 50000 + i })));
  const ports = async (query: Record<string, string> = {}) =>
    (await api.read("listFlows", query)).data.map((flow) => flow.src.port).sort();
  assert.deepEqual(await ports(), [50001, 50002, 50003]);

  const at = formatMicros;
  assert.deepEqual(await ports({ from: at(NOW - 15 * MINUTE - 1), to: at(NOW) }), [
    50000,
    50001,
    50002,
    50003,
  ]);
  assert.deepEqual(await ports({ from: at(NOW - 15 * MINUTE), to: at(NOW + 1) }), [
    50001,
    50002,
    50003,
    50004,
  ]);
  assert.deepEqual(await ports({ from: at(NOW - 14 * MINUTE) }), [50002, 50003]);
  // Only `to`: the 15 minutes before it.
  assert.deepEqual(await ports({ to: at(NOW - 14 * MINUTE) }), [50000, 50001]);
  assert.deepEqual(await ports({ from: "2026-01-31T08:00:00+01:00", to: "2026-01-31t02:00:30.5-05:00" }), [
    50001,
  ]);
});

testDatabase("windows: refused values on every route with a window", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert()]);
  const device_id = (await api.read("listDevices")).data[0]!.device_id;
  const at = formatMillis;
  for (const id of ["listFlows", "listIncidents", "getDevice"] as const) {
    const send = (query: Record<string, string>) => api.send(id, query, {}, { device_id });
    for (
      const range of [
        { from: at(NOW), to: at(NOW) },
        { from: at(NOW), to: at(NOW - SECOND) },
        { from: at(NOW + MINUTE) },
      ] as Record<string, string>[]
    ) {
      await refusal(await send(range), 400, "invalid_time_range");
    }
    const malformed = [
      "yesterday",
      "",
      "1769843700",
      "2026-01-31",
      "2026-01-31T07:15:00",
      "2026-02-30T00:00:00Z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T07:15:00 01:00",
      "12026-01-31T07:15:00Z",
    ];
    for (const text of malformed) {
      for (const name of ["from", "to"]) {
        const error = await refusal(await send({ [name]: text }), 400, "invalid_request");
        assert.match(error.message, new RegExp(`^${name}: expected an RFC 3339 timestamp`));
        assert.equal((error.details.issues as { path: string }[])[0]!.path, name);
      }
    }
  }
});

testDatabase(
  "windows: flows and a device's detail cover at most 31 days, incidents any time",
  async (db) => {
    const api = new Api(db);
    await api.take(SURICATA, [alert({ at: NOW - 40 * DAY }), alert({ at: NOW - DAY, src: "10.0.0.8" })]);
    const device_id = (await api.read("listDevices")).data[0]!.device_id;
    const month = { from: formatMicros(NOW - 31 * DAY), to: formatMicros(NOW) };
    const more = { from: formatMicros(NOW - 31 * DAY - 1), to: formatMicros(NOW) };
    for (const id of ["listFlows", "getDevice"] as const) {
      await api.read(id, month, {}, { device_id });
      const error = await refusal(await api.send(id, more, {}, { device_id }), 400, "invalid_time_range");
      assert.equal(error.details.max_days, 31);
      assert.match(error.message, /31 days/);
    }
    assert.equal((await api.read("listIncidents", month)).data.length, 1);
    const ever = { from: "0001-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999999Z" };
    assert.equal((await api.read("listIncidents", ever)).data.length, 2);
  },
);
