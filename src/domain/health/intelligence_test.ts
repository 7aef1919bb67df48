import assert from "node:assert/strict";
import type { HealthReport } from "../../contract/health/health.ts";
import type { ListReport } from "../intel/indicator.ts";
import { type IntelligenceFacts, listVerdict } from "./intelligence.ts";
import { redactReport } from "./redact.ts";
import { facts } from "../../../test/support/domain/health-report-fixtures.ts";
import { healthReport } from "./report.ts";

const NOTHING: IntelligenceFacts = { lists: [], unreadable: [], failure: null, databases: [] };

function list(change: Partial<ListReport>): ListReport {
  return { name: "feed.txt", indicators: 100, skipped: 0, faulty: 0, faults: [], ...change };
}

function faults(count: number) {
  return Array.from(
    { length: count },
    (_, at) => ({ file: "feed.txt", line: at + 1, message: "expected a name" }),
  );
}

function report(change: Partial<IntelligenceFacts>): HealthReport {
  return healthReport(facts({ sensors: [], intelligence: { ...NOTHING, ...change } }));
}

function summary({ components }: HealthReport): unknown[] {
  return components.filter(({ kind }) => kind === "intelligence" || kind === "geoip")
    .map(({ id, status, message }) => [id, status, message]);
}

Deno.test("without lists and databases there are no components", () => {
  assert.deepEqual(summary(report({})), []);
});

Deno.test("unusable lines are named by file and line, the first five of them", () => {
  assert.deepEqual(listVerdict(list({ faulty: 1, faults: faults(1) })), {
    status: "ok",
    message: "1 line unusable: feed.txt:1: expected a name",
  });
  const { message } = listVerdict(list({ faulty: 30, faults: faults(20) }));
  assert.match(
    message ?? "",
    /^30 lines unusable: feed\.txt:1: .*feed\.txt:5: expected a name; and 25 more$/,
  );
});

Deno.test("a list is degraded if more of its lines are bad than good", () => {
  assert.equal(listVerdict(list({ faulty: 100 })).status, "ok");
  assert.equal(listVerdict(list({ faulty: 101 })).status, "degraded");
  assert.equal(listVerdict(list({ indicators: 0, skipped: 50, faulty: 50 })).status, "ok");
});

Deno.test("each list and each unreadable file is a component; administrators see the reason", () => {
  const unreadable = [{ file: "/etc/ndr/intel/b.csv", message: "expected a readable file" }];
  const databases = [{ file: "/etc/ndr/geoip/city.mmdb", message: "it is cut short" }];
  const full = report({ lists: [list({ name: "a.txt" }), list({ name: "b.csv" })], unreadable, databases });
  assert.deepEqual(summary(full), [
    ["intelligence:a.txt", "ok", null],
    ["intelligence:b.csv", "degraded", "/etc/ndr/intel/b.csv: expected a readable file"],
    ["geoip:city.mmdb", "degraded", "/etc/ndr/geoip/city.mmdb: it is cut short"],
  ]);
  assert.equal(full.status, "degraded");
  assert.deepEqual(summary(redactReport(full)), [
    ["intelligence:a.txt", "ok", null],
    ["intelligence:b.csv", "degraded", null],
    ["geoip:city.mmdb", "degraded", null],
  ]);
  assert.deepEqual(summary(report({ failure: "no memory" })), [["intelligence", "degraded", "no memory"]]);
});
