import { createHash } from "node:crypto";
import { leasedAddress } from "../../domain/device/lease.ts";
import { isDeviceAddress, responderAnswered } from "../../domain/device/presence.ts";
import type { Observation } from "../../domain/record/observation.ts";
import { timeUuid } from "../../kit/id.ts";
import type { Cidr } from "../../kit/net/ip.ts";
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

/** An address that records name, and what there is at it. Looked up once for a record: there is one of each. */
export interface RosterAddress {
  readonly ip: string;
  /** Whether it can be a device of the site's. */
  readonly internal: boolean;
  device: KnownDevice | null;
  /** When the round's records saw that device there; null before one did. */
  seen: DeviceAddress | null;
}

/** The devices of one round: those known before and those its records show. */
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

  /** `before` is the roster of the round before, whose new devices may not be committed yet. */
  static async load(
    tx: Tx,
    tenantId: string,
    networks: readonly Cidr[],
    observations: readonly Observation[],
    before: DeviceRoster | null,
  ): Promise<DeviceRoster> {
    const { addresses, ends } = addressesOf(observations, networks);
    const internal = [...addresses.values()].filter((address) => address.internal);
    const ips = internal.map(({ ip }) => ip);
    const [count, known, inventory] = await Promise.all([
      before?.count ?? countDevices(tx, tenantId),
      devicesByAddress(tx, tenantId, ips),
      inventoryNames(tx, tenantId, ips),
    ]);
    const roster = new DeviceRoster(tenantId, networks, addresses, ends, inventory, count);
    for (const address of internal) {
      const device = known.get(address.ip) ?? before?.addresses.get(address.ip)?.device ?? null;
      if (device === null) continue;
      address.device = device;
      roster.#names.set(device.deviceId, device.displayName);
      roster.#names.set(device.survivorId, device.displayName);
      if (device.confirmedType !== null) roster.#confirmed.set(device.survivorId, device.confirmedType);
    }
    return roster;
  }

  /** Devices of the tenant so far, in the order of records. */
  get count(): number {
    return this.#count;
  }

  isInternal(ip: string): boolean {
    return this.addresses.get(ip)?.internal ?? isDeviceAddress(ip, this.networks);
  }

  /** Where an observation comes from, by its place among those that the roster was loaded for. */
  srcOf(at: number): RosterAddress {
    return this.ends[2 * at]!;
  }

  dstOf(at: number): RosterAddress {
    return this.ends[2 * at + 1]!;
  }

  nameOf(deviceId: string): string {
    return this.#names.get(deviceId) ?? deviceId;
  }

  /** The type that a person or the inventory gave it; null where nobody did. */
  confirmedType(deviceId: string): string | null {
    return this.#confirmed.get(deviceId) ?? null;
  }

  /** Takes an observation's ends into the roster; an end that is no device of the site is left out. */
  observe(observation: Observation, src: RosterAddress, dst: RosterAddress): void {
    this.#touch(src, observation, true);
    this.#touch(dst, observation, responderAnswered(observation));
    const leased = leasedAddress(observation);
    if (leased !== null) this.#touch(this.addresses.get(leased)!, observation, true);
  }

  /** `batchNo` is the newest of the round. */
  async write(tx: Tx, batchNo: number): Promise<void> {
    await recordDevices(tx, this.tenantId, this.#seen, batchNo);
  }

  #touch(address: RosterAddress, observation: Observation, proves: boolean): void {
    if (!address.internal) return;
    const { ip, seen } = address;
    if (seen === null) {
      if (address.device === null && !proves) return;
      const { deviceId } = address.device ??= this.#add(ip, observation.start);
      address.seen = { ip, deviceId, firstSeen: observation.start, lastSeen: observation.end };
      this.#seen.push(address.seen);
      return;
    }
    seen.firstSeen = Math.min(seen.firstSeen, observation.start);
    seen.lastSeen = Math.max(seen.lastSeen, observation.end);
  }

  /** The id follows from tenant, address and first sight, so that a replay makes the same device again. */
  #add(ip: string, firstSeen: number): KnownDevice {
    const deviceId = timeUuid(firstSeen, createHash("sha256").update(`${this.tenantId}\n${ip}`).digest());
    const displayName = this.inventory.get(ip) ?? ip;
    this.#names.set(deviceId, displayName);
    this.added.push({ deviceId, ip, inInventory: this.inventory.has(ip) });
    this.#count++;
    return { deviceId, survivorId: deviceId, displayName, confirmedType: null };
  }
}

/** Each address that these observations name, and those of their ends, two for each. */
function addressesOf(
  observations: readonly Observation[],
  networks: readonly Cidr[],
): { addresses: Map<string, RosterAddress>; ends: RosterAddress[] } {
  const addresses = new Map<string, RosterAddress>();
  const ends: RosterAddress[] = [];
  const meet = (ip: string): RosterAddress => {
    let address = addresses.get(ip);
    if (address !== undefined) return address;
    address = { ip, internal: isDeviceAddress(ip, networks), device: null, seen: null };
    addresses.set(ip, address);
    return address;
  };
  for (const observation of observations) {
    ends.push(meet(observation.src.ip), meet(observation.dst.ip));
    const leased = leasedAddress(observation);
    if (leased !== null) meet(leased);
  }
  return { addresses, ends };
}
