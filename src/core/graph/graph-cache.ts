import type { Site } from "../../contract/site.ts";
import { EndDirectory } from "../../domain/graph/end-directory.ts";
import type { GraphDevice } from "../../domain/graph/input.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";
import type { Tx } from "../../store/engine/database.ts";
import { devicesOfAddresses, devicesVersion } from "../../store/graph/context.ts";
import { AddressFacts } from "./address-facts.ts";
import { TrafficCache, type TrafficVersion } from "./traffic-cache.ts";

/** All devices are read again after that, in milliseconds: upkeep places devices in VLANs without a batch. */
const DEVICES_MAX_AGE = 60_000;
const MAX_TENANTS = 16;

interface KnownDevices {
  /** The last batch whose devices are included. */
  batchNo: number;
  store: string;
  /** See `devicesVersion`. */
  version: number;
  site: unknown;
  readAt: number;
  devices: ReadonlyMap<string, GraphDevice>;
}

/** What the graphs of all tenants share, apart from their results. */
export class GraphCache {
  readonly traffic = new TrafficCache();
  readonly #directories = new WeakMap<readonly string[], EndDirectory>();
  readonly #facts = new WeakMap<object, AddressFacts>();
  /** By tenant. */
  readonly #devices = new BoundedMap<string, KnownDevices>(MAX_TENANTS);

  /** The ends of the addresses of rollups, as long as these are in memory. */
  directoryOf(addresses: readonly string[]): EndDirectory {
    let directory = this.#directories.get(addresses);
    if (directory === undefined) this.#directories.set(addresses, directory = new EndDirectory(addresses));
    return directory;
  }

  factsOf(site: Pick<Site, "vlans">, networks: readonly Cidr[]): AddressFacts {
    let facts = this.#facts.get(site);
    if (facts === undefined) this.#facts.set(site, facts = new AddressFacts(site, networks));
    return facts;
  }

  /**
   * The device at each address; the same map as long as nothing has changed.
   *
   * @param position Where `tx` sees the tenant.
   */
  async devicesOf(
    tx: Tx,
    tenantId: string,
    site: unknown,
    { batchNo, store }: TrafficVersion,
  ): Promise<ReadonlyMap<string, GraphDevice>> {
    const version = await devicesVersion(tx, tenantId);
    const now = performance.now();
    let known = this.#devices.get(tenantId);
    const isUsable = known?.version === version && known.site === site && known.store === store &&
      known.batchNo <= batchNo && now - known.readAt < DEVICES_MAX_AGE;
    if (known === undefined || !isUsable) {
      const devices = await devicesOfAddresses(tx, tenantId);
      known = { batchNo, store, version, site, readAt: now, devices };
    } else if (known.batchNo < batchNo) {
      const seen = await devicesOfAddresses(tx, tenantId, known.batchNo);
      known = { ...known, batchNo, devices: withSeen(known.devices, seen) };
    }
    this.#devices.set(tenantId, known);
    return known.devices;
  }
}

/** The devices with some of them as they are now; `devices` itself if all are as they were. */
function withSeen(
  devices: ReadonlyMap<string, GraphDevice>,
  seen: ReadonlyMap<string, GraphDevice>,
): ReadonlyMap<string, GraphDevice> {
  const isChanged = new Set<GraphDevice>();
  for (const [ip, device] of seen) {
    if (JSON.stringify(devices.get(ip)) !== JSON.stringify(device)) isChanged.add(device);
  }
  if (isChanged.size === 0) return devices;
  const current = new Map(devices);
  for (const [ip, device] of seen) if (isChanged.has(device)) current.set(ip, device);
  return current;
}
