// A sink under the real framework, on a real database and real sockets, with test-controlled time.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { ConfiguredConnector } from "../../../src/config/connectors.ts";
import { SecretKey } from "../../../src/config/secret.ts";
import { Connectors } from "../../../src/connectors/connectors.ts";
import type { FailureClass } from "../../../src/contract/connector/connector.ts";
import { WebhookEnvelope } from "../../../src/contract/connector/webhook.ts";
import type { LogFields, Logger } from "../../../src/observe/log.ts";
import { type ConnectorState, connectorStates } from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { WEBHOOK_KEY } from "./connectors-file.ts";
import type { HostileReceiver, ReceivedRequest } from "./hostile-receiver.ts";
import { logCreated } from "./logged-events.ts";
import { HOLD } from "./sink-faults.ts";
import { ManualTime } from "../virtual-time.ts";

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const START = Date.UTC(2026, 0, 31, 7, 15) * 1000;
const RETRY_DELAY_MS = 4000;
/** No other wait in the framework has this length. */
const GATHER_MS = 100;
const IDLE_MS = 2000;
const PATIENCE_MS = 60_000;
/** Response timeout long enough for any live receiver on a busy machine. */
const PATIENT_MS = 20_000;

/** One sink type: how to configure an instance that delivers to a receiver, and how to read its requests. */
export interface SinkSort {
  name: string;
  connect(
    tenantId: string,
    instance: string,
    receiver: HostileReceiver,
    change: Partial<ConfiguredConnector["webhook"]>,
  ): ConfiguredConnector;
  /** Id of the event that the request carries. */
  idOf(request: ReceivedRequest): string;
  /** An identifier unique to each request. */
  deliveryOf(request: ReceivedRequest): string;
  /** Fails when the request violates the interface document. */
  check(request: ReceivedRequest): void;
}

export const WEBHOOK: SinkSort = {
  name: "webhook",
  connect: (tenantId, instance, receiver, change) => ({
    connector: "webhook",
    instance,
    tenantId,
    enabled: true,
    webhook: {
      url: new URL(`${receiver.url()}?token=${URL_TOKEN}`),
      fingerprint: null,
      events: null,
      minSeverity: null,
      timeoutMs: PATIENT_MS,
      retryDelayMs: RETRY_DELAY_MS,
      maxPending: 100,
      publicUrl: null,
      key: new SecretKey(new TextEncoder().encode(WEBHOOK_KEY)),
      ...change,
    },
  }),
  idOf: ({ body }) => JSON.parse(new TextDecoder().decode(body)).id,
  deliveryOf: ({ headers }) => headers["x-service-delivery"] ?? "",
  check({ requestLine, headers, body }) {
    const { id, type } = WebhookEnvelope.parse(JSON.parse(new TextDecoder().decode(body)));
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.match(requestLine, /^POST \/hook(\?token=\S+)? HTTP\/1\.1$/);
    assert.match(headers["x-service-delivery"]!, UUID_4);
    const timestamp = headers["x-service-timestamp"]!;
    const signature = createHmac("sha256", WEBHOOK_KEY).update(`${timestamp}.`).update(body).digest("hex");
    assert.deepEqual(
      [
        headers["x-service-event"],
        headers["x-service-signature"],
        headers["user-agent"],
        headers["content-type"],
      ],
      [type, `sha256=${signature}`, "service-webhook/1", "application/json"],
    );
  },
};

/** Every sink type is tested against the same table. */
export const SINKS: readonly SinkSort[] = [WEBHOOK];

/** Some receivers are protected only by a token in the URL's path or query. */
const URL_TOKEN = "a-token-that-stands-in-the-address-of-the-receiver";

/** Every line logged in this module. */
export const logged: string[] = [];

/** Lines that contain a secret. */
export function secretsIn(lines: readonly string[]): string[] {
  return lines.filter((line) => line.includes(WEBHOOK_KEY) || line.includes(URL_TOKEN));
}

function note(message: string, fields: LogFields = {}): void {
  logged.push(`${message} ${JSON.stringify(fields)}`);
}

const logger: Logger = { debug: note, info: note, warn: note, error: note };

let instances = 0;

/** One instance in its own tenant, and its receiver. */
export class SinkHarness {
  readonly time = new ManualTime(START);
  readonly instance = `sink-${++instances}`;
  readonly tenant = `tenant-of-${this.instance}`;
  #events = 0;
  #connectors: Connectors;

  private constructor(
    readonly sort: SinkSort,
    private readonly db: Database,
    readonly receiver: HostileReceiver,
    private change: Partial<ConfiguredConnector["webhook"]>,
  ) {
    this.#connectors = this.#make();
  }

  /** Starts the instance and waits until it is idle; after `work`, stops it and the receiver. */
  static async run(
    sort: SinkSort,
    db: Database,
    receiver: HostileReceiver,
    work: (harness: SinkHarness) => Promise<void>,
    change: Partial<ConfiguredConnector["webhook"]> = {},
  ): Promise<void> {
    const harness = new SinkHarness(sort, db, receiver, change);
    try {
      await harness.#connectors.start();
      assert.equal(await harness.time.sleeping(), IDLE_MS);
      await work(harness);
    } finally {
      await harness.#connectors.stop();
      await receiver.close();
    }
  }

  /** Stops the core and starts another, optionally with a different configuration. */
  async restart(change = this.change): Promise<void> {
    await this.#connectors.stop();
    this.change = change;
    this.#connectors = this.#make();
    await this.#connectors.start();
  }

  /** Logs `count` events and lets the framework notice them; returns their ids. */
  async log(count: number): Promise<string[]> {
    const ids = await logCreated(
      this.db,
      this.tenant,
      this.#events + 1,
      this.#events + count,
      this.time.now(),
    );
    this.#events += count;
    this.#connectors.wake(this.tenant);
    await this.untilAsleep(GATHER_MS);
    this.time.advance(GATHER_MS);
    return ids;
  }

  /** Resolves when the instance sleeps for this long; preceding work must finish within `PATIENCE_MS`. */
  async untilAsleep(expected: number): Promise<void> {
    const limit = performance.now() + PATIENCE_MS;
    for (;;) {
      const ms = await this.time.sleeping();
      if (ms === expected) return;
      const lately = logged.slice(-3).join("\n");
      assert.ok(
        performance.now() < limit,
        `waits for ${ms} ms, expected ${expected}; last log lines: ${lately}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Passes the waits between the attempts of a round, checking the length of each. */
  async throughRound(attempts: number): Promise<void> {
    for (let attempt = 1; attempt < attempts; attempt++) {
      const least = RETRY_DELAY_MS * 2 ** (attempt - 1);
      const ms = await this.time.sleeping();
      const reported = JSON.stringify(await this.state());
      assert.ok(
        ms >= least && ms < least * 2,
        `waits for ${ms} ms before attempt ${attempt + 1}: ${reported}`,
      );
      this.time.advance(ms);
    }
  }

  /** Resolves to the remaining hold of the held event, in milliseconds. */
  async holding(): Promise<number> {
    const ms = await this.time.sleeping();
    const { blockedUntil } = await this.state();
    const lately = logged.slice(-3).join("\n");
    assert.ok(
      blockedUntil !== null && blockedUntil > this.time.now(),
      `no event is held, the sink waits for ${ms} ms; last log lines: ${lately}`,
    );
    return (blockedUntil - this.time.now()) / 1000;
  }

  /** As `holding`, for a hold that has just begun. `floor`: the delay the receiver requested, in seconds. */
  async held(floor: number = HOLD.shortest): Promise<number> {
    const ms = await this.holding();
    const most = Math.max(HOLD.longest, floor);
    assert.ok(
      ms >= floor * 1000 && ms <= most * 1000,
      `held for ${ms / 1000} s, expected ${floor} to ${most}`,
    );
    return ms;
  }

  /** Passes a hold and checks that nothing is sent before it ends. */
  async throughHold(ms: number): Promise<void> {
    const before = this.receiver.connections;
    this.time.advance(ms - 1);
    assert.ok(await this.time.sleeping() <= 1);
    assert.equal(this.receiver.connections, before, "sent before the end of the hold");
    this.time.advance(1);
  }

  /** Resolves when nothing is left to deliver. */
  async untilIdle(): Promise<void> {
    await this.untilAsleep(IDLE_MS);
  }

  async state(): Promise<ConnectorState> {
    const states = await this.db.tenant(this.tenant, (tx) => connectorStates(tx, this.tenant));
    const state = states.find(({ instance }) => instance === this.instance);
    assert.ok(state, `no state of ${this.instance}`);
    return state;
  }

  /** Compares the reported state of the instance with the expected one. */
  async assertState(
    expected: Partial<ConnectorState> & { state: "ok" | "error"; failureClass: FailureClass | null },
    what: string,
  ): Promise<void> {
    const state = await this.state();
    const reported = Object.fromEntries(
      Object.entries(state).filter(([key]) => key in expected),
    );
    assert.deepEqual(reported, expected, what);
    assert.equal(state.message === null, state.state === "ok", what);
    assert.deepEqual(secretsIn([state.message ?? ""]), [], `${what}: a secret in the reported state`);
  }

  /** Event ids in request order, repeats included. */
  ids(): string[] {
    return this.receiver.requests.map((request) => this.sort.idOf(request));
  }

  /**
   * Asserts at-least-once delivery in order, a new delivery id each time, and a valid form of every request.
   */
  assertInOrder(expected: readonly string[], what: string): void {
    const ids = this.ids();
    assert.deepEqual([...new Set(ids)], expected, what);
    // Repeats must be consecutive.
    const runs = ids.filter((id, index) => id !== ids[index - 1]);
    assert.deepEqual(runs, expected, what);
    const deliveries = this.receiver.requests.map((request) => this.sort.deliveryOf(request));
    assert.equal(new Set(deliveries).size, deliveries.length, `${what}: duplicate delivery id`);
    for (const request of this.receiver.requests) this.sort.check(request);
  }

  #make(): Connectors {
    return new Connectors(
      {
        enabled: true,
        tenants: [this.tenant],
        connectors: [{
          ...this.sort.connect(this.tenant, this.instance, this.receiver, this.change),
        }],
      },
      { db: this.db, clock: this.time, sleep: this.time.sleep, logger, version: "0.0.0" },
    );
  }
}
