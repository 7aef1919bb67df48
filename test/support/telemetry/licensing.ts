// The licence of an installation in folders of its own: real files, a real store, and a clock that a test may set as it likes.

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
  /** What the clock says, microseconds. */
  clock = START;
  /** What has really passed, microseconds. */
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

  /** A licence from the start on, for 100 days unless it says otherwise. */
  token(own: Partial<LicenseWish> = {}): Promise<string> {
    return this.signer.license({ issuedAt: START, expiresAt: START + 100 * DAY, ...own });
  }

  /** As the administrator does it. */
  async install(own: Partial<LicenseWish> = {}): Promise<void> {
    await Deno.writeTextFile(this.licensePath, `${await this.token(own)}\n`);
  }

  /** A service that is started now. */
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
    // What a start does; its tasks by the clock are one of each kind for a process.
    await licensing.reload();
    return licensing;
  }

  /** Lets the service run; its clock goes on from where it is. */
  async run(licensing: Licensing, duration: number): Promise<LicenseState> {
    for (let ran = 0; ran < duration; ran += HOUR) {
      this.clock += HOUR;
      this.passed += HOUR;
      licensing.facts();
    }
    await licensing.remember();
    return licensing.facts().state;
  }

  /** Stops it, does `meanwhile`, and starts it again. */
  async restarted(licensing: Licensing, meanwhile: () => unknown = () => {}): Promise<Licensing> {
    await licensing.stop();
    await meanwhile();
    return await this.started();
  }

  /** Names of what is in the state folder. */
  kept(): string[] {
    return [...Deno.readDirSync(this.stateDir)].map(({ name }) => name).sort();
  }
}
