// Connectors as a core runs them, on a given database.

import { type ConfiguredConnector, DEFAULT_MAX_PENDING } from "../../../src/config/connectors.ts";
import { SecretKey } from "../../../src/config/secret.ts";
import { Connectors, type ConnectorsDeps } from "../../../src/connectors/connectors.ts";
import type { LogFields, Logger } from "../../../src/observe/log.ts";
import { type ConnectorState, connectorStates } from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { WEBHOOK_KEY } from "./connectors-file.ts";
import type { HostileReceiver, ReceivedRequest } from "./hostile-receiver.ts";
import { SkippingTime } from "../virtual-time.ts";

interface WebhookOptions {
  instance?: string;
  enabled?: boolean;
  webhook?: Partial<ConfiguredConnector["webhook"]>;
}

/** An instance of tenant `main` that delivers to the receiver. */
export function webhookTo(receiver: HostileReceiver, options: WebhookOptions = {}): ConfiguredConnector {
  return {
    connector: "webhook",
    instance: options.instance ?? "soc",
    tenantId: "main",
    enabled: options.enabled ?? true,
    webhook: {
      url: new URL(receiver.url()),
      fingerprint: null,
      events: null,
      minSeverity: null,
      timeoutMs: 2000,
      retryDelayMs: 1000,
      maxPending: DEFAULT_MAX_PENDING,
      publicUrl: "https://ndr.example",
      key: new SecretKey(new TextEncoder().encode(WEBHOOK_KEY)),
      ...options.webhook,
    },
  };
}

export class WebhookCore {
  /** Log lines. */
  readonly lines: string[] = [];
  readonly time = new SkippingTime(Date.now() * 1000);
  readonly connectors: Connectors;

  constructor(
    private readonly db: Database,
    connectors: readonly ConfiguredConnector[],
    { enabled = true, ...deps }: Partial<ConnectorsDeps> & { enabled?: boolean } = {},
  ) {
    const note = (message: string, fields: LogFields = {}) =>
      void this.lines.push(`${message} ${JSON.stringify(fields)}`);
    const logger: Logger = { debug: note, info: note, warn: note, error: note };
    this.connectors = new Connectors({ enabled, tenants: ["main"], connectors }, {
      db,
      clock: this.time,
      sleep: this.time.sleep,
      logger,
      version: "1.2.3",
      ...deps,
    });
  }

  /** Runs the connectors for the duration of `work`. */
  async run(work: () => Promise<void>): Promise<void> {
    await this.connectors.start();
    try {
      await work();
    } finally {
      await this.connectors.stop();
    }
  }

  async state(instance = "soc"): Promise<ConnectorState> {
    const states = await this.db.tenant("main", (tx) => connectorStates(tx, "main"));
    const state = states.find((one) => one.instance === instance);
    if (state === undefined) throw new Error(`no state of ${instance}`);
    return state;
  }

  /** Resolves with the state once it matches. */
  async until(wanted: (state: ConnectorState) => boolean, instance = "soc"): Promise<ConnectorState> {
    for (;;) {
      this.connectors.wake("main");
      const state = await this.state(instance);
      if (wanted(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** The JSON body of a request. */
export function bodyOf({ body }: ReceivedRequest) {
  return JSON.parse(new TextDecoder().decode(body));
}
