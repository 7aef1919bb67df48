import assert from "node:assert/strict";
import { FLOW } from "../../contract/openapi/examples/flows.ts";
import { tableCells, tableHeaders } from "./tables.ts";

Deno.test("an end that no record states is the resolver that wrote the log, or not stated", () => {
  const destination = (ip: string, port: number, source: "unbound" | "netflow") => {
    const primary_evidence = { ...FLOW.primary_evidence, source, sensor_id: `main-${source}` };
    const cells = tableCells("flows", { ...FLOW, dst: { ...FLOW.dst, ip, port }, primary_evidence }, "UTC");
    return cells[tableHeaders("flows").indexOf("DESTINATION")];
  };
  assert.equal(destination("198.51.100.7", 443, "netflow"), "198.51.100.7:443");
  assert.equal(destination("0.0.0.0", 0, "unbound"), "main-unbound");
  assert.equal(destination("::", 443, "netflow"), "not stated:443");
});
