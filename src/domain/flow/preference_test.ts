import assert from "node:assert/strict";
import { TRUST_CLASSES, type TrustClass } from "../../contract/record/kinds.ts";
import { exported, observation, session } from "../../../test/support/domain/flow-fixtures.ts";
import { preference as rankOf, RANK_WITHOUT_COUNTERS } from "./preference.ts";

const preference = (observed: typeof zeek, trust: TrustClass) => rankOf(observed, trust, false);

const zeek = observation(0, 1, { counters: session(1, 1) });
const suricata = observation(0, 1, { source: "suricata", counters: session(1, 1) });
const oneWay = observation(0, 1, { source: "netflow", counters: exported(1) });
const none = observation(0, 0, { counters: null });

Deno.test("packet sensors rank before exporters, both directions before one, Zeek before Suricata, totals before parts", () => {
  const ranks = [
    preference(zeek, "packet"),
    preference(suricata, "packet"),
    preference(oneWay, "packet"),
    preference(suricata, "firewall_app"),
    preference(zeek, "exporter"),
    preference(oneWay, "exporter"),
    rankOf(oneWay, "exporter", true),
    preference(none, "packet"),
    preference(none, "exporter"),
  ];
  assert.deepEqual(ranks, [...ranks].sort((a, b) => a - b));
  assert.equal(new Set(ranks).size, ranks.length);
});

Deno.test("observations without counters rank after all others", () => {
  for (const trust of TRUST_CLASSES) {
    for (const counted of [zeek, suricata, oneWay, observation(0, 1, { counters: session(null, null) })]) {
      assert.ok(preference(counted, trust) < RANK_WITHOUT_COUNTERS, trust);
    }
    assert.ok(preference(none, trust) >= RANK_WITHOUT_COUNTERS, trust);
  }
});

Deno.test("a direction counts as measured if it has bytes or packets, zero included", () => {
  const packetsOnly = observation(0, 1, {
    counters: {
      srcToDst: { bytes: null, packets: 0 },
      dstToSrc: { bytes: 0, packets: null },
      semantics: "session",
    },
  });
  assert.equal(preference(packetsOnly, "packet"), preference(zeek, "packet"));
});
