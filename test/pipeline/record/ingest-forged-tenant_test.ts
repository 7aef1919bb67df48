// A sensor's self-description, under any name and in any place, never assigns its records to another tenant:
// neither as evidence nor in the pipeline's results.

import assert from "node:assert/strict";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import { RECORD_KINDS, type RecordKind } from "../../../src/contract/record/kinds.ts";
import { wholeTenant } from "../../contract/isolation/world.ts";
import { alert } from "../../contract/records.ts";
import { testDatabase } from "../../support/database.ts";
import { settle } from "../../support/record/pipeline.ts";
import { counts, type Send, SOURCES, storedRecords, TestListener } from "./ingest-harness.ts";

/** Fields in which real sensors, shippers and brokers name a host, an instance or a customer. */
const NAMES = {
  host: "branch",
  hostname: "branch-1",
  host_name: "branch",
  sensor: "branch-1",
  sensor_id: "branch-1",
  sensor_name: "branch-1",
  _system_name: "branch",
  _path: "branch",
  _write_ts: "branch",
  peer: "branch",
  peer_ip_src: "branch",
  in_iface: "branch",
  tenant: "branch",
  tenant_id: "branch",
  tenant_ids: ["branch"],
  organization: { id: "branch" },
  labels: { tenant: "branch" },
  kubernetes: { namespace: "branch" },
  "@metadata": { index: "branch" },
  __proto: { tenant_id: "branch" },
};

testDatabase(
  "ingest: no self-description moves a record of any kind to another tenant",
  async (db) => {
    await using listener = await TestListener.start({ db });
    const plain = JSON.parse(alert());
    const forged = JSON.stringify({ ...plain.payload, ...NAMES }).replace(
      /^\{/,
      '{"__proto__":{"tenant_id":"branch"},',
    );
    const line = (kind: RecordKind) =>
      `{"tenant_id":"branch","tenant":"branch","sensor_id":"branch-1","host":"branch","kind":"${kind}",` +
      `"observed_at":"${plain.observed_at}","payload":${forged}}`;
    const answer = await listener.send({
      path: `${INGEST_PATH}?tenant_id=branch&sensor_id=branch-1&token=branch`,
      headers: {
        "x-ndr-tenant": "branch",
        "x-tenant-id": "branch",
        "x-sensor-id": "branch-1",
        "x-forwarded-for": "branch",
        forwarded: "host=branch",
        host: "branch.example",
        cookie: "tenant=branch",
      },
      body: RECORD_KINDS.map(line).join("\n"),
    });
    assert.deepEqual(counts(answer), { accepted: RECORD_KINDS.length, duplicates: 0, rejected: 0 });
    await settle(db, { tenantId: "main" });
    await settle(db, { tenantId: "branch" });

    const branch = await wholeTenant(db, "branch");
    assert.deepEqual(Object.entries(branch).filter(([, rows]) => rows.length > 0), []);
    const main = await wholeTenant(db, "main");
    assert.ok(main.flow!.length > 0 && main.device!.length > 0 && main.incident!.length > 0);
    const sensors = new Set((await storedRecords(db)).map(({ sensor_id }) => sensor_id));
    assert.deepEqual([...sensors], ["all-1"]);
  },
);

testDatabase(
  "ingest: two tokens in one request are both rejected, and tokens elsewhere are ignored",
  async (db) => {
    await using listener = await TestListener.start({ db });
    const [main, branch] = ["main", "branch"].map((tenant) =>
      SOURCES.find(({ source }) => source.tenantId === tenant && source.sensorId !== "flow-1")!.token.reveal()
    );
    const body = alert();
    const forgeries: Send[] = [
      { token: null, path: `${INGEST_PATH}?token=${main}&access_token=${main}` },
      { token: null, headers: { "x-source-token": main!, cookie: `token=${main}` } },
      { token: null, headers: { "proxy-authorization": `Bearer ${main}` } },
      { token: null, headers: { authorization: `Bearer ${main}, Bearer ${branch}` } },
      { token: null, headers: { authorization: `Bearer ${main} ${branch}` } },
      { token: null, headers: { authorization: `Basic ${btoa(`x:${main}`)}` } },
    ];
    for (const send of forgeries) {
      const answer = await listener.send({ body, ...send });
      assert.equal(answer.status, 401, JSON.stringify(send));
    }
    assert.deepEqual(await storedRecords(db, "main"), []);
    assert.deepEqual(await storedRecords(db, "branch"), []);
  },
);
