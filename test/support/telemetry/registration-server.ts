// A registration server for tests, and for operators who want to keep heartbeats in-house:
//
//   deno run -A test/support/telemetry/registration-server.ts --port 8443 --data /var/lib/ndr-registration --release release.json
//
// It listens on loopback: put a TLS proxy in front of it that appends to X-Forwarded-For and keeps no access
// log. GET /v1/openapi.json describes the protocol; registration/protocol.ts describes what is stored.

import process from "node:process";
import { Command, InvalidArgumentError } from "commander";
import { GeoDatabase } from "../../../src/config/geoip/geo-database.ts";
import { placeOf } from "../../../src/config/geoip/place-record.ts";
import { Release } from "../../../src/contract/telemetry/registration.ts";
import { type Clock, systemClock } from "../../../src/kit/clock.ts";
import { messageOf } from "../../../src/kit/errors.ts";
import { listen, type Listener } from "../../../src/kit/net/listen.ts";
import { createRegistrationApp } from "./registration/app.ts";
import { Licenses } from "./registration/licenses.ts";
import { RegistrationStore } from "./registration/store.ts";

export const DATABASE_FILE = "registration.db";
const UPKEEP_MS = 3_600_000;
const MAX_RELEASE_BYTES = 64 * 1024;

export interface RegistrationServerOptions {
  /** 0 picks a free one. */
  port: number;
  /** Data folder; created if missing, accessible to its user only. */
  data: string;
  /** JSON file with the newest release; read on each request, so that it can be replaced. */
  release?: string | null;
  /** MMDB file for country lookups. */
  geoip?: string | null;
  /** Folder of licences (`*.jwt`) whose seats are bound; re-read every hour. */
  licenses?: string | null;
  /**
   * Private key as a JWK: a licence that names no installation is re-signed for each installation with a
   * seat.
   */
  signingKey?: string | null;
  clock?: Clock;
  /** Receives the server's own faults. */
  onFault?: (error: unknown) => void;
}

export class RegistrationServer {
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(
    private readonly listener: Listener,
    private readonly store: RegistrationStore,
    private readonly licenses: Licenses,
    private readonly clock: Clock,
  ) {}

  /** Throws with the reason: an unreadable file, a port in use. */
  static async start(options: RegistrationServerOptions): Promise<RegistrationServer> {
    const { clock = systemClock, onFault = () => {} } = options;
    const geoip = options.geoip ? GeoDatabase.open(await Deno.readFile(options.geoip)) : null;
    const licenses = await Licenses.open(options.licenses ?? null, options.signingKey ?? null);
    const newestRelease = () => options.release ? readRelease(options.release) : null;
    newestRelease();
    await Deno.mkdir(options.data, { recursive: true, mode: 0o700 });
    const store = new RegistrationStore(`${options.data}/${DATABASE_FILE}`);
    try {
      store.upkeep(clock.now());
      const app = createRegistrationApp({
        store,
        clock,
        countryOf: (address) => placeOf(geoip?.get(address))?.country ?? null,
        licenseOf: (hash, now) => licenses.active(hash, now),
        newestRelease,
        onFault,
      });
      const listener = await listen((request, peer) => app.fetch(request, peer), {
        hostname: "127.0.0.1",
        port: options.port,
      });
      const server = new RegistrationServer(listener, store, licenses, clock);
      server.#timer = setInterval(() => void server.upkeep().catch(onFault), UPKEEP_MS);
      return server;
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** `http://127.0.0.1:8443` */
  get origin(): string {
    return this.listener.url;
  }

  /** The hourly maintenance task. */
  async upkeep(): Promise<void> {
    this.store.upkeep(this.clock.now());
    await this.licenses.reload();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.listener.close();
    this.store.close();
  }
}

function readRelease(path: string): Release {
  const bytes = Deno.readFileSync(path);
  if (bytes.length > MAX_RELEASE_BYTES) throw new Error(`${path} exceeds ${MAX_RELEASE_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`${path} is not JSON`);
  }
  const { success, data, error } = Release.safeParse(value);
  if (success) return data;
  throw new Error(`${path} is not a release: ${String(error.issues[0]!.path[0] ?? "the whole")}`);
}

interface Flags {
  port: number;
  data: string;
  release?: string;
  geoip?: string;
  licenses?: string;
  signingKey?: string;
}

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (value < 0 || value > 65_535) throw new InvalidArgumentError("expected a port, 0 to 65535");
  return value;
}

async function run(flags: Flags): Promise<void> {
  const onFault = (error: unknown) => console.error(`registration server: ${messageOf(error)}`);
  const server = await RegistrationServer.start({ ...flags, onFault });
  console.log(`The registration server is ready: ${server.origin}`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => resolve());
  });
  await server.close();
}

if (import.meta.main) {
  const program = new Command("registration-server")
    .description("stores the daily heartbeats of NDR installations and informs them of releases")
    .requiredOption("--port <port>", "loopback port to listen on", port)
    .requiredOption("--data <folder>", "data folder")
    .option(
      "--release <file>",
      "JSON with the newest release: latest_version, channel, released_on, security, notice, url",
    )
    .option("--geoip <file>", "MMDB file for country lookups")
    .option("--licenses <folder>", "licences (*.jwt) whose seats are bound")
    .option("--signing-key <file>", "JWK that signs them for each installation")
    .action(run);
  try {
    await program.parseAsync(process.argv);
    Deno.exit(0);
  } catch (error) {
    console.error(`registration server: ${messageOf(error)}`);
    Deno.exit(1);
  }
}
