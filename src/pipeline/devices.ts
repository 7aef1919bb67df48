import { createHash } from "node:crypto";
import { leasedAddress } from "../domain/device/lease.ts";
import { isDeviceAddress, responderAnswered } from "../domain/device/presence.ts";
import type { Observation } from "../domain/records/observation.ts";
import { timeUuid } from "../kit/id.ts";
import type { Cidr } from "../kit/ip.ts";
import type { Tx } from "../store/database.ts";
import {
  countDevices,
  type DeviceAddress,
  devicesByAddress,
  type KnownDevice,
  recordDevices,
} from "../store/device-write.ts";
import { inventoryNames } from "../store/inventory.ts";

export interface AddedDevice {
  deviceId: string;
  ip: string;
  inInventory: boolean;
}

/** The devices of one round: those known before and those its records show. */
export class DeviceRoster {
  readonly #byAddress = new Map<string, KnownDevice>();
  readonly #survivors = new Map<string, string>();
  readonly #seen = new Map<string, DeviceAddress>();
  readonly #names = new Map<string, string>();
  readonly #confirmed = new Map<string, string>();
  /** Devices that this round's records show for the first time. */
  readonly added: AddedDevice[] = [];
  #count: number;

  private constructor(
    private readonly tenantId: string,
    private readonly networks: readonly Cidr[],
    private readonly internal: Map<string, boolean>,
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
    const internal = new Map<string, boolean>();
    for (const observation of observations) {
      const { src, dst } = observation;
      for (const ip of [src.ip, dst.ip, leasedAddress(observation) ?? src.ip]) {
        if (!internal.has(ip)) internal.set(ip, isDeviceAddress(ip, networks));
      }
    }
    const addresses = [...internal].filter(([, yes]) => yes).map(([ip]) => ip);
    const [count, known, inventory] = await Promise.all([
      before?.count ?? countDevices(tx, tenantId),
      devicesByAddress(tx, tenantId, addresses),
      inventoryNames(tx, tenantId, addresses),
    ]);
    const roster = new DeviceRoster(tenantId, networks, internal, inventory, count);
    for (const ip of addresses) {
      const device = known.get(ip) ?? (before === null ? undefined : before.#byAddress.get(ip));
      if (!device) continue;
      roster.#byAddress.set(ip, device);
      roster.#names.set(device.deviceId, device.displayName);
      roster.#names.set(device.survivorId, device.displayName);
      roster.#survivors.set(device.deviceId, device.survivorId);
      if (device.confirmedType !== null) roster.#confirmed.set(device.survivorId, device.confirmedType);
    }
    return roster;
  }

  /** Devices of the tenant so far, in the order of records. */
  get count(): number {
    return this.#count;
  }

  isInternal(ip: string): boolean {
    return this.internal.get(ip) ?? isDeviceAddress(ip, this.networks);
  }

  /** The device of this address, which flows and facts belong to whatever it is merged into. */
  deviceAt(ip: string): string | null {
    return this.#byAddress.get(ip)?.deviceId ?? null;
  }

  /** The device that this one shows as. Detectors follow that one: a machine stays itself when it changes its address. */
  survivorOf(deviceId: string): string;
  survivorOf(deviceId: string | null): string | null;
  survivorOf(deviceId: string | null): string | null {
    return deviceId === null ? null : this.#survivors.get(deviceId) ?? deviceId;
  }

  nameOf(deviceId: string): string {
    return this.#names.get(deviceId) ?? deviceId;
  }

  /** The type that a person or the inventory gave it; null where nobody did. */
  confirmedType(deviceId: string): string | null {
    return this.#confirmed.get(deviceId) ?? null;
  }

  /** Takes an observation's ends into the roster; an end that is no device of the site is left out. */
  observe(observation: Observation): void {
    this.#touch(observation.src.ip, observation, true);
    this.#touch(observation.dst.ip, observation, responderAnswered(observation));
    const leased = leasedAddress(observation);
    if (leased !== null) this.#touch(leased, observation, true);
  }

  /** `batchNo` is the newest of the round. */
  async write(tx: Tx, batchNo: number): Promise<void> {
    await recordDevices(tx, this.tenantId, [...this.#seen.values()], batchNo);
  }

  #touch(ip: string, observation: Observation, proves: boolean): void {
    if (!this.isInternal(ip)) return;
    let deviceId = this.deviceAt(ip);
    if (deviceId === null) {
      if (!proves) return;
      deviceId = this.#add(ip, observation.start);
    }
    const seen = this.#seen.get(ip);
    if (!seen) {
      this.#seen.set(ip, { ip, deviceId, firstSeen: observation.start, lastSeen: observation.end });
      return;
    }
    seen.firstSeen = Math.min(seen.firstSeen, observation.start);
    seen.lastSeen = Math.max(seen.lastSeen, observation.end);
  }

  /** The id follows from tenant, address and first sight, so that a replay makes the same device again. */
  #add(ip: string, firstSeen: number): string {
    const deviceId = timeUuid(firstSeen, createHash("sha256").update(`${this.tenantId}\n${ip}`).digest());
    const displayName = this.inventory.get(ip) ?? ip;
    this.#byAddress.set(ip, { deviceId, survivorId: deviceId, displayName, confirmedType: null });
    this.#names.set(deviceId, displayName);
    this.added.push({ deviceId, ip, inInventory: this.inventory.has(ip) });
    this.#count++;
    return deviceId;
  }
}
