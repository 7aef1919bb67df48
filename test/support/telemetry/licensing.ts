// The licence of an installation in its own folders: real files, a real store, and a settable clock.

import { LICENSE_FILE } from "../../../src/contract/telemetry/license.ts";
import type { LicenseState } from "../../../src/contract/health/metrics.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import { type Logger, silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { INSTALL_ID_FILE } from "../../../src/telemetry/install-id.ts";
import { Licensing, type LicensingConfig } from "../../../src/telemetry/license.ts";
import { LicenseSigner, type LicenseWish } from "./licenses.ts";

export const HOUR = 3_600_000_000;
export const DAY = 24 * HOUR;
/** Microseconds. */
export const START = Date.parse("2026-01-31T12:00:00Z") * 1000;
export const INSTALL_ID = `ins_${"0".repeat(24)}000002a5`;

export class LicenseBench implements Clock {
  /** Clock time, microseconds. */
  clock = START;
  /** Monotonic time, microseconds. */
  passed = 0;
  logger: Logger = silentLogger;

  private constructor(readonly db: Database, readonly folder: string, readonly signer: LicenseSigner) {}

  static async with(db: Database, body: (bench: LicenseBench) => Promise<void>): Promise<void> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-license-" });
    const bench = new LicenseBench(db, folder, await LicenseSigner.generate());
    try {
      await registerTenants(db, ["main"]);
      for (const place of [bench.configDir, bench.stateDir]) await Deno.mkdir(place);
      await Deno.writeTextFile(`${bench.configDir}/${INSTALL_ID_FILE}`, `${INSTALL_ID}\n`, { mode: 0o600 });
      await body(bench);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }

  get configDir(): string {
    return `${this.folder}/etc`;
  }

  get stateDir(): string {
    return `${this.folder}/state`;
  }

  get licensePath(): string {
    return `${this.configDir}/${LICENSE_FILE}`;
  }

  now(): number {
    return this.clock;
  }

  /** A licence that starts at `START` and lasts 100 days unless overridden. */
  token(own: Partial<LicenseWish> = {}): Promise<string> {
    return this.signer.license({ issuedAt: START, expiresAt: START + 100 * DAY, ...own });
  }

  /** Installs a licence as an administrator does. */
  async install(own: Partial<LicenseWish> = {}): Promise<void> {
    await Deno.writeTextFile(this.licensePath, `${await this.token(own)}\n`);
  }

  /** A service started now. */
  async started(config: Partial<LicensingConfig> = {}): Promise<Licensing> {
    const { configDir, stateDir } = this;
    const licensing = new Licensing({
      places: { configDir, stateDir },
      keys: this.signer.keys,
      place: { directory: configDir, owner: Deno.uid() },
      renews: true,
      ...config,
    }, {
      db: this.db,
      clock: this,
      logger: this.logger,
      tenantIds: () => ["main"],
      elapsed: () => this.passed / 1000,
    });
    // Performs the start-up work; periodic tasks exist once per process and are not started.
    await licensing.reload();
    return licensing;
  }

  /** Lets the service run for `duration`; its clock advances from the current time. */
  async run(licensing: Licensing, duration: number): Promise<LicenseState> {
    for (let ran = 0; ran < duration; ran += HOUR) {
      this.clock += HOUR;
      this.passed += HOUR;
      licensing.facts();
    }
    await licensing.remember();
    return licensing.facts().state;
  }

  /** Stops the service, runs `meanwhile`, and starts it again. */
  async restart(licensing: Licensing, meanwhile: () => unknown = () => {}): Promise<Licensing> {
    await licensing.stop();
    await meanwhile();
    return await this.started();
  }

  /** File names in the state folder. */
  stateFiles(): string[] {
    return [...Deno.readDirSync(this.stateDir)].map(({ name }) => name).sort();
  }
}
