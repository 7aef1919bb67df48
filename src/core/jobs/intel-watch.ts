import { GeoIp } from "../../config/geoip/geoip.ts";
import { intelStamp } from "../../config/intel.ts";
import { emptyIntel } from "../../domain/intel/compile.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { IntelligenceFacts } from "../../domain/health/intelligence.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import { type LoadedIntel, loadIntel } from "./load-intel.ts";

interface IntelWatchConfig {
  /** `NDR_CONFIG_DIR`, with the folders `intel` and `geoip`. */
  configDir: string;
  /** Milliseconds from one look to the next. */
  every?: number;
}

const EVERY_MILLISECONDS = 2000;
/** Looks from one failure to load to the next attempt. */
const FAILURE_LOOKS = 15;
const NO_LISTS: LoadedIntel = { set: emptyIntel(), lists: [], faults: [] };

/**
 * The threat intelligence lists and the GeoIP databases of the configuration, as they are now. What changes is read again
 * once it has been left alone from one look to the next: a list may be written bit by bit.
 */
export class IntelWatch {
  readonly geoip: GeoIp;
  #loaded: LoadedIntel | null = null;
  #failure: string | null = null;
  /** What was loaded, and what was there at the last look. */
  #loadedStamp: string | null = null;
  #seenStamp: string | null = null;
  #waitLooks = 0;
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(private readonly config: IntelWatchConfig, private readonly logger: Logger) {
    this.geoip = new GeoIp(config.configDir);
  }

  /** Begins to read; nobody has to wait for it. */
  start(): void {
    const next = () => {
      if (this.#stopped) return;
      this.#timer = setTimeout(() => void this.look().then(next), this.config.every ?? EVERY_MILLISECONDS);
    };
    void this.look().then(next);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  /** The lists; null before they were read for the first time. */
  current(): IntelSet | null {
    return this.#loaded?.set ?? null;
  }

  /** What is to be said of lists and databases in health. */
  facts(): IntelligenceFacts {
    return {
      lists: this.#loaded?.lists ?? [],
      unreadable: this.#loaded?.faults ?? [],
      failure: this.#failure,
      databases: this.geoip.faults,
    };
  }

  /** One look now, after the one under way. */
  look(): Promise<void> {
    return this.#looking = this.#looking.then(async () => {
      if (this.#stopped) return;
      await this.#lookAtLists();
      await this.#lookAtDatabases();
    });
  }

  async #lookAtLists(): Promise<void> {
    try {
      const stamp = intelStamp(this.config.configDir);
      const settled = this.#loaded === null || stamp === this.#seenStamp;
      this.#seenStamp = stamp;
      if (stamp === this.#loadedStamp || !settled || --this.#waitLooks > 0) return;
      const loaded = stamp === "" ? NO_LISTS : await loadIntel(this.config.configDir);
      this.#tell(loaded);
      this.#loaded = loaded;
      this.#loadedStamp = stamp;
      this.#failure = null;
    } catch (error) {
      this.#failure = messageOf(error);
      this.#waitLooks = FAILURE_LOOKS;
      // Records are better matched against nothing, and later against all, than kept waiting.
      this.#loaded ??= NO_LISTS;
      this.logger.error("the threat intelligence lists could not be read and will be tried again", {
        message: this.#failure,
      });
    }
  }

  async #lookAtDatabases(): Promise<void> {
    try {
      const before = new Set(this.geoip.faults.map(({ file }) => file));
      if (await this.geoip.reload()) this.logger.info("the GeoIP databases were read");
      for (const { file, message } of this.geoip.faults) {
        if (!before.has(file)) this.logger.warn("a GeoIP database cannot be used", { file, message });
      }
    } catch (error) {
      this.logger.error("the GeoIP databases could not be read", { message: messageOf(error) });
    }
  }

  #tell({ set, lists, faults }: LoadedIntel): void {
    for (const { file, message } of faults) {
      this.logger.warn("a threat intelligence list cannot be read", { file, message });
    }
    for (const { name, faulty, faults: [first] } of lists) {
      if (faulty === 0) continue;
      this.logger.warn("a threat intelligence list has lines that cannot be used", {
        list: name,
        lines: faulty,
        first: first && `${first.file}:${first.line}: ${first.message}`,
      });
    }
    if (lists.length + (this.#loaded?.lists.length ?? 0) > 0) {
      this.logger.info("the threat intelligence lists were read", {
        lists: lists.length,
        indicators: set.size,
      });
    }
  }
}
