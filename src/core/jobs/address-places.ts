import type { GeoFacts } from "../../config/geoip/geoip.ts";
import type { Database } from "../../store/engine/database.ts";
import { addressesToPlace, type AddressPlace, writePlaces } from "../../store/search/addresses.ts";
import { Job, type JobDeps } from "./job.ts";

interface AddressPlacesConfig {
  tenants: Iterable<string>;
}

interface AddressPlacesDeps extends JobDeps {
  geoip: {
    /** Identifies the files in use; null without any. */
    readonly build: string | null;
    lookup(ip: string): GeoFacts;
  };
}

const LEASE = { name: "address-places", seconds: 300 };
const EACH_MINUTE = "*";
/** Interval of checks for new addresses while rows are written. */
const CHECK_MILLISECONDS = 5_000;
/** Addresses per transaction: some 30 ms. */
const CHUNK = 1000;

/**
 * Looks up where external addresses are, so that searches find flows by country and network: new addresses within
 * seconds, all of them again when the GeoIP files change. Runs on one core at a time.
 */
export class AddressPlaces {
  readonly #job: Job;
  readonly #tenants: readonly string[];
  #nextCheck = -Infinity;

  constructor({ tenants }: AddressPlacesConfig, private readonly deps: AddressPlacesDeps) {
    this.#tenants = [...tenants];
    this.#job = new Job(LEASE, deps);
  }

  start(): void {
    this.#job.schedule(EACH_MINUTE, () => this.run());
  }

  /** Resolves after the current chunk. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Runs one round now, unless another core holds the lease. Failures are logged and retried. */
  run(): Promise<void> {
    const placeAll = async () => {
      for (const tenantId of this.#tenants) await placeAddresses(this.deps, tenantId, this.#job.signal);
    };
    return this.#job.enqueue(() => this.#job.underLease("look up external addresses", placeAll));
  }

  /** Must be called after a round of the pipeline, which may have added addresses. */
  async written(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextCheck || this.deps.geoip.build === null) return;
    this.#nextCheck = now + CHECK_MILLISECONDS;
    await this.run();
  }
}

/** Looks up all addresses of a tenant that are due, chunk by chunk; returns their number. */
export async function placeAddresses(
  { db, geoip }: { db: Database; geoip: AddressPlacesDeps["geoip"] },
  tenantId: string,
  signal?: AbortSignal,
  chunk = CHUNK,
): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const { build } = geoip;
    const due = await db.tenant(tenantId, (tx) => addressesToPlace(tx, tenantId, build, chunk));
    if (due.length === 0) break;
    // Other files have been loaded meanwhile.
    if (geoip.build !== build) continue;
    const places = due.map((seen): AddressPlace => {
      const { country, asn, asOrganisation } = geoip.lookup(seen.ip);
      return { ...seen, country, asn, organisation: asOrganisation };
    });
    await db.tenant(tenantId, (tx) => writePlaces(tx, tenantId, build, places));
    count += places.length;
  }
  return count;
}
