import { sha256Bytes } from "../../kit/hash.ts";
import { leasedAddress } from "../../domain/device/lease.ts";
import { isDeviceAddress, responderAnswered } from "../../domain/device/presence.ts";
import type { Located } from "../../domain/flow/merge.ts";
import type { Observation } from "../../domain/record/observation.ts";
import { timeUuid } from "../../kit/id.ts";
import { broadcastsOf, type Cidr } from "../../kit/net/ip.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  countDevices,
  type DeviceAddress,
  devicesByAddress,
  type KnownDevice,
  recordDevices,
} from "../../store/device/write.ts";
import { inventoryNames } from "../../store/device/inventory.ts";

export interface AddedDevice {
  deviceId: string;
  ip: string;
  inInventory: boolean;
}

/** An address in the round's records and the device at it. One object per address, looked up once per record. */
export interface RosterAddress {
  readonly ip: string;
  /** Whether it is within the site. */
  readonly internal: boolean;
  /** Whether it reaches a whole network of the site, so that it is no device. */
  readonly isBroadcast: boolean;
  device: KnownDevice | null;
  /** First and last sighting of the device in this round; null before the first. */
  seen: DeviceAddress | null;
}

interface RosterOptions {
  tenantId: string;
  networks: readonly Cidr[];
  observations: readonly Observation[];
  /** The roster of the round before, whose new devices may not be committed yet. */
  earlier: DeviceRoster | null;
}

/** The devices of one round: known devices and those that its records show for the first time. */
export class DeviceRoster {
  /** In the order in which their devices were seen. */
  readonly #seen: DeviceAddress[] = [];
  readonly #names = new Map<string, string>();
  readonly #confirmed = new Map<string, string>();
  /** Devices that this round's records show for the first time. */
  readonly added: AddedDevice[] = [];
  #count: number;

  private constructor(
    private readonly tenantId: string,
    private readonly networks: readonly Cidr[],
    private readonly addresses: Map<string, RosterAddress>,
    /** Source and destination of each observation. */
    private readonly ends: readonly RosterAddress[],
    private readonly inventory: ReadonlyMap<string, string>,
    count: number,
  ) {
    this.#count = count;
  }

  static async load(
    tx: Tx,
    { tenantId, networks, observations, earlier }: RosterOptions,
  ): Promise<DeviceRoster> {
    const { addresses, ends } = addressesOf(observations, networks);
    const internal = [...addresses.values()].filter((address) => address.internal);
    const ips = internal.map(({ ip }) => ip);
    const [count, known, inventory] = await Promise.all([
      earlier?.count ?? countDevices(tx, tenantId),
      devicesByAddress(tx, tenantId, ips),
      inventoryNames(tx, tenantId, ips),
    ]);
    const roster = new DeviceRoster(tenantId, networks, addresses, ends, inventory, count);
    for (const address of internal) {
      const device = known.get(address.ip) ?? earlier?.addresses.get(address.ip)?.device ?? null;
      if (device === null) continue;
      address.device = device;
      roster.#names.set(device.deviceId, device.displayName);
      roster.#names.set(device.survivorId, device.displayName);
      if (device.confirmedType !== null) roster.#confirmed.set(device.survivorId, device.confirmedType);
    }
    return roster;
  }

  /** Number of the tenant's devices so far. */
  get count(): number {
    return this.#count;
  }

  isInternal(ip: string): boolean {
    return this.addresses.get(ip)?.internal ?? isDeviceAddress(ip, this.networks);
  }

  /** Source of an observation, by its index among those that the roster was loaded for. */
  srcOf(at: number): RosterAddress {
    return this.ends[2 * at]!;
  }

  /** Destination of an observation; see `srcOf`. */
  dstOf(at: number): RosterAddress {
    return this.ends[2 * at + 1]!;
  }

  nameOf(deviceId: string): string {
    return this.#names.get(deviceId) ?? deviceId;
  }

  /** The device type that a user or the inventory set; null if neither did. */
  confirmedType(deviceId: string): string | null {
    return this.#confirmed.get(deviceId) ?? null;
  }

  /** Adds an observation's endpoints to the roster; endpoints outside of the site are ignored. */
  observe(record: Located, src: RosterAddress, dst: RosterAddress): void {
    const { observation } = record;
    this.#touch(src, record, true);
    this.#touch(dst, record, responderAnswered(observation));
    const leased = leasedAddress(observation);
    if (leased !== null) this.#touch(this.addresses.get(leased)!, record, true);
  }

  /** @param batchNo The last batch of the round. */
  async write(tx: Tx, batchNo: number): Promise<void> {
    await recordDevices(tx, this.tenantId, this.#seen, batchNo);
  }

  #touch(address: RosterAddress, { observation, receivedAt }: Located, proves: boolean): void {
    if (!address.internal || address.isBroadcast) return;
    // A sensor's clock may be ahead, but no device is seen in the future.
    const firstSeen = Math.min(observation.start, receivedAt);
    const lastSeen = Math.min(observation.end, receivedAt);
    const { ip, seen } = address;
    if (seen === null) {
      if (address.device === null && !proves) return;
      const { deviceId } = address.device ??= this.#add(ip, observation.start);
      address.seen = { ip, deviceId, firstSeen, lastSeen };
      this.#seen.push(address.seen);
      return;
    }
    seen.firstSeen = Math.min(seen.firstSeen, firstSeen);
    seen.lastSeen = Math.max(seen.lastSeen, lastSeen);
  }

  /** The id is derived from tenant, address and first sighting, so a replay creates the same device. */
  #add(ip: string, firstSeen: number): KnownDevice {
    const deviceId = timeUuid(firstSeen, sha256Bytes(`${this.tenantId}\n${ip}`));
    const displayName = this.inventory.get(ip) ?? ip;
    this.#names.set(deviceId, displayName);
    this.added.push({ deviceId, ip, inInventory: this.inventory.has(ip) });
    this.#count++;
    return { deviceId, survivorId: deviceId, displayName, confirmedType: null };
  }
}

/** The distinct addresses of the observations, and the source and destination of each observation. */
function addressesOf(
  observations: readonly Observation[],
  networks: readonly Cidr[],
): { addresses: Map<string, RosterAddress>; ends: RosterAddress[] } {
  const broadcasts = broadcastsOf(networks);
  const addresses = new Map<string, RosterAddress>();
  const ends: RosterAddress[] = [];
  const addressOf = (ip: string): RosterAddress => {
    let address = addresses.get(ip);
    if (address !== undefined) return address;
    const internal = isDeviceAddress(ip, networks);
    address = { ip, internal, isBroadcast: broadcasts.has(ip), device: null, seen: null };
    addresses.set(ip, address);
    return address;
  };
  for (const observation of observations) {
    ends.push(addressOf(observation.src.ip), addressOf(observation.dst.ip));
    const leased = leasedAddress(observation);
    if (leased !== null) addressOf(leased);
  }
  return { addresses, ends };
}
