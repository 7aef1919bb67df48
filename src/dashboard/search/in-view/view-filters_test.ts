import assert from "node:assert/strict";
import { parseText } from "../../../contract/filter/parser.ts";
import { filtersInView, type Viewed } from "./view-filters.ts";

const end = (ip: string, device_id: string | null = null) => ({ ip, port: 1, device_id, geo: null });
const VIEWED: Viewed = {
  flows: [
    { src: end("10.0.0.1", "a"), dst: end("192.0.2.1"), service: "tls", server_name: "www.example.net" },
    { src: end("10.0.0.1", "a"), dst: end("192.0.2.2"), service: "dns", server_name: null },
    { src: end("10.0.0.2", "b"), dst: end("192.0.2.2"), service: "tls", server_name: null },
    ...Array.from({ length: 9 }, () => (
      { src: end("10.0.0.1"), dst: end("0.0.0.0"), service: null, server_name: null }
    )),
  ],
  devices: [
    { device_id: "a", display_name: "Front desk", device_type: "workstation" },
    { device_id: "b", display_name: "b", device_type: "printer" },
  ],
  incidents: [{ device_ids: ["b"], model_ids: ["beacon"], severity: "high" }],
};
const NOTHING: Viewed = { flows: [], devices: [], incidents: [] };

Deno.test("what is offered after a miss is the most frequent value of each field in view", () => {
  assert.deepEqual(filtersInView("flows", VIEWED), [
    'device="Front desk"',
    "service=tls",
    "server_name=www.example.net",
    "dst.ip:192.0.2.2",
  ]);
  assert.deepEqual(filtersInView("devices", VIEWED), ['device="Front desk"', "device.type=workstation"]);
  assert.deepEqual(filtersInView("incidents", VIEWED), ["device=b", "detector=beacon", "severity:high"]);
});

Deno.test("without rows nothing is offered, and hostile values are quoted", () => {
  for (const kind of ["flows", "devices", "incidents"] as const) {
    assert.deepEqual(filtersInView(kind, NOTHING), []);
    const hostile = [{ device_id: "c", display_name: 'x" or (', device_type: "unknown" }];
    const [first] = filtersInView(kind, { ...NOTHING, devices: hostile });
    assert.ok(first !== undefined && parseText(first).ok, `${first}`);
  }
});
