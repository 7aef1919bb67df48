import { GeoIp } from "../../../config/geoip/geoip.ts";
import { intelStamp } from "../../../config/intel.ts";
import { emptyIntel } from "../../../domain/intel/compile.ts";
import type { IntelSet } from "../../../domain/intel/intel-set.ts";
import type { IntelligenceFacts } from "../../../domain/health/intelligence.ts";
import { messageOf } from "../../../kit/errors.ts";
import type { Logger } from "../../../observe/log.ts";
import { type LoadedIntel, loadIntel } from "./load-intel.ts";

interface IntelWatchConfig {
  /** `NDR_CONFIG_DIR`, with the folders `intel` and `geoip`. */
  configDir: string;
  /** Folder with the folder `geoip`, if it is another one. */
  placesDir?: string | null;
  /** Polling interval, in milliseconds. */
  every?: number;
}

const EVERY_MILLISECONDS = 2000;
/** Polls skipped after a load failure. */
const POLLS_AFTER_FAILURE = 15;
const NO_LISTS: LoadedIntel = { set: emptyIntel(), lists: [], faults: [] };

/**
 * Watches the threat intelligence lists and GeoIP databases of the configuration. A changed list is loaded
 * once it is unchanged between two polls, because lists may be written incrementally.
 */
export class IntelWatch {
  readonly geoip: GeoIp;
  #loaded: LoadedIntel | null = null;
  #failure: string | null = null;
  /** Stamps of the loaded files and of those seen at the last poll. */
  #loadedStamp: string | null = null;
  #seenStamp: string | null = null;
  #pollsToSkip = 0;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #polling: Promise<void> = Promise.resolve();

  constructor(private readonly config: IntelWatchConfig, private readonly logger: Logger) {
    this.geoip = new GeoIp(config.placesDir ?? config.configDir);
  }

  /** Starts polling in the background. */
  start(): void {
    const next = () => {
      if (this.#stopped) return;
      this.#timer = setTimeout(() => void this.poll().then(next), this.config.every ?? EVERY_MILLISECONDS);
    };
    void this.poll().then(next);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#polling;
  }

  /** The current lists; null until they are loaded. */
  current(): IntelSet | null {
    return this.#loaded?.set ?? null;
  }

  /** State of lists and databases for the health report. */
  facts(): IntelligenceFacts {
    return {
      lists: this.#loaded?.lists ?? [],
      unreadable: this.#loaded?.faults ?? [],
      failure: this.#failure,
      databases: this.geoip.faults,
    };
  }

  /** Polls now, after the current poll. */
  poll(): Promise<void> {
    return this.#polling = this.#polling.then(async () => {
      if (this.#stopped) return;
      await this.#pollLists();
      await this.#pollDatabases();
    });
  }

  async #pollLists(): Promise<void> {
    try {
      const stamp = intelStamp(this.config.configDir);
      const stable = this.#loaded === null || stamp === this.#seenStamp;
      this.#seenStamp = stamp;
      if (stamp === this.#loadedStamp || !stable || --this.#pollsToSkip > 0) return;
      const loaded = stamp === "" ? NO_LISTS : await loadIntel(this.config.configDir);
      this.#logLoaded(loaded);
      this.#loaded = loaded;
      this.#loadedStamp = stamp;
      this.#failure = null;
    } catch (error) {
      this.#failure = messageOf(error);
      this.#pollsToSkip = POLLS_AFTER_FAILURE;
      // Do not delay records: they are matched against the lists later, by the backfill.
      this.#loaded ??= NO_LISTS;
      this.logger.error("cannot read the threat intelligence lists, will retry", {
        message: this.#failure,
      });
    }
  }

  async #pollDatabases(): Promise<void> {
    try {
      const before = new Set(this.geoip.faults.map(({ file }) => file));
      if (await this.geoip.reload()) this.logger.info("GeoIP databases loaded");
      for (const { file, message } of this.geoip.faults) {
        if (!before.has(file)) this.logger.warn("unusable GeoIP database", { file, message });
      }
    } catch (error) {
      this.logger.error("cannot read the GeoIP databases", { message: messageOf(error) });
    }
  }

  #logLoaded({ set, lists, faults }: LoadedIntel): void {
    for (const { file, message } of faults) {
      this.logger.warn("unreadable threat intelligence list", { file, message });
    }
    for (const { name, faulty, faults: [first] } of lists) {
      if (faulty === 0) continue;
      this.logger.warn("threat intelligence list has unusable lines", {
        list: name,
        lines: faulty,
        first: first && `${first.file}:${first.line}: ${first.message}`,
      });
    }
    if (lists.length + (this.#loaded?.lists.length ?? 0) > 0) {
      this.logger.info("threat intelligence lists loaded", {
        lists: lists.length,
        indicators: set.size,
      });
    }
  }
}
