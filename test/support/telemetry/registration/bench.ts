// A registration server with a test clock, and its clients.

import assert from "node:assert/strict";
import type { Heartbeat } from "../../../../src/contract/telemetry/heartbeat.ts";
import type { Registration } from "../../../../src/contract/telemetry/registration.ts";
import { DATABASE_FILE, RegistrationServer, type RegistrationServerOptions } from "../registration-server.ts";
import { DAY_MS, NOON } from "../telemetry.ts";
import { ManualTime } from "../../virtual-time.ts";
import { readLedger } from "./reading.ts";

/** Address of the sender behind the proxy. */
export const SENDER = "91.198.174.192";

export const idOf = (number: number) => `ins_${number.toString(16).padStart(32, "0")}`;

class RegistrationBench {
  readonly time = new ManualTime(NOON);
  #server: RegistrationServer | null = null;
  readonly faults: unknown[] = [];

  constructor(readonly folder: string) {}

  get data(): string {
    return `${this.folder}/data`;
  }

  async start(options: Partial<RegistrationServerOptions> = {}): Promise<RegistrationServer> {
    await this.stop();
    return this.#server = await RegistrationServer.start({
      port: 0,
      data: this.data,
      clock: this.time,
      onFault: (error) => this.faults.push(error),
      ...options,
    });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }

  async send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = "application/json",
  ) {
    const response = await fetch(`${this.#server!.origin}${path}`, {
      method,
      body,
      headers: {
        "x-forwarded-for": `10.0.0.1, ${SENDER}`,
        ...body === undefined ? {} : { "content-type": type },
      },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }

  register(registration: Registration) {
    return this.send("POST", "/v1/registrations", JSON.stringify(registration));
  }

  heartbeat(heartbeat: Heartbeat) {
    return this.send("POST", "/v1/heartbeats", JSON.stringify(heartbeat));
  }

  ledger() {
    return readLedger(`${this.data}/${DATABASE_FILE}`);
  }

  /** The contents of every file the server stores. */
  bytes(): string {
    return [...Deno.readDirSync(this.data)]
      .map(({ name }) => new TextDecoder("latin1").decode(Deno.readFileSync(`${this.data}/${name}`))).join(
        "\n",
      );
  }

  /** Advances the given number of days, with the upkeep of each. */
  async pass(days: number): Promise<void> {
    for (let day = 0; day < days; day++) {
      this.time.advance(DAY_MS);
      await this.#server!.upkeep();
    }
  }
}

export async function onBench(body: (bench: RegistrationBench) => Promise<void>): Promise<void> {
  const bench = new RegistrationBench(await Deno.makeTempDir({ prefix: "ndr-registration-" }));
  try {
    await body(bench);
    assert.deepEqual(bench.faults, []);
  } finally {
    await bench.stop();
    await Deno.remove(bench.folder, { recursive: true });
  }
}
