import assert from "node:assert/strict";
import fc from "fast-check";
import { CONNECTOR_STATES, FAILURE_CLASSES } from "../../contract/connector/connector.ts";
import type { HealthReport } from "../../contract/health/health.ts";
import { HEALTH_CONDITIONS } from "../../contract/health/conditions.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { LICENSE_STATES } from "../../contract/health/metrics.ts";
import { STATUS_ORDER } from "./component.ts";
import { CHOSEN_STATES } from "./connector.ts";
import { PUBLIC_MESSAGES, redactReport } from "./redact.ts";
import {
  ago,
  connector,
  facts,
  NOW,
  part,
  sensor,
} from "../../../test/support/domain/health-report-fixtures.ts";
import { type HealthFacts, healthReport, storeDownReport } from "./report.ts";
import { NO_SERVICES } from "./services.ts";

Deno.test("telemetry: same fields as the telemetry component, including the last payload, which every reader sees", () => {
  const lastPayload = { schema_version: 1, plan: "free" };
  const telemetry = { enabled: true, lastSentAt: ago(60), failure: "no route to 203.0.113.9", lastPayload };
  const report = healthReport(facts({ services: { ...NO_SERVICES, telemetry } }));
  const { last_payload, ...component } = report.telemetry;
  assert.deepEqual([component, last_payload], [part(report, "telemetry"), lastPayload]);
  assert.equal(component.message, "no route to 203.0.113.9");
  const redacted = redactReport(report);
  assert.deepEqual(redacted.telemetry.last_payload, lastPayload);
  assert.equal(redacted.telemetry.message, null, "the failure detail of telemetry is admin-only");
  assert.equal(part(redacted, "telemetry").message, null);
  assert.equal(redacted.telemetry.status, "degraded");
});

Deno.test("update: same fields as the update component, with the newer release, which every reader sees", () => {
  const release = {
    latest_version: "1.2.3",
    channel: "stable" as const,
    released_on: "2026-01-31",
    security: true,
    notice: "Closes a hole.",
    url: "https://ndr.example/releases/1.2.3",
  };
  const update = {
    ...NO_SERVICES.update,
    enabled: true,
    available: true,
    release,
    failure: "no route to 203.0.113.9",
  };
  const report = healthReport(facts({ services: { ...NO_SERVICES, update } }));
  const { release: shown, ...component } = report.update;
  assert.deepEqual([component, shown], [part(report, "update"), release]);
  const redacted = redactReport(report).update;
  assert.deepEqual([redacted.release, redacted.message, redacted.status], [release, null, "degraded"]);
  assert.equal(report.status, "ok", "nothing else is affected");
});

Deno.test("the overall status is the worst a component can cause", () => {
  const worst = (statuses: HealthStatus[]) =>
    STATUS_ORDER[Math.max(0, ...statuses.map((one) => STATUS_ORDER.indexOf(one)))];
  fc.assert(fc.property(anyFacts, (some) => {
    const report = healthReport(some);
    const [whole, ...parts] = report.components;
    const weights = parts.map(({ kind, status, connector }) => {
      if (connector !== null && CHOSEN_STATES.includes(connector.state)) return "ok";
      const { overall } = HEALTH_CONDITIONS[kind as keyof typeof HEALTH_CONDITIONS];
      return STATUS_ORDER[Math.min(STATUS_ORDER.indexOf(status), STATUS_ORDER.indexOf(overall))]!;
    });
    assert.equal(report.status, worst(weights));
    assert.equal(whole!.status, report.status);
  }));
});

Deno.test("a non-admin receives the same shape without any administrators' message", () => {
  fc.assert(fc.property(anyFacts, fc.boolean(), (some, storeAnswers) => {
    const needers = {
      sensorIds: ["zeek-1"],
      instances: ["soc"],
      networks: some.networks,
      since: NOW,
      writeFault: null,
    };
    const full = storeAnswers ? healthReport(some) : storeDownReport(some, needers);
    const before = structuredClone(full);
    const redacted = redactReport(full);
    assert.deepEqual(full, before, "the full report is unchanged");
    assert.doesNotMatch(
      JSON.stringify({ ...redacted, telemetry: { ...redacted.telemetry, last_payload: 0 } }),
      /SECRET/,
    );
    for (const { message } of [...redacted.components, redacted.telemetry, redacted.update]) {
      assert.ok(message === null || PUBLIC_MESSAGES.has(message), `${message}`);
    }
    const shape = (report: HealthReport) => ({
      ...report,
      components: report.components.map((one) => ({ ...one, message: "" })),
      telemetry: { ...report.telemetry, message: "" },
      update: { ...report.update, message: "" },
    });
    assert.deepEqual(shape(redacted), shape(full));
  }));
});

/** Facts with SECRET in every text meant for administrators. */
const secret = fc.string().map((text) => `SECRET /etc/ndr 10.0.0.1 ${text}`);
const nothingOrSecret = fc.option(secret);
const remote = fc.record({ enabled: fc.boolean(), failure: nothingOrSecret });
const anyFacts: fc.Arbitrary<HealthFacts> = fc.record({
  joined: fc.nat(),
  networks: fc.record({
    unconfigured: fc.array(
      fc.record({ network: fc.constant("SECRET"), addresses: fc.nat(), exact: fc.boolean() }),
    ),
    assumed: fc.boolean(),
  }),
  connectors: fc.array(
    fc.record({
      state: fc.constantFrom(...CONNECTOR_STATES),
      failureClass: fc.option(fc.constantFrom(...FAILURE_CLASSES)),
      message: nothingOrSecret,
    }).map(connector),
    { maxLength: 3 },
  ),
  sensors: fc.array(
    fc.record({
      lastEventAt: fc.option(fc.integer({ min: 0, max: NOW })),
      silence: fc.nat(100_000),
      loss: fc.option(fc.integer({ min: 0, max: 100 })),
    }).map(sensor),
    { maxLength: 3 },
  ),
  room: fc.record({
    directory: nothingOrSecret,
    space: fc.option(fc.record({ size: fc.nat(), free: fc.nat() })),
    state: fc.constantFrom("ok" as const, "low" as const, "full" as const),
    refused: fc.boolean(),
  }).map((disk) => ({ disk, space: { limit: 1, bytes: 2, kept: !disk.refused } })),
  intelligence: fc.record({ failure: nothingOrSecret, message: secret }).map(({ failure, message }) => ({
    lists: [],
    failure,
    unreadable: [{ file: "/SECRET/intel/a.txt", message }],
    databases: [{ file: "/SECRET/geoip/b.mmdb", message }],
  })),
  services: fc.record({
    telemetry: remote,
    update: remote,
    license: fc.record({ state: fc.constantFrom(...LICENSE_STATES), message: nothingOrSecret }),
  }).map(({ license, telemetry, update }) => ({
    license: { ...NO_SERVICES.license, ...license },
    telemetry: { ...NO_SERVICES.telemetry, ...telemetry, lastPayload: { plan: "free" } },
    update: { ...NO_SERVICES.update, ...update },
  })),
  oldest: fc.option(fc.integer({ min: ago(10_000), max: NOW })),
}).map(({ oldest, ...change }) =>
  facts({ ...change, ingest: { ...facts().ingest, oldestBuffered: oldest } })
);
