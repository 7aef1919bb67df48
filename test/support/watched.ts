// A running installation as an administrator sees it: the health report and the metrics.

import { stringify } from "@std/yaml";
import assert from "node:assert/strict";
import { headline } from "../../src/dashboard/health/health-advice.ts";
import type { HealthComponent, HealthReport } from "../../src/contract/health/health.ts";
import { INGEST_PATH } from "../../src/contract/record/ingest.ts";
import type { HealthStatus, RecordKind } from "../../src/contract/record/kinds.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { Browser as Person } from "../web/session/web-browser.ts";
import { alertLine } from "./record/alert-line.ts";
import { writeConnectors, type WrittenInstance } from "./connector/connectors-file.ts";
import { type MetricsText, parseMetrics, valueOf } from "./health/metrics-text.ts";
import { startUp, type Up, type UpOptions } from "./up.ts";

const METRICS_TOKEN = "a-token-of-these-tests-only";
/** Sensors and their record kinds. */
const SENSORS: Readonly<Record<string, readonly RecordKind[]>> = {
  edge: ["zeek.conn"],
  branch: ["zeek.dns", "suricata.alert"],
};
export const PATIENCE_MILLISECONDS = 300_000;

/** `connectors`: as in connectors.yaml. */
export type WatchedOptions = UpOptions & { connectors?: readonly WrittenInstance[] };

/** What a wait for the status of a component is about. */
export interface Wanted {
  /** Of the component: a status alone has many reasons on a busy machine. */
  message?: RegExp;
  /** Done before each look, such as sending a record. */
  meanwhile?: () => Promise<unknown>;
}

export class Watched {
  #sent = 0;
  readonly #admin: Person;

  protected constructor(readonly up: Up, private readonly stateDir: string) {
    this.#admin = new Person(up.baseUrl);
  }

  /** Starts with sensors `edge` and `branch`, both of which have sent records. */
  static start(options: WatchedOptions = {}): Promise<Watched> {
    return this.launch(options, (up, stateDir) => Promise.resolve(new Watched(up, stateDir)));
  }

  protected static async launch<W extends Watched>(
    options: WatchedOptions,
    watch: (up: Up, stateDir: string) => Promise<W>,
  ): Promise<W> {
    const { connectors = [], env, ...rest } = options;
    const stateDir = options.stateDir ?? await Deno.makeTempDir({ prefix: "ndr-watched-" });
    await Deno.mkdir(`${stateDir}/etc`, { recursive: true });
    await writeSources(`${stateDir}/etc`);
    await writeConnectors(`${stateDir}/etc`, connectors);
    const tokens = Object.fromEntries(
      Object.keys(SENSORS).map((sensor) => [tokenName(sensor), tokenOf(sensor)]),
    );
    const up = await startUp({
      ...rest,
      stateDir,
      sample: false,
      env: { NDR_METRICS_TOKEN: METRICS_TOKEN, NDR_CONNECTORS_ENABLED: "true", ...tokens, ...env },
    });
    try {
      const watched = await watch(up, stateDir);
      await watched.signIn();
      for (const sensor of Object.keys(SENSORS)) {
        await eventually(`${sensor} has sent a record`, async () => await watched.send(sensor) === 200);
      }
      return watched;
    } catch (error) {
      await up.kill();
      throw error;
    }
  }

  /** Sends one record of a sensor, observed at `observedAt`. Returns the response status. */
  send(sensor: string, observedAt = new Date()): Promise<number> {
    const payload = {
      ts: observedAt.getTime() / 1000,
      uid: `C${sensor}${this.#sent++}`,
      "id.orig_h": "10.1.2.3",
      "id.orig_p": 50_000,
      "id.resp_h": "192.0.2.7",
      "id.resp_p": 53,
      proto: "udp",
    };
    return this.#deliver(
      sensor,
      JSON.stringify({ kind: SENSORS[sensor]![0], observed_at: observedAt.toISOString(), payload }),
    );
  }

  /** Sends an alert that raises its own incident at once; repeats until it is accepted. */
  async alert(): Promise<void> {
    const line = alertLine(this.#sent++);
    await eventually("the alert is accepted", async () => await this.#deliver("branch", line) === 200);
  }

  /** Sends a line of a sensor as it is; repeats until it is accepted. */
  async line(sensor: string, line: string): Promise<void> {
    await eventually("the line is accepted", async () => await this.#deliver(sensor, line) === 200);
  }

  async #deliver(sensor: string, line: string): Promise<number> {
    const response = await fetch(`${this.up.coreUrl}${INGEST_PATH}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokenOf(sensor)}`, "content-type": "application/x-ndjson" },
      body: line,
    });
    await response.body?.cancel();
    return response.status;
  }

  /** Fetches the report and checks that its status matches the response status. */
  async report(): Promise<HealthReport> {
    let report: HealthReport | undefined;
    let refusal = "";
    // A fast clock shortens the time that web waits for the core, too.
    await eventually(() => `there is a report: ${refusal}`, async () => {
      const { status, body } = await this.#admin.json("/api/v1/health");
      report = body.data;
      refusal = `${status} ${JSON.stringify(body.error)}`;
      if (report !== undefined) assert.equal(status, report.status === "unavailable" ? 503 : 200);
      return report !== undefined;
    });
    return report!;
  }

  async metrics(): Promise<MetricsText> {
    const response = await fetch(`${this.up.baseUrl}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    assert.equal(response.status, 200);
    return parseMetrics(await response.text());
  }

  /** Waits until report and metrics show this state of a component (or `appliance`); returns it as reported. */
  async until(id: string, status: HealthStatus, wanted: Wanted = {}): Promise<HealthComponent> {
    const { message = /^/, meanwhile = () => Promise.resolve() } = wanted;
    let component: HealthComponent | undefined;
    let report: HealthComponent[] = [];
    await eventually(() => `${id} is ${status} (${message}) in the report: ${faultsOf(report)}`, async () => {
      await meanwhile();
      report = (await this.report()).components;
      component = report.find((one) => one.id === id);
      return component?.status === status && message.test(component.message ?? "");
    });
    await eventually(`${id} is ${status} in the metrics`, async () => {
      await meanwhile();
      return statusIn(await this.metrics(), id) === status;
    });
    return component!;
  }

  /** Waits until the report says this in one sentence: on a busy machine a component may be late once more. */
  async untilHeadline(sentence: string): Promise<void> {
    let said = "";
    await eventually(() => `the headline is ${sentence} It is: ${said}`, async () => {
      said = headline(await this.report());
      return said === sentence;
    });
  }

  /** Signs in as an administrator. */
  async signIn(): Promise<void> {
    // A fast clock shortens the sign-in timeouts, and a busy machine slows the sign-in down.
    await eventually("an administrator is signed in", async () => {
      try {
        await this.signInOnce();
        return true;
      } catch (error) {
        console.error(`signing in: ${messageOf(error)}`);
        return false;
      }
    });
  }

  protected async signInOnce(): Promise<void> {
    await this.#admin.signIn("admin");
  }

  /** Sends a record of each sensor until it is accepted, and waits until the pipeline has processed them. */
  async deliverAll(): Promise<void> {
    for (const sensor of Object.keys(SENSORS)) {
      await eventually(`a record of ${sensor} is accepted`, async () => await this.send(sensor) === 200);
    }
    await this.processed();
  }

  /** Waits until the pipeline has processed every record. */
  async processed(): Promise<void> {
    await eventually(
      "all records are processed",
      async () => (await this.report()).ingest.oldest_buffered_at === null,
    );
  }

  /** Waits until the condition holds. */
  eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
    return eventually(what, condition);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.up.stop();
    await Deno.remove(this.stateDir, { recursive: true });
  }
}

interface Scenario {
  name: string;
  /** Whether this machine has what it needs. */
  needs: boolean;
  run: () => Promise<void>;
}

/** Runs scenarios side by side, each with its own program: they wait for states more than they work. */
export function outageTest(name: string, scenarios: readonly Scenario[]): void {
  // Steps that overlap cannot be searched for leaks.
  const sanitizers = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false };
  Deno.test({
    name: `unplugged: ${name}`,
    ...sanitizers,
    fn: async (t) => {
      await Promise.all(
        scenarios.map(({ name, needs, run }) => t.step({ name, ignore: !needs, fn: run, ...sanitizers })),
      );
    },
  });
}

/** The status of a component in the metrics; undefined if the component is unknown. */
function statusIn(text: MetricsText, id: string): string | undefined {
  const statuses = ["ok", "stale", "degraded", "unavailable"];
  return statuses.find((status) =>
    (id === "appliance"
      ? valueOf(text, "service_health_status", { tenant: "main", status })
      : valueOf(text, "service_health_component", { tenant: "main", component: id, status })) === 1
  );
}

function tokenName(sensor: string): string {
  return `TOKEN_OF_${sensor.toUpperCase()}`;
}

function tokenOf(sensor: string): string {
  return `the-token-of-the-sensor-${sensor}`;
}

async function writeSources(folder: string): Promise<void> {
  const sources = Object.entries(SENSORS).map(([sensor, kinds]) => ({
    sensor_id: sensor,
    tenant_id: "main",
    token_env: tokenName(sensor),
    allowed_kinds: kinds,
    trust: "packet",
  }));
  await Deno.writeTextFile(`${folder}/sources.yaml`, stringify({ sources }));
}

/** Retries until the condition holds; fails after five minutes. */
export async function eventually(
  what: string | (() => string),
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const limit = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await condition())) {
    assert.ok(
      performance.now() < limit,
      `waited five minutes until ${typeof what === "string" ? what : what()}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The components that are not ok, with their messages. */
function faultsOf(components: readonly HealthComponent[]): string {
  const faults = components.filter(({ status }) => status !== "ok");
  return faults.map(({ id, status, message }) => `${id} is ${status} (${message})`).join(", ");
}
