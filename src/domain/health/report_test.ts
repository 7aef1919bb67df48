import assert from "node:assert/strict";
import { CONNECTOR_STATES } from "../../contract/connector/connector.ts";
import { HealthReport } from "../../contract/health/health.ts";
import {
  CAPTURE_LOSS_PERCENT,
  COMPONENT_KINDS,
  HEALTH_CONDITIONS,
  PIPELINE_DEGRADED_SECONDS,
  PIPELINE_UNAVAILABLE_SECONDS,
} from "../../contract/health/conditions.ts";
import { LICENSE_STATES } from "../../contract/health/metrics.ts";
import { CHOSEN_STATES, STATUS_OF_STATE } from "./connector.ts";
import { redactReport } from "./redact.ts";
import {
  ago,
  connector,
  facts,
  part,
  sensor,
  silent,
} from "../../../test/support/domain/health-report-fixtures.ts";
import { type HealthFacts, healthReport, storeDownReport } from "./report.ts";
import { NO_SERVICES } from "./services.ts";

function waiting(seconds: number): HealthFacts["ingest"] {
  return { ...facts().ingest, oldestBuffered: ago(seconds) };
}

function down(change: Partial<HealthFacts> = {}, instances: string[] = []): HealthReport {
  return storeDownReport(facts(change), {
    sensorIds: ["zeek-1", "eve-1"],
    instances,
    networks: facts(change).networks,
    since: ago(40),
    writeFault: null,
  });
}

Deno.test("every report satisfies the contract, and its kinds are those of the documented table", () => {
  const connectors = CONNECTOR_STATES.map((state) => connector({ instance: state, state }));
  for (const report of [healthReport(facts({ connectors })), healthReport(facts({ sensors: [] })), down()]) {
    assert.deepEqual(HealthReport.parse(report), report);
    assert.deepEqual(HealthReport.parse(redactReport(report)), redactReport(report));
    for (const { kind, status } of report.components) {
      assert.ok((COMPONENT_KINDS as readonly string[]).includes(kind), kind);
      const { when } = HEALTH_CONDITIONS[kind as keyof typeof HEALTH_CONDITIONS];
      assert.ok(when[status], `${kind} may be ${status}`);
    }
  }
});

Deno.test("status: ok; watermark: based on server receipt time; ingest: events, unparsed, rejected, oldest_buffered_at", () => {
  const report = healthReport(facts());
  assert.equal(report.status, "ok");
  assert.deepEqual([part(report, "appliance").status, part(report, "appliance").message], ["ok", null]);
  assert.equal(report.watermark, "2026-01-31T11:59:59.000Z");
  assert.deepEqual(report.ingest, {
    events_last_5m: 10,
    unparsed_last_5m: 2,
    rejected_last_5m: 1,
    oldest_buffered_at: null,
  });
  assert.equal(part(report, "sensor:zeek-1").events_last_5m, 5);
});

Deno.test("component ids include appliance (overall) and connector:<instance>", () => {
  const report = healthReport(facts({ connectors: [connector({})] }));
  assert.deepEqual(report.components.map(({ id, kind }) => [id, kind]), [
    ["appliance", "appliance"],
    ["store", "store"],
    ["sensor:zeek-1", "sensor"],
    ["sensor:eve-1", "sensor"],
    ["pipeline", "pipeline"],
    ["connector:soc", "connector"],
    ["license", "license"],
    ["telemetry", "telemetry"],
    ["update", "update"],
  ]);
  assert.equal(part(report, "appliance").status, report.status);
});

Deno.test("a sensor is stale after more silence than expected; the message says since when and within what", () => {
  const seen = (seconds: number, patience?: number) =>
    healthReport(facts({ sensors: [silent(seconds, patience)] }));
  assert.equal(part(seen(900), "sensor:zeek-1").status, "ok");
  const report = seen(901);
  const { status, lag_seconds, message, since, expected_within_seconds } = part(report, "sensor:zeek-1");
  assert.deepEqual([status, lag_seconds, expected_within_seconds], ["stale", 901, 900]);
  assert.equal(since, "2026-01-31T11:44:59.000Z");
  assert.equal(
    message,
    "silent since 2026-01-31T11:44:59.000Z, for 15 min 1 s during which records could be received; expected within 15 min",
  );
  assert.equal(report.status, "stale");
  const quiet = part(seen(7200, 36_000), "sensor:zeek-1");
  assert.deepEqual([quiet.status, quiet.since], ["ok", null]);
  assert.equal(
    quiet.message,
    "silent since 2026-01-31T10:00:00.000Z, usual at this hour; expected within 10 h",
  );
});

Deno.test("silence during an outage of the appliance does not count", () => {
  const sensors = [sensor({ lastEventAt: ago(40_000), silence: 300 })];
  const seen = part(healthReport(facts({ sensors })), "sensor:zeek-1");
  assert.deepEqual([seen.status, seen.lag_seconds], ["ok", 40_000]);
});

Deno.test("a sensor that never sent is stale, and without a record there is no watermark", () => {
  const report = healthReport(facts({ sensors: [sensor({ lastEventAt: null, silence: 0 })] }));
  const { status, last_event_at, lag_seconds, message, expected_within_seconds } = part(
    report,
    "sensor:zeek-1",
  );
  assert.deepEqual([status, last_event_at, lag_seconds, expected_within_seconds], ["stale", null, 0, null]);
  assert.equal(message, "no record has arrived from this sensor yet");
  assert.equal(report.watermark, null);
});

Deno.test("a sensor never heard from has a lag since it was configured", () => {
  const lag = (seconds: number) => {
    const sensors = [sensor({ lastEventAt: null, configuredSince: ago(seconds), silence: 0 })];
    return part(healthReport(facts({ sensors })), "sensor:zeek-1").lag_seconds;
  };
  assert.deepEqual([lag(0), lag(60), lag(86_400)], [0, 60, 86_400]);
});

Deno.test("a sensor that loses more than 5 % of its capture is degraded; a silent one is stale", () => {
  const seen = (loss: number, silence = 1) => healthReport(facts({ sensors: [sensor({ loss, silence })] }));
  assert.equal(part(seen(CAPTURE_LOSS_PERCENT), "sensor:zeek-1").status, "ok");
  const lossy = seen(12.34);
  assert.deepEqual([part(lossy, "sensor:zeek-1").status, lossy.status], ["degraded", "degraded"]);
  assert.equal(part(lossy, "sensor:zeek-1").message, "misses 12.3 % of the traffic (limit: 5 %)");
  assert.equal(part(seen(90, 1000), "sensor:zeek-1").status, "stale");
});

Deno.test("the pipeline is degraded after a minute of lag, unavailable after an hour", () => {
  const seen = (seconds: number) => {
    const report = healthReport(facts({ ingest: waiting(seconds) }));
    return [part(report, "pipeline").status, report.status, part(report, "pipeline").lag_seconds];
  };
  const [late, dead] = [PIPELINE_DEGRADED_SECONDS, PIPELINE_UNAVAILABLE_SECONDS];
  assert.deepEqual(seen(late), ["ok", "ok", late]);
  assert.deepEqual(seen(late + 1), ["degraded", "degraded", late + 1]);
  assert.deepEqual(seen(dead), ["degraded", "degraded", dead]);
  assert.deepEqual(seen(dead + 1), ["unavailable", "unavailable", dead + 1]);
  const report = healthReport(facts({ ingest: waiting(61) }));
  assert.equal(report.ingest.oldest_buffered_at, "2026-01-31T11:58:59.000Z");
  assert.equal(part(report, "pipeline").message, "records have been waiting for 1 min 1 s");
});

Deno.test("networks that look local are named in a bounded message and never change the overall status", () => {
  const unconfigured = Array.from(
    { length: 60 },
    (_, n) => ({ network: `2001:db8:0:${n}::/64`, addresses: n === 0 ? 1 : 40, exact: n === 0 }),
  );
  const report = healthReport(facts({ networks: { unconfigured, assumed: false } }));
  const { status, message } = part(report, "networks");
  assert.deepEqual([report.status, status, message], [
    "ok",
    "degraded",
    "60 networks look local and are not in sites.yaml: hosts there are no devices. Add to networks what belongs to " +
    'the site: "- 2001:db8:0:0::/64" (1 address), "- 2001:db8:0:1::/64" (about 40 addresses), ' +
    '"- 2001:db8:0:2::/64" (about 40 addresses), "- 2001:db8:0:3::/64" (about 40 addresses), ' +
    '"- 2001:db8:0:4::/64" (about 40 addresses), and 55 more',
  ]);
  assert.equal(part(down({ networks: { unconfigured, assumed: false } }), "networks").message, message);
  const without = healthReport(facts());
  assert.equal(without.components.some(({ kind }) => kind === "networks"), false);
});

Deno.test("the web layer: by its reports, and at worst degraded", () => {
  const seen = (web: HealthFacts["web"]) => {
    const report = healthReport(facts({ web }));
    const { status, message, lag_seconds } = part(report, "web");
    return [report.status, status, lag_seconds, message];
  };
  assert.deepEqual(seen({ reportedAt: ago(180), signInFailure: null, reloadFailure: null }), [
    "ok",
    "ok",
    180,
    null,
  ]);
  assert.deepEqual(seen({ reportedAt: ago(10), signInFailure: "refused", reloadFailure: null }), [
    "degraded",
    "degraded",
    10,
    "sign-in fails: the identity provider does not answer: refused",
  ]);
  assert.deepEqual(
    seen({ reportedAt: ago(10), signInFailure: null, reloadFailure: "fault at access.yaml:3" }),
    [
      "degraded",
      "degraded",
      10,
      "the newest reload was rejected, and the former access rules are in use: fault at access.yaml:3",
    ],
  );
  const silence = "ndr web has not reported for 3 minutes: see systemctl status ndr-web";
  assert.deepEqual(seen({ reportedAt: ago(181), signInFailure: "refused", reloadFailure: null }), [
    "degraded",
    "unavailable",
    181,
    silence,
  ]);
  assert.equal(
    part(down({ web: { reportedAt: ago(181), signInFailure: null, reloadFailure: null } }), "web").message,
    silence,
  );
});

Deno.test("the pipeline's message counts results that joined campaign incidents; its status stays", () => {
  const seen = ({ status, message }: { status: string; message: string | null }) => [status, message];
  const text = "24700 results of the last 24 hours joined campaign incidents, " +
    "because the bound of new incidents per hour was reached";
  assert.deepEqual(seen(part(healthReport(facts({ joined: 24_700 })), "pipeline")), ["ok", text]);
  const late = healthReport(facts({ joined: 24_700, ingest: waiting(61) }));
  assert.deepEqual(seen(part(late, "pipeline")), [
    "degraded",
    `records have been waiting for 1 min 1 s; ${text}`,
  ]);
});

Deno.test("a receipt in the future, after a clock was set back, gives no negative lag", () => {
  const sensors = [sensor({ lastEventAt: ago(-5), silence: 0 })];
  const report = healthReport(facts({ sensors, ingest: waiting(-5) }));
  assert.deepEqual([part(report, "sensor:zeek-1").lag_seconds, part(report, "pipeline").lag_seconds], [0, 0]);
});

Deno.test("capture: loss_percent and sampled_at", () => {
  const report = healthReport(facts({ capture: { lossPercent: 0.5, sampledAt: ago(60) } }));
  assert.deepEqual(report.capture, { loss_percent: 0.5, sampled_at: "2026-01-31T11:59:00.000Z" });
  assert.deepEqual(healthReport(facts()).capture, { loss_percent: null, sampled_at: null });
});

Deno.test("a connector is unavailable if its state is error; each of the seven states has its status", () => {
  for (const state of CONNECTOR_STATES) {
    const report = healthReport(facts({ connectors: [connector({ state })] }));
    assert.equal(part(report, "connector:soc").status, STATUS_OF_STATE[state]);
    assert.equal(part(report, "connector:soc").connector?.state, state);
  }
  const failing = connector({
    state: "error",
    failureClass: "auth",
    message: "401 from siem.example",
    consecutiveFailures: 3,
    pending: 7,
  });
  const report = healthReport(facts({ connectors: [failing] }));
  const { message, since, last_event_at, lag_seconds, connector: health } = part(report, "connector:soc");
  assert.equal(message, "auth: 401 from siem.example");
  assert.deepEqual([since, last_event_at, lag_seconds], [
    "2026-01-31T11:00:00.000Z",
    "2026-01-31T11:59:00.000Z",
    60,
  ]);
  assert.deepEqual(health, {
    connector: "webhook",
    state: "error",
    failure_class: "auth",
    consecutive_failures: 3,
    counters: { delivered: 4, failed: 0, rejected: 0, dropped: 0, pending: 7 },
  });
  assert.equal(report.status, "degraded", "a failing receiver does not stop the appliance");
  assert.equal(part(report, "appliance").message, "connector:soc is unavailable");
});

Deno.test("`since` is the first observation of the current status", () => {
  const observed = new Map([
    ["store", { status: "ok" as const, since: ago(86_400) }],
    ["pipeline", { status: "degraded" as const, since: ago(86_400) }],
    ["telemetry", { status: "unavailable" as const, since: ago(3600) }],
    ["sensor:zeek-1", { status: "stale" as const, since: ago(100) }],
  ]);
  const report = healthReport(facts({ observed, sensors: [silent(1000)] }));
  assert.equal(part(report, "store").since, "2026-01-30T12:00:00.000Z");
  assert.equal(part(report, "pipeline").since, null);
  assert.equal(report.telemetry.since, "2026-01-31T11:00:00.000Z");
  assert.equal(
    part(report, "sensor:zeek-1").since,
    "2026-01-31T11:43:20.000Z",
    "the time of its last record",
  );
});

Deno.test("a disabled or unlicensed instance is reported without affecting the overall status", () => {
  for (const state of CHOSEN_STATES) {
    const report = healthReport(facts({ connectors: [connector({ state })] }));
    const { status, message } = part(redactReport(report), "connector:soc");
    assert.deepEqual([status, message, report.status], ["unavailable", state, "ok"]);
  }
});

Deno.test("licence, telemetry and update never change the overall status", () => {
  const remotes = [
    { enabled: false, failure: null },
    { enabled: true, failure: null },
    { enabled: true, failure: "no route to 203.0.113.9" },
  ];
  for (const state of LICENSE_STATES) {
    for (const remote of remotes) {
      const services = {
        license: { ...NO_SERVICES.license, state },
        telemetry: { ...NO_SERVICES.telemetry, ...remote },
        update: { ...NO_SERVICES.update, ...remote },
      };
      const report = healthReport(facts({ services }));
      assert.equal(report.status, "ok");
      const status = !remote.enabled ? "unavailable" : remote.failure === null ? "ok" : "degraded";
      assert.deepEqual([part(report, "telemetry").status, part(report, "update").status], [status, status]);
    }
  }
  const off = healthReport(facts());
  assert.deepEqual([part(off, "telemetry").message, part(off, "update").message], ["disabled", "disabled"]);
  assert.deepEqual([part(off, "license").status, part(off, "license").message], ["ok", "off"]);
});

Deno.test("without the store: 503, dependents are unavailable, and counts are empty", () => {
  const report = down({}, ["soc"]);
  assert.deepEqual([report.status, report.watermark], ["unavailable", null]);
  const statuses = Object.fromEntries(report.components.map(({ id, status }) => [id, status]));
  assert.deepEqual(statuses, {
    appliance: "unavailable",
    store: "unavailable",
    "sensor:zeek-1": "unavailable",
    "sensor:eve-1": "unavailable",
    pipeline: "unavailable",
    "connector:soc": "unavailable",
    license: "ok",
    telemetry: "unavailable",
    update: "unavailable",
  });
  assert.ok(report.components.every(({ last_event_at }) => last_event_at === null));
  for (const id of ["appliance", "store", "sensor:zeek-1", "pipeline", "connector:soc"]) {
    assert.equal(part(report, id).since, "2026-01-31T11:59:20.000Z", id);
  }
  assert.deepEqual(HealthReport.parse(report), report);
});
