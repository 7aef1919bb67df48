// Facts for health reports in tests.

import type { HealthComponent, HealthReport } from "../../../src/contract/health/health.ts";
import type { ConnectorFacts } from "../../../src/domain/health/connector.ts";
import { type HealthFacts, NO_NETWORKS } from "../../../src/domain/health/report.ts";
import type { SensorFacts } from "../../../src/domain/health/sensor.ts";
import { NO_SERVICES } from "../../../src/domain/health/services.ts";

export const NOW = Date.UTC(2026, 0, 31, 12) * 1000;
export const ago = (seconds: number) => NOW - seconds * 1_000_000;

/** Everything is ok unless changed. */
export function facts(change: Partial<HealthFacts> = {}): HealthFacts {
  return {
    now: NOW,
    sensors: [sensor({}), sensor({ sensorId: "eve-1", lastEventAt: ago(30), silence: 30 })],
    ingest: { events: 10, unparsed: 2, rejected: 1, oldestBuffered: null },
    capture: { lossPercent: null, sampledAt: null },
    joined: 0,
    networks: NO_NETWORKS,
    room: { disk: null, space: null },
    intelligence: { lists: [], unreadable: [], failure: null, databases: [] },
    connectors: [],
    services: NO_SERVICES,
    clock: null,
    configuration: null,
    web: null,
    observed: new Map(),
    ...change,
  };
}

export function sensor(change: Partial<SensorFacts>): SensorFacts {
  return {
    sensorId: "zeek-1",
    lastEventAt: ago(1),
    configuredSince: null,
    silence: 1,
    patience: 900,
    events: 5,
    loss: null,
    ...change,
  };
}

/** A sensor that has been silent for this long. */
export function silent(seconds: number, patience = 900): SensorFacts {
  return sensor({ lastEventAt: ago(seconds), silence: seconds, patience });
}

export function connector(change: Partial<ConnectorFacts>): ConnectorFacts {
  return {
    instance: "soc",
    connector: "webhook",
    state: "ok",
    failureClass: null,
    message: null,
    since: ago(3600),
    lastSuccessAt: ago(60),
    consecutiveFailures: 0,
    delivered: 4,
    failed: 0,
    rejected: 0,
    dropped: 0,
    pending: 0,
    ...change,
  };
}

/** The component with this id, which must exist. */
export function part(report: HealthReport, id: string): HealthComponent {
  const found = report.components.find((component) => component.id === id);
  if (found === undefined) throw new Error(`${id} is not among ${report.components.map((one) => one.id)}`);
  return found;
}
