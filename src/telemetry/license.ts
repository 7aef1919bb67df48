import {
  chooseLicense,
  evaluateRenewal,
  type LicenseChoice,
  type LicenseReadings,
} from "../domain/telemetry/license/choice.ts";
import { type LicenseStanding, licenseStanding } from "../domain/telemetry/license/standing.ts";
import {
  advance,
  betterKnownTime,
  firstKnown,
  type KnownTime,
  withLicense,
} from "../domain/telemetry/license/time.ts";
import type { LicenseFacts } from "../domain/health/services.ts";
import type { PlanFacts } from "../domain/telemetry/heartbeat/facts.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { scheduleMinutes } from "../kit/schedule.ts";
import type { Logger } from "../observe/log.ts";
import type { Database } from "../store/engine/database.ts";
import { readKnownTime, saveKnownTime, timeEvidence } from "../store/telemetry/license-time.ts";
import type { Entitlement } from "./entitlement.ts";
import { type InstallIdPlace, readInstallId } from "./install-id.ts";
import {
  licensePath,
  type LicensePlaces,
  readLicenses,
  readTimeFile,
  writeRenewed,
  writeTimeFile,
} from "./license-files.ts";
import type { LicenseKeys } from "./license-keys.ts";
import { readLicense } from "./license-token.ts";

export interface LicensingConfig {
  places: LicensePlaces;
  /** Accepted keys: LICENSE_KEYS, except in tests. */
  keys: LicenseKeys;
  /** Location of the file install-id. */
  place: InstallIdPlace;
  /** Whether there is a registration server that may renew it. */
  renews: boolean;
}

interface LicensingDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** The configured tenants. */
  tenantIds: () => Iterable<string>;
  /** Milliseconds by a monotonic clock; default `performance.now`. */
  elapsed?: () => number;
}

const EACH_QUARTER_HOUR = "*/15";
/** A slow store delays nothing else. */
const LIMITS = { statementMs: 20_000, lockMs: 5_000, waitMs: 20_000, answerMs: 45_000 };

/**
 * The licence of this installation: reads and verifies it, keeps the time by which it is judged, and accepts
 * renewals. Only Pro modules depend on it.
 */
export class Licensing implements Entitlement {
  readonly #stop = new AbortController();
  #turns: Promise<void> = Promise.resolve();
  #readings: LicenseReadings = { file: null, renewed: null };
  #choice: LicenseChoice = { license: null, source: null, fault: null };
  #known: KnownTime | null = null;
  #refreshedAt: number | null = null;

  constructor(private readonly config: LicensingConfig, private readonly deps: LicensingDeps) {}

  /** Reads the files; `facts` and `plan` are valid from then on. It never throws. */
  async start(): Promise<void> {
    const { logger } = this.deps;
    scheduleMinutes(
      EACH_QUARTER_HOUR,
      { name: "license", signal: this.#stop.signal, logger },
      () => this.remember(),
    );
    await this.reload();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.remember();
  }

  /** Reads the files again. `facts` and the log report what is wrong with them. */
  reload(): Promise<void> {
    return this.#inTurn("read the licence", async () => {
      this.#readings = await readLicenses(this.config.places, this.config.keys);
      await this.#choose();
      const { state, facts } = this.standing();
      if (state === "off") return;
      const report = state === "valid" && this.#choice.fault === null ? "info" : "warn";
      this.deps.logger[report]("licence read", { state, message: facts.message });
    });
  }

  /** @throws Error if the token is not for this installation or cannot be stored */
  renew(token: string): Promise<void> {
    const taking = this.#turns.then(() => this.#take(token));
    this.#turns = taking.catch(() => {});
    return taking;
  }

  /** Stores the current time. */
  remember(): Promise<void> {
    return this.#inTurn("store the time of the licence", () => this.#remember());
  }

  standing(): LicenseStanding {
    this.#refresh();
    return licenseStanding({
      choice: this.#choice,
      known: this.#known,
      clock: this.deps.clock.now(),
      path: licensePath(this.config.places),
      renews: this.config.renews,
    });
  }

  plan(): PlanFacts {
    return this.standing().plan;
  }

  facts(): LicenseFacts {
    return this.standing().facts;
  }

  async #take(token: string): Promise<void> {
    const { places, keys, place } = this.config;
    const reading = await readLicense(token, keys);
    const judged = evaluateRenewal(reading, this.#choice, (await readInstallId(place)).id);
    if (judged.verdict === "refused") throw new Error(`a renewed licence ${judged.fault}`);
    if (judged.verdict === "stale") return;
    await writeRenewed(places, token);
    this.#readings = { ...this.#readings, renewed: reading };
    await this.#choose();
    this.deps.logger.info("licence renewed", { state: this.standing().state });
  }

  async #choose(): Promise<void> {
    this.#choice = chooseLicense(this.#readings, (await readInstallId(this.config.place)).id);
    const { license } = this.#choice;
    if (license === null) return;
    const now = this.deps.clock.now();
    this.#refresh();
    const known = this.#known ?? await this.#recalled();
    this.#known = known === null
      ? firstKnown(license.issuedAt, await this.#evidence())
      : withLicense(known, license.issuedAt, now);
    this.#refresh();
    await this.#remember();
  }

  /** What was stored before this start. */
  async #recalled(): Promise<KnownTime | null> {
    const file = await readTimeFile(this.config.places);
    const row = await this.#attempt("read the stored time", () => this.deps.db.shared(readKnownTime, LIMITS));
    return betterKnownTime(file, row);
  }

  #evidence(): Promise<number | null> {
    return this.#attempt("determine the time", () => timeEvidence(this.deps.db, this.deps.tenantIds()));
  }

  async #remember(): Promise<void> {
    this.#refresh();
    // Nothing is stored for an installation without a licence.
    if (this.#known === null || this.#choice.license === null) return;
    const mine = this.#known;
    // A later time known to another core counts here too.
    const merged = await this.#attempt("store the time", () =>
      this.deps.db.shared(async (tx) => {
        const known = betterKnownTime(mine, await readKnownTime(tx));
        if (known !== null) await saveKnownTime(tx, known);
        return known;
      }, LIMITS));
    const known = this.#known = merged ?? mine;
    await this.#attempt("store the time", () => writeTimeFile(this.config.places, known));
  }

  /** Advances the known time. */
  #refresh(): void {
    const elapsed = (this.deps.elapsed ?? (() => performance.now()))();
    const ran = this.#refreshedAt === null ? 0 : (elapsed - this.#refreshedAt) * 1000;
    this.#refreshedAt = elapsed;
    if (this.#known !== null) this.#known = advance(this.#known, this.deps.clock.now(), ran);
  }

  #inTurn(what: string, work: () => Promise<void>): Promise<void> {
    return this.#turns = this.#turns.then(async () => void await this.#attempt(what, work));
  }

  /** Null on failure, which is logged. */
  async #attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.deps.logger.error(`could not ${what}`, { message: messageOf(error) });
      return null;
    }
  }
}
